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
	"github.com/tideline-feeds/tideline/internal/kit/circuit"
)

// The queues have an asynq server each: within one, a long fan-out would starve the builds. Plans and
// slices of large fan-outs have queues of their own, so that other fan-outs never wait behind them.
const (
	QueueDispatch      = "dispatch"
	QueueDispatchLarge = "dispatch-large"
	QueuePush          = "push"
	QueuePushLarge     = "push-large"
	QueueBuild         = "build"
	// QueueIngest is public, as [TypeIngest] is.
	QueueIngest = "tideline:ingest"
)

// How long a handler may run before its context ends, in case a store never answers.
const (
	// The plan of an author with ten million followers is ten thousand reads.
	dispatchTimeout = 2 * time.Minute
	// A slice of some thousand followers is a few round trips.
	pushTimeout = 30 * time.Second
	// buildTimeout is the policy's BuildPatience, after which another build may start anyway.
	buildTimeout = 30 * time.Second
)

const (
	// Three retries are over in about ten seconds, and the next read asks again.
	maxRetry = 3
	// maxSweptRetry is for tasks in SQL, which the sweeper dispatches again within seconds.
	maxSweptRetry = 1
	// retention is for the web UI. At 500 tasks a second, a quarter of an hour takes 315 MB. Tasks on
	// inboxes, which can be many more, are kept for bucketSpan.
	retention = 15 * time.Minute
	// inFlight is how many tasks are enqueued at once. They fill two pipelines: one on its way, and
	// one that collects.
	inFlight = 128
	// sharedMax slices share a task at most: they are pushed one after the other, within pushTimeout.
	sharedMax = 16
	// sharedFrom is how many tasks a push has at least before slices share any, for all workers.
	sharedFrom = 64
	// restFor is the pause after a failed enqueue: one publish a second waits during an outage.
	restFor = time.Second
	// bucketSpan is the time within which requests for the same work on one inbox count as one.
	bucketSpan = 10 * time.Second
)

// Queue implements the domain's queue over asynq. It is safe for concurrent use.
type Queue struct {
	conn      asynq.RedisConnOpt
	client    *asynq.Client
	inspector *asynq.Inspector
	opts      QueueOptions
	names     names
	// onInbox are the types of the tasks on inboxes.
	onInbox  inboxTypes
	circuits *circuit.Breaker
}

var _ feed.Queue = (*Queue)(nil)

// QueueOptions tune a [Queue]. The zero value is fit for production with one Redis.
type QueueOptions struct {
	// Clock buckets the tasks in [QueueBuild]; time.Now by default.
	Clock feed.Clock
	// Headers returns headers for [Options.Begin]; none by default.
	Headers func(context.Context) map[string]string
	// Spread is for a Redis Cluster: push tasks go to several queues. Set [Options.Spread] too.
	Spread bool
	// Prefix begins the names of the queues. Set [Options.Prefix] too.
	Prefix string
	// EnqueueTimeout is how long Redis may take to store a task; 1 s by default. Redis answers in
	// under a millisecond or is in trouble, and a publish waits for it.
	EnqueueTimeout time.Duration
	// PayloadVersion is for tests of an upgrade; this program's own by default.
	PayloadVersion int
}

// NewQueue returns a queue on the Redis of conn, which must make a new go-redis client every time;
// any other client makes it panic. It connects when it is first used.
func NewQueue(conn asynq.RedisConnOpt, opts QueueOptions) *Queue {
	opts.PayloadVersion = cmp.Or(opts.PayloadVersion, PayloadVersion)
	opts.EnqueueTimeout = cmp.Or(opts.EnqueueTimeout, time.Second)
	if opts.Clock == nil {
		opts.Clock = time.Now
	}
	if opts.Headers == nil {
		opts.Headers = func(context.Context) map[string]string { return nil }
	}
	return &Queue{
		conn: conn, client: asynq.NewClient(pipelineConn{conn}), inspector: asynq.NewInspector(conn), opts: opts,
		names:    namesOf(opts.Prefix, opts.Spread),
		onInbox:  inboxTypes{TypeBuild, TypeReconcile, TypeWarmUp},
		circuits: circuit.New(time.Now, restFor),
	}
}

// Close closes the connections to Redis.
func (q *Queue) Close() error { return errors.Join(q.client.Close(), q.inspector.Close()) }

