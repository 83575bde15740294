package tasks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/feed"
)

// Handlers are the domain methods that tasks are handed to, one per type. Those of one queue are
// all set, or all nil, which leaves the queue to other processes. A handler must be idempotent,
// safe for concurrent calls and honour its context: asynq gives up on a handler that overruns its
// timeout, but cannot stop it.
type Handlers struct {
	// Dispatch takes [TypeDispatch] tasks, for 2 minutes at most.
	Dispatch func(context.Context, feed.PostID) error
	// Push takes [TypePush] tasks, for 30 seconds at most.
	Push func(context.Context, feed.SliceRef) error
	// Build takes [TypeBuild] tasks, Reconcile [TypeReconcile], and WarmUp [TypeWarmUp], for 30
	// seconds at most. They share a queue with all that follow.
	Build     func(context.Context, feed.UserID) error
	Reconcile func(context.Context, feed.UserID) error
	WarmUp    func(context.Context, feed.UserID) error
	// ReplayBuild, ReplayReconcile and ReplayWarmUp do the same for replay inboxes:
	// [TypeReplayBuild], [TypeReplayReconcile] and [TypeReplayWarmUp].
	ReplayBuild     func(context.Context, feed.UserID) error
	ReplayReconcile func(context.Context, feed.UserID) error
	ReplayWarmUp    func(context.Context, feed.UserID) error
	// Refresh takes [TypeRefresh] tasks, for 30 seconds at most.
	Refresh func(context.Context, []feed.UserID) error
}

// Options tune a [Worker]. The zero value is fit for production.
type Options struct {
	// DispatchConcurrency is how many plans are made concurrently; 4 by default. A plan is mostly
	// SQL, and one is enough except for bursts.
	DispatchConcurrency int
	// PushConcurrency is how many slices are pushed concurrently; 8 by default. Eight pipelines
	// keep one Redis busy without delaying reads.
	PushConcurrency int
	// Spread says that subtasks go to several queues, as [QueueOptions.Spread] does to the queue.
	// Each has its share of PushConcurrency.
	Spread bool
	// BuildConcurrency is how many tasks of [QueueBuild] run concurrently; 4 by default. A build
	// is the most expensive query, so reads must keep room.
	BuildConcurrency int
	// RetryPollInterval is how often retries are polled; 1 s by default, the resolution of asynq.
	RetryPollInterval time.Duration
	// ShutdownTimeout is how long [Worker.Shutdown] waits for running handlers; 10 s by default,
	// within the 30 s that supervisors usually grant. Then their contexts end and their tasks go
	// back to the queue.
	ShutdownTimeout time.Duration
	// Begin, unless nil, is called before a task is handled, with its type and headers. The task
	// runs in the returned context, and the returned function is called with its error.
	Begin func(ctx context.Context, typ string, headers map[string]string) (context.Context, func(error))
	// Done, unless nil, is called after every task with its type, its duration and its error.
	Done func(typ string, took time.Duration, err error)
	// PayloadVersion is the newest version of payloads that is read, this program's own by
	// default. Another one is for tests of an upgrade that raises it.
	PayloadVersion int
	// Log takes failures of tasks and asynq's own messages; slog.Default by default.
	Log *slog.Logger
	// Rand returns numbers in [0,1) to spread retries by; math/rand's by default.
	Rand func() float64
}

func (o Options) withDefaults() Options {
	o.DispatchConcurrency = cmp.Or(o.DispatchConcurrency, 4)
	o.PushConcurrency = cmp.Or(o.PushConcurrency, 8)
	o.BuildConcurrency = cmp.Or(o.BuildConcurrency, 4)
	o.RetryPollInterval = cmp.Or(o.RetryPollInterval, time.Second)
	o.ShutdownTimeout = cmp.Or(o.ShutdownTimeout, 10*time.Second)
	o.PayloadVersion = cmp.Or(o.PayloadVersion, PayloadVersion)
	o.Log = cmp.Or(o.Log, slog.Default())
	if o.Begin == nil {
		o.Begin = func(ctx context.Context, _ string, _ map[string]string) (context.Context, func(error)) {
			return ctx, func(error) {}
		}
	}
	if o.Done == nil {
		o.Done = func(string, time.Duration, error) {}
	}
	if o.Rand == nil {
		o.Rand = rand.Float64
	}
	return o
}

// Worker takes tasks from the queues and hands them to [Handlers]. Each class of work has its own
// asynq server, because a server takes one task at a time from Redis, and its priorities starve
// the lower queues.
type Worker struct {
	conn     asynq.RedisConnOpt
	handlers Handlers
	opts     Options

	mu      sync.Mutex // held for all of Start and Shutdown
	servers []*asynq.Server
	// waits is the client of all [pollHook]s, until closing is done. A worker that was started
	// has one.
	waits   redis.UniversalClient
	closing context.Context
	stop    context.CancelFunc
}

