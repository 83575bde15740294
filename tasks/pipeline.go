package tasks

import (
	"context"
	"strings"
	"sync"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/internal/kit/batch"
)

// pipelines makes the client of [Queue] send the tasks that goroutines enqueue at the same time in
// one pipeline, because asynq enqueues each with a round trip of its own. Queues have pipelines of
// their own, so none waits for the server of another.
type pipelines struct {
	redis redis.UniversalClient

	mu     sync.Mutex
	queues map[string]*batch.Calls[*redis.Cmd]
}

type pipelineConn struct{ asynq.RedisConnOpt }

func (c pipelineConn) MakeRedisClient() any {
	client := c.RedisConnOpt.MakeRedisClient()
	// If it is another client, asynq itself reports that.
	if r, ok := client.(redis.UniversalClient); ok {
		r.AddHook(&pipelines{redis: r, queues: map[string]*batch.Calls[*redis.Cmd]{}})
	}
	return client
}

func (p *pipelines) DialHook(next redis.DialHook) redis.DialHook { return next }

func (p *pipelines) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

// ProcessHook implements [redis.Hook]. asynq enqueues by scripts.
func (p *pipelines) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		script, isScript := cmd.(*redis.Cmd)
		if !isScript || cmd.Name() != "evalsha" && cmd.Name() != "eval" {
			return next(ctx, cmd)
		}
		// A pipeline may go on after its caller has left, so it gets a command of its own.
		var sent *redis.Cmd
		err := p.of(queueOf(cmd.Args())).Do(ctx, func(ctx context.Context) *redis.Cmd {
			sent = redis.NewCmd(ctx, cmd.Args()...)
			return sent
		})
		if err == nil {
			script.SetVal(sent.Val())
		}
		script.SetErr(err)
		return err
	}
}

// queueOf returns the part of a script's first key that decides on which server it is.
func queueOf(args []any) string {
	if len(args) < 4 {
		return ""
	}
	key, _ := args[3].(string)
	_, rest, _ := strings.Cut(key, "{")
	name, _, _ := strings.Cut(rest, "}")
	return name
}

func (p *pipelines) of(queue string) *batch.Calls[*redis.Cmd] {
	p.mu.Lock()
	defer p.mu.Unlock()
	calls := p.queues[queue]
	if calls == nil {
		// The caller of a command that fails decides what to do.
		calls = batch.NewCalls(batch.New(pipelinesMax, p.send, func(error) bool { return true }))
		p.queues[queue] = calls
	}
	return calls
}

// pipelinesMax pipelines per queue are in flight at most: one that hangs does not stop the others.
const pipelinesMax = 2

func (p *pipelines) send(ctx context.Context, commands []*redis.Cmd, done func(i int, err error)) {
	pipe := p.redis.Pipeline()
	for _, c := range commands {
		_ = pipe.Process(ctx, c) // sends nothing yet
	}
	_, _ = pipe.Exec(ctx) // each command has its own error
	for i, c := range commands {
		done(i, c.Err())
	}
}
