package redisstore

import (
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/feed"
)

// Inboxes is [feed.Inboxes] in Redis. Make one with [NewInboxes].
type Inboxes struct {
	redis   redis.UniversalClient
	cap     int
	scripts scripts
}

var _ feed.Inboxes = (*Inboxes)(nil)

// NewInboxes returns the inboxes kept in the client's Redis. Each keeps at most cap
// entries from its next change on. The client stays the caller's to close.
func NewInboxes(c *Client, cap int) *Inboxes {
	return &Inboxes{redis: c.redis, cap: cap, scripts: newScripts()}
}

// Read implements [feed.Inboxes] in one round trip.
func (s *Inboxes) Read(ctx context.Context, viewer feed.UserID, r feed.Range) (feed.Inbox, error) {
	direction, from, to := "descending", r.Below, r.Above
	if r.Ascending {
		direction, from, to = "ascending", r.Above, r.Below
	}
	from, to = bound(from), bound(to)
	reply, err := s.scripts.read.Run(ctx, s.redis, inboxKeys(viewer),
		direction, from.TS, member(from), to.TS, member(to), r.Limit).StringSlice()
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
	if len(viewers) == 0 {
		return 0, nil
	}
	results := s.pipeline(ctx, viewers, k, s.scripts.push.EvalSha)
	s.pushUnknown(ctx, viewers, k, results)
	for i, result := range results {
		if err := result.Err(); err != nil {
			return i, failed(ctx, err)
		}
	}
	return len(viewers), nil
}

// pushUnknown sends the whole script to where it was not known, and puts the answers
// into results. Every node of a Cluster knows its own scripts, so any of the viewers
// may be concerned; and sending the script with each of them, rather than loading it
// first, leaves no moment in which a node could forget it again.
func (s *Inboxes) pushUnknown(ctx context.Context, viewers []feed.UserID, k feed.Key, results []*redis.Cmd) {
	var at []int
	var unknown []feed.UserID
	for i, result := range results {
		if redis.HasErrorPrefix(result.Err(), "NOSCRIPT") {
			at = append(at, i)
			unknown = append(unknown, viewers[i])
		}
	}
	for i, result := range s.pipeline(ctx, unknown, k, s.scripts.push.Eval) {
		results[at[i]] = result
	}
}

// run is how a script is sent: by its digest or as a whole.
type run func(ctx context.Context, c redis.Scripter, keys []string, args ...any) *redis.Cmd

// pipeline pushes k to each of the viewers in one round trip, and returns one result
// for each.
func (s *Inboxes) pipeline(ctx context.Context, viewers []feed.UserID, k feed.Key, push run) []*redis.Cmd {
	pipe := s.redis.Pipeline()
	results := make([]*redis.Cmd, len(viewers))
	for i, viewer := range viewers {
		results[i] = push(ctx, pipe, inboxKeys(viewer), k.TS, member(k), s.cap)
	}
	// The error that Exec returns is the first of those in the results.
	_, _ = pipe.Exec(ctx)
	return results
}

// BeginBuild implements [feed.Inboxes] in one round trip.
func (s *Inboxes) BeginBuild(ctx context.Context, viewer feed.UserID, m feed.BuildMark, staleBefore int64) (bool, error) {
	began, err := s.scripts.begin.Run(ctx, s.redis, inboxKeys(viewer),
		m.Token, m.Generation, m.StartedAt, staleBefore).Bool()
	return began, failed(ctx, err)
}

// FinishBuild implements [feed.Inboxes] in one round trip.
func (s *Inboxes) FinishBuild(ctx context.Context, viewer feed.UserID, token string, b feed.Build) (bool, error) {
	args := make([]any, 0, 5+2*len(b.Keys))
	args = append(args, token, b.Version, s.cap, b.Floor.TS, member(b.Floor))
	for _, k := range b.Keys {
		args = append(args, k.TS, member(k))
	}
	finished, err := s.scripts.finish.Run(ctx, s.redis, inboxKeys(viewer), args...).Bool()
	return finished, failed(ctx, err)
}

// Remove implements [feed.Inboxes] in one round trip.
func (s *Inboxes) Remove(ctx context.Context, viewer feed.UserID) error {
	return failed(ctx, s.redis.Unlink(ctx, inboxKeys(viewer)...).Err())
}
