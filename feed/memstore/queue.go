package memstore

import (
	"context"
	"math/rand/v2"
	"sync"

	"github.com/tideline-feeds/tideline/feed"
)

// Task is one request to a [Queue]. Exactly one field is set.
type Task struct {
	Dispatch *feed.Dispatchable[feed.PostID]
	Push     *feed.Dispatchable[feed.SliceRef]
	// Build, Reconcile and WarmUp name the viewer.
	Build, Reconcile, WarmUp feed.UserID
}

// Queue implements [feed.Queue]. It stores tasks until a test takes them out, with or without
// faults. Use [NewQueue].
type Queue struct {
	mu    sync.Mutex
	tasks []Task
}

var _ feed.Queue = (*Queue)(nil)

// NewQueue returns an empty queue.
func NewQueue() *Queue { return &Queue{} }

// Dispatch implements [feed.Queue]. Each post is a task of its own.
func (q *Queue) Dispatch(ctx context.Context, ds []feed.Dispatchable[feed.PostID]) error {
	tasks := make([]Task, len(ds))
	for i, d := range ds {
		tasks[i] = Task{Dispatch: &d}
	}
	return q.add(ctx, tasks...)
}

// Push implements [feed.Queue]. Each slice is a task of its own.
func (q *Queue) Push(ctx context.Context, ds []feed.Dispatchable[feed.SliceRef]) error {
	tasks := make([]Task, len(ds))
	for i, d := range ds {
		tasks[i] = Task{Push: &d}
	}
	return q.add(ctx, tasks...)
}

// Waits implements [feed.Queue]. The queue records no times, so the waits are 0.
func (q *Queue) Waits(ctx context.Context) (feed.Waits, error) { return feed.Waits{}, q.add(ctx) }

// Build implements [feed.Queue]. The queue stores repeated requests too.
func (q *Queue) Build(ctx context.Context, viewer feed.UserID) error {
	return q.add(ctx, Task{Build: viewer})
}

// Reconcile implements [feed.Queue]. The queue stores repeated requests too.
func (q *Queue) Reconcile(ctx context.Context, viewer feed.UserID) error {
	return q.add(ctx, Task{Reconcile: viewer})
}

// WarmUp implements [feed.Queue]. The queue stores repeated requests too.
func (q *Queue) WarmUp(ctx context.Context, viewer feed.UserID) error {
	return q.add(ctx, Task{WarmUp: viewer})
}

func (q *Queue) add(ctx context.Context, tasks ...Task) error {
	if err := ctx.Err(); err != nil {
		return feed.Unavailable("the memory queue", err)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.tasks = append(q.tasks, tasks...)
	return nil
}

// Take removes all tasks and returns them, first in first. To lose a task, do not run it.
func (q *Queue) Take() []Task {
	q.mu.Lock()
	defer q.mu.Unlock()
	tasks := q.tasks
	q.tasks = nil
	return tasks
}

// TakeWithFaults returns tasks with the faults of a real queue. Of four tasks, on average, one is
// lost, one is returned twice, one stays in the queue, and one is returned once. Their order is
// random.
func (q *Queue) TakeWithFaults(r *rand.Rand) []Task {
	q.mu.Lock()
	defer q.mu.Unlock()
	var taken, left []Task
	for _, t := range q.tasks {
		switch r.IntN(4) {
		case 0: // Lost.
		case 1:
			taken = append(taken, t, t)
		case 2:
			left = append(left, t)
		case 3:
			taken = append(taken, t)
		}
	}
	q.tasks = left
	r.Shuffle(len(taken), func(i, j int) { taken[i], taken[j] = taken[j], taken[i] })
	return taken
}
