package redisstore

import (
	"context"
	"strconv"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/feed"
)

// Channels ignore databases: sites in other databases of one Redis wake each other, which costs a
// read of the change log.
const (
	changeChannel  = "tideline:changes"
	waitingChannel = "tideline:changes:waiting"
)

// ChangeSignal implements [feed.ChangeSignal] for all processes on one Redis.
type ChangeSignal struct{ redis redis.UniversalClient }

var _ feed.ChangeSignal = (*ChangeSignal)(nil)

// NewChangeSignal returns signals over the client's Redis.
func NewChangeSignal(c *Client) *ChangeSignal { return &ChangeSignal{redis: c.redis} }

// Signal implements [feed.ChangeSignal]. The message is the number, for operators who listen.
func (s *ChangeSignal) Signal(ctx context.Context, last feed.ChangePlace) error {
	return failed(ctx, s.redis.Publish(ctx, changeChannel, strconv.FormatInt(last.Number, 10)).Err())
}

// Listen implements [feed.ChangeSignal].
func (s *ChangeSignal) Listen(ctx context.Context, heard func()) error {
	return s.listen(ctx, changeChannel, heard)
}

// SignalWaiting implements [feed.ChangeSignal]. The message is empty.
func (s *ChangeSignal) SignalWaiting(ctx context.Context) error {
	return failed(ctx, s.redis.Publish(ctx, waitingChannel, "").Err())
}

// ListenWaiting implements [feed.ChangeSignal].
func (s *ChangeSignal) ListenWaiting(ctx context.Context, heard func()) error {
	return s.listen(ctx, waitingChannel, heard)
}

func (s *ChangeSignal) listen(ctx context.Context, channel string, heard func()) error {
	err := listenTo(ctx, s.redis, channel, func() error {
		heard()
		return nil
	}, func(string) error {
		heard()
		return nil
	})
	return failed(ctx, err)
}
