package feed

import (
	"context"
	"time"
)

// WarmUp notes that viewer is active and makes his inbox cover selective authors for
// as long as the lease lasts that this gives him.
//
// While the inbox is warm, the lease that ends was in force when the new one was
// committed, so no push to active followers has passed the viewer by: writing the new
// end into the header is all there is to do. Otherwise pushes may have, up to the
// commit of the lease and no further; so what selective authors have published is
// read after it. Whatever the header says meanwhile, recording activity alone warms
// nothing.
func (b *Builder) WarmUp(ctx context.Context, viewer UserID) error {
	return b.amend(ctx, viewer, func(inbox Inbox, _ ViewerVersion) (*Amendment, error) {
		lease, err := b.Activity.Renew(ctx, viewer, b.Policy.ActiveFor)
		if err != nil {
			return nil, err
		}
		a := &Amendment{NewVersion: inbox.Version, WarmUntil: lease.Until, Floor: inbox.Floor}
		if inbox.warm(lease.Now) {
			// While the token is the same nobody takes back what the header said of
			// its warmth, so this needs no look at the time of writing.
			return a, nil
		}
		a.Add, a.Floor, err = b.covered(ctx, viewer, Share{Selective: true}, inbox.Floor)
		return a, err
	})
}

// recordRetry is how soon a recorder that could not ask for a warm-up asks again for the
// same user. An outage lasts minutes, and a lease weeks.
const recordRetry = time.Minute

// ActivityRecorder counts publishing and signing in as activity, as reading the home feed
// does by itself. It asks for a warm-up of the user's inbox, which renews the lease of
// activity and then the inbox's coverage ([Builder.WarmUp]). A lease that is renewed alone
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
	Users  Users
	Queue  Queue
	Clock  Clock
	Policy Policy
	// Later, where it is set, does something behind the caller, or drops it; without it the
	// caller waits.
	Later func(func(context.Context))
	Trace Trace

	asked expiring
}

// Record counts something that user, who is stored, has done.
func (r *ActivityRecorder) Record(ctx context.Context, user UserID) {
	r.record(ctx, user, func(context.Context) (bool, error) { return true, nil })
}

// RecordIfStored does so for a user who may not be stored. It does nothing for one who is
// not: the holder of a token whose first request is still to come, or of a deleted account.
func (r *ActivityRecorder) RecordIfStored(ctx context.Context, user UserID) {
	r.record(ctx, user, func(ctx context.Context) (bool, error) {
		users, err := r.Users.Users(ctx, []UserID{user})
		return err == nil && users[0] != nil, err
	})
}

// record asks for a warm-up unless it was asked for lately, or isStored says no. The claim
// stands for a minute whatever becomes of it, and only success makes it last.
func (r *ActivityRecorder) record(ctx context.Context, user UserID, isStored func(context.Context) (bool, error)) {
	if r == nil {
		return
	}
	now, every := r.Clock(), r.Policy.renewEvery()
	if !r.asked.claim(user, now, now.Add(min(recordRetry, every))) {
		return
	}
	r.later(ctx, func(ctx context.Context) {
		stored, err := isStored(ctx)
		if err == nil && !stored {
			r.asked.drop(user)
			return
		}
		if err == nil {
			err = r.Queue.WarmUp(ctx, user)
		}
		if err != nil {
			r.Trace.enqueueFailed(err)
			return
		}
		r.asked.put(user, now.Add(every))
	})
}

func (r *ActivityRecorder) later(ctx context.Context, do func(context.Context)) {
	if r.Later == nil {
		do(ctx)
		return
	}
	r.Later(do)
}