// Dispatch enqueues a [TypeDispatch] task per post, or a [TypePlan] task for a large fan-out,
// concurrently and in no order, and returns the first failure. Posts without a plan become due again
// in SQL.
func (q *Queue) Dispatch(ctx context.Context, ds []feed.Dispatchable[feed.PostID]) error {
	return forEach(ds, func(d feed.Dispatchable[feed.PostID]) error {
		opts := []asynq.Option{asynq.Timeout(dispatchTimeout), asynq.MaxRetry(maxSweptRetry)}
		if d.Large {
			// A new id each time: a repeated dispatch does not know how often that was.
			return q.enqueue(ctx, q.names.dispatchLarge, TypePlan, payload{PostID: d.Ref.String()}, opts...)
		}
		id := fmt.Sprintf("dispatch:%d:d%d", d.Ref, d.Dispatches)
		return q.enqueue(ctx, q.names.dispatch, TypeDispatch, payload{PostID: d.Ref.String()}, append(opts, asynq.TaskID(id))...)
	})
}

// Push enqueues a [TypePush] task per slice, as Dispatch does. Unfinished slices become due again. Of
// many posts at once, first dispatches of their slices share tasks.
func (q *Queue) Push(ctx context.Context, ds []feed.Dispatchable[feed.SliceRef]) error {
	shares := map[string][]feed.Dispatchable[feed.SliceRef]{}
	for _, d := range ds {
		name := q.names.push(d)
		shares[name] = append(shares[name], d)
	}
	// A dead server delays its own queue only.
	var all errgroup.Group
	for name, share := range shares {
		all.Go(func() error { return q.pushTo(ctx, name, share) })
	}
	return all.Wait()
}

func (q *Queue) pushTo(ctx context.Context, name string, ds []feed.Dispatchable[feed.SliceRef]) error {
	return forEach(shareTasks(ds), func(share []feed.Dispatchable[feed.SliceRef]) error {
		first := share[0]
		p := payload{PostID: first.Ref.Post.String(), Task: &first.Ref.Task}
		for _, d := range share[1:] {
			p.More = append(p.More, d.Ref.Post.String())
		}
		// The first slice is in no other task of its first dispatch.
		id := fmt.Sprintf("push:%d:%d:d%d", first.Ref.Post, first.Ref.Task, first.Dispatches)
		return q.enqueue(ctx, name, TypePush, p, asynq.TaskID(id), asynq.Timeout(pushTimeout), asynq.MaxRetry(maxSweptRetry))
	})
}

// shareTasks divides slices into those of one task each: up to sharedMax if there are still sharedFrom
// tasks. Only slices that are the first of their posts share a task, so those of one post are pushed at
// the same time. Repeated dispatches have tasks of their own: a slice that fails delays no other.
func shareTasks(ds []feed.Dispatchable[feed.SliceRef]) (shares [][]feed.Dispatchable[feed.SliceRef]) {
	size := max(1, min(sharedMax, len(ds)/sharedFrom))
	var open []feed.Dispatchable[feed.SliceRef]
	for _, d := range ds {
		if d.Ref.Task > 0 || d.Dispatches > 0 || d.Large {
			shares = append(shares, []feed.Dispatchable[feed.SliceRef]{d})
			continue
		}
		if open = append(open, d); len(open) == size {
			shares, open = append(shares, open), nil
		}
	}
	if len(open) > 0 {
		shares = append(shares, open)
	}
	return shares
}

// forEach runs do for the first element, and then for the others, [inFlight] at once. It returns the
// first failure. If the first call fails, as without a server, there are no others; a later failure
// does not cancel any.
func forEach[T any](list []T, do func(T) error) error {
	if len(list) == 0 {
		return nil
	}
	if err := do(list[0]); err != nil {
		return err
	}
	var g errgroup.Group
	g.SetLimit(inFlight)
	for _, e := range list[1:] {
		g.Go(func() error { return do(e) })
	}
	return g.Wait()
}

// enqueue treats a taken id as success, so no other dispatch may use it: asynq refuses the ids of
// archived tasks for 90 days.
func (q *Queue) enqueue(ctx context.Context, queue, typ string, p payload, opts ...asynq.Option) error {
	_, err := q.add(ctx, queue, typ, p, opts...)
	return err
}

// add reports whether the task is new. The given options win over the defaults.
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
	bounded, cancel := context.WithTimeout(ctx, q.opts.EnqueueTimeout)
	defer cancel()
	_, err = q.client.EnqueueContext(bounded, asynq.NewTaskWithHeaders(typ, raw, withTime(q.opts.Headers(ctx), q.opts.Clock())), append(defaults, opts...)...)
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
	// asynq flattens errors to text; the context's error is joined for errors.Is.
	return false, feed.Unavailable("the task queue", errors.Join(err, ctx.Err()))
}
