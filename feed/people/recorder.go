package people

import (
	"context"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// recordRetry is how soon a recorder that could not ask for a warm-up asks again for the
// same user. An outage lasts minutes, and a lease weeks.
const recordRetry = time.Minute

// ActivityRecorder counts publishing and signing in as activity, as reading the home feed
// does by itself. It asks for a warm-up of the user's inbox, which renews the lease of
// activity and then the inbox's coverage ([inbox.Builder.WarmUp]). A lease that is renewed alone
// would have selective authors pushed into an inbox whose next read pulls them all the same.
//
// A process asks once per user in RenewAfter, or in half of ActiveFor if that is shorter, so
// most calls cost a look into memory. Nothing waits for the warm-up, and no failure reaches
// the caller: it goes to Trace.EnqueueFailed, and what the user does a minute later tries
// again.
//
// Its exported fields are set once, before the first call. It may be used by many goroutines
// and must not be copied. A nil recorder records nothing.
type ActivityRecorder struct {
	// Users must not answer from a cache.
	Users  feed.Users
	Queue  feed.Queue
	Clock  feed.Clock
	Policy feed.Policy
	// Later, where it is set, does something behind the caller, or drops it; without it the
	// caller waits.
	Later func(func(context.Context))
	Trace feed.Trace

	asked expiring
}

// Record counts something that user, who is stored, has done.
func (r *ActivityRecorder) Record(ctx context.Context, user feed.UserID) {
	r.record(ctx, user, func(context.Context) (bool, error) { return true, nil })
}

// RecordIfStored does so for a user who may not be stored. It does nothing for one who is
// not: the holder of a token whose first request is still to come, or of a deleted account.
func (r *ActivityRecorder) RecordIfStored(ctx context.Context, user feed.UserID) {
	r.record(ctx, user, func(ctx context.Context) (bool, error) {
		users, err := r.Users.Users(ctx, []feed.UserID{user})
		return err == nil && users[0] != nil, err
	})
}

// record asks for a warm-up unless it was asked for lately, or isStored says no. The claim
// stands for a minute whatever becomes of it, and only success makes it last.
func (r *ActivityRecorder) record(ctx context.Context, user feed.UserID, isStored func(context.Context) (bool, error)) {
	if r == nil {
		return
	}
	now, every := r.Clock(), r.Policy.RenewEvery()
	if !r.asked.claim(user, now, now.Add(min(recordRetry, every))) {
		return
	}
	later := r.Later
	if later == nil {
		later = func(do func(context.Context)) { do(ctx) }
	}
	later(func(ctx context.Context) {
		stored, err := isStored(ctx)
		if err == nil && !stored {
			r.asked.drop(user)
			return
		}
		if err == nil {
			err = r.Queue.WarmUp(ctx, user)
		}
		if err != nil {
			r.Trace.ReportEnqueue(err)
			return
		}
		r.asked.put(user, now.Add(every))
	})
}
