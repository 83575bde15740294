package tasks_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tasks"
)

// buildsOnly handles builds by fn, and nothing else comes.
func buildsOnly(fn func(context.Context, feed.UserID) error) tasks.Handlers {
	none := func(_ context.Context, viewer feed.UserID) error {
		return feed.Errorf(feed.CodeInvalid, "nobody asked for this work on the inbox of user %d", viewer)
	}
	return tasks.Handlers{
		Build: fn, Reconcile: none, WarmUp: none,
		ReplayBuild: none, ReplayReconcile: none, ReplayWarmUp: none,
		Refresh: func(_ context.Context, hosts []feed.UserID) error {
			return feed.Errorf(feed.CodeInvalid, "nobody asked for the sets of users %d", hosts)
		},
	}
}

// reconcilesOnly handles reconciliations by fn, and nothing else comes.
func reconcilesOnly(fn func(context.Context, feed.UserID) error) tasks.Handlers {
	h := buildsOnly(fn)
	h.Build, h.Reconcile = h.Reconcile, fn
	return h
}

// telling returns handlers of all types that say what they were called for.
func telling(got chan<- string) tasks.Handlers {
	tell := func(what ...any) error {
		got <- strings.TrimSuffix(fmt.Sprintln(what...), "\n")
		return nil
	}
	viewers := func(what string) func(context.Context, feed.UserID) error {
		return func(_ context.Context, viewer feed.UserID) error { return tell(what, viewer) }
	}
	return tasks.Handlers{
		Dispatch: func(_ context.Context, id feed.PostID) error { return tell("dispatch", id) },
		Plan:     func(_ context.Context, id feed.PostID) error { return tell("plan", id) },
		Push:     func(_ context.Context, ref feed.SliceRef) error { return tell("push", ref.Post, ref.Task) },
		Build:    viewers("build"), Reconcile: viewers("reconcile"), WarmUp: viewers("warm up"),
		ReplayBuild: viewers("build replays"), ReplayReconcile: viewers("reconcile replays"), ReplayWarmUp: viewers("warm up replays"),
		Refresh: func(_ context.Context, hosts []feed.UserID) error { return tell("refresh", hosts) },
		Ingest: func(_ context.Context, records []json.RawMessage) error {
			return tell("ingest", fmt.Sprintf("%s", records))
		},
	}
}

func TestWorker_EveryTypeReachesItsHandler(t *testing.T) {
	onEveryRedis(t, func(t *testing.T, conn asynq.RedisConnOpt, q *tasks.Queue) {
		got := make(chan string, 20)
		startWorker(t, conn, telling(got), tasks.Options{})
		replays, ctx := q.Replays(), t.Context()
		const last = feed.PostID(9223372036854775807)
		enqueued := map[string]error{
			"dispatch 9223372036854775807":  q.Dispatch(ctx, event(last, 0)),
			"dispatch -9223372036854775807": replays.Dispatch(ctx, event(-last, 0)),
			"plan 5":                        q.Dispatch(ctx, large(event(5, 0)...)),
			"push 6 1":                      q.Push(ctx, large(slice(6, 1, 0))),
			"push 123 4":                    q.Push(ctx, []feed.Dispatchable[feed.SliceRef]{slice(123, 4, 0)}),
			"push -123 4":                   replays.Push(ctx, []feed.Dispatchable[feed.SliceRef]{slice(-123, 4, 0)}),
			"build 7":                       q.Build(ctx, 7),
			"reconcile 8":                   q.Reconcile(ctx, 8),
			"warm up 9":                     q.WarmUp(ctx, 9),
			"build replays 7":               replays.Build(ctx, 7),
			"reconcile replays 8":           replays.Reconcile(ctx, 8),
			"warm up replays 9":             replays.WarmUp(ctx, 9),
			"refresh [8 7]":                 q.Refresh(ctx, []feed.UserID{8, 7}),
			`ingest [{"type":"user"} {}]`:   enqueueRecords(t, conn, `{"type":"user"}`, `{}`),
		}
		left := maps.Clone(enqueued)
		for range enqueued {
			said := receive(t, got, "call of a handler")
			if err, ok := enqueued[said]; !ok || err != nil {
				t.Errorf("a handler was called to %s, %v", said, err)
			}
			delete(left, said)
		}
		for what := range left {
			t.Errorf("no handler was called to %s", what)
		}
	})
}

