package tasks_test

import (
	"context"
	"testing"

	"github.com/hibiken/asynq"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/tasks"
)

// largeBlocked is a worker whose plans and slices of large fan-outs wait until they are released. It
// sends what it does of other fan-outs.
func largeBlocked(t *testing.T, conn asynq.RedisConnOpt, opts tasks.Options) (done chan string, release func()) {
	t.Helper()
	released, done := make(chan struct{}), make(chan string, 10)
	wait := func(ctx context.Context) error {
		select {
		case <-released:
		case <-ctx.Done():
		}
		return ctx.Err()
	}
	startWorker(t, conn, tasks.Handlers{
		Dispatch: func(_ context.Context, id feed.PostID) error { done <- "dispatch " + id.String(); return nil },
		Plan:     func(ctx context.Context, _ feed.PostID) error { return wait(ctx) },
		Push: func(ctx context.Context, ref feed.SliceRef) error {
			if ref.Post == star {
				return wait(ctx)
			}
			done <- "push " + ref.Post.String()
			return nil
		},
	}, opts)
	return done, func() { close(released) }
}

// star is the post with the large fan-out.
const star = feed.PostID(9)

func TestLarge_DelaysNoOtherFanout(t *testing.T) {
	conn := realRedis(t)
	for prefix, slices := range map[string]int{"one:": 3000, "spread:": 100} {
		spread := prefix == "spread:"
		q := newQueue(t, conn, tasks.QueueOptions{Spread: spread, Prefix: prefix})
		var backlog []feed.Dispatchable[feed.SliceRef]
		for task := range slices {
			backlog = append(backlog, slice(star, task, 0))
		}
		check(t, q.Push(t.Context(), large(backlog...)))
		for range 100 {
			check(t, q.Dispatch(t.Context(), large(event(star, 0)...)))
		}
		done, release := largeBlocked(t, conn, tasks.Options{Spread: spread, Prefix: prefix})
		pushOne(t, q, 7, 0, 0)
		if got := receive(t, done, "push of an ordinary author"); got != "push 7" {
			t.Errorf("got %s", got)
		}
		check(t, q.Dispatch(t.Context(), event(8, 0)))
		if got := receive(t, done, "dispatch of another author"); got != "dispatch 8" {
			t.Errorf("got %s", got)
		}
		release()
	}
}
