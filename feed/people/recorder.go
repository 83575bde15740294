package people

import (
	"context"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/kit/expiring"
)

// recordRetry is the pause after a failure. An outage lasts minutes, and a lease weeks.
const recordRetry = time.Minute

// ActivityRecorder counts publishing and signing in as activity; reading the home feed counts by
// itself. It asks for a warm-up of the user's inbox, because a lease alone would push selective
// authors into an inbox whose reads pull them anyway. A process asks once per user in
// Policy.RenewEvery.
//
// Failures go to Trace.EnqueueFailed, and the user's next action after a minute tries again. It is
// safe for concurrent use and must not be copied. A nil recorder records nothing.
type ActivityRecorder struct {
	// Users must not read from a cache.
	Users  feed.Users
	Queue  feed.Queue
	Clock  feed.Clock
	Policy feed.Policy
	// Later, unless nil, runs a function in the background, or drops it.
	Later func(func(context.Context))
	Trace feed.Trace

	asked expiring.Set[feed.UserID]
}

// Record counts an action of a stored user.
func (r *ActivityRecorder) Record(ctx context.Context, user feed.UserID) {
	r.record(ctx, user, func(context.Context) (bool, error) { return true, nil })
}

// RecordIfStored counts an action unless the user is not stored, or no longer.
func (r *ActivityRecorder) RecordIfStored(ctx context.Context, user feed.UserID) {
	r.record(ctx, user, func(ctx context.Context) (bool, error) {
		users, err := r.Users.Users(ctx, []feed.UserID{user})
		return err == nil && users[0] != nil, err
	})
}

// record asks for a warm-up unless it was asked for recently, or isStored returns false.
func (r *ActivityRecorder) record(ctx context.Context, user feed.UserID, isStored func(context.Context) (bool, error)) {
	if r == nil {
		return
	}
	now, every := r.Clock(), r.Policy.RenewEvery()
	if !r.asked.Claim(user, now, now.Add(min(recordRetry, every))) {
		return
	}
	later := r.Later
	if later == nil {
		later = func(do func(context.Context)) { do(ctx) }
	}
	later(func(ctx context.Context) {
		stored, err := isStored(ctx)
		if err == nil && !stored {
			r.asked.Drop(user)
			return
		}
		if err == nil {
			err = r.Queue.WarmUp(ctx, user)
		}
		if err != nil {
			r.Trace.ReportEnqueue(err)
			return
		}
		r.asked.Put(user, now.Add(every))
	})
}
