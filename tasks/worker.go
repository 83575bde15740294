package tasks

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/feed"
)

// Handlers are the domain methods for tasks. Those of one queue are all set, or all nil, which
// leaves the queue to other processes. A handler must be idempotent, safe for concurrent calls and
// honour its context: asynq gives up on a handler that overruns, but cannot stop it.
type Handlers struct {
	// Dispatch takes [TypeDispatch] tasks, and Plan [TypePlan] tasks, for 2 minutes at most.
	Dispatch func(context.Context, feed.PostID) error
	Plan     func(context.Context, feed.PostID) error
	// Push takes the slices of a [TypePush] task, one after the other, for 30 seconds at most.
	Push func(context.Context, feed.SliceRef) error
	// Those that follow take the other types, for 30 seconds at most. They share a queue.
	Build     func(context.Context, feed.UserID) error
	Reconcile func(context.Context, feed.UserID) error
	WarmUp    func(context.Context, feed.UserID) error
	// ReplayBuild, ReplayReconcile and ReplayWarmUp are for replay inboxes.
	ReplayBuild     func(context.Context, feed.UserID) error
	ReplayReconcile func(context.Context, feed.UserID) error
	ReplayWarmUp    func(context.Context, feed.UserID) error
	// Refresh takes [TypeRefresh] tasks.
	Refresh func(context.Context, []feed.UserID) error
	// Ingest takes the records of [TypeIngest] tasks, for 30 seconds at most.
	Ingest func(context.Context, []json.RawMessage) error
}

// Options tune a [Worker]. The zero value is fit for production.
type Options struct {
	// DispatchConcurrency is for plans, which are mostly SQL; 4 by default. Half of it is for large
	// fan-outs in addition.
	DispatchConcurrency int
	// PushConcurrency is for slices; 8 by default, which keeps one Redis busy. Half of it is for
	// slices of large fan-outs in addition.
	PushConcurrency int
	// Spread is as [QueueOptions.Spread]; each queue has its share of PushConcurrency.
	Spread bool
	// Prefix is as [QueueOptions.Prefix]. With one, the worker also empties the queues without it.
	Prefix string
	// DrainInterval is how often those are looked at; 5 s by default.
	DrainInterval time.Duration
	// BuildConcurrency is for tasks of [QueueBuild], whose queries are expensive; 4 by default.
	BuildConcurrency int
	// IngestConcurrency is for tasks of [QueueIngest]; 2 by default. Batches change the same rows.
	IngestConcurrency int
	// RetryPollInterval is how often retries are polled; 1 s by default, the resolution of asynq.
	RetryPollInterval time.Duration
	// ShutdownTimeout is how long handlers may go on before their contexts end; 10 s by default.
	ShutdownTimeout time.Duration
	// Begin, unless nil, gets a task's type and headers. The task runs in the returned context, and
	// the returned function is called with its error.
	Begin func(ctx context.Context, typ string, headers map[string]string) (context.Context, func(error))
	// Done, unless nil, is called after every task with its type, its duration and its error.
	Done func(typ string, took time.Duration, err error)
	// PayloadVersion is the newest version that is read, this program's own by default.
	PayloadVersion int
	// Log is slog.Default by default.
	Log *slog.Logger
	// Rand returns numbers in [0,1) to spread retries by; math/rand's by default.
	Rand func() float64
}

func (o Options) withDefaults() Options {
	o.DispatchConcurrency = cmp.Or(o.DispatchConcurrency, 4)
	o.PushConcurrency = cmp.Or(o.PushConcurrency, 8)
	o.BuildConcurrency = cmp.Or(o.BuildConcurrency, 4)
	o.IngestConcurrency = cmp.Or(o.IngestConcurrency, 2)
	o.RetryPollInterval = cmp.Or(o.RetryPollInterval, time.Second)
	o.DrainInterval = cmp.Or(o.DrainInterval, 5*time.Second)
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

// Worker takes tasks from the queues. Each class of work has its own asynq server, because a server
// takes one task at a time from Redis, and its priorities starve the lower queues.
type Worker struct {
	conn     asynq.RedisConnOpt
	handlers Handlers
	opts     Options

	mu      sync.Mutex // held for all of Start and Shutdown
	servers []*asynq.Server
	// draining are the calls that wait for old queues to be empty.
	draining sync.WaitGroup
	// waits is the client of all [pollHook]s; nil before Start.
	waits   redis.UniversalClient
	closing context.Context
	stop    context.CancelFunc
}

// NewWorker returns a worker that holds no connection. Each server it starts makes its own client
// from conn and closes it at shutdown, so conn must make a new go-redis client every time.
func NewWorker(conn asynq.RedisConnOpt, h Handlers, opts Options) *Worker {
	w := &Worker{conn: conn, handlers: h, opts: opts.withDefaults()}
	w.closing, w.stop = context.WithCancel(context.Background())
	return w
}

// Start begins to take tasks, without waiting for Redis. A second start is an error.
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
	own := namesOf(w.opts.Prefix, w.opts.Spread)
	for _, queue := range own.all() {
		if err := w.serve(queue, w.concurrencyOf(own, queue), w.jobsOf(own, queue)); err != nil {
			return err
		}
	}
	ingest := jobs{TypeIngest: job(w.opts.PayloadVersion, readRecords, w.handlers.Ingest)}
	if err := w.serve(QueueIngest, w.opts.IngestConcurrency, ingest); err != nil || w.opts.Prefix == "" {
		return err
	}
	return w.drain(namesOf("", w.opts.Spread))
}

