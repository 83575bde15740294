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
	// awaitFor is how long one command waits for a task to come. A queue is looked at after
	// it in any case, which is the cost of an idle worker, and it stays below what clients
	// wait for an answer.
	awaitFor = time.Second
	// answerWithin is how long the answer to such a command may take beyond that.
	answerWithin = 500 * time.Millisecond
	// emptyPause is how long asynq waits by itself after it has looked at an empty queue,
	// give or take a half. The waiting is done here instead.
	emptyPause = time.Millisecond
	// takenPause is how long a queue is left alone, give or take a half, after a task was
	// seen there and could not be had: another worker has taken it, and will take the next
	// ones, or the queue is paused. One task wakes all workers that wait for one, so this
	// bounds what those who come too late ask of Redis; and it is how often a queue is looked
	// at where Redis cannot be asked to wait.
	takenPause = 20 * time.Millisecond
	// failedPause is how long a queue is left alone at most, give or take a half, while looks
	// at it fail. A Redis that takes no writes, because its memory or its disk is full, says so
	// in no time, and would be asked thousands of times a second by every worker just when it
	// is in trouble. The first pause is takenPause, since most failures pass, and it doubles
	// with each up to this one, which is how often an empty queue is looked at too.
	failedPause = time.Second
)

// awaiting is a hook of the client of one asynq server, which serves one queue. asynq polls: it
// looks at an empty queue again and again, and a publish, which goes through two queues, waits
// for both. With the hook it looks when there is something.
//
// Redis says when: told to move the next task from the end of a queue to that same end, it
// waits until there is one, and nothing has changed by it. So whoever puts a task there, be it
// asynq's scheduler, its web page, or a process of another version, need not do more than that.
type awaiting struct {
	// pending is the name of the list that asynq takes tasks from.
	pending string
	// redis is what the hook waits with, a client without it.
	redis redis.UniversalClient
	// closing ends when no more tasks are to be taken.
	closing context.Context
	// rand returns numbers in [0,1) to keep workers from looking in step.
	rand func() float64
	// last is how the last look ended, and failures how many in a row have failed. One
	// goroutine of asynq looks.
	last     outcome
	failures int
}

// outcome is what was found by a look at a queue.
type outcome int

const (
	// taken is a task, or that Redis did not know the script: the next look is due at once.
	taken outcome = iota
	// empty is nothing.
	empty
	// missed is nothing where something had been seen, or may have been: Redis could not be
	// asked to wait, for want of the command or of the right to it.
	missed
	// failed is an error: there is nothing to wait for but the end of what is wrong.
	failed
)

// newAwaiting returns the hook for the server of a queue.
func newAwaiting(closing context.Context, queue string, r redis.UniversalClient, rand func() float64) *awaiting {
	return &awaiting{pending: "asynq:{" + queue + "}:pending", redis: r, closing: closing, rand: rand}
}

// awaitingConn makes the client of one asynq server, with the hook.
type awaitingConn struct {
	asynq.RedisConnOpt
	hook *awaiting
}

// MakeRedisClient implements [asynq.RedisConnOpt].
func (c awaitingConn) MakeRedisClient() any {
	client := c.RedisConnOpt.MakeRedisClient()
	// asynq says so itself when it is none.
	if r, ok := client.(redis.UniversalClient); ok {
		r.AddHook(c.hook)
	}
	return client
}

// DialHook implements [redis.Hook], and changes nothing.
func (a *awaiting) DialHook(next redis.DialHook) redis.DialHook { return next }

// ProcessPipelineHook implements [redis.Hook], and changes nothing.
func (a *awaiting) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

// ProcessHook implements [redis.Hook]: it holds back each look at the queue until there is
// something to be found, or may be. After stop there is nothing.
func (a *awaiting) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if !a.looks(cmd) {
			return next(ctx, cmd)
		}
		otherwise := a.await(ctx)
		if a.closing.Err() != nil {
			cmd.SetErr(redis.Nil)
			return redis.Nil
		}
		err := next(ctx, cmd)
		a.note(err, otherwise)
		return err
	}
}

// note takes down how a look has ended that found a task, or else is to count as otherwise.
func (a *awaiting) note(err error, otherwise outcome) {
	switch {
	case err == nil:
		a.last, a.failures = taken, 0
	case errors.Is(err, redis.Nil):
		a.last, a.failures = otherwise, 0
	case redis.HasErrorPrefix(err, "NOSCRIPT"):
		// The same look comes again, with the text of the script.
		a.last = taken
	default:
		a.last = failed
		a.failures++
	}
}

// looks says whether a command is the script that takes the next task off the queue: it is
// the only one whose first key is the list of what is pending.
func (a *awaiting) looks(cmd redis.Cmder) bool {
	args := cmd.Args()
	if len(args) < 4 || cmd.Name() != "evalsha" && cmd.Name() != "eval" {
		return false
	}
	first, _ := args[3].(string)
	return first == a.pending
}

// await returns when a look is due, and how that has ended should it find nothing.
func (a *awaiting) await(ctx context.Context) (otherwise outcome) {
	switch a.last {
	case taken:
		return empty
	case failed:
		a.pause(doubled(takenPause, a.failures-1, failedPause))
		return empty
	case missed:
		if !a.pause(takenPause) {
			return empty
		}
	case empty:
	}
	ctx, cancel := context.WithTimeout(ctx, awaitFor+answerWithin)
	defer cancel()
	// Not BLMove, which would wait for the answer for ten seconds: where the network is gone,
	// the queue would be left alone for as long.
	seconds := strconv.FormatFloat(awaitFor.Seconds(), 'f', -1, 64)
	err := a.redis.Do(ctx, "BLMOVE", a.pending, a.pending, "RIGHT", "RIGHT", seconds).Err()
	if errors.Is(err, redis.Nil) {
		return empty
	}
	return missed
}

// pause leaves the queue alone for d, give or take a half, and returns false when it is not to
// be looked at any more.
func (a *awaiting) pause(d time.Duration) bool {
	timer := time.NewTimer(spreadOut(d, a.rand()))
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-a.closing.Done():
		return false
	}
}
