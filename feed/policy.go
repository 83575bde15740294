package feed

import "time"

// FanoutMode says which posts are pushed into inboxes.
type FanoutMode string

// The fan-out modes.
const (
	// FanoutHybrid pushes posts to all followers of authors up to the push threshold, and to the
	// active followers of those above it.
	FanoutHybrid FanoutMode = "hybrid"
	// FanoutPush pushes all posts.
	FanoutPush FanoutMode = "push"
	// FanoutPull pushes nothing: authors are pulled from their first post on.
	FanoutPull FanoutMode = "pull"
)

// Policy holds the parameters of the domain. The zero value is not usable; start from
// [DefaultPolicy].
type Policy struct {
	// Rules are the limits of what users write.
	Rules
	// Fanout is the fan-out mode.
	Fanout FanoutMode
	// PushThreshold is the largest number of followers of an author who is pushed to all of them.
	// 5,000 followers are five slices, done in well under a second. Above that, most of the work
	// would be for inboxes that are never read.
	PushThreshold int
	// ActiveFor is the activity lease: how long a viewer counts as active after being seen. It
	// includes everyone who reads once a month. Others come back to a feed that needs one
	// warm-up.
	ActiveFor time.Duration
	// RenewAfter is how much of a lease must have passed before a read renews it. It limits the
	// writes caused by reads to one a day per viewer.
	RenewAfter time.Duration
	// LeaseGrace is how much longer than the lease pushes still reach a viewer, so that a lease
	// ends for readers before it ends for pushes. All leases are on the clock of the source of
	// truth, so an hour covers a step back of that clock, as at a failover.
	LeaseGrace time.Duration
	// DormantFor is how long a viewer keeps their inbox after the end of their lease. An inbox
	// takes memory; after so long, a build costs hardly more than a warm-up.
	DormantFor time.Duration
	// BacklogMax is the number of waiting slices from which on authors with more followers than
	// one slice holds are flagged unpushed instead of being pushed. The flag is permanent and
	// makes reads slower, so this is for emergencies: at a thousand slices a second, 100,000
	// delay every post by a minute and a half.
	BacklogMax int
	// ReferenceMax limits concurrent reference queries per process, to half of its connections.
	// ReferencePatience is how long a read waits for one of them.
	ReferenceMax      int
	ReferencePatience time.Duration
	// SearchesMax limits concurrent searches for users per process. They wait for
	// ReferencePatience too. A search for words that many users have, but few have together,
	// takes the database a second per few hundred thousand users.
	SearchesMax int
	// SubtaskSize is the number of follower ids in one slice of a plan, or in each run of a slice
	// that holds several. 1,000 are quick to repeat after a crash, and keep several workers busy
	// for a few thousand followers.
	SubtaskSize int
	// PlanBatch is about how many followers one read of a plan covers, in whole slices. Pushes
	// begin after the plan is stored, so a million followers wait for ten reads of some ten
	// milliseconds each.
	PlanBatch int
	// PushBatch is the number of inboxes written in one pipelined round trip with one key each.
	// It covers a whole slice, even one of four runs, so that a slice takes one query for
	// followers and one write of progress. At some 1.5 µs a push, 4,000 take Redis six
	// milliseconds. Reads interleave, because Redis reads 16 KB of a connection at a time, some
	// 500 pushes.
	PushBatch int
	// PushTogether limits the posts of one author that one task pushes together to the same
	// followers. Posts wait when an author publishes many at once or when no worker ran. With 16,
	// shared costs fall to a sixteenth, and the rest is mostly cost per post.
	PushTogether int
	// InboxCap is the number of entries of an inbox: fifteen pages of twenty, deeper than nearly
	// every scroll. Older entries are read from outboxes.
	InboxCap int
	// FollowLimit is the number of users that one user may follow. It limits the cost of the
	// reference query and of a build.
	FollowLimit int
	// PageDefault and PageMax limit first and last.
	PageDefault, PageMax int
	// CountMax is where newCount stops counting.
	CountMax int
	// QueryMax is the length of a search for users in code points: a long name.
	QueryMax int
	// RepostDepth limits a chain of reposts of reposts. Judging a post loads its chain, so longer
	// chains would make reads arbitrarily slow.
	RepostDepth int
	// IdempotencyFor is how long an idempotency key is remembered.
	IdempotencyFor time.Duration
	// SliceLease is how long a running slice may go without storing progress before it is
	// dispatched again. A worker stores progress every few milliseconds, and one that is only
	// slow is fenced.
	SliceLease time.Duration
	// EventPatience is how long a new event may go without a plan after its task left the queue,
	// before a sweep dispatches it again. QueuePatience is the same for a slice that is not
	// running. Both steps take milliseconds, so two seconds are ample; a plan that takes longer
	// is made twice and the second one ignored.
	//
	// After the first dispatch by a sweep, QueuePatience applies to both and doubles each time up
	// to QueuePatienceMax. The maximum is small because nothing should wait for minutes after a
	// failover of Redis, and large enough to keep permanent failures cheap.
	EventPatience, QueuePatience, QueuePatienceMax time.Duration
	// BuildPatience is how long a build may run before another may replace it. A build takes
	// milliseconds, so one this old has died.
	BuildPatience time.Duration
	// PlansKept is how long done plans are kept, to repeat fan-outs for a store of inboxes that
	// lost data. A week outlasts outages that are noticed late.
	PlansKept time.Duration
	// HandlesHeldFor is how long a handle that was given up, or whose account was deleted, is
	// reserved. After a month, most readers have noticed that links with it no longer lead to the
	// user they know.
	HandlesHeldFor time.Duration
	// UpkeepBatch is the number of inboxes or old rows that one step of the upkeep handles: one
	// round trip, so that reads never wait long.
	UpkeepBatch int
	// SweepBatch is the number of due events and of due slices that a sweep takes in one
	// transaction. It continues while it finds as many.
	SweepBatch int
	// UndeliveredMax is the number of posts that may wait for one subscriber: as many as newCount
	// counts. With more, a client reloads the feed anyway.
	UndeliveredMax int
	// UnroutedMax is the number of announcements that may wait in a process: a second's worth for
	// one connection that looks up followers.
	UnroutedMax int
	// DeliveriesMax limits concurrent deliveries of a process. A post by a popular author makes
	// thousands due at once, and reads must go on.
	DeliveriesMax int
	// ListenPatience is how long a subscription waits for its process to connect.
	ListenPatience time.Duration
	// PurgeBatch is the number of rows of deleted accounts that one transaction removes. Other
	// writers wait for its locks for some hundredths of a second.
	PurgeBatch int
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
		SubtaskSize:       1000,
		PlanBatch:         100_000,
		PushBatch:         4000,
		PushTogether:      16,
		InboxCap:          300,
		FollowLimit:       2000,
		PageDefault:       20,
		PageMax:           100,
		CountMax:          100,
		QueryMax:          100,
		RepostDepth:       8,
		IdempotencyFor:    24 * time.Hour,
		SliceLease:        3 * time.Second,
		EventPatience:     2 * time.Second,
		QueuePatience:     2 * time.Second,
		QueuePatienceMax:  15 * time.Second,
		BuildPatience:     30 * time.Second,
		PlansKept:         7 * 24 * time.Hour,
		HandlesHeldFor:    30 * 24 * time.Hour,
		UpkeepBatch:       100,
		SweepBatch:        500,
		UndeliveredMax:    100,
		UnroutedMax:       1000,
		DeliveriesMax:     8,
		ListenPatience:    5 * time.Second,
		PurgeBatch:        500,
	}
}
