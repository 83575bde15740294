package live

import (
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// Policy holds every number of the live domain. The zero value is not usable; start from
// [DefaultPolicy].
type Policy struct {
	// Rules are the limits of what hosts write, OpenMax among them.
	feed.Rules
	// PageDefault and PageMax bound first.
	PageDefault, PageMax int
	// ScheduleBehind is how far back a session may be planned: clients' clocks differ, and a
	// session may be announced as it begins.
	ScheduleBehind time.Duration
	// PullMax is how many entries of one host a first page takes from his set: enough for
	// the largest page and one more, so that no host is looked at twice for it.
	PullMax int
	// RefillMin is how many entries are judged at once when a page is filled up after some
	// were left out. Judging costs round trips, not entries, so one by one would be dear.
	RefillMin int
	// SnapshotFor is how long a snapshot is kept: longer than a reader stays on one page,
	// and one that has gone is computed again.
	SnapshotFor time.Duration
	// SnapshotMax is the most entries that are kept as a snapshot. With more, which two
	// thousand hosts may have, the pages behind the first compute what they need.
	SnapshotMax int
	// KnownFor is how long anything is known of a feed. By its numbers it would be for ever;
	// a minute costs one read in hundreds, and ends what a database might leave behind that
	// was set back to an earlier state without a new generation.
	CachedFor time.Duration
	// KnownMax is how many entries are known of one feed: three of the largest pages.
	CachedMax int
	// SourcesMax is up to how many followees a viewer's feed is remembered: more than the
	// limit of follows lets anybody have, but imports do not go by it.
	SourcesMax int
	// JournalMax bounds a [Journal], in hosts: some megabytes. One that is full begins anew,
	// and what is known from before it is read once more.
	TrackedMax int
	// JournalStep is how many transitions are asked for at once: a few milliseconds' worth.
	// A process that was idle takes several steps.
	PollMax int
	// JournalGap is how far a journal that lags is brought forward, in transitions. One that
	// lags by more begins anew.
	PollGap int64
}

// DefaultPolicy returns the numbers Tideline ships with.
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
