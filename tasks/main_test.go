package tasks_test

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"reflect"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/hibiken/asynq"
	"go.uber.org/goleak"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tasks"
)

// Every test closes what it opens, so no goroutine is left at the end of them all,
// but for one: a go-redis pool that failed to connect looks for its server once a
// second and notices only then that it was closed.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		goleak.IgnoreTopFunction("database/sql.(*DB).connectionOpener"), goleak.IgnoreTopFunction("github.com/tideline-feeds/tideline/internal/testenv/sqlitetest.openAll"),
		goleak.IgnoreAnyFunction("github.com/redis/go-redis/v9/internal/pool.(*ConnPool).tryDial"))
}

// onEveryRedis runs a test on a real Redis and on the embedded one. It passes a queue with the default
// options.
func onEveryRedis(t *testing.T, test func(*testing.T, asynq.RedisConnOpt, *tasks.Queue)) {
	for name, start := range map[string]func(t *testing.T) asynq.RedisConnOpt{
		"redis-server": realRedis,
		"miniredis":    func(t *testing.T) asynq.RedisConnOpt { return asynq.RedisClientOpt{Addr: miniredis.RunT(t).Addr()} },
	} {
		t.Run(name, func(t *testing.T) {
			conn := start(t)
			test(t, conn, newQueue(t, conn))
		})
	}
}

// startBuilder starts a worker that handles builds, and returns a channel of whose inboxes it built.
func startBuilder(t *testing.T, conn asynq.RedisConnOpt, opts tasks.Options) (<-chan feed.UserID, *tasks.Worker) {
	t.Helper()
	built := make(chan feed.UserID, 100)
	return built, startWorker(t, conn, builds(built), opts)
}

func realRedis(t *testing.T) asynq.RedisConnOpt { return connTo(t, testenv.Redis(t)) }

func connTo(t *testing.T, url string) asynq.RedisConnOpt {
	t.Helper()
	conn, err := asynq.ParseRedisURI(url)
	check(t, err)
	return conn
}

// newQueue returns a queue with the given options, or with the defaults. It takes at most one.
// newQueue returns a queue that waits long for Redis on a busy machine.
func newQueue(t *testing.T, conn asynq.RedisConnOpt, opts ...tasks.QueueOptions) *tasks.Queue {
	t.Helper()
	o := append(opts, tasks.QueueOptions{})[0]
	o.EnqueueTimeout = cmp.Or(o.EnqueueTimeout, eventually.Limit)
	q := tasks.NewQueue(conn, o)
	t.Cleanup(func() { check(t, q.Close()) })
	return q
}

func newInspector(t *testing.T, conn asynq.RedisConnOpt) *asynq.Inspector {
	t.Helper()
	i := asynq.NewInspector(conn)
	t.Cleanup(func() { check(t, i.Close()) })
	return i
}

// startWorker runs a worker that soon looks for what is to be retried, until the test or the
// caller shuts it down.
func startWorker(t *testing.T, conn asynq.RedisConnOpt, h tasks.Handlers, opts tasks.Options) *tasks.Worker {
	t.Helper()
	opts.RetryPollInterval = 50 * time.Millisecond
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	w := tasks.NewWorker(conn, h, opts)
	check(t, w.Start())
	t.Cleanup(w.Shutdown)
	return w
}

// builds handles builds by sending whose inboxes were built.
func builds(built chan<- feed.UserID) tasks.Handlers {
	return buildsOnly(func(_ context.Context, viewer feed.UserID) error {
		built <- viewer
		return nil
	})
}

// pushes handles pushes by sending their slices.
func pushes(pushed chan<- feed.SliceRef) tasks.Handlers {
	return tasks.Handlers{Push: func(_ context.Context, ref feed.SliceRef) error {
		pushed <- ref
		return nil
	}}
}

// blocking handles one build, which begins by closing running and waits for release.
func blocking() (h tasks.Handlers, running, release chan struct{}) {
	running, release = make(chan struct{}), make(chan struct{})
	return buildsOnly(func(ctx context.Context, _ feed.UserID) error {
		close(running)
		<-release
		return ctx.Err()
	}), running, release
}

// enqueueRaw enqueues a task as another program could.
func enqueueRaw(t *testing.T, conn asynq.RedisConnOpt, queue, typ, payload string) {
	t.Helper()
	client := asynq.NewClient(conn)
	_, err := client.Enqueue(asynq.NewTask(typ, []byte(payload)), asynq.Queue(queue))
	check(t, errors.Join(err, client.Close()))
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// same fails the test unless a value is as wanted.
func same[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: got %+v, want %+v", what, got, want)
	}
}

// receive waits for a signal.
func receive[T any](t *testing.T, from <-chan T, what string) T {
	t.Helper()
	return eventually.Receive(t, what, from)
}

// logSignals is a slog handler that turns messages into signals.
type logSignals chan string

func newLogSignals() logSignals { return make(logSignals, 10_000) }

func (l logSignals) Enabled(context.Context, slog.Level) bool { return true }
func (l logSignals) WithAttrs([]slog.Attr) slog.Handler       { return l }
func (l logSignals) WithGroup(string) slog.Handler            { return l }
func (l logSignals) Handle(_ context.Context, r slog.Record) error {
	l <- r.Message
	return nil
}

// await waits until message is logged.
func (l logSignals) await(t *testing.T, message string) {
	t.Helper()
	for receive(t, l, "log message: "+message) != message {
	}
}

func slice(post feed.PostID, task, dispatches int) feed.Dispatchable[feed.SliceRef] {
	return feed.Dispatchable[feed.SliceRef]{Ref: feed.SliceRef{Post: post, Task: task}, Dispatches: dispatches}
}

// pushOne enqueues the push of a slice.
func pushOne(t *testing.T, q *tasks.Queue, post feed.PostID, task, dispatches int) {
	t.Helper()
	check(t, q.Push(t.Context(), []feed.Dispatchable[feed.SliceRef]{slice(post, task, dispatches)}))
}

func large[T any](ds ...feed.Dispatchable[T]) []feed.Dispatchable[T] {
	for i := range ds {
		ds[i].Large = true
	}
	return ds
}

func event(post feed.PostID, dispatches int) []feed.Dispatchable[feed.PostID] {
	return []feed.Dispatchable[feed.PostID]{{Ref: post, Dispatches: dispatches}}
}
