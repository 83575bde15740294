package redisstore

import (
	"context"
	"errors"
	"slices"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/feed"
)

// step is a script that takes many inboxes, see lua/each.lua.
type step struct {
	script *redis.Script
	// keys appends the names that the script takes for one viewer.
	keys func(names []string, viewer feed.UserID) []string
	args []any
}

// each takes a step for the inbox of each of the viewers, in one round trip, and in a
// second one where Redis has been restarted and does not know the script. It returns how
// many of the viewers, in the order given, were served before the first failure.
func (s *Inboxes) each(ctx context.Context, viewers []feed.UserID, st step) (int, error) {
	if len(viewers) == 0 {
		return 0, nil
	}
	groups := slices.Collect(slices.Chunk(viewers, s.group))
	results := s.pipeline(ctx, groups, st, st.script.EvalSha)
	s.eachUnknown(ctx, groups, st, results)
	served := 0
	for _, result := range results {
		n, err := servedBy(result)
		served += n
		if err != nil {
			return served, failed(ctx, err)
		}
	}
	return served, nil
}

// refusal is an error that a script met on one of many inboxes, as Redis said it.
type refusal string

var _ redis.Error = refusal("")

func (r refusal) Error() string { return string(r) }

// RedisError implements [redis.Error].
func (r refusal) RedisError() {}

// servedBy returns what a script says that takes many inboxes: how many it served, and the
// first failure.
func servedBy(result *redis.Cmd) (int, error) {
	reply, err := result.Slice()
	if err != nil {
		return 0, err
	}
	if len(reply) == 0 || len(reply) > 2 {
		return 0, errors.New("the script returned neither a number nor a number and an error")
	}
	served, _ := reply[0].(int64)
	if len(reply) == 1 {
		return int(served), nil
	}
	text, _ := reply[1].(string)
	return int(served), refusal(text)
}

// eachUnknown sends the whole script to where it was not known, and puts the answers
// into results. Every node of a Cluster knows its own scripts, so any of the groups
// may be concerned; and sending the script with each of them, rather than loading it
// first, leaves no moment in which a node could forget it again.
func (s *Inboxes) eachUnknown(ctx context.Context, groups [][]feed.UserID, st step, results []*redis.Cmd) {
	var at []int
	var unknown [][]feed.UserID
	for i, result := range results {
		if redis.HasErrorPrefix(result.Err(), "NOSCRIPT") {
			at = append(at, i)
			unknown = append(unknown, groups[i])
		}
	}
	for i, result := range s.pipeline(ctx, unknown, st, st.script.Eval) {
		results[at[i]] = result
	}
}

// run is how a script is sent: by its digest or as a whole.
type run func(ctx context.Context, c redis.Scripter, keys []string, args ...any) *redis.Cmd

// pipeline sends a script for each of the groups in one round trip, and returns one
// result for each.
func (s *Inboxes) pipeline(ctx context.Context, groups [][]feed.UserID, st step, send run) []*redis.Cmd {
	pipe := s.redis.Pipeline()
	results := make([]*redis.Cmd, len(groups))
	for i, group := range groups {
		names := make([]string, 0, len(group))
		for _, viewer := range group {
			names = st.keys(names, viewer)
		}
		results[i] = send(ctx, pipe, names, st.args...)
	}
	// The error that Exec returns is the first of those in the results.
	_, _ = pipe.Exec(ctx)
	return results
}
