package inbox

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// Walk calls do with the viewers who have an inbox, or remains of one, in slices of about limit. A
// viewer may come twice. An error of do ends the walk and is returned unchanged.
func Walk(ctx context.Context, inboxes feed.InboxWalker, limit int, do func([]feed.UserID) error) error {
	for cursor := ""; ; {
		viewers, next, err := inboxes.Walk(ctx, cursor, limit)
		if err != nil {
			return err
		}
		if err := do(viewers); err != nil || next == "" {
			return err
		}
		cursor = next
	}
}

// Sample draws up to n viewers who have an inbox, with equal chances, in ascending order. total counts
// all who have one; if more than n do, those who come twice count twice.
func Sample(ctx context.Context, inboxes feed.InboxWalker, n, limit int, random *rand.Rand) (sample []feed.UserID, total int, err error) {
	err = Walk(ctx, inboxes, limit, func(viewers []feed.UserID) error {
		for _, viewer := range viewers {
			total++
			// Reservoir sampling: the i-th viewer replaces another one with a chance of n in i.
			if len(sample) < n {
				sample = append(sample, viewer)
			} else if i := random.IntN(total); i < n {
				sample[i] = viewer
			}
		}
		return nil
	})
	slices.Sort(sample)
	sample = slices.Compact(sample)
	if total <= n { // all viewers are in the sample
		total = len(sample)
	}
	return sample, total, err
}
