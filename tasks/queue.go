package tasks

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/hibiken/asynq"
	"golang.org/x/sync/errgroup"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/circuit"
)

// The queues, one per class of work, but for [QueueOptions.Spread], each served by its own
// asynq server: within one server a priority would let a long fan-out starve the builds.
// QueueBuild is for what reads ask for: all work on one viewer's inbox, of which a build is
// the most, and the sets of hosts.
const (
	QueueDispatch = "dispatch"
	QueuePush     = "push"
	QueueBuild    = "build"
)

// How long a handler may run before its context ends. A timeout is a guard against
// a store that never answers; what was done before it is kept.
const (
	// dispatchTimeout covers the plan of an author with ten million followers: ten
	// thousand reads of a thousand ids.
	dispatchTimeout = 2 * time.Minute
	// pushTimeout covers a slice of a thousand followers, or of some thousands, which is a
	// few round trips, with ample room for a Redis that is slow to answer each of them.
	pushTimeout = 30 * time.Second
	// buildTimeout is the policy's BuildPatience: after it another build may
	// replace this one anyway. Reconciliations and warm-ups have it too, because
	// either turns into a build when it finds no inbox, and so has a refresh, which
	// writes the sets of five hundred hosts one after the other.
	buildTimeout = 30 * time.Second
)

const (
	// maxRetry is small because a retry only has to bridge a blip: with the delays
	// of [retryDelay] three retries are over in about ten seconds, and the next read
	// asks for the work again.
	maxRetry = 3
	// maxSweptRetry is for tasks whose work is in SQL. The sweeper dispatches it again
	// within seconds and does so for ever, so more retries would only run beside the
	// sweeper's copies.
	maxSweptRetry = 1
	// retention is how long the web UI shows a finished task. A retained
	// task takes 700 bytes of Redis, which evicts nothing and refuses new tasks when
	// it is full: at 500 tasks a second, a quarter of an hour is 315 MB.
	retention = 15 * time.Minute
	// enqueueTimeout bounds one enqueue: a publish waits for it, and is safe in SQL
	// already. Redis answers in under a millisecond or is in trouble.
	enqueueTimeout = time.Second
	// pushInFlight is how many slices are enqueued at once. asynq has no batch
	// enqueue; sixteen round trips at a time fill ten thousand slices in under a
	// second and stay within the connection pool of a two-core machine.
	pushInFlight = 16
	// restFor is how long a queue that took no task is not asked again, so that of the
	// publishes during an outage one a second waits for Redis. The sweeper enqueues the
	// others within seconds, and the next read asks again for what it wanted.
	restFor = time.Second
	// bucketSpan is the span of time in which asking for the same work on the same
	// viewer's inbox counts as asking once, with what is said at [Queue.afterNow]. A
	// page load asks several times within it; what was lost or archived is asked for
	// again after it. And while the queue is long, a viewer who goes on reading adds a
	// task to it every ten seconds and no more.
	bucketSpan = 10 * time.Second
)

// Queue is the domain's queue over asynq. It is safe for use by many goroutines.
type Queue struct {
	conn      asynq.RedisConnOpt
	client    *asynq.Client
	inspector *asynq.Inspector
	opts      QueueOptions
	// pushes are the names of the queues of subtasks.
	pushes []string
	// onInbox are the types of the tasks on inboxes.
	onInbox inboxTypes
	// circuits are of the queues, each of which lies on one server.
	circuits *circuit.Breaker
}

var _ feed.Queue = (*Queue)(nil)

// QueueOptions tune a [Queue]. The zero value is fit for production with one Redis.
type QueueOptions struct {
	// Clock is the clock that the tasks in [QueueBuild] are bucketed by; time.Now by default.
	Clock feed.Clock
	// Headers returns the headers of a task that is enqueued in a context, which
	// [Options.Begin] gets; none by default.
	Headers func(context.Context) map[string]string
	// Spread says that subtasks go to several queues, which lie on different servers of a
	// Redis Cluster, instead of [QueuePush] alone. [Options.Spread] must be the same.
	Spread bool
	// PayloadVersion is the version that payloads are written as, this program's own by
	// default. Another one is for trying what an upgrade that raises it does.
	PayloadVersion int
}

