package feed

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
)

// WalkInboxes calls do with the viewers who have an inbox, or the rest of one, in slices of
// about limit. A viewer may come twice. An error of do ends the walk and is returned as it is.
func WalkInboxes(ctx context.Context, keeper InboxKeeper, limit int, do func([]UserID) error) error {
	for cursor := ""; ; {
		viewers, next, err := keeper.Walk(ctx, cursor, limit)
		if err != nil {
			return err
		}
		if err := do(viewers); err != nil || next == "" {
			return err
		}
		cursor = next
	}
}

// SampleInboxes draws n of those who have an inbox, all as likely as each other, and
// returns them in ascending order; fewer when there are fewer. Total is how many the
// walk met.
func SampleInboxes(ctx context.Context, keeper InboxKeeper, n, limit int, random *rand.Rand) (sample []UserID, total int, err error) {
	err = WalkInboxes(ctx, keeper, limit, func(viewers []UserID) error {
		for _, viewer := range viewers {
			total++
			// The i-th one is drawn with a chance of n in i, and takes anybody's place.
			if len(sample) < n {
				sample = append(sample, viewer)
			} else if i := random.IntN(total); i < n {
				sample[i] = viewer
			}
		}
		return nil
	})
	slices.Sort(sample)
	return slices.Compact(sample), total, err
}

// atOnce calls do for every i below n, for at most limit of them at the same time, and
// returns the first error, which ends the context of the others.
func atOnce(ctx context.Context, n, limit int, do func(ctx context.Context, i int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(n, max(limit, 1)) {
		workers.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if err := do(ctx, i); err != nil {
					cancel(err)
				}
			}
		})
	}
	workers.Wait()
	return context.Cause(ctx)
}
