package subscribe_test

import (
	"context"
	"errors"
	"sync"

	"github.com/tideline-feeds/tideline/feed"
)

// deaf is a listener that never listens: it fails at once, or waits without end.
type deaf struct{ err error }

func (d deaf) Listen(ctx context.Context, _ func(), _ func(feed.Announcement)) error {
	if d.err != nil {
		return d.err
	}
	<-ctx.Done()
	return ctx.Err()
}

// brokenAudience fails to list followers.
type brokenAudience struct{ feed.Audience }

func (brokenAudience) FollowersAmong(context.Context, feed.UserID, []feed.UserID) ([]feed.UserID, error) {
	return nil, errors.New("the database is away")
}

// blockedAudience lists followers once it is released, and signals the first call.
type blockedAudience struct {
	feed.Audience
	once             *sync.Once
	entered, release chan struct{}
}

func (b blockedAudience) FollowersAmong(ctx context.Context, _ feed.UserID, _ []feed.UserID) ([]feed.UserID, error) {
	b.once.Do(func() { close(b.entered) })
	select {
	case <-b.release:
		return nil, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