// NewQueue returns a queue on the Redis that conn names, which must make a fresh client
// every time. It connects when it is first used, and panics when conn makes something
// else than a go-redis client.
func NewQueue(conn asynq.RedisConnOpt, opts QueueOptions) *Queue {
	opts.PayloadVersion = cmp.Or(opts.PayloadVersion, PayloadVersion)
	if opts.Clock == nil {
		opts.Clock = time.Now
	}
	if opts.Headers == nil {
		opts.Headers = func(context.Context) map[string]string { return nil }
	}
	return &Queue{
		conn: conn, client: asynq.NewClient(conn), inspector: asynq.NewInspector(conn), opts: opts,
		pushes:   pushQueues(opts.Spread),
		onInbox:  inboxTypes{TypeBuild, TypeReconcile, TypeWarmUp},
		circuits: circuit.New(time.Now, restFor),
	}
}

// Close closes the connections to Redis.
func (q *Queue) Close() error { return errors.Join(q.client.Close(), q.inspector.Close()) }

// Dispatch enqueues a [TypeDispatch] task.
func (q *Queue) Dispatch(ctx context.Context, d feed.Dispatchable[feed.PostID]) error {
	id := fmt.Sprintf("dispatch:%d:d%d", d.Ref, d.Dispatches)
	return q.enqueue(ctx, QueueDispatch, TypeDispatch, payload{PostID: d.Ref.String()},
		asynq.TaskID(id), asynq.Timeout(dispatchTimeout), asynq.MaxRetry(maxSweptRetry))
}

// Push enqueues a [TypePush] task per slice, several at a time and in no order. In each
// queue it stops at the first failure, and returns the first of all: the slices it did not
// enqueue are due again in SQL before long, and so are those it did.
func (q *Queue) Push(ctx context.Context, ds []feed.Dispatchable[feed.SliceRef]) error {
	shares := map[string][]feed.Dispatchable[feed.SliceRef]{}
	for _, d := range ds {
		name := pushQueue(q.pushes, d)
		shares[name] = append(shares[name], d)
	}
	// A server that is dead holds up its own queue and no other.
	var all errgroup.Group
	for name, share := range shares {
		all.Go(func() error { return q.pushTo(ctx, name, share) })
	}
	return all.Wait()
}

func (q *Queue) pushTo(ctx context.Context, name string, ds []feed.Dispatchable[feed.SliceRef]) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit((pushInFlight + len(q.pushes) - 1) / len(q.pushes))
	for _, d := range ds {
		g.Go(func() error {
			id := fmt.Sprintf("push:%d:%d:d%d", d.Ref.Post, d.Ref.Task, d.Dispatches)
			return q.enqueue(ctx, name, TypePush, payload{PostID: d.Ref.Post.String(), Task: &d.Ref.Task},
				asynq.TaskID(id), asynq.Timeout(pushTimeout), asynq.MaxRetry(maxSweptRetry))
		})
	}
	return g.Wait()
}

// enqueue puts one task on its queue, unless ctx is done. A task id that is taken
// counts as enqueued: it is this very dispatch, asked for twice. That is only safe
// because no id is used for another dispatch; asynq keeps the ids of archived tasks
// for 90 days and refuses them all that time.
func (q *Queue) enqueue(ctx context.Context, queue, typ string, p payload, opts ...asynq.Option) error {
	_, err := q.add(ctx, queue, typ, p, opts...)
	return err
}

// add is enqueue that says whether the task is new, and not one whose id is taken.
// Options that are given win over the defaults. A queue that has just taken no task fails at
// once.
func (q *Queue) add(ctx context.Context, queue, typ string, p payload, opts ...asynq.Option) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, feed.Unavailable("the task queue", err)
	}
	if typ != TypeAnnounce {
		p.V = q.opts.PayloadVersion
	}
	raw, err := json.Marshal(p)
	if err != nil {
		return false, fmt.Errorf("encode a %s payload: %w", typ, err)
	}
	if err := q.circuits.Allow(queue); err != nil {
		return false, feed.Unavailable("the task queue", err)
	}
	defaults := []asynq.Option{asynq.Queue(queue), asynq.MaxRetry(maxRetry), asynq.Retention(retention)}
	bounded, cancel := context.WithTimeout(ctx, enqueueTimeout)
	defer cancel()
	_, err = q.client.EnqueueContext(bounded, asynq.NewTaskWithHeaders(typ, raw, stamped(q.opts.Headers(ctx), q.opts.Clock())), append(defaults, opts...)...)
	added := err == nil
	if errors.Is(err, asynq.ErrTaskIDConflict) {
		err = nil
	}
	switch {
	case err == nil:
		q.circuits.Report(queue, circuit.Working, nil)
		return added, nil
	case ctx.Err() == nil:
		q.circuits.Report(queue, circuit.Failing, err)
	}
	// asynq flattens errors to text; a caller that gave up is told so by errors.Is.
	return false, feed.Unavailable("the task queue", errors.Join(err, ctx.Err()))
}
