package feed

import "time"

// FanoutMode says which posts are pushed into inboxes.
type FanoutMode string

const (
	// FanoutHybrid pushes to all followers up to the push threshold, above it to active followers.
	FanoutHybrid FanoutMode = "hybrid"
	// FanoutPush pushes all posts.
	FanoutPush FanoutMode = "push"
	// FanoutPull pushes nothing: authors are pulled from their first post on.
	FanoutPull FanoutMode = "pull"
)

// Policy holds the parameters of the domain. Start from [DefaultPolicy].
type Policy struct {
	Rules
	Fanout FanoutMode
	// Owned are the types of objects that sources own.
	Owned RecordTypes
	// Upstream are those whose content other services have ([Batch.Upstream]).
	Upstream RecordTypes
	// PushThreshold limits followers of authors pushed to all: five slices, well under a second.
	PushThreshold int
	// ActiveFor is the activity lease: how long a viewer counts as active after being seen.
	ActiveFor time.Duration
	// RenewAfter is how much of a lease passes before a read renews it: one write a day.
	RenewAfter time.Duration
	// LeaseGrace is for pushes: leases end for readers first, even if the clock steps back.
	LeaseGrace time.Duration
	// DormantFor is how long inboxes outlive leases. Then a build costs hardly more than a warm-up.
	DormantFor time.Duration
	// BacklogMax is the waiting slices from which on authors with more than SliceSize followers
	// are flagged unpushed for good: a minute and a half at a thousand slices a second.
	BacklogMax int
	// ReferenceMax limits concurrent reference queries to half of the process's connections.
	ReferenceMax      int
	ReferencePatience time.Duration
	// SearchesMax limits searches. Frequent words take a second per few hundred thousand users.
	SearchesMax int
	// SliceSize is the number of followers per slice, or per run of a long slice: quick to repeat,
	// enough for several workers.
	SliceSize int
	// LargeAbove is the number of followers above which a fan-out waits in queues of its own, so that
	// it delays no smaller one: five slices, as many as hybrid mode pushes to all followers.
	LargeAbove int
	// PlanBatch is about how many followers one read of a plan covers, in some ten milliseconds.
	PlanBatch int
	// PushBatch is inboxes per round trip: a slice of four runs. Redis takes six milliseconds.
	PushBatch int
	// PushTogether limits posts pushed together: with 16, shared costs fall to a sixteenth.
	PushTogether int
	// OnlineFirst is how many followers who are online get a post of a large fan-out before all others;
	// 0 for none. They are at most one in OnlineShare followers: slices push to them again, and up to
	// PushTogether posts share a write there.
	OnlineFirst, OnlineShare int
	// OnlineMax limits the users who are remembered as connected, and those as seen: ten lookups of
	// a millisecond find the followers among all of them. OnlineFor is how long they are.
	OnlineMax int
	OnlineFor time.Duration
	// FlagsKept is how long an author must have few followers before their coverage flag falls.
	FlagsKept time.Duration
	// InboxCap is the number of entries: fifteen pages, deeper than nearly every scroll.
	InboxCap int
	// FollowLimit is how many users one may follow, which limits the cost of reads and builds.
	FollowLimit          int
	PageDefault, PageMax int
	// CountMax is where newCount stops counting.
	CountMax int
	// SyncMax is the posts that changes since a sync token may name. Beyond it, reading the first
	// pages again is cheaper.
	SyncMax int
	// QueryMax is the length of a search for users in code points: a long name.
	QueryMax int
	// RepostDepth limits a chain of reposts, which judging a post loads. Longer ones are hidden.
	RepostDepth int
	// IdempotencyFor is how long an idempotency key is remembered.
	IdempotencyFor time.Duration
	// SliceLease is for a slice without new progress, which workers store every few milliseconds.
	SliceLease time.Duration
	// A sweep dispatches new events after EventPatience. Slices, and all later dispatches, wait for
	// QueuePatience. It doubles up to the maximum, so that waits after a failover are short.
	EventPatience, QueuePatience, QueuePatienceMax time.Duration
	// BuildPatience is how long a build, of milliseconds, may run before another may replace it.
	BuildPatience time.Duration
	// PlansKept is how long done plans are kept, to repeat fan-outs after a loss of inboxes.
	PlansKept time.Duration
	// ChangesKept is how long the change log is kept, and so how far back readers may continue.
	ChangesKept time.Duration
	// ReorderWindow is how long the versions of ended edges are kept. A record that arrives later
	// than that after a newer one makes the edge again.
	ReorderWindow time.Duration
	// HandlesHeldFor reserves given-up handles, so that readers notice that they lead elsewhere.
	HandlesHeldFor time.Duration
	// UpkeepBatch is the number of inboxes or old rows that a step handles in a round trip.
	UpkeepBatch int
	// SweepBatch is the number of due events and of due slices that a sweep takes at once.
	SweepBatch int
	// UndeliveredMax limits the waiting changes of a subscriber, who beyond it reads the log.
	UndeliveredMax int
	// UnroutedMax limits the changes for whose subscribers a process searches. One post may have a row
	// for each of OnlineFirst followers and one for all.
	UnroutedMax int
	// DeliveriesMax limits concurrent deliveries of a process, so that reads go on. They share batches
	// of reads, so fewer make more statements.
	DeliveriesMax int
	// PurgeBatch is rows of deleted accounts per transaction of some hundredths of a second.
	PurgeBatch int
}

// PlanBelow returns the number of followers below which a publish plans its fan-out itself: all of
// them are in one slice.
func (p *Policy) PlanBelow() int {
	switch p.Fanout {
	case FanoutPull:
		return 0
	case FanoutHybrid:
		return min(p.SliceSize, p.PushThreshold) + 1
	}
	return p.SliceSize + 1
}

// DefaultPolicy returns the default parameters.
func DefaultPolicy() Policy {
	return Policy{
		Rules:             ClientRules(),
		Fanout:            FanoutHybrid,
		PushThreshold:     5000,
		ActiveFor:         30 * 24 * time.Hour,
		RenewAfter:        24 * time.Hour,
		LeaseGrace:        time.Hour,
		DormantFor:        30 * 24 * time.Hour,
		BacklogMax:        100_000,
		ReferenceMax:      8,
		ReferencePatience: 2 * time.Second,
		SearchesMax:       3,
		SliceSize:         1000,
		LargeAbove:        5000,
		PlanBatch:         100_000,
		PushBatch:         4000,
		PushTogether:      16,
		OnlineFirst:       1000,
		OnlineShare:       100,
		OnlineMax:         5000,
		OnlineFor:         2 * time.Minute,
		FlagsKept:         7 * 24 * time.Hour,
		InboxCap:          300,
		FollowLimit:       2000,
		PageDefault:       20,
		PageMax:           100,
		CountMax:          100,
		SyncMax:           500,
		QueryMax:          100,
		RepostDepth:       8,
		IdempotencyFor:    24 * time.Hour,
		SliceLease:        3 * time.Second,
		EventPatience:     2 * time.Second,
		QueuePatience:     2 * time.Second,
		QueuePatienceMax:  15 * time.Second,
		BuildPatience:     30 * time.Second,
		PlansKept:         7 * 24 * time.Hour,
		ChangesKept:       30 * 24 * time.Hour,
		ReorderWindow:     30 * 24 * time.Hour,
		HandlesHeldFor:    30 * 24 * time.Hour,
		UpkeepBatch:       100,
		SweepBatch:        500,
		UndeliveredMax:    100,
		UnroutedMax:       5000,
		DeliveriesMax:     64,
		PurgeBatch:        500,
	}
}
