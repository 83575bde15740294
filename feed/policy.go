package feed

import "time"

// FanoutMode says which contents are pushed into inboxes.
type FanoutMode string

// The fan-out modes.
const (
	// FanoutHybrid pushes the contents of authors up to the push threshold and
	// pulls those above it.
	FanoutHybrid FanoutMode = "hybrid"
	// FanoutPush pushes everything, whatever the number of followers.
	FanoutPush FanoutMode = "push"
	// FanoutPull pushes nothing: every author who publishes is pulled from then on.
	FanoutPull FanoutMode = "pull"
)

// Policy holds every number the domain goes by. The zero value is not usable;
// start from [DefaultPolicy].
type Policy struct {
	// Fanout is the fan-out mode.
	Fanout FanoutMode
	// PushThreshold is the largest number of followers an author may have and
	// still be pushed to all of them. 5,000 followers are five subtasks, done in
	// well under a second; beyond that a pull costs the readers less than the push
	// costs the writers.
	PushThreshold int
	// SubtaskSize is the number of follower ids in one slice of a plan. 1,000 is a
	// few pipelined batches, small enough to be done again after a crash and large
	// enough that the queue's cost per task vanishes.
	SubtaskSize int
	// PushBatch is the number of inboxes written in one pipelined round trip. At some
	// 17 µs a push, 250 are about four milliseconds of Redis, between whose scripts
	// reads get their turn, and a round trip that is mostly work.
	PushBatch int
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
	// TextMax is the length of a text in Unicode code points; 5,000 is a long
	// post and still a short row.
	TextMax int
	// MediaMax is the number of media of one content, URLMax the bytes of one URL.
	MediaMax, URLMax int
	// QueryMax is the length of a search for users in code points: a long name.
	QueryMax int
	// RepostDepth is how long a chain of reposts of reposts may be. Judging one
	// content walks its chain, so a chain without end would be a way to make a
	// read arbitrarily slow.
	RepostDepth int
	// IdempotencyFor is how long a publish is remembered by its idempotency key.
	IdempotencyFor time.Duration
	// SliceLease is how long a running subtask may go without storing progress
	// before it counts as dead and is dispatched again.
	SliceLease time.Duration
	// EventPatience is how long the event of a fresh publish may wait before a sweep
	// dispatches it: planning is short, and a publish made while the queue was away
	// waits for nothing else. QueuePatience is how long a subtask may wait in the
	// queue, and either after its first dispatch by a sweep; it doubles with every
	// further one up to QueuePatienceMax.
	EventPatience, QueuePatience, QueuePatienceMax time.Duration
	// BuildPatience is how long a building mark holds before another build may
	// replace it: a build takes milliseconds, so one this old has died.
	BuildPatience time.Duration
	// SweepBatch is how many due events and how many due subtasks one sweep takes.
	SweepBatch int
	// PurgeBatch is how many rows of deleted accounts one transaction takes away: few
	// enough that whoever waits for one of them waits some hundredths of a second.
	PurgeBatch int
}

// DefaultPolicy returns the numbers Tideline ships with.
func DefaultPolicy() Policy {
	return Policy{
		Fanout:           FanoutHybrid,
		PushThreshold:    5000,
		SubtaskSize:      1000,
		PushBatch:        250,
		InboxCap:         300,
		FollowLimit:      2000,
		PageDefault:      20,
		PageMax:          100,
		CountMax:         100,
		TextMax:          5000,
		MediaMax:         10,
		URLMax:           2048,
		QueryMax:         100,
		RepostDepth:      8,
		IdempotencyFor:   24 * time.Hour,
		SliceLease:       10 * time.Second,
		EventPatience:    5 * time.Second,
		QueuePatience:    30 * time.Second,
		QueuePatienceMax: 15 * time.Minute,
		BuildPatience:    30 * time.Second,
		SweepBatch:       500,
		PurgeBatch:       500,
	}
}
