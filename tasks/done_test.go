package tasks_test

import (
	"context"
	"testing"
	"time"

	"github.com/hibiken/asynq"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/tasks"
)

// ended is a task that a worker told of.
type ended struct {
	typ  string
	code feed.Code
}

func TestOptions_DoneReportsEveryTask(t *testing.T) {
	onEveryRedis(t, func(t *testing.T, conn asynq.RedisConnOpt, q *tasks.Queue) {
		got := make(chan ended, 10)
		handlers := buildsOnly(func(_ context.Context, viewer feed.UserID) error {
			switch viewer {
			case 7:
				return feed.Errorf(feed.CodeInvalid, "no")
			case 8:
				panic("at the build of user 8")
			}
			return nil
		})
		startWorker(t, conn, handlers, tasks.Options{Done: func(typ string, took time.Duration, err error) {
			if took < 0 {
				t.Errorf("a task took %v", took)
			}
			got <- ended{typ, feed.CodeOf(err)}
		}})
		for viewer, code := range map[feed.UserID]feed.Code{6: "", 7: feed.CodeInvalid, 8: feed.CodeInternal} {
			check(t, q.Build(t.Context(), viewer))
			same(t, "the report", receive(t, got, "end of a build"), ended{tasks.TypeBuild, code})
		}
	})
}

type carried struct{}

// What a task carries ties it to where it was asked for.
func TestOptions_BeginGetsHeaders(t *testing.T) {
	onEveryRedis(t, func(t *testing.T, conn asynq.RedisConnOpt, _ *tasks.Queue) {
		q := newQueue(t, conn, tasks.QueueOptions{Headers: func(ctx context.Context) map[string]string {
			text, _ := ctx.Value(carried{}).(string)
			return map[string]string{"from": text}
		}})
		handled, ends := make(chan any, 1), make(chan error, 1)
		startWorker(t, conn, buildsOnly(func(ctx context.Context, _ feed.UserID) error {
			handled <- ctx.Value(carried{})
			return nil
		}), tasks.Options{Begin: func(ctx context.Context, typ string, headers map[string]string) (context.Context, func(error)) {
			return context.WithValue(ctx, carried{}, typ+" from "+headers["from"]), func(err error) { ends <- err }
		}})
		check(t, q.Build(context.WithValue(t.Context(), carried{}, "a request"), 7))
		same(t, "the handler's context", receive(t, handled, "the build"), any(tasks.TypeBuild+" from a request"))
		check(t, receive(t, ends, "the end of the build"))
	})
}
