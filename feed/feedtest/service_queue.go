package feedtest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/viewercache"
)

// Task is one request to a [Queue]. Exactly one field is set.
type Task struct {
	Dispatch feed.PostID
	// Plan is the post of a large fan-out.
	Plan feed.PostID
	Push feed.SliceRef
	// Build, Reconcile and WarmUp name the viewer.
	Build, Reconcile, WarmUp feed.UserID
	// ReplayBuild, ReplayReconcile and ReplayWarmUp name the viewer of a replay inbox. Refresh
	// names a host of live sessions.
	ReplayBuild, ReplayReconcile, ReplayWarmUp, Refresh feed.UserID
}

// String describes the task.
func (t Task) String() string {
	for what, id := range map[string]int64{
		"dispatch post": int64(t.Dispatch), "plan post": int64(t.Plan), "refresh the set of host": int64(t.Refresh),
		"build the inbox of user": int64(t.Build), "build the replay inbox of user": int64(t.ReplayBuild),
		"reconcile the inbox of user": int64(t.Reconcile), "reconcile the replay inbox of user": int64(t.ReplayReconcile),
		"warm up the inbox of user": int64(t.WarmUp), "warm up the replay inbox of user": int64(t.ReplayWarmUp),
	} {
		if id != 0 {
			return fmt.Sprintf("%s %d", what, id)
		}
	}
	return fmt.Sprintf("push slice %d of post %d", t.Push.Task, t.Push.Post)
}

// Queue is a [feed.Queue] that stores tasks. A test takes them out in any order, several times, or
// never. Use it from one goroutine only.
type Queue struct {
	// Err, if set, is the error of every call.
	Err error
	// Waited is the reported waiting time of the oldest tasks.
	Waited feed.Waits

	tasks []Task
}

// Dispatch implements [feed.Queue]. Each post is a task of its own.
func (q *Queue) Dispatch(_ context.Context, ds []feed.Dispatchable[feed.PostID]) error {
	tasks := make([]Task, len(ds))
	for i, d := range ds {
		if d.Large {
			tasks[i].Plan = d.Ref
		} else {
			tasks[i].Dispatch = d.Ref
		}
	}
	return q.add(tasks...)
}

// Push implements [feed.Queue]. Each slice is a task of its own.
func (q *Queue) Push(_ context.Context, ds []feed.Dispatchable[feed.SliceRef]) error {
	tasks := make([]Task, len(ds))
	for i, d := range ds {
		tasks[i].Push = d.Ref
	}
	return q.add(tasks...)
}

// Waits implements [feed.Queue].
func (q *Queue) Waits(context.Context) (feed.Waits, error) { return q.Waited, q.Err }

// Build implements [feed.Queue].
func (q *Queue) Build(_ context.Context, viewer feed.UserID) error {
	return q.addOnce(Task{Build: viewer})
}

// Reconcile implements [feed.Queue].
func (q *Queue) Reconcile(_ context.Context, viewer feed.UserID) error {
	return q.addOnce(Task{Reconcile: viewer})
}

// WarmUp implements [feed.Queue].
func (q *Queue) WarmUp(_ context.Context, viewer feed.UserID) error {
	return q.addOnce(Task{WarmUp: viewer})
}

// addOnce enqueues a task unless it is queued already.
func (q *Queue) addOnce(t Task) error {
	if slices.Contains(q.tasks, t) {
		return q.Err
	}
	return q.add(t)
}

func (q *Queue) add(tasks ...Task) error {
	if q.Err == nil {
		q.tasks = append(q.tasks, tasks...)
	}
	return q.Err
}

// Len returns the number of queued tasks.
func (q *Queue) Len() int { return len(q.tasks) }

// Tasks returns the queued tasks, first in first.
func (q *Queue) Tasks() []Task { return slices.Clone(q.tasks) }

// Take removes and returns the i-th task, counted from 0. To lose a task, do not run it.
func (q *Queue) Take(i int) Task {
	t := q.tasks[i]
	q.tasks = slices.Delete(q.tasks, i, i+1)
	return t
}

// Lose drops all tasks.
func (q *Queue) Lose() { q.tasks = nil }

// Double appends a copy of every queued task.
func (q *Queue) Double() { q.tasks = append(q.tasks, q.tasks...) }

// Shuffle shuffles the tasks. The seed alone decides the order.
func (q *Queue) Shuffle(seed uint64) {
	r := rand.New(rand.NewPCG(seed, 0))
	r.Shuffle(len(q.tasks), func(i, j int) { q.tasks[i], q.tasks[j] = q.tasks[j], q.tasks[i] })
}

// enqueue begins the fan-outs of an ingested batch.
func (s *Service) enqueue(ctx context.Context, got feed.Ingested) error {
	whole := each(got.Planned, func(id feed.PostID) feed.Dispatchable[feed.SliceRef] {
		return feed.Dispatchable[feed.SliceRef]{Ref: feed.SliceOfAll(id).SliceRef}
	})
	pending := each(got.Pending, func(id feed.PostID) feed.Dispatchable[feed.PostID] { return feed.Dispatchable[feed.PostID]{Ref: id} })
	return errors.Join(s.Queue.Push(ctx, whole), s.Queue.Dispatch(ctx, pending))
}

// Local is a [viewercache.Local] that never evicts. Only the viewer version can then prevent stale
// results. Use [NewLocal].
type Local struct {
	mu      sync.Mutex
	entries map[feed.UserID]*viewercache.Entry
}

// NewLocal returns an empty cache.
func NewLocal() *Local { return &Local{entries: map[feed.UserID]*viewercache.Entry{}} }

// Get implements [viewercache.Local].
func (m *Local) Get(viewer feed.UserID) *viewercache.Entry {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.entries[viewer]
}

// Put implements [viewercache.Local].
func (m *Local) Put(viewer feed.UserID, e *viewercache.Entry) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.entries[viewer] = e
}

// Online is a [feed.OnlineUsers] whose users a test sets.
type Online struct {
	Users feed.Online
	// Err, if set, is the error of every call.
	Err error
}

// SetOnline implements [feed.OnlineUsers].
func (o *Online) SetOnline(_ context.Context, u feed.Online) error {
	if o.Err == nil {
		o.Users = feed.Online{Connected: append(u.Connected, o.Users.Connected...), Seen: append(u.Seen, o.Users.Seen...)}
	}
	return o.Err
}

// Online implements [feed.OnlineUsers].
func (o *Online) Online(context.Context) (feed.Online, error) { return o.Users, o.Err }

// NextPage waits for changes of a subscription, as the server does.
func NextPage[C interface{ IsReset() bool }](ctx context.Context, sub interface {
	Poll(ctx context.Context) (*feed.ChangePage[C], error)
	Wait(ctx context.Context) error
},
) (*feed.ChangePage[C], error) {
	for {
		page, err := sub.Poll(ctx)
		if err != nil || page != nil && len(page.Changes) > 0 {
			return page, err
		}
		if err := sub.Wait(ctx); err != nil {
			return nil, err
		}
	}
}

// NextEdge waits for a post that is added, as the server does.
func NextEdge(ctx context.Context, sub interface {
	PollEdge(ctx context.Context) (feed.HomeChange, error)
	Wait(ctx context.Context) error
},
) (feed.HomeChange, error) {
	for {
		c, err := sub.PollEdge(ctx)
		if err != nil || c.ID != 0 {
			return c, err
		}
		if err := sub.Wait(ctx); err != nil {
			return c, err
		}
	}
}