// NewWorker returns a worker that is not running and holds no connection. Each server it starts
// makes its own client from conn and closes it at shutdown, so conn must make a new go-redis
// client every time.
func NewWorker(conn asynq.RedisConnOpt, h Handlers, opts Options) *Worker {
	w := &Worker{conn: conn, handlers: h, opts: opts.withDefaults()}
	w.closing, w.stop = context.WithCancel(context.Background())
	return w
}

// Start begins to take tasks and returns. It does not wait for Redis: work begins once that can
// be reached. A worker starts once; a second start is an error, also after a shutdown.
func (w *Worker) Start() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.waits != nil || w.closing.Err() != nil {
		return errors.New("tasks: the worker was started or shut down before")
	}
	var ok bool
	if w.waits, ok = w.conn.MakeRedisClient().(redis.UniversalClient); !ok {
		return errors.New("tasks: the worker needs a client of go-redis")
	}
	h, newest := w.handlers, w.opts.PayloadVersion
	return errors.Join(
		w.serve(QueueDispatch, w.opts.DispatchConcurrency, jobs{TypeDispatch: job(newest, readContent, h.Dispatch)}),
		w.servePushes(jobs{TypePush: job(newest, readSlice, h.Push)}),
		w.serve(QueueBuild, w.opts.BuildConcurrency, jobs{
			TypeBuild:           job(newest, readViewer, h.Build),
			TypeReconcile:       job(newest, readViewer, h.Reconcile),
			TypeWarmUp:          job(newest, readViewer, h.WarmUp),
			TypeReplayBuild:     job(newest, readViewer, h.ReplayBuild),
			TypeReplayReconcile: job(newest, readViewer, h.ReplayReconcile),
			TypeReplayWarmUp:    job(newest, readViewer, h.ReplayWarmUp),
			TypeRefresh:         job(newest, readHosts, h.Refresh),
		}),
	)
}

func (w *Worker) servePushes(j jobs) error {
	names := pushQueues(w.opts.Spread)
	share := (w.opts.PushConcurrency + len(names) - 1) / len(names)
	for _, name := range names {
		if err := w.serve(name, share, j); err != nil {
			return err
		}
	}
	return nil
}

// serve starts the server of one class of work, unless it has no handlers. It is an error if some
// of the types have none: the server would take their tasks too.
func (w *Worker) serve(queue string, concurrency int, j jobs) error {
	switch j.handled() {
	case 0:
		return nil
	case len(j):
	default:
		return fmt.Errorf("tasks: the worker handles some of the types in queue %s and not the others", queue)
	}
	conn := pollHookConn{w.conn, newPollHook(w.closing, queue, w.waits, w.opts.Rand)}
	server := asynq.NewServer(conn, w.config(queue, concurrency))
	if err := server.Start(j.reported(w.opts)); err != nil {
		return fmt.Errorf("start the worker of queue %s: %w", queue, err)
	}
	w.servers = append(w.servers, server)
	return nil
}

// config returns asynq's configuration for the server of a queue.
func (w *Worker) config(queue string, concurrency int) asynq.Config {
	log := w.opts.Log.With("queue", queue)
	return asynq.Config{
		Queues:                   map[string]int{queue: 1},
		Concurrency:              concurrency,
		TaskCheckInterval:        emptyPause,
		DelayedTaskCheckInterval: w.opts.RetryPollInterval,
		ShutdownTimeout:          w.opts.ShutdownTimeout,
		// Every failure counts towards maxRetry. Otherwise an outage would pile up tasks that the
		// sweeper dispatches again. A task kept for another process has not failed, and is kept
		// for a limited time.
		IsFailure: func(err error) bool { return !errors.Is(err, ErrElsewhere) },
		RetryDelayFunc: func(n int, err error, t *asynq.Task) time.Duration {
			if errors.Is(err, ErrElsewhere) {
				return keptDelay(age(t.Headers(), time.Now()), w.opts.Rand())
			}
			return retryDelay(n, w.opts.Rand())
		},
		ErrorHandler: asynq.ErrorHandlerFunc(func(ctx context.Context, t *asynq.Task, err error) {
			if errors.Is(err, ErrElsewhere) && !errors.Is(err, asynq.SkipRetry) {
				log.InfoContext(ctx, "a task is kept for another process", "type", t.Type(), "why", err)
				return
			}
			logFailure(ctx, log, t, err)
		}),
		Logger:   asynqLog{log},
		LogLevel: asynq.InfoLevel,
	}
}

// Shutdown stops taking tasks, waits for running ones up to ShutdownTimeout, and closes the
// connections. Unfinished tasks go back to their queue. It takes longer only if Redis does not
// answer. It may be called again, concurrently, or on a worker that was never started.
func (w *Worker) Shutdown() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stop()
	// This wakes all hooks that wait for a task.
	if w.waits != nil {
		_ = w.waits.Close()
	}
	// Concurrently, so that the timeouts do not add up.
	var wg sync.WaitGroup
	for _, server := range w.servers {
		wg.Go(server.Shutdown)
	}
	wg.Wait()
	w.servers = nil
}
