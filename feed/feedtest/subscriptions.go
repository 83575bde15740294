package feedtest

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
)

// NextPage waits for changes of a subscription, as the server does.
func NextPage[C interface{ IsReset() bool }](ctx context.Context, sub interface {
	Poll(ctx context.Context) (*feed.ChangePage[C], error)
	Wait(ctx context.Context) error
},
) (*feed.ChangePage[C], error) {
	for {
		page, err := sub.Poll(ctx)
		if err != nil || page != nil && len(page.Changes) > 0 {
			return page, err
		}
		if err := sub.Wait(ctx); err != nil {
			return nil, err
		}
	}
}

// NextEdge waits for a post that is added, as the server does.
func NextEdge(ctx context.Context, sub interface {
	PollEdge(ctx context.Context) (feed.HomeChange, error)
	Wait(ctx context.Context) error
},
) (feed.HomeChange, error) {
	for {
		c, err := sub.PollEdge(ctx)
		if err != nil || c.ID != 0 {
			return c, err
		}
		if err := sub.Wait(ctx); err != nil {
			return c, err
		}
	}
}
