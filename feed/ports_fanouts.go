package feed

import "context"

// Fanouts reads how far single fan-outs are, for operators. A post may also be a [ReplayRef].
type Fanouts interface {
	// FanoutOf returns the state of a fan-out with at most limit of its open slices, by number. It
	// returns nil if neither an event nor a plan is stored: the post was imported, is unknown, or
	// its fan-out ended longer than [Policy.PlansKept] ago.
	FanoutOf(ctx context.Context, post PostID, limit int) (*FanoutState, error)
	// PushedAt returns when the slice that serves a follower last stored progress, if it has passed
	// the follower; 0 if not.
	PushedAt(ctx context.Context, post PostID, follower UserID) (int64, error)
	// SlowestFanouts returns the fan-outs with progress stored at since or later, on the store's
	// clock, that took longest, longest first. Of many, it considers those with recent progress.
	SlowestFanouts(ctx context.Context, since int64, limit int) ([]SlowFanout, error)
}

// SlowFanout is a fan-out with progress. BeganAt is when its plan was stored.
type SlowFanout struct {
	Post             PostID
	BeganAt, MovedAt int64
	Slices, Done     int
}

// FanoutState is how far a fan-out is. Times are on the store's clock.
type FanoutState struct {
	Post PostID
	// Planned says that a plan is stored, at PlannedAt. The other fields need one, except Event.
	Planned   bool
	PlannedAt int64
	// Event is the due time of an event without a plan, and its dispatches by sweeps.
	Event EventState
	// Selective says that the fan-out serves active followers only, and Large that its slices wait
	// in a queue of their own.
	Selective, Large bool
	// Slices counts all slices; Running ones have a worker, Done ones none.
	Slices, Running, Done int
	// Reached is the id up to which all followers of the plan are served; Last ends the plan.
	Reached, Last UserID
	// Attempts counts the claims of slices, and Dispatches their dispatches by sweeps.
	Attempts, Dispatches int64
	// MovedAt is when progress was last stored; 0 for never.
	MovedAt int64
	Open    []OpenSlice
}

// EventState is the state of an event without a plan; zero if there is none.
type EventState struct {
	DueAt      int64
	Dispatches int
}

// OpenSlice is a slice that is not done.
type OpenSlice struct {
	Task                  int
	First, Last, Progress UserID
	Running               bool
	// DueAt is the end of the lease of a running slice, and when sweeps dispatch a waiting one.
	DueAt      int64
	Attempt    int64
	Dispatches int
}

// After returns the last follower of the slice before; 0 for the first slice.
func (o OpenSlice) After() UserID { return o.First - 1 }

// OnlineUsers remembers who is online, for a short time and up to a limit. It is a hint for the order
// of work: it may lack users, and have users who have left.
type OnlineUsers interface {
	// SetOnline records users who are online now. It does not remove others.
	SetOnline(ctx context.Context, u Online) error
	// Online returns users who were online recently, the latest first. A user may be in both lists.
	Online(ctx context.Context) (Online, error)
}

// Online has users who are online, each once per list. Connected ones have a subscription to their
// home feed; Seen ones have read it.
type Online struct{ Connected, Seen []UserID }
