package live

import (
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// Policy holds the parameters of package live. Start from [DefaultPolicy].
type Policy struct {
	feed.Rules
	PageDefault, PageMax int
	// ScheduleBehind is how far in the past a session may be scheduled: clocks differ.
	ScheduleBehind time.Duration
	// PullMax is the number of entries of a host from their set: one more than the largest page.
	PullMax int
	// RefillMin is the least number of entries judged at once when others were hidden.
	RefillMin int
	// SnapshotFor is how long a snapshot is kept: longer than readers stay on one page.
	SnapshotFor time.Duration
	// SnapshotMax limits the entries of a snapshot. Longer feeds are read from SQL on later pages.
	SnapshotMax int
	// CachedFor is how long a cached feed is used. A minute costs one read in hundreds, and ends
	// stale entries of a database that was restored without a new generation.
	CachedFor time.Duration
	// CachedMax is the number of cached entries of one feed: three of the largest pages.
	CachedMax int
	// SourcesMax is how many followees a cached feed may have. Imports may exceed the follow limit.
	SourcesMax int
	// TrackedMax limits a [ChangeTracker]'s hosts, to some MB. Beyond it the tracker restarts.
	TrackedMax int
	// PollMax is the number of transitions that the tracker reads at once, in a few milliseconds.
	PollMax int
	// PollGap is how many transitions a lagging tracker reads. Beyond that it restarts.
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
