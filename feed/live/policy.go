package live

import (
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// Policy holds the parameters of package live. The zero value is not usable; start from
// [DefaultPolicy].
type Policy struct {
	// Rules are the limits of what hosts write, such as OpenMax.
	feed.Rules
	PageDefault, PageMax int
	// ScheduleBehind is how far in the past a session may be scheduled, because clocks of clients
	// differ and some sessions are scheduled as they begin.
	ScheduleBehind time.Duration
	// PullMax is the number of entries of one host that a first page takes from their set: one
	// more than the largest page has.
	PullMax int
	// RefillMin is the least number of entries judged at once when others were hidden. Judging
	// costs round trips, not entries.
	RefillMin int
	// SnapshotFor is how long a snapshot is kept: longer than readers stay on one page.
	SnapshotFor time.Duration
	// SnapshotMax limits the entries of a snapshot. Longer feeds are read from SQL on later
	// pages.
	SnapshotMax int
	// CachedFor is how long a cached feed is used. It would be valid for longer. A minute costs
	// one read in hundreds, and ends stale entries of a database that was restored without a new
	// generation.
	CachedFor time.Duration
	// CachedMax is the number of cached entries of one feed: three of the largest pages.
	CachedMax int
	// SourcesMax is the number of followees up to which a feed is cached. It exceeds the follow
	// limit, which imports may ignore.
	SourcesMax int
	// TrackedMax limits the hosts of a [ChangeTracker], to some megabytes. When it is exceeded,
	// the tracker restarts, and cached feeds from before are read again.
	TrackedMax int
	// PollMax is the number of transitions that the tracker reads at once, in a few milliseconds.
	// A process that was idle takes several polls.
	PollMax int
	// PollGap is the number of transitions up to which a lagging tracker catches up. Beyond that
	// it restarts.
	PollGap int64
}

// DefaultPolicy returns the default parameters.
func DefaultPolicy() Policy {
	return Policy{
		Rules:          feed.ClientRules(),
		PageDefault:    20,
		PageMax:        100,
		PullMax:        101,
		RefillMin:      32,
		ScheduleBehind: 5 * time.Minute,
		SnapshotFor:    10 * time.Minute,
		SnapshotMax:    10_000,
		CachedFor:      time.Minute,
		CachedMax:      301,
		SourcesMax:     5_000,
		TrackedMax:     100_000,
		PollMax:        5_000,
		PollGap:        50_000,
	}
}
