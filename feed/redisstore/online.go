package redisstore

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/feed"
)

// onlineKeys are sorted sets of users, with the time of the last record in milliseconds as scores.
const (
	connectedKey = "tideline:online:connected"
	seenKey      = "tideline:online:seen"
)

// OnlineUsers implements [feed.OnlineUsers] in two sorted sets. They are trimmed by age and number
// with each record, and expire.
type OnlineUsers struct {
	redis redis.UniversalClient
	clock feed.Clock
	limit int
	keep  time.Duration
}

var _ feed.OnlineUsers = (*OnlineUsers)(nil)

// NewOnlineUsers returns the online users in the client's Redis: at most limit connected and limit
// seen ones, each for keep after their last record. clock must be the same for all processes. The
// caller closes the client.
func NewOnlineUsers(c *Client, clock feed.Clock, limit int, keep time.Duration) *OnlineUsers {
	return &OnlineUsers{redis: c.redis, clock: clock, limit: limit, keep: keep}
}

// SetOnline implements [feed.OnlineUsers] in one round trip.
func (o *OnlineUsers) SetOnline(ctx context.Context, u feed.Online) error {
	pipe := o.redis.Pipeline()
	o.set(ctx, pipe, connectedKey, u.Connected)
	o.set(ctx, pipe, seenKey, u.Seen)
	if pipe.Len() == 0 {
		return nil
	}
	_, err := pipe.Exec(ctx)
	return failed(ctx, err)
}

func (o *OnlineUsers) set(ctx context.Context, pipe redis.Pipeliner, key string, users []feed.UserID) {
	if len(users) == 0 {
		return
	}
	now := feed.Millis(o.clock())
	members := make([]redis.Z, min(len(users), o.limit))
	for i := range members {
		members[i] = redis.Z{Score: float64(now), Member: users[i].String()}
	}
	pipe.ZAdd(ctx, key, members...)
	pipe.ZRemRangeByScore(ctx, key, "-inf", o.oldest(now))
	pipe.ZRemRangeByRank(ctx, key, 0, int64(-o.limit-1))
	pipe.PExpire(ctx, key, o.keep)
}

// oldest is the score from which on users are still online, exclusive.
func (o *OnlineUsers) oldest(now int64) string {
	return strconv.FormatInt(now-o.keep.Milliseconds(), 10)
}

// Online implements [feed.OnlineUsers] in one round trip.
func (o *OnlineUsers) Online(ctx context.Context) (feed.Online, error) {
	within := &redis.ZRangeBy{Max: "+inf", Min: "(" + o.oldest(feed.Millis(o.clock())), Count: int64(o.limit)}
	pipe := o.redis.Pipeline()
	connected, seen := pipe.ZRevRangeByScore(ctx, connectedKey, within), pipe.ZRevRangeByScore(ctx, seenKey, within)
	if _, err := pipe.Exec(ctx); err != nil {
		return feed.Online{}, failed(ctx, err)
	}
	var u feed.Online
	var err error
	if u.Connected, err = usersOf(connected.Val()); err != nil {
		return feed.Online{}, err
	}
	u.Seen, err = usersOf(seen.Val())
	return u, err
}

func usersOf(texts []string) ([]feed.UserID, error) {
	ids := make([]feed.UserID, len(texts))
	for i, text := range texts {
		id, err := feed.ParseUserID(text)
		if err != nil {
			return nil, fmt.Errorf("an online user in Redis: %w", err)
		}
		ids[i] = id
	}
	return ids, nil
}
