package feed

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"
)

// Rebuilder drops inboxes and builds them anew from the source of truth, whatever was
// wrong with them. Meanwhile reads go by the reference query.
//
// It may be interrupted: whose inbox was dropped last has it built when he reads next.
type Rebuilder struct {
	Builder *Builder
	Keeper  InboxKeeper
	// AtOnce is how many inboxes are built at the same time.
	AtOnce int
}

// Rebuilt counts what a [Rebuilder] did.
type Rebuilt struct {
	// Built were dropped and built; Removed were dropped only.
	Built, Removed int
}

// All rebuilds every inbox there is. It tells how far it is after every slice, when
// told is set, and returns what it did, also when it fails.
func (r *Rebuilder) All(ctx context.Context, told func(Rebuilt)) (Rebuilt, error) {
	var sum Rebuilt
	err := WalkInboxes(ctx, r.Keeper, r.Builder.Policy.UpkeepBatch, func(viewers []UserID) error {
		done, err := r.Rebuild(ctx, viewers)
		sum.Built += done.Built
		sum.Removed += done.Removed
		if told != nil {
			told(sum)
		}
		return err
	})
	return sum, err
}

// Rebuild rebuilds the inboxes of viewers. Those whose lease of activity is over lose
// theirs, and have one built when they come back.
//
// A rebuild is no visit, so it renews no lease and leaves the inboxes cold. A read of a
// cold inbox is exact, and has it warmed up.
func (r *Rebuilder) Rebuild(ctx context.Context, viewers []UserID) (Rebuilt, error) {
	dormant, err := r.Builder.Activity.Dormant(ctx, viewers, 0)
	if err != nil {
		return Rebuilt{}, err
	}
	away := make(map[UserID]bool, len(dormant))
	for _, viewer := range dormant {
		away[viewer] = true
	}
	builder := *r.Builder
	builder.Activity = noVisit{builder.Activity}
	var built, removed atomic.Int64
	err = atOnce(ctx, len(viewers), r.AtOnce, func(ctx context.Context, i int) error {
		viewer, count := viewers[i], &removed
		err := builder.Inboxes.Remove(ctx, viewer)
		if err == nil && !away[viewer] {
			count = &built
			err = builder.Build(ctx, viewer)
		}
		if err != nil {
			return fmt.Errorf("rebuild the inbox of user %d: %w", viewer, err)
		}
		count.Add(1)
		return nil
	})
	return Rebuilt{Built: int(built.Load()), Removed: int(removed.Load())}, err
}

// noVisit gives out leases that are over, and commits none.
type noVisit struct{ Activity }

// Renew implements [Activity], but for renewing anything.
func (noVisit) Renew(context.Context, UserID, time.Duration) (Lease, error) { return Lease{}, nil }