// enqueueRecords enqueues a public task as other programs do.
func enqueueRecords(t *testing.T, conn asynq.RedisConnOpt, texts ...string) error {
	t.Helper()
	var records []json.RawMessage
	for _, text := range texts {
		records = append(records, json.RawMessage(text))
	}
	task, err := tasks.NewIngest(records...)
	if err != nil {
		return err
	}
	client := asynq.NewClient(conn)
	t.Cleanup(func() { _ = client.Close() })
	_, err = client.Enqueue(task)
	return err
}

func TestNewIngest_RefusesWhatNoWorkerWouldTake(t *testing.T) {
	for name, records := range map[string][]json.RawMessage{
		"no record": nil, "too many": make([]json.RawMessage, 2001), "no JSON": {json.RawMessage("{")},
	} {
		if task, err := tasks.NewIngest(records...); err == nil {
			t.Errorf("%s: the task is %s", name, task.Payload())
		}
	}
}

// A server takes whatever is on its queue, so it would archive what it cannot handle
// under the eyes of those who can.
func TestWorker_RefusesPartialHandlers(t *testing.T) {
	w := tasks.NewWorker(realRedis(t), tasks.Handlers{Build: nothing}, tasks.Options{Log: slog.New(slog.DiscardHandler)})
	t.Cleanup(w.Shutdown)
	if err := w.Start(); err == nil || !strings.Contains(err.Error(), "queue build") {
		t.Errorf("it started with one of the queue's handlers: %v", err)
	}
}

// A user follows, their inbox is reconciled, and within the same ten seconds they follow another
// user. Or a session starts, its host's set is written, and the session ends.
func TestReconcile_RunsAgainAfterFinished(t *testing.T) {
	for kind, c := range map[string]struct {
		enqueue func(ctx context.Context, q *tasks.Queue) error
		left    states
	}{
		"a reconciliation": {func(ctx context.Context, q *tasks.Queue) error { return q.Reconcile(ctx, 7) }, states{completed: 2}},
		"a refresh":        {func(ctx context.Context, q *tasks.Queue) error { return q.Refresh(ctx, []feed.UserID{7}) }, states{}},
	} {
		onEveryRedis(t, func(t *testing.T, conn asynq.RedisConnOpt, _ *tasks.Queue) {
			q := newQueue(t, conn, tasks.QueueOptions{Clock: func() time.Time { return time.Unix(1_700_000_000, 0) }})
			for try := range 2 {
				ran := make(chan string, 1)
				w := startWorker(t, conn, telling(ran), tasks.Options{})
				check(t, c.enqueue(t.Context(), q))
				receive(t, ran, fmt.Sprintf("%s after change %d", kind, try))
				w.Shutdown() // the task has finished by then
			}
			assertStates(t, conn, tasks.QueueBuild, c.left)
		})
	}
}

// A viewer reads after each of many changes, and each reconciliation ends before the next change.
// The clock is an hour ahead, so that the next ten seconds do not begin during the test.
func TestReconcile_OnceInTenSeconds(t *testing.T) {
	onEveryRedis(t, func(t *testing.T, conn asynq.RedisConnOpt, _ *tasks.Queue) {
		now := time.Now().Add(time.Hour).Truncate(10 * time.Second)
		q := newQueue(t, conn, tasks.QueueOptions{Clock: func() time.Time { return now }})
		reconciled := make(chan feed.UserID, 1)
		w := startWorker(t, conn, reconcilesOnly(builds(reconciled).Build), tasks.Options{})
		check(t, q.Reconcile(t.Context(), 7))
		receive(t, reconciled, "the first reconciliation")
		w.Shutdown() // the task has finished by then
		for range 40 {
			check(t, q.Reconcile(t.Context(), 7))
		}
		assertStates(t, conn, tasks.QueueBuild, states{completed: 1})
		assertScheduled(t, conn, now.Add(10*time.Second))
	})
}

