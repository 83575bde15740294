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
	// awaitFor is how long one command waits for a task: below the read timeout of clients.
	awaitFor = time.Second
	// answerWithin is how long the reply to such a command may take beyond that.
	answerWithin = 500 * time.Millisecond
	// emptyPause is asynq's pause after an empty poll, near zero because this package waits.
	emptyPause = time.Millisecond
	// takenPause is the pause if another worker takes the task: one task wakes all that wait.
	takenPause = 20 * time.Millisecond
	// failedPause is the longest pause while polls fail: a full Redis refuses at once.
	failedPause = time.Second
)

// pollHook makes the client of one asynq server poll its queue when there is a task. A blocking
// command waits: it moves the next task to the place it has, which changes nothing.
type pollHook struct {
	// pending is the list that asynq takes tasks from, and lease the set by which it finds those of
	// workers that were killed.
	pending, lease string
	archiver       archiver
	// redis is the client to wait with; it has no hook.
	redis redis.UniversalClient
	// closing ends when no more tasks are to be taken.
	closing context.Context
	// rand returns numbers in [0,1), so that workers do not poll in step.
	rand func() float64
	// One goroutine of asynq polls. failures counts those in a row.
	last     outcome
	failures int
}

type outcome int

const (
	// taken is a task, or an unknown script: the next poll is due at once.
	taken outcome = iota
	empty
	// missed is nothing, although there was a task or Redis could not wait for one.
	missed
	failed
)

func newPollHook(closing context.Context, a archiver, rand func() float64) *pollHook {
	return &pollHook{pending: a.key("pending"), lease: a.key("lease"), archiver: a, redis: a.redis, closing: closing, rand: rand}
}

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

// ProcessHook implements [redis.Hook]. After closing, polls find nothing.
func (h *pollHook) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		switch firstKey(cmd) {
		case h.pending:
		case h.lease:
			// asynq recovers no task if one of them cannot be decoded.
			_ = h.archiver.beforeRecovery(ctx) // the next time, in a minute, tries again
			return next(ctx, cmd)
		default:
			return next(ctx, cmd)
		}
		otherwise, due := h.wait(ctx)
		if !due || h.closing.Err() != nil {
			h.last = otherwise
			cmd.SetErr(redis.Nil)
			return redis.Nil
		}
		err := next(ctx, cmd)
		h.record(err, otherwise)
		if message, isText := text(cmd); err == nil && isText && !decodable(message) {
			if err = h.archiver.afterPoll(ctx); err == nil {
				err = redis.Nil // another task may follow at once
			}
			cmd.SetErr(err)
		}
		return err
	}
}

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

// firstKey returns the first key of a script, empty for other commands. No other scripts have those of
// the two that take the next task, and list tasks to recover.
func firstKey(cmd redis.Cmder) string {
	args := cmd.Args()
	if len(args) < 4 || cmd.Name() != "evalsha" && cmd.Name() != "eval" {
		return ""
	}
	first, _ := args[3].(string)
	return first
}

func text(cmd redis.Cmder) (reply string, isText bool) {
	script, isScript := cmd.(*redis.Cmd)
	if !isScript {
		return "", false
	}
	reply, isText = script.Val().(string)
	return reply, isText
}

// wait returns whether a poll is due, and the outcome if it finds nothing. It waits for a task once:
// asynq has put the end of the task's lease into the command, and neither finishes nor extends a
// task that it takes with an expired one. After an empty wait it sends a new command.
func (h *pollHook) wait(ctx context.Context) (otherwise outcome, due bool) {
	switch h.last {
	case taken:
		return empty, true
	case failed:
		h.pause(doubled(takenPause, h.failures-1, failedPause))
		return empty, true
	case missed:
		if !h.pause(takenPause) {
			return empty, false
		}
	case empty:
	}
	if h.closing.Err() != nil || errors.Is(h.await(ctx), redis.Nil) {
		return empty, false
	}
	return missed, true
}

// await returns nil if the queue has a task, and redis.Nil if it has had none for awaitFor.
func (h *pollHook) await(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, awaitFor+answerWithin)
	defer cancel()
	// Not BLMove, which waits ten seconds for the reply, also without a network.
	seconds := strconv.FormatFloat(awaitFor.Seconds(), 'f', -1, 64)
	return h.redis.Do(ctx, "BLMOVE", h.pending, h.pending, "RIGHT", "RIGHT", seconds).Err()
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
