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

// Active builds the inboxes of active viewers who have none that is usable, such as after an import.
// It returns what it did and calls progress as All does.
func (r *Rebuilder) Active(ctx context.Context, progress func(Rebuilt)) (Rebuilt, error) {
	var sum Rebuilt
	for after := feed.UserID(0); ; {
		viewers, err := r.Builder.Activity.Active(ctx, after, r.Builder.Policy.UpkeepBatch)
		if err != nil || len(viewers) == 0 {
			return sum, err
		}
		after = viewers[len(viewers)-1]
		done, err := r.each(ctx, viewers, func(ctx context.Context, b *Builder, viewer feed.UserID) (bool, error) {
			return true, b.Build(ctx, viewer)
		})
		sum.Built += done.Built
		if progress != nil {
			progress(sum)
		}
		if err != nil {
			return sum, err
		}
	}
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
	return r.each(ctx, viewers, func(ctx context.Context, b *Builder, viewer feed.UserID) (bool, error) {
		return !isDormant[viewer], b.rebuild(ctx, viewer, isDormant[viewer])
	})
}

// each calls do for viewers, AtOnce at a time, with a builder that renews no lease. do returns
// whether it has built an inbox.
func (r *Rebuilder) each(
	ctx context.Context, viewers []feed.UserID, do func(context.Context, *Builder, feed.UserID) (bool, error),
) (Rebuilt, error) {
	builder := *r.Builder
	builder.Activity = noRenewal{builder.Activity}
	var built, removed atomic.Int64
	all, ctx := errgroup.WithContext(ctx)
	all.SetLimit(max(r.AtOnce, 1))
	for _, viewer := range viewers {
		all.Go(func() error {
			isBuilt, err := do(ctx, &builder, viewer)
			if err != nil {
				return fmt.Errorf("rebuild the inbox of user %d: %w", viewer, err)
			}
			if isBuilt {
				built.Add(1)
			} else {
				removed.Add(1)
			}
			return nil
		})
	}
	err := all.Wait()
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
