package inbox

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/tideline-feeds/tideline/feed"
)

// Rebuilder drops inboxes and builds them anew from the source of truth, whatever was
// wrong with them. Meanwhile reads go by the reference query.
//
// It may be interrupted: whose inbox was dropped last has it built when he reads next.
type Rebuilder struct {
	Builder *Builder
	Keeper  feed.InboxKeeper
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
	err := Walk(ctx, r.Keeper, r.Builder.Policy.UpkeepBatch, func(viewers []feed.UserID) error {
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
func (r *Rebuilder) Rebuild(ctx context.Context, viewers []feed.UserID) (Rebuilt, error) {
	dormant, err := r.Builder.Activity.Dormant(ctx, viewers, 0)
	if err != nil {
		return Rebuilt{}, err
	}
	away := make(map[feed.UserID]bool, len(dormant))
	for _, viewer := range dormant {
		away[viewer] = true
	}
	builder := *r.Builder
	builder.Activity = noVisit{builder.Activity}
	var built, removed atomic.Int64
	all, ctx := errgroup.WithContext(ctx)
	all.SetLimit(max(r.AtOnce, 1))
	for _, viewer := range viewers {
		all.Go(func() error {
			if err := builder.rebuild(ctx, viewer, away[viewer]); err != nil {
				return fmt.Errorf("rebuild the inbox of user %d: %w", viewer, err)
			}
			if away[viewer] {
				removed.Add(1)
			} else {
				built.Add(1)
			}
			return nil
		})
	}
	err = all.Wait()
	return Rebuilt{Built: int(built.Load()), Removed: int(removed.Load())}, err
}

// rebuild drops an inbox and, unless its viewer is away, builds it.
func (b *Builder) rebuild(ctx context.Context, viewer feed.UserID, away bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := b.Inboxes.Remove(ctx, viewer); err != nil || away {
		return err
	}
	return b.Build(ctx, viewer)
}

// noVisit gives out leases that are over, and commits none.
type noVisit struct{ feed.Activity }

// Renew implements [feed.Activity], but for renewing anything.
func (noVisit) Renew(context.Context, feed.UserID, time.Duration) (feed.Lease, error) {
	return feed.Lease{}, nil
}