// concurrencyOf returns the number of concurrent tasks of one of the queues n.
func (w *Worker) concurrencyOf(n names, queue string) int {
	switch {
	case queue == n.dispatch:
		return w.opts.DispatchConcurrency
	case queue == n.dispatchLarge:
		return shareOf(w.opts.DispatchConcurrency, 2)
	case queue == n.build:
		return w.opts.BuildConcurrency
	case slices.Contains(n.pushesLarge, queue):
		return shareOf(w.opts.PushConcurrency, 2*len(n.pushesLarge))
	}
	return shareOf(w.opts.PushConcurrency, len(n.pushes))
}

// shareOf returns the part of n for one of some queues, at least 1.
func shareOf(n, queues int) int { return (n + queues - 1) / queues }

// jobsOf returns the jobs of one of the queues n.
func (w *Worker) jobsOf(n names, queue string) jobs {
	h, newest := w.handlers, w.opts.PayloadVersion
	switch queue {
	case n.dispatch:
		return jobs{TypeDispatch: job(newest, readContent, h.Dispatch)}
	case n.dispatchLarge:
		return jobs{TypePlan: job(newest, readContent, h.Plan)}
	case n.build:
		return jobs{
			TypeBuild:           job(newest, readViewer, h.Build),
			TypeReconcile:       job(newest, readViewer, h.Reconcile),
			TypeWarmUp:          job(newest, readViewer, h.WarmUp),
			TypeReplayBuild:     job(newest, readViewer, h.ReplayBuild),
			TypeReplayReconcile: job(newest, readViewer, h.ReplayReconcile),
			TypeReplayWarmUp:    job(newest, readViewer, h.ReplayWarmUp),
			TypeRefresh:         job(newest, readHosts, h.Refresh),
		}
	}
	return jobs{TypePush: job(newest, readSlices, each(h.Push))}
}

// serve refuses a queue with some handlers missing: the server would take their tasks too.
func (w *Worker) serve(queue string, concurrency int, j jobs) error {
	switch j.handled() {
	case 0:
		return nil
	case len(j):
	default:
		return fmt.Errorf("tasks: the worker handles some of the types in queue %s and not the others", queue)
	}
	conn := pollHookConn{w.conn, newPollHook(w.closing, archiver{queue, w.waits, w.opts.Log}, w.opts.Rand)}
	server := asynq.NewServer(conn, w.config(queue, concurrency))
	if err := server.Start(j.reported(w.opts)); err != nil {
		return fmt.Errorf("start the worker of queue %s: %w", queue, err)
	}
	w.servers = append(w.servers, server)
	return nil
}

func (w *Worker) config(queue string, concurrency int) asynq.Config {
	log := w.opts.Log.With("queue", queue)
	return asynq.Config{
		Queues:                   map[string]int{queue: 1},
		Concurrency:              concurrency,
		TaskCheckInterval:        emptyPause,
		DelayedTaskCheckInterval: w.opts.RetryPollInterval,
		ShutdownTimeout:          w.opts.ShutdownTimeout,
		// Every failure counts towards maxRetry. Otherwise an outage would pile up tasks that the
		// sweeper dispatches again. [keptFor] limits the others.
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
// connections. Unfinished tasks go back to their queue. It may be called at any time, concurrently.
func (w *Worker) Shutdown() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stop()
	// This wakes all hooks that wait for a task.
	if w.waits != nil {
		_ = w.waits.Close()
	}
	var wg sync.WaitGroup
	for _, server := range w.servers {
		wg.Go(server.Shutdown)
	}
	wg.Wait()
	w.draining.Wait()
	w.servers = nil
}
