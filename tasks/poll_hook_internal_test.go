package tasks

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/redis/go-redis/v9"
)

// scripted is a client whose waits end as scripted, and then wait forever.
type scripted struct {
	redis.UniversalClient
	waits []error
	asked int
}

func (s *scripted) Do(ctx context.Context, args ...any) *redis.Cmd {
	cmd := redis.NewCmd(ctx, args...)
	s.asked++
	if s.asked <= len(s.waits) {
		cmd.SetErr(s.waits[s.asked-1])
		return cmd
	}
	<-ctx.Done()
	cmd.SetErr(ctx.Err())
	return cmd
}

// looking runs polls with the given results through a hook, and returns when each began.
func looking(a *pollHook, looks ...error) []time.Duration {
	var at []time.Duration
	began := time.Now()
	for _, end := range looks {
		look := redis.NewCmd(context.Background(), "evalsha", "digest", 4, a.pending, "asynq:{push}:paused")
		_ = a.ProcessHook(func(context.Context, redis.Cmder) error {
			at = append(at, time.Since(began))
			return end
		})(context.Background(), look)
	}
	return at
}

// half is where the middle of what is spread lies.
func half() float64 { return 0.5 }

func TestPollHook_DelaysOnlyAfterEmptyPoll(t *testing.T) {
	nothing, refused, unknown := redis.Nil, errors.New("refused"), redis.ErrNoScript
	for name, c := range map[string]struct {
		waits, looks []error
		want         []time.Duration
		asked        int
	}{
		"tasks are taken one after the other": {nil, []error{nil, nil, nil}, []time.Duration{0, 0, 0}, 0},
		"the script is not known":             {nil, []error{unknown, nil, unknown, nothing, unknown}, []time.Duration{0, 0, 0, 0, awaitFor + answerWithin}, 1},
		"a task comes":                        {[]error{nil}, []error{nothing, nil, nil}, []time.Duration{0, 0, 0}, 1},
		"none comes":                          {[]error{nothing, nothing, nil}, []error{nothing, nil, nil, nil}, []time.Duration{0, 0}, 3},
		"Redis cannot be asked to wait":       {[]error{refused, refused, refused}, []error{nothing, nothing, nothing, nil}, []time.Duration{0, 0, takenPause, 2 * takenPause}, 3},
		"Redis is away while it is asked":     {[]error{refused}, []error{nothing, refused, nil}, []time.Duration{0, 0, takenPause}, 1},
		"what comes is gone: the queue is paused, or another was there": {[]error{nil, nil, nil}, []error{nothing, nothing, nothing, nil}, []time.Duration{0, 0, takenPause, 2 * takenPause}, 3},
		"Redis does not answer": {nil, []error{nothing, nothing}, []time.Duration{0, awaitFor + answerWithin}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				waits := &scripted{waits: c.waits}
				a := newPollHook(t.Context(), archiver{queue: "push", redis: waits}, half)
				if at := looking(a, c.looks...); !slices.Equal(at, c.want) {
					t.Errorf("the looks began after %v, want %v", at, c.want)
				}
				if waits.asked != c.asked {
					t.Errorf("Redis was asked to wait %d times, want %d", waits.asked, c.asked)
				}
			})
		})
	}
}

// idle is a client that never has a task to wait for.
type idle struct{ redis.UniversalClient }

func (idle) Do(ctx context.Context, args ...any) *redis.Cmd {
	<-time.After(awaitFor)
	cmd := redis.NewCmd(ctx, args...)
	cmd.SetErr(redis.Nil)
	return cmd
}

// A command names the end of the lease, so it is as old as the lease.
func TestPollHook_KeepsNoCommandWhileIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const commands = 40
		closing, stop := context.WithTimeout(t.Context(), 2*commands*awaitFor)
		defer stop()
		a := newPollHook(closing, archiver{queue: "push", redis: idle{}}, half)
		a.last = empty
		began := time.Now()
		if polls := looking(a, make([]error, commands)...); len(polls) > 0 {
			t.Errorf("an empty list was polled after %v", polls)
		}
		if took := time.Since(began); took != commands*awaitFor {
			t.Errorf("%d commands waited for %v, want %v each", commands, took, awaitFor)
		}
	})
}

// A Redis that takes no writes refuses at once. Those that ask again ever later find out within
// a second when it has room, and the next failure is the first again.
func TestPollHook_BacksOffAfterFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		full, script := errors.New("OOM command not allowed"), redis.ErrNoScript
		a := newPollHook(t.Context(), archiver{queue: "push", redis: &scripted{}}, half)
		at := looking(a, full, full, script, full, full, full, full, full, full, full, nil, full, nil)
		var pauses []time.Duration
		for i := range at[1:] {
			pauses = append(pauses, at[i+1]-at[i])
		}
		const first = takenPause
		want := []time.Duration{
			first, 2 * first, 0, 4 * first, 8 * first, 16 * first, 32 * first,
			failedPause, failedPause, failedPause, 0, first,
		}
		if !slices.Equal(pauses, want) {
			t.Errorf("the pauses were %v, want %v", pauses, want)
		}
	})
}

func TestPollHook_StopsWithoutPolling(t *testing.T) {
	for name, last := range map[string]outcome{
		"between two tasks":                   taken,
		"while it waits for one":              empty,
		"while it leaves others their tasks":  missed,
		"while the queue cannot be looked at": failed,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				closing, stop := context.WithCancel(t.Context())
				defer stop()
				a := newPollHook(closing, archiver{queue: "push", redis: &scripted{}}, half)
				a.last = last
				if last == taken {
					stop()
				} else {
					time.AfterFunc(takenPause/4, stop)
				}
				if at := looking(a, nil, nil); len(at) > 0 {
					t.Errorf("there were looks after %v", at)
				}
			})
		})
	}
}

// All else that asynq sends goes its way.
func TestPollHook_DelaysNothingElse(t *testing.T) {
	a := newPollHook(t.Context(), archiver{queue: "push", redis: &scripted{}}, half)
	a.last = empty
	for _, args := range [][]any{
		{"evalsha", "digest", 4, "asynq:{build}:pending", "asynq:{build}:paused"},
		{"evalsha", "digest", 2, "asynq:{push}:t:1", "asynq:{push}:pending"},
		{"evalsha", "digest", 0},
		{"lrange", "x", "y", "asynq:{push}:pending"},
		{"ping"},
	} {
		if key := firstKey(redis.NewCmd(t.Context(), args...)); key == a.pending || key == a.lease {
			t.Errorf("%v was taken for a look", args)
		}
	}
	if firstKey(redis.NewCmd(t.Context(), "eval", "script", 4, "asynq:{push}:pending")) != a.pending {
		t.Error("a look that brings its script was not known")
	}
}