// The clock is an hour ahead, so that the beginning of the next ten seconds does not
// come during the test.
func TestReconcile_ChangeDuringRunStartsAnother(t *testing.T) {
	onEveryRedis(t, func(t *testing.T, conn asynq.RedisConnOpt, _ *tasks.Queue) {
		now := time.Now().Add(time.Hour).Truncate(10 * time.Second)
		q := newQueue(t, conn, tasks.QueueOptions{Clock: func() time.Time { return now }})
		blocked, running, release := blocking()
		w := startWorker(t, conn, reconcilesOnly(blocked.Build), tasks.Options{})
		check(t, q.Reconcile(t.Context(), 7))
		receive(t, running, "start of the reconciliation")
		check(t, q.Reconcile(t.Context(), 7))
		check(t, q.Reconcile(t.Context(), 7))
		close(release)
		w.Shutdown()

		assertStates(t, conn, tasks.QueueBuild, states{completed: 1})
		assertScheduled(t, conn, now.Add(10*time.Second))
	})
}

func TestWorker_RetriesPassingFaults(t *testing.T) {
	faults := map[string]func() error{
		"unavailable": func() error { return feed.Unavailable("the store", errors.New("refused")) },
		"unforeseen":  func() error { return errors.New("odd") },
		"panic":       func() error { panic("odd") },
	}
	for name, fail := range faults {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn := realRedis(t)
			tries := make(chan int, 10)
			try := 0
			w := startWorker(t, conn, buildsOnly(func(context.Context, feed.UserID) error {
				try++
				tries <- try
				if try == 1 {
					return fail()
				}
				return nil
			}), tasks.Options{BuildConcurrency: 1, Rand: func() float64 { return 0 }})
			check(t, newQueue(t, conn).Build(t.Context(), 7))
			receive(t, tries, "first try")
			receive(t, tries, "second try")
			w.Shutdown()
			assertStates(t, conn, tasks.QueueBuild, states{completed: 1})
		})
	}
}

func TestWorker_ArchivesWhatCannotSucceed(t *testing.T) {
	for payload, reason := range map[string]string{`{"v":1,"viewerId":"7"}`: "no such user", `{"v":0}`: "there is no version 0"} {
		onEveryRedis(t, func(t *testing.T, conn asynq.RedisConnOpt, _ *tasks.Queue) {
			logged := newLogSignals()
			w := startWorker(t, conn, buildsOnly(func(context.Context, feed.UserID) error {
				return feed.Errorf(feed.CodeNotFound, "no such user")
			}), tasks.Options{Log: slog.New(logged)})
			enqueueRaw(t, conn, tasks.QueueBuild, tasks.TypeBuild, payload)
			logged.await(t, "a task failed and was archived")
			w.Shutdown()
			archived := fixture.Got(newInspector(t, conn).ListArchivedTasks(tasks.QueueBuild)).Must(t)
			if len(archived) != 1 || !strings.Contains(archived[0].LastErr, reason) {
				t.Errorf("archived: %+v, want one task with the error %q", archived, reason)
			}
		})
	}
}

// One is taken, one is left by a worker that was killed, with another task, and of one only the id is left.
func TestWorker_ArchivesUndecodableTasks(t *testing.T) {
	onEveryRedis(t, func(t *testing.T, conn asynq.RedisConnOpt, q *tasks.Queue) {
		r, ctx := raw(t, conn), t.Context()
		key := func(name string) string { return "asynq:{" + tasks.QueueBuild + "}:" + name }
		put := func(list, id, message string) {
			if message != "" {
				check(t, r.HSet(ctx, key("t:"+id), "msg", message, "state", list).Err())
			}
			check(t, r.LPush(ctx, key(list), id).Err())
			if list == "active" {
				check(t, r.ZAdd(ctx, key("lease"), redis.Z{Score: 1, Member: id}).Err())
			}
		}
		check(t, q.Build(ctx, 7))
		left := fixture.Got(r.RPop(ctx, key("pending")).Result()).Must(t)
		put("active", left, fixture.Got(r.HGet(ctx, key("t:"+left), "msg").Result()).Must(t))
		put("active", "left", "\xff")
		put("active", "lost", "")
		put("pending", "taken", "no message")
		built, _ := startBuilder(t, conn, tasks.Options{})
		same(t, "the recovered build", receive(t, built, "recovered build"), 7)
		check(t, q.Build(ctx, 8))
		same(t, "the next build", receive(t, built, "next build"), 8)
		eventually.Succeeds(t, "archiving", func() error {
			archived := r.ZRange(ctx, key("archived"), 0, -1).Val()
			if active := r.LLen(ctx, key("active")).Val() + r.ZCard(ctx, key("lease")).Val(); active > 0 || !slices.Equal(archived, []string{"left", "taken"}) {
				return fmt.Errorf("active: %d, archived: %q", active, archived)
			}
			return nil
		})
		same(t, "the state of an archived task", r.HGet(ctx, key("t:taken"), "state").Val(), "archived")
	})
}

