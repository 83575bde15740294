package tasks

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"
)

const (
	// awaitFor is how long one command waits for a task. It is the cost of an idle worker, which
	// polls afterwards in any case, and stays below the read timeout of clients.
	awaitFor = time.Second
	// answerWithin is how long the reply to such a command may take beyond that.
	answerWithin = 500 * time.Millisecond
	// emptyPause is asynq's own pause after an empty poll, give or take a half. This package
	// waits instead.
	emptyPause = time.Millisecond
	// takenPause is the pause, give or take a half, after a task was seen but not received:
	// another worker took it, or the queue is paused. One task wakes all waiting workers, so this
	// limits the polls of those that come too late. It is also the poll interval if Redis cannot
	// wait.
	takenPause = 20 * time.Millisecond
	// failedPause is the longest pause, give or take a half, while polls fail. A full Redis
	// refuses at once, and every worker would poll it thousands of times a second. The first
	// pause is takenPause, since most failures pass; it doubles with each failure.
	failedPause = time.Second
)

// pollHook is a hook of the client of one asynq server, which serves one queue. asynq polls: a
// publish, which goes through two queues, would wait for two polls. With the hook asynq polls
// when there is a task.
//
// A blocking command says when: it moves the next task from the end of the queue to the same end,
// which changes nothing, and waits until there is one. So it notices a task from any source:
// asynq's scheduler, its web UI, or another version.
type pollHook struct {
	// pending is the list that asynq takes tasks from.
	pending string
	// redis is the client that the hook waits with, without the hook.
	redis redis.UniversalClient
	// closing ends when no more tasks are to be taken.
	closing context.Context
	// rand returns numbers in [0,1), so that workers do not poll in step.
	rand func() float64
	// last is the outcome of the last poll, and failures how many in a row have failed. One
	// goroutine of asynq polls.
	last     outcome
	failures int
}

// outcome is what a poll of a queue found.
type outcome int

const (
	// taken is a task, or an unknown script: the next poll is due at once.
	taken outcome = iota
	empty
	// missed is nothing although there was a task, or may have been: Redis could not wait,
	// because it lacks the command or forbids it.
	missed
	failed
)

func newPollHook(closing context.Context, queue string, r redis.UniversalClient, rand func() float64) *pollHook {
	return &pollHook{pending: "asynq:{" + queue + "}:pending", redis: r, closing: closing, rand: rand}
}

// pollHookConn makes the client of one asynq server, with the hook.
type pollHookConn struct {
	asynq.RedisConnOpt
	hook *pollHook
}

func (c pollHookConn) MakeRedisClient() any {
	client := c.RedisConnOpt.MakeRedisClient()
	// If it is another client, asynq itself reports that.
	if r, ok := client.(redis.UniversalClient); ok {
		r.AddHook(c.hook)
	}
	return client
}

func (h *pollHook) DialHook(next redis.DialHook) redis.DialHook { return next }

func (h *pollHook) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

// ProcessHook implements [redis.Hook]: it delays each poll until there may be a task. After
// closing, polls find nothing.
func (h *pollHook) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if !h.isPoll(cmd) {
			return next(ctx, cmd)
		}
		otherwise := h.wait(ctx)
		if h.closing.Err() != nil {
			cmd.SetErr(redis.Nil)
			return redis.Nil
		}
		err := next(ctx, cmd)
		h.record(err, otherwise)
		return err
	}
}

// record stores the outcome of a poll; otherwise is the outcome of one that found nothing.
func (h *pollHook) record(err error, otherwise outcome) {
	switch {
	case err == nil:
		h.last, h.failures = taken, 0
	case errors.Is(err, redis.Nil):
		h.last, h.failures = otherwise, 0
	case redis.HasErrorPrefix(err, "NOSCRIPT"):
		// asynq sends the same poll again, with the text of the script.
		h.last = taken
	default:
		h.last = failed
		h.failures++
	}
}

// isPoll reports whether a command is the script that takes the next task: the only one whose
// first key is the pending list.
func (h *pollHook) isPoll(cmd redis.Cmder) bool {
	args := cmd.Args()
	if len(args) < 4 || cmd.Name() != "evalsha" && cmd.Name() != "eval" {
		return false
	}
	first, _ := args[3].(string)
	return first == h.pending
}

// wait returns when a poll is due, and the outcome if that poll finds nothing.
func (h *pollHook) wait(ctx context.Context) (otherwise outcome) {
	switch h.last {
	case taken:
		return empty
	case failed:
		h.pause(doubled(takenPause, h.failures-1, failedPause))
		return empty
	case missed:
		if !h.pause(takenPause) {
			return empty
		}
	case empty:
	}
	ctx, cancel := context.WithTimeout(ctx, awaitFor+answerWithin)
	defer cancel()
	// Not BLMove, which waits ten seconds for the reply: without a network, the queue would be
	// left alone for as long.
	seconds := strconv.FormatFloat(awaitFor.Seconds(), 'f', -1, 64)
	err := h.redis.Do(ctx, "BLMOVE", h.pending, h.pending, "RIGHT", "RIGHT", seconds).Err()
	if errors.Is(err, redis.Nil) {
		return empty
	}
	return missed
}

// pause waits for d, give or take a half, and returns false if the worker closes.
func (h *pollHook) pause(d time.Duration) bool {
	timer := time.NewTimer(spreadOut(d, h.rand()))
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-h.closing.Done():
		return false
	}
}
