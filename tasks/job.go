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

// jobs handle the tasks of one queue, by type. asynq's own mux matches types by prefix.
type jobs map[string]asynq.HandlerFunc

// ProcessTask implements asynq.Handler. An unknown type comes from a newer process.
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

// reported wraps j to report each task to o when it ends, also after a panic.
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

var errPanicked = errors.New("the handler panicked")

func (j jobs) handled() int {
	n := 0
	for _, handle := range j {
		if handle != nil {
			n++
		}
	}
	return n
}

// job reads payloads up to version newest and passes them to do. It returns nil without do.
func job[T any](newest int, read func(payload) (T, error), do func(context.Context, T) error) asynq.HandlerFunc {
	if do == nil {
		return nil
	}
	return func(ctx context.Context, t *asynq.Task) error {
		arg, err := decode(t.Type(), newest, t.Payload(), read)
		if err != nil {
			return err
		}
		return verdict(do(context.WithValue(ctx, resultKey{}, t.ResultWriter()), arg))
	}
}

// each returns a function that calls do for each of a list, also after one fails. It returns nil without do.
func each[T any](do func(context.Context, T) error) func(context.Context, []T) error {
	if do == nil {
		return nil
	}
	return func(ctx context.Context, list []T) error {
		var errs []error
		for _, e := range list {
			errs = append(errs, do(ctx, e))
		}
		return errors.Join(errs...)
	}
}

type resultKey struct{}

// Report sets the text that the UI shows as the result of the task that runs in ctx. It does
// nothing outside of a task, and if Redis fails, since results are for operators only.
func Report(ctx context.Context, text string) {
	if w, ok := ctx.Value(resultKey{}).(*asynq.ResultWriter); ok && w != nil {
		_, _ = w.Write([]byte(text))
	}
}

func verdict(err error) error {
	if err == nil || retryable(feed.CodeOf(err)) {
		return err
	}
	return fmt.Errorf("%w: %w", err, asynq.SkipRetry)
}

// retryable is false after a refusal or a malformed task.
func retryable(code feed.Code) bool {
	switch code {
	case feed.CodeUnavailable, feed.CodeInternal:
		return true
	case feed.CodeBadInput, feed.CodeBadCursor, feed.CodeUnauthenticated:
		return false
	}
	return !code.Refusal()
}

// retryDelay returns the pause before retry n, from 0: about half a second, doubling.
func retryDelay(n int, spread float64) time.Duration {
	const first, most = 500 * time.Millisecond, 30 * time.Second
	return spreadOut(doubled(first, n, most), spread)
}

// spreadOut returns d moved by spread, in [0,1), between half and one and a half times that.
func spreadOut(d time.Duration, spread float64) time.Duration {
	return time.Duration((0.5 + spread) * float64(d))
}

func doubled(d time.Duration, n int, most time.Duration) time.Duration {
	for ; n > 0 && d < most; n-- {
		d *= 2
	}
	return min(d, most)
}

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
