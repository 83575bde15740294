package feed

import "time"

// FanoutMode says which contents are pushed into inboxes.
type FanoutMode string

// The fan-out modes.
const (
	// FanoutHybrid pushes the contents of authors up to the push threshold to all of
	// their followers, and of those above it to the active ones.
	FanoutHybrid FanoutMode = "hybrid"
	// FanoutPush pushes everything, whatever the number of followers.
	FanoutPush FanoutMode = "push"
	// FanoutPull pushes nothing: every author who publishes is pulled from then on.
	FanoutPull FanoutMode = "pull"
)

// Policy holds every number the domain goes by. The zero value is not usable;
// start from [DefaultPolicy].
type Policy struct {
	// Rules are the limits of what users write.
	Rules
	// Fanout is the fan-out mode.
	Fanout FanoutMode
	// PushThreshold is the largest number of followers an author may have and
	// still be pushed to all of them. 5,000 followers are five subtasks, done in
	// well under a second; beyond that most of the work would be for inboxes that
	// nobody reads.
	PushThreshold int
	// ActiveFor is the lease of activity: how long a viewer counts as active after he
	// was seen. Everybody who reads once a month is; those who do not come back to a
	// feed that takes one warm-up.
	ActiveFor time.Duration
	// RenewAfter is how much of a lease must have passed before a read renews it.
	// It bounds the writes that reads cause: one a day for each viewer.
	RenewAfter time.Duration
	// LeaseGrace is how much longer than the lease pushes still go to a viewer, so
	// that a lease is over for those who read by it before it is for those who push.
	// All leases are on the clock of the source of truth, so it need only outlast a
	// step back of that, as when another server takes over: an hour.
	LeaseGrace time.Duration
	// DormantFor is how long after the end of his lease a viewer keeps his inbox. It
	// costs memory and a warm-up makes it whole again; after so long a build costs
	// hardly more.
	DormantFor time.Duration
	// BacklogMax is how many subtasks may wait before authors with more followers than
	// fill one subtask are marked unpushed instead of being pushed. The mark is for
	// good, and makes reads dearer, so it is for real trouble: at a thousand subtasks a
	// second, which a small fleet does, a hundred thousand are a minute and a half of
	// delay for everybody.
	BacklogMax int
	// ReferenceMax is how many reference queries one process runs at once, and
	// ReferencePatience how long a read waits for its turn: half of the connections
	// that a process has, so that writes go on, and not so long that clients give up.
	ReferenceMax      int
	ReferencePatience time.Duration
	// SearchesMax is how many searches for users one process runs at once; they wait for
	// ReferencePatience as well. Words that many users have, and hardly any of them together,
	// take the database a second for a few hundred thousand of them, so that a few who ask for
	// such must leave it connections for everybody else.
	SearchesMax int
	// SubtaskSize is the number of follower ids in one slice of a plan, or in a run of
	// them where a slice is of several. 1,000 is small enough to be done again after a
	// crash, and a fan-out to few thousands still has something for several workers.
	SubtaskSize int
	// PlanBatch is about how many followers are walked at once for a plan, in whole slices.
	// Nothing is pushed before the plan is stored, so a million followers wait for ten such
	// walks, each of which takes a store some ten milliseconds.
	PlanBatch int
	// PushBatch is the number of inboxes written in one pipelined round trip with one key
	// each: a whole subtask, also of an author with so many followers that it is of four
	// runs, so that it takes one query for its followers and stores its progress once. At
	// some 1.5 µs a push, 4,000 take Redis six milliseconds, and reads get their turn in
	// between: it takes 16 KB off a connection at a time, which are some 500 pushes.
	PushBatch int
	// PushTogether is how many contents of one author one subtask pushes at once to the
	// same followers, at most: what waits because an author publishes much at once, or
	// because workers were away. With sixteen, what is done once for all of them costs a
	// sixteenth, and what is done for each is most of the rest.
	PushTogether int
	// InboxCap is the number of entries an inbox keeps: fifteen pages of twenty,
	// deeper than nearly every scroll. Older entries are read from the outboxes.
	InboxCap int
	// FollowLimit is the number of users one user may follow. It bounds the cost of
	// the reference query and of a build.
	FollowLimit int
	// PageDefault and PageMax bound first and last.
	PageDefault, PageMax int
	// CountMax is where newCount stops counting.
	CountMax int
	// QueryMax is the length of a search for users in code points: a long name.
	QueryMax int
	// RepostDepth is how long a chain of reposts of reposts may be. Judging one
	// content walks its chain, so a chain without end would be a way to make a
	// read arbitrarily slow.
	RepostDepth int
	// IdempotencyFor is how long a publish is remembered by its idempotency key.
	IdempotencyFor time.Duration
	// SliceLease is how long a running subtask may go without storing progress
	// before it counts as dead and is dispatched again. It does so with every batch,
	// which takes some milliseconds, and a worker that is only slow is fenced.
	SliceLease time.Duration
	// EventPatience is how long the event of a fresh publish may go without a plan
	// once its task has been taken off the queue, and QueuePatience how long a subtask
	// may then not be running, before a sweep takes the task for lost and dispatches
	// it again. Either happens within milliseconds, so two seconds are ample; a plan
	// that takes longer, for millions of active followers, is made twice, of which the
	// second counts for nothing. From the first dispatch by a sweep on, QueuePatience
	// holds for both; it doubles with every further one up to QueuePatienceMax: while
	// masters of a Cluster die, subtasks are dispatched in vain again and again, and what
	// is lost last must not wait for minutes when all is well again. Fifteen seconds keep
	// what fails for its own sake cheap.
	EventPatience, QueuePatience, QueuePatienceMax time.Duration
	// BuildPatience is how long a building mark holds before another build may
	// replace it: a build takes milliseconds, so one this old has died.
	BuildPatience time.Duration
	// PlansKept is how long a plan that is done can still be looked up, and run again
	// for an inbox store that lost what it had: a week outlasts every outage that
	// somebody has not noticed.
	PlansKept time.Duration
	// HandlesHeldFor is how long a handle that was given up, by a new one or with the
	// account, is kept from other users: a month, in which most readers have noticed that
	// links and mentions with it no longer lead to the user they know.
	HandlesHeldFor time.Duration
	// UpkeepBatch is how many inboxes, and how many old rows, one slice of the upkeep
	// looks at: a round trip's worth, so that it never holds up reads for long.
	UpkeepBatch int
	// SweepBatch is how many due events and how many due subtasks a sweep takes in one
	// transaction; it goes on with the next while they are as many.
	SweepBatch int
	// UndeliveredMax is how many contents may wait for one subscriber who does not take
	// them: as many as newCount counts, beyond which a client reads the feed anew anyway.
	UndeliveredMax int
	// UnroutedMax is how many announcements may wait in a process to be given to its
	// subscribers: a second's worth at the rate at which one connection to the database
	// finds out who follows their authors.
	UnroutedMax int
	// DeliveriesMax is how many deliveries one process judges at once. When a big-V
	// publishes, thousands become due together, and reads go on beside them.
	DeliveriesMax int
	// ListenPatience is how long a subscription waits for its process to be connected.
	ListenPatience time.Duration
	// PurgeBatch is how many rows of deleted accounts one transaction takes away: few
	// enough that whoever waits for one of them waits some hundredths of a second.
	PurgeBatch int
}

// DefaultPolicy returns the numbers Tideline ships with.
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
