package tasks

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/hibiken/asynq"

	"github.com/tideline-feeds/tideline/feed"
)

// jobs handle the tasks of one queue, by type. asynq's own mux is not used because it
// matches types by prefix.
type jobs map[string]asynq.HandlerFunc

// ProcessTask implements asynq.Handler. A type that is not known is of a newer process.
func (j jobs) ProcessTask(ctx context.Context, t *asynq.Task) error {
	if t.Type() == TypeAnnounce {
		return nil
	}
	handle, ok := j[t.Type()]
	if !ok {
		return fmt.Errorf("task type %q in a queue of %v: %w",
			t.Type(), slices.Sorted(maps.Keys(j)), ErrElsewhere)
	}
	return handle(ctx, t)
}

// reported handles tasks as j does, and reports each to o when it is done. A panic, which
// asynq makes an error of, is reported as one.
func (j jobs) reported(o Options) asynq.Handler {
	return asynq.HandlerFunc(func(ctx context.Context, t *asynq.Task) error {
		began := time.Now()
		ctx, end := o.Begin(ctx, t.Type(), t.Headers())
		err := errPanicked
		defer func() {
			end(err)
			o.Done(t.Type(), time.Since(began), err)
		}()
		err = kept(j.ProcessTask(ctx, t), t.Headers())
		return err
	})
}

// errPanicked is how a task ends whose handler panics.
var errPanicked = errors.New("the handler panicked")

// handled returns how many of the types have a handler.
func (j jobs) handled() int {
	n := 0
	for _, handle := range j {
		if handle != nil {
			n++
		}
	}
	return n
}

// job handles the tasks of one type: it reads payloads up to version newest, calls do, one
// method of the domain, and tells asynq what to do about the error. asynq turns a panic into
// an error that is retried. Without do there is no handler.
func job[T any](newest int, read func(payload) (T, error), do func(context.Context, T) error) asynq.HandlerFunc {
	if do == nil {
		return nil
	}
	return func(ctx context.Context, t *asynq.Task) error {
		arg, err := decode(t.Type(), newest, t.Payload(), read)
		if err != nil {
			return err
		}
		return verdict(do(ctx, arg))
	}
}

// verdict marks an error that must not be retried as such for asynq.
func verdict(err error) error {
	if err == nil || retryable(feed.CodeOf(err)) {
		return err
	}
	return fmt.Errorf("%w: %w", err, asynq.SkipRetry)
}

// retryable is the one table of what may be tried again: faults that pass, and
// everything nobody foresaw, a context that ran out included. An answer that will
// be the same the next time is not: a refusal, or a task that asks for nonsense.
func retryable(code feed.Code) bool {
	switch code {
	case feed.CodeUnavailable, feed.CodeInternal:
		return true
	case feed.CodeBadInput, feed.CodeBadCursor, feed.CodeUnauthenticated:
		return false
	}
	return !code.Refusal()
}

// retryDelay returns how long to wait before retry n, counted from 0: about half a
// second, one, two, and so on, doubling. spread, in [0,1), moves it between half
// and one and a half times that, so that tasks which failed together do not come
// back together.
func retryDelay(n int, spread float64) time.Duration {
	const first, most = 500 * time.Millisecond, 30 * time.Second
	return spreadOut(doubled(first, n, most), spread)
}

// spreadOut returns d moved by spread, in [0,1), between half and one and a half times that.
func spreadOut(d time.Duration, spread float64) time.Duration {
	return time.Duration((0.5 + spread) * float64(d))
}

// doubled returns d doubled n times, but not more than most.
func doubled(d time.Duration, n int, most time.Duration) time.Duration {
	for ; n > 0 && d < most; n-- {
		d *= 2
	}
	return min(d, most)
}

// logFailure reports a failed try of a task: as a warning when there will be
// another one, as an error when the task is archived and only the sweeper will ask
// for the work again.
func logFailure(ctx context.Context, log *slog.Logger, t *asynq.Task, err error) {
	id, _ := asynq.GetTaskID(ctx)
	tries, _ := asynq.GetRetryCount(ctx)
	most, _ := asynq.GetMaxRetry(ctx)
	level, text := slog.LevelWarn, "a task failed and will be retried"
	if tries >= most || errors.Is(err, asynq.SkipRetry) {
		level, text = slog.LevelError, "a task failed and was archived"
	}
	log.Log(ctx, level, text, "type", t.Type(), "id", id, "try", tries+1,
		"code", string(feed.CodeOf(err)), "error", err)
}
