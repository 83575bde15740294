package redisstore

import (
	"context"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/feed"
)

// each runs a script on the inbox of each of the viewers, with the same arguments, in
// one round trip, and in a second one where Redis has been restarted and does not know
// the script. It returns how many of the viewers, in the order given, were served
// before the first failure.
func (s *Inboxes) each(ctx context.Context, viewers []feed.UserID, script *redis.Script, args ...any) (int, error) {
	if len(viewers) == 0 {
		return 0, nil
	}
	results := s.pipeline(ctx, viewers, script.EvalSha, args)
	s.eachUnknown(ctx, viewers, script, args, results)
	for i, result := range results {
		if err := result.Err(); err != nil {
			return i, failed(ctx, err)
		}
	}
	return len(viewers), nil
}

// eachUnknown sends the whole script to where it was not known, and puts the answers
// into results. Every node of a Cluster knows its own scripts, so any of the viewers
// may be concerned; and sending the script with each of them, rather than loading it
// first, leaves no moment in which a node could forget it again.
func (s *Inboxes) eachUnknown(ctx context.Context, viewers []feed.UserID, script *redis.Script, args []any, results []*redis.Cmd) {
	var at []int
	var unknown []feed.UserID
	for i, result := range results {
		if redis.HasErrorPrefix(result.Err(), "NOSCRIPT") {
			at = append(at, i)
			unknown = append(unknown, viewers[i])
		}
	}
	for i, result := range s.pipeline(ctx, unknown, script.Eval, args) {
		results[at[i]] = result
	}
}

// run is how a script is sent: by its digest or as a whole.
type run func(ctx context.Context, c redis.Scripter, keys []string, args ...any) *redis.Cmd

// pipeline sends a script for each of the viewers in one round trip, and returns one
// result for each.
func (s *Inboxes) pipeline(ctx context.Context, viewers []feed.UserID, send run, args []any) []*redis.Cmd {
	pipe := s.redis.Pipeline()
	results := make([]*redis.Cmd, len(viewers))
	for i, viewer := range viewers {
		results[i] = send(ctx, pipe, s.names.keys(viewer), args...)
	}
	// The error that Exec returns is the first of those in the results.
	_, _ = pipe.Exec(ctx)
	return results
}
