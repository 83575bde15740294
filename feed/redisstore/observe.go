package redisstore

import (
	"context"
	"errors"

	"github.com/redis/go-redis/v9"
)

// Observe has begin called before every command, or pipeline of commands, with its name,
// and what that returned when it has been answered. It concerns this client and those that
// [Client.MakeRedisClient] makes from now on, and is called before the client is used.
func (c *Client) Observe(begin func(ctx context.Context, command string) (context.Context, func(error))) {
	hook, fresh := observer{begin}, c.fresh
	c.redis.AddHook(hook)
	c.fresh = func() redis.UniversalClient {
		made := fresh()
		made.AddHook(hook)
		return made
	}
}

// observer is the library's hook.
type observer struct {
	begin func(ctx context.Context, command string) (context.Context, func(error))
}

// DialHook changes nothing.
func (o observer) DialHook(next redis.DialHook) redis.DialHook { return next }

// ProcessHook tells of a command.
func (o observer) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		ctx, end := o.begin(ctx, cmd.Name())
		err := next(ctx, cmd)
		end(fault(err))
		return err
	}
}

// ProcessPipelineHook tells of a pipeline.
func (o observer) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		ctx, end := o.begin(ctx, "pipeline")
		err := next(ctx, cmds)
		end(fault(err))
		return err
	}
}

// fault returns nil for the answer that there is nothing, which the library calls an error.
func fault(err error) error {
	if errors.Is(err, redis.Nil) {
		return nil
	}
	return err
}
