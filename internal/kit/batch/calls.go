package batch

import (
	"context"
	"slices"
)

// maxCalls limits a batch, so that the first callers do not wait for all that came with them.
const maxCalls = 64

// Calls is a queue of independent calls, reads or writes, each with one caller.
type Calls[C any] struct {
	batcher *Batcher[C]
	queued  []call[C]
}

type single[C any] struct {
	waiters[C]
	call C
}

// NewCalls returns a queue of calls on a batcher.
func NewCalls[C any](b *Batcher[C]) *Calls[C] {
	q := &Calls[C]{batcher: b}
	b.queues = append(b.queues, q)
	return q
}

// Do runs the call that newCall returns. If it fails with an error that may be the fault of another
// call, Do runs a second call alone. Calls run on another goroutine, and may go on after Do has
// returned an error; use their results only if Do returns nil. The context passed to newCall has
// the values of ctx and is never canceled.
func (q *Calls[C]) Do(ctx context.Context, newCall func(ctx context.Context) C) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	c := newSingle(ctx, newCall)
	q.add(c)
	err := q.batcher.wait(ctx, q, c)
	if err != nil && q.batcher.mayRetry(ctx, err) {
		c = newSingle(ctx, newCall)
		q.batcher.runCalls(ctx, []call[C]{c})
		err = c.err
	}
	return err
}

func newSingle[C any](ctx context.Context, newCall func(ctx context.Context) C) *single[C] {
	w := newWaiters[C](ctx)
	return &single[C]{waiters: w, call: newCall(w.ctx)} //nolint:contextcheck // it has the values of ctx
}

func (q *Calls[C]) add(c *single[C]) {
	q.batcher.mu.Lock()
	defer q.batcher.mu.Unlock()
	c.n = 1
	q.queued = append(q.queued, c)
	q.batcher.startIfFree()
}

func (q *Calls[C]) waiting() bool { return len(q.queued) > 0 }

func (q *Calls[C]) take(calls []call[C]) []call[C] {
	n := min(len(q.queued), maxCalls)
	calls = append(calls, q.queued[:n]...)
	q.queued = slices.Delete(q.queued, 0, n)
	return calls
}

func (q *Calls[C]) remove(unwanted call[C]) {
	q.queued = slices.DeleteFunc(q.queued, func(c call[C]) bool { return c == unwanted })
}

func (c *single[C]) prepare() C { return c.call }

func (c *single[C]) finish(err error) { c.wake(err) }
