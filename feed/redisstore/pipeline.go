package redisstore

import (
	"context"
	"errors"
	"slices"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/feed"
)

// each runs a script for the inboxes of the viewers, see lua/each.lua, in one round trip, or two if
// Redis has been restarted. It returns how many viewers, in their order, precede the first failure.
func (s *Inboxes) each(
	ctx context.Context, viewers []feed.UserID, script *redis.Script, keys func([]feed.UserID) []string, args ...any,
) (int, error) {
	if len(viewers) == 0 {
		return 0, nil
	}
	var calls []scriptCall
	for group := range slices.Chunk(viewers, s.group) {
		calls = append(calls, scriptCall{keys: keys(group), args: args})
	}
	served := 0
	for _, result := range callAll(ctx, s.redis, script, calls) {
		n, err := servedBy(result)
		served += n
		if err != nil {
			return served, failed(ctx, err)
		}
	}
	return served, nil
}

type refusal string

var _ redis.Error = refusal("")

func (r refusal) Error() string { return string(r) }

func (r refusal) RedisError() {}

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

type scriptCall struct {
	keys []string
	args []any
}

// callAll runs a script for all calls in one round trip, or two if it is unknown. Every node of a
// Cluster has its own scripts, so any call may fail. Such a call is repeated with the whole script:
// after loading it separately, a node could forget it.
func callAll(ctx context.Context, r redis.UniversalClient, script *redis.Script, calls []scriptCall) []*redis.Cmd {
	results := sendAll(ctx, r, calls, script.EvalSha)
	var at []int
	var unknown []scriptCall
	for i, result := range results {
		if redis.HasErrorPrefix(result.Err(), "NOSCRIPT") {
			at = append(at, i)
			unknown = append(unknown, calls[i])
		}
	}
	for i, result := range sendAll(ctx, r, unknown, script.Eval) {
		results[at[i]] = result
	}
	return results
}

type run func(ctx context.Context, c redis.Scripter, keys []string, args ...any) *redis.Cmd

func sendAll(ctx context.Context, r redis.UniversalClient, calls []scriptCall, send run) []*redis.Cmd {
	if len(calls) == 0 {
		return nil
	}
	pipe := r.Pipeline()
	results := make([]*redis.Cmd, len(calls))
	for i, c := range calls {
		results[i] = send(ctx, pipe, c.keys, c.args...)
	}
	// Exec returns the first error of the results.
	_, _ = pipe.Exec(ctx)
	return results
}
