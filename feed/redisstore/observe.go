package redisstore

import (
	"context"
	"errors"

	"github.com/redis/go-redis/v9"
)

// Observe calls begin before every command or pipeline with its name, and the returned function
// after the reply. It also covers later clients of [Client.MakeRedisClient]. Call it before using
// the client.
func (c *Client) Observe(begin func(ctx context.Context, command string) (context.Context, func(error))) {
	hook, fresh := observer{begin}, c.fresh
	c.redis.AddHook(hook)
	c.fresh = func() redis.UniversalClient {
		made := fresh()
		made.AddHook(hook)
		return made
	}
}

type observer struct {
	begin func(ctx context.Context, command string) (context.Context, func(error))
}

func (o observer) DialHook(next redis.DialHook) redis.DialHook { return next }

func (o observer) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		ctx, end := o.begin(ctx, cmd.Name())
		err := next(ctx, cmd)
		end(fault(err))
		return err
	}
}

func (o observer) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		ctx, end := o.begin(ctx, "pipeline")
		err := next(ctx, cmds)
		end(fault(err))
		return err
	}
}

// fault returns nil for redis.Nil, which is a reply.
func fault(err error) error {
	if errors.Is(err, redis.Nil) {
		return nil
	}
	return err
}
