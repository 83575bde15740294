package redisstore

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/feed"
)

// Inboxes is [feed.Inboxes] and [feed.InboxKeeper] in Redis. Make one with [NewInboxes]
// or [NewReplayInboxes].
type Inboxes struct {
	redis   redis.UniversalClient
	names   keyspace
	cap     int
	scripts scripts
	reads   *breaker
}

var _ feed.Inboxes = (*Inboxes)(nil)

// NewInboxes returns the inboxes kept in the client's Redis. Each keeps at most cap
// entries from its next change or [Inboxes.Trim] on. The client stays the caller's to close.
func NewInboxes(c *Client, cap int) *Inboxes { return newInboxes(c, homeInboxes, cap) }

// NewReplayInboxes is [NewInboxes] for the replays of live sessions. The two share a
// Redis and nothing in it, and a viewer may have an inbox of either kind or both.
func NewReplayInboxes(c *Client, cap int) *Inboxes { return newInboxes(c, replayInboxes, cap) }

func newInboxes(c *Client, names keyspace, cap int) *Inboxes {
	return &Inboxes{
		redis: c.redis, names: names, cap: cap, scripts: newScripts(), reads: newBreaker(time.Now, readWithin),
	}
}

// Read implements [feed.Inboxes] in one round trip. Redis gets less time for it than for
// anything else, and once it has failed to answer, reads fail at once for a moment:
// there is another way to read a feed, and a page waits.
func (s *Inboxes) Read(ctx context.Context, viewer feed.UserID, r feed.Range) (feed.Inbox, error) {
	direction, from, to := "descending", r.Below, r.Above
	if r.Ascending {
		direction, from, to = "ascending", r.Above, r.Below
	}
	from, to = bound(from), bound(to)
	keys := s.names.keys(viewer)
	var reply []string
	err := s.reads.call(ctx, serverOf(ctx, s.redis, keys[0]), func(ctx context.Context) (err error) {
		reply, err = s.scripts.read.Run(ctx, s.redis, keys,
			direction, from.TS, member(from), to.TS, member(to), r.Limit).StringSlice()
		return err
	})
	if err != nil {
		return feed.Inbox{}, failed(ctx, err)
	}
	in, err := parseInbox(reply)
	if err != nil {
		return feed.Inbox{}, fmt.Errorf("the inbox of viewer %d in Redis is damaged: %w", viewer, err)
	}
	return in, nil
}

// Push implements [feed.Inboxes] in one round trip, and a second one where Redis has
// been restarted and does not know the script.
func (s *Inboxes) Push(ctx context.Context, viewers []feed.UserID, k feed.Key) (int, error) {
	return s.each(ctx, viewers, s.scripts.push, k.TS, member(k), s.cap)
}

// BeginBuild implements [feed.Inboxes] in one round trip.
func (s *Inboxes) BeginBuild(ctx context.Context, viewer feed.UserID, m feed.BuildMark, staleBefore int64) (bool, error) {
	began, err := s.scripts.begin.Run(ctx, s.redis, s.names.keys(viewer),
		m.Token, m.Generation, m.StartedAt, staleBefore).Bool()
	return began, failed(ctx, err)
}

// FinishBuild implements [feed.Inboxes] in one round trip.
func (s *Inboxes) FinishBuild(ctx context.Context, viewer feed.UserID, token string, b feed.Build) (bool, error) {
	args := []any{token, s.cap, b.Version, b.WarmUntil, b.Floor.TS, member(b.Floor)}
	args = appendKeys(args, b.Keys)
	finished, err := s.scripts.finish.Run(ctx, s.redis, s.names.keys(viewer), args...).Bool()
	return finished, failed(ctx, err)
}

// Amend implements [feed.Inboxes] in one round trip.
func (s *Inboxes) Amend(ctx context.Context, viewer feed.UserID, a feed.Amendment) (bool, error) {
	args := []any{a.Token, a.Version, s.cap, a.NewVersion, a.WarmUntil, a.Floor.TS, member(a.Floor), len(a.Add)}
	args = appendKeys(args, a.Add)
	for _, k := range a.Remove {
		args = append(args, member(k))
	}
	amended, err := s.scripts.amend.Run(ctx, s.redis, s.names.keys(viewer), args...).Bool()
	return amended, failed(ctx, err)
}

// appendKeys appends keys as scripts take them: publish time and content id in turn.
func appendKeys(args []any, keys []feed.Key) []any {
	args = slices.Grow(args, 2*len(keys))
	for _, k := range keys {
		args = append(args, k.TS, member(k))
	}
	return args
}

// Remove implements [feed.Inboxes] in one round trip.
func (s *Inboxes) Remove(ctx context.Context, viewer feed.UserID) error {
	return failed(ctx, s.redis.Unlink(ctx, s.names.keys(viewer)...).Err())
}
