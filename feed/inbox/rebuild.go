package inbox

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/tideline-feeds/tideline/feed"
)

// Rebuilder drops inboxes and builds them again; meanwhile reads use the reference query.
type Rebuilder struct {
	Builder *Builder
	Walker  feed.InboxWalker
	// AtOnce is how many inboxes are built concurrently.
	AtOnce int
}

// Rebuilt counts what a [Rebuilder] did.
type Rebuilt struct {
	// Built were dropped and built; Removed were dropped only.
	Built, Removed int
}

// All returns what it did, also when it fails. It calls progress, unless nil, after every slice.
func (r *Rebuilder) All(ctx context.Context, progress func(Rebuilt)) (Rebuilt, error) {
	var sum Rebuilt
	err := Walk(ctx, r.Walker, r.Builder.Policy.UpkeepBatch, func(viewers []feed.UserID) error {
		done, err := r.Rebuild(ctx, viewers)
		sum.Built += done.Built
		sum.Removed += done.Removed
		if progress != nil {
			progress(sum)
		}
		return err
	})
	return sum, err
}

// Rebuild rebuilds the inboxes of viewers, and only drops those of viewers without a lease. It
// renews no lease and leaves the inboxes cold; the next read asks for a warm-up.
func (r *Rebuilder) Rebuild(ctx context.Context, viewers []feed.UserID) (Rebuilt, error) {
	dormant, err := r.Builder.Activity.Dormant(ctx, viewers, 0)
	if err != nil {
		return Rebuilt{}, err
	}
	isDormant := make(map[feed.UserID]bool, len(dormant))
	for _, viewer := range dormant {
		isDormant[viewer] = true
	}
	builder := *r.Builder
	builder.Activity = noRenewal{builder.Activity}
	var built, removed atomic.Int64
	all, ctx := errgroup.WithContext(ctx)
	all.SetLimit(max(r.AtOnce, 1))
	for _, viewer := range viewers {
		all.Go(func() error {
			if err := builder.rebuild(ctx, viewer, isDormant[viewer]); err != nil {
				return fmt.Errorf("rebuild the inbox of user %d: %w", viewer, err)
			}
			if isDormant[viewer] {
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

func (b *Builder) rebuild(ctx context.Context, viewer feed.UserID, isDormant bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := b.Inboxes.Remove(ctx, viewer); err != nil || isDormant {
		return err
	}
	return b.Build(ctx, viewer)
}

// noRenewal returns expired leases and commits none.
type noRenewal struct{ feed.Activity }

func (noRenewal) Renew(context.Context, feed.UserID, time.Duration) (feed.Lease, error) {
	return feed.Lease{}, nil
}