func TestShutdown_WaitsForRunningHandler(t *testing.T) {
	onEveryRedis(t, func(t *testing.T, conn asynq.RedisConnOpt, q *tasks.Queue) {
		h, running, release := blocking()
		logged := newLogSignals()
		w := startWorker(t, conn, h, tasks.Options{Log: slog.New(logged)})
		check(t, q.Build(t.Context(), 7))
		receive(t, running, "start of the handler")

		ended := make(chan struct{})
		go func() {
			w.Shutdown()
			close(ended)
		}()
		logged.await(t, "asynq: Waiting for all workers to finish...")
		select {
		case <-ended:
			t.Error("Shutdown returned while the handler ran")
		default:
		}
		close(release)
		receive(t, ended, "end of Shutdown")
		assertStates(t, conn, tasks.QueueBuild, states{completed: 1})
	})
}

func TestShutdown_ReturnsOverdueTaskToQueue(t *testing.T) {
	conn := realRedis(t)
	running, told := make(chan struct{}), make(chan error, 1)
	w := startWorker(t, conn, buildsOnly(func(ctx context.Context, _ feed.UserID) error {
		close(running)
		<-ctx.Done()
		told <- ctx.Err()
		return ctx.Err()
	}), tasks.Options{ShutdownTimeout: 20 * time.Millisecond})
	check(t, newQueue(t, conn).Build(t.Context(), 7))
	receive(t, running, "start of the handler")
	w.Shutdown()
	fixture.Fails(t, receive(t, told, "end of the context"), context.Canceled)
	assertStates(t, conn, tasks.QueueBuild, states{pending: 1})
}

func TestWorker_StartsOnce(t *testing.T) {
	conn := realRedis(t)
	h := buildsOnly(nothing)
	w := startWorker(t, conn, h, tasks.Options{})
	same(t, "a second start is refused", w.Start() != nil, true)
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(w.Shutdown)
	}
	wg.Wait()
	same(t, "a start after the shutdown is refused", w.Start() != nil, true)

	idle := tasks.NewWorker(conn, h, tasks.Options{})
	idle.Shutdown()
	same(t, "a start after a shutdown that came first is refused", idle.Start() != nil, true)
}

func TestWorker_StartsWithoutRedis(t *testing.T) {
	server := testenv.StartRedis(t, testenv.RedisOptions{})
	conn := connTo(t, server.URL())
	server.Kill()
	built, _ := startBuilder(t, conn, tasks.Options{})
	server.Restart()
	check(t, newQueue(t, conn).Build(t.Context(), 7))
	same(t, "built", receive(t, built, "build"), 7)
}

// states counts the tasks of a queue.
type states struct{ pending, retry, archived, completed int }

// assertStates compares what the queue holds once its worker is shut down.
func assertStates(t *testing.T, conn asynq.RedisConnOpt, queue string, want states) {
	t.Helper()
	info := fixture.Got(newInspector(t, conn).GetQueueInfo(queue)).Must(t)
	got := states{info.Pending, info.Retry, info.Archived, info.Completed}
	same(t, "queue "+queue, got, want)
}

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
		// The build that panics is the last one, because it is tried again.
		for i, code := range []feed.Code{"", feed.CodeInvalid, feed.CodeInternal} {
			check(t, q.Build(t.Context(), feed.UserID(6+i)))
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
