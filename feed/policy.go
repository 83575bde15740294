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
	Fanout FanoutMode
	// PushThreshold is the largest number of followers of an author who is pushed to all of them:
	// five slices, done in well under a second.
	PushThreshold int
	// ActiveFor is the activity lease: how long a viewer counts as active after being seen.
	ActiveFor time.Duration
	// RenewAfter is how much of a lease must have passed before a read renews it: one write a
	// day.
	RenewAfter time.Duration
	// LeaseGrace is how much longer than the lease pushes still reach a viewer, so that a lease
	// ends for readers first. It covers a step back of the source's clock, as at a failover.
	LeaseGrace time.Duration
	// DormantFor is how long a viewer keeps their inbox after the end of their lease. After so
	// long, a build costs hardly more than a warm-up.
	DormantFor time.Duration
	// BacklogMax is the number of waiting slices from which on authors with more than SubtaskSize
	// followers are flagged unpushed, for good. It is for emergencies: at a thousand slices a
	// second, 100,000 delay every post by a minute and a half.
	BacklogMax int
	// ReferenceMax limits concurrent reference queries per process, to half of its connections.
	// ReferencePatience is how long a read waits for one.
	ReferenceMax      int
	ReferencePatience time.Duration
	// SearchesMax limits concurrent searches per process, which wait for ReferencePatience too. A
	// search for frequent words takes a second per few hundred thousand users.
	SearchesMax int
	// SubtaskSize is the number of follower ids in one slice, or in each run of a longer slice.
	// 1,000 are quick to repeat, and keep several workers busy for a few thousand followers.
	SubtaskSize int
	// PlanBatch is about how many followers one read of a plan covers, in whole slices, in some
	// ten milliseconds.
	PlanBatch int
	// PushBatch is the number of inboxes written in one round trip with one key each: a whole
	// slice of four runs. That takes Redis six milliseconds, between which it serves reads.
	PushBatch int
	// PushTogether limits the posts of one author that one task pushes together to the same
	// followers. With 16, shared costs fall to a sixteenth.
	PushTogether int
	// InboxCap is the number of entries of an inbox: fifteen pages, deeper than nearly every
	// scroll.
	InboxCap int
	// FollowLimit is the number of users that one user may follow. It limits the cost of a read
	// and of a build.
	FollowLimit          int
	PageDefault, PageMax int
	// CountMax is where newCount stops counting.
	CountMax int
	// QueryMax is the length of a search for users in code points: a long name.
	QueryMax int
	// RepostDepth limits a chain of reposts, which judging a post loads.
	RepostDepth int
	// IdempotencyFor is how long an idempotency key is remembered.
	IdempotencyFor time.Duration
	// SliceLease is how long a running slice may go without storing progress before it is
	// dispatched again. Workers store progress every few milliseconds, and slow ones are fenced.
	SliceLease time.Duration
	// EventPatience is how long a new event may go without a plan after its task left the queue,
	// before a sweep dispatches it again. QueuePatience is the same for a slice that is not
	// running. After the first dispatch by a sweep, QueuePatience applies to both and doubles
	// each time up to QueuePatienceMax, so that nothing waits for minutes after a failover of
	// Redis.
	EventPatience, QueuePatience, QueuePatienceMax time.Duration
	// BuildPatience is how long a build, which takes milliseconds, may run before another may
	// replace it.
	BuildPatience time.Duration
	// PlansKept is how long done plans are kept, to repeat fan-outs for a store of inboxes that
	// lost data.
	PlansKept time.Duration
	// HandlesHeldFor is how long a handle that was given up, or whose account was deleted, is
	// reserved, so that readers notice that it leads elsewhere.
	HandlesHeldFor time.Duration
	// UpkeepBatch is the number of inboxes or old rows that one step of the upkeep handles in a
	// round trip.
	UpkeepBatch int
	// SweepBatch is the number of due events and of due slices that a sweep takes in one
	// transaction.
	SweepBatch int
	// UndeliveredMax is the number of posts that may wait for one subscriber, before the client
	// reloads the feed anyway.
	UndeliveredMax int
	// UnroutedMax is the number of announcements that may wait in a process: a second's worth for
	// one connection that looks up followers.
	UnroutedMax int
	// DeliveriesMax limits concurrent deliveries of a process, so that reads go on.
	DeliveriesMax int
	// ListenPatience is how long a subscription waits for its process to connect.
	ListenPatience time.Duration
	// PurgeBatch is the number of rows of deleted accounts that one transaction removes, in
	// hundredths of a second.
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
