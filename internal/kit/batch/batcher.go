package batch

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"time"
)

// Runner runs the independent calls of one batch. It reports the end of each call with done, in the
// order of calls, as soon as that call has ended.
type Runner[C any] func(ctx context.Context, calls []C, done func(i int, err error))

// Batcher runs batches of calls of type C. A batch takes calls from every queue: where it is one
// round trip, further calls cost little more than the first. Add its queues with [NewLookup] and
// [NewCalls] before the first call. It is safe for concurrent use.
type Batcher[C any] struct {
	run         Runner[C]
	maxInFlight int
	shared      func(error) bool
	// linger is how long calls wait for a batch in flight before they start another one; 0 for not.
	linger    time.Duration
	afterFunc func(time.Duration, func())

	mu sync.Mutex
	// started counts all batches so far.
	inFlight []*batch[C]
	started  int
	// timing is set while a timer checks for slow batches.
	timing bool
	queues []queue[C]
}

// New returns a batcher with at most maxInFlight concurrent batches. An error for which shared
// returns true, such as that of an unreachable server, fails every call it hits. After any other
// error, which may be the fault of another caller's call, the caller runs its call again alone.
func New[C any](maxInFlight int, run Runner[C], shared func(error) bool) *Batcher[C] {
	return &Batcher[C]{run: run, maxInFlight: maxInFlight, shared: shared}
}

// Linger limits the batcher to one batch in flight as long as each returns within d, so that
// batches grow larger, and returns b. When a batch takes longer, waiting calls start another.
func (b *Batcher[C]) Linger(d time.Duration) *Batcher[C] {
	b.linger = d
	b.afterFunc = func(d time.Duration, f func()) { time.AfterFunc(d, f) }
	return b
}

// queue holds calls that wait for a batch. Its methods are called with the mutex held.
type queue[C any] interface {
	waiting() bool
	// take moves the calls of the next batch from the queue to the end of calls.
	take(calls []call[C]) []call[C]
	remove(call[C])
}

// call is a call with its waiters.
type call[C any] interface {
	prepare() C
	finish(err error)
	state() *waiters[C]
}

// waiters are the callers that wait for one call.
type waiters[C any] struct {
	// ctx has the values of the first waiter's context, and is never canceled.
	ctx context.Context
	// done is closed when the call has ended; err is set before that.
	done chan struct{}
	err  error

	// The mutex of the batcher guards the rest. n is the number of waiters.
	n int
	// batch is nil while the call is queued.
	batch *batch[C]
	ended bool
}

func newWaiters[C any](ctx context.Context) waiters[C] {
	return waiters[C]{ctx: context.WithoutCancel(ctx), done: make(chan struct{})}
}

func (w *waiters[C]) state() *waiters[C] { return w }

func (w *waiters[C]) wake(err error) {
	w.err = err
	close(w.done)
}

// wait waits until a call has ended or ctx is done, and returns the error of ctx if it is done,
// else that of the call. A waiter that gives up does not affect the others. A queued call without
// waiters is removed; a batch without waiters is canceled.
func (b *Batcher[C]) wait(ctx context.Context, q queue[C], c call[C]) error {
	w := c.state()
	select {
	case <-w.done:
		if w.err != nil && ctx.Err() != nil {
			return ctx.Err()
		}
		return w.err
	case <-ctx.Done():
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	w.n--
	switch {
	case w.n > 0:
	case w.batch == nil:
		q.remove(c)
	default:
		w.batch.cancelIfAbandoned()
	}
	return ctx.Err()
}

// mayRetry reports whether a caller whose call failed with err should run it again alone.
func (b *Batcher[C]) mayRetry(ctx context.Context, err error) bool {
	return ctx.Err() == nil && !b.shared(err)
}

type batch[C any] struct {
	cancel context.CancelFunc
	calls  []call[C]
	// slow is set when waiting calls no longer linger for this batch.
	slow bool
}

// The mutex is held in cancelIfAbandoned and the methods after it up to open.
func (t *batch[C]) cancelIfAbandoned() {
	for _, c := range t.calls {
		if w := c.state(); w.n > 0 && !w.ended {
			return
		}
	}
	t.cancel()
}

// startIfFree starts a batch if calls wait, the limit allows it, and they do not linger.
func (b *Batcher[C]) startIfFree() {
	switch {
	case len(b.inFlight) >= b.maxInFlight:
	case b.lingering():
		b.startTimer()
	case b.waiting():
		go b.runBatches(b.open())
	}
}

func (b *Batcher[C]) waiting() bool { return slices.ContainsFunc(b.queues, queue[C].waiting) }

func (b *Batcher[C]) lingering() bool {
	return b.linger > 0 && slices.ContainsFunc(b.inFlight, func(t *batch[C]) bool { return !t.slow })
}

// startTimer checks after the linger time whether calls still wait. If no batch has started in
// between, those in flight are slow.
func (b *Batcher[C]) startTimer() {
	if b.timing {
		return
	}
	b.timing = true
	started := b.started
	b.afterFunc(b.linger, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.timing = false
		if !b.waiting() {
			return
		}
		if b.started == started {
			for _, t := range b.inFlight {
				t.slow = true
			}
		}
		b.startIfFree()
	})
}

func (b *Batcher[C]) open() *batch[C] {
	t := &batch[C]{}
	b.inFlight = append(b.inFlight, t)
	b.started++
	return t
}

// fill moves the waiting calls into a batch and returns its context; false if none waits any more.
func (b *Batcher[C]) fill(t *batch[C]) (context.Context, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, q := range b.queues {
		t.calls = q.take(t.calls)
	}
	if len(t.calls) == 0 {
		return nil, false
	}
	for _, c := range t.calls {
		c.state().batch = t
	}
	ctx, cancel := context.WithCancel(t.calls[0].state().ctx) //nolint:gosec // runBatches or the last waiter calls cancel
	t.cancel = cancel
	return ctx, true
}

func (b *Batcher[C]) runBatches(t *batch[C]) {
	for t != nil {
		// Let goroutines that are ready to run add their calls; an idle machine has none.
		runtime.Gosched()
		if ctx, ok := b.fill(t); ok {
			b.runCalls(ctx, t.calls)
			t.cancel()
		}
		t = b.close(t)
	}
}

// close removes an ended batch, and returns the next one if calls wait and do not linger.
func (b *Batcher[C]) close(ended *batch[C]) *batch[C] {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.inFlight = slices.DeleteFunc(b.inFlight, func(t *batch[C]) bool { return t == ended })
	switch {
	case b.lingering():
		b.startTimer()
		return nil
	case b.waiting():
		return b.open()
	}
	return nil
}

var errNotRun = errors.New("the call was not run")

// runCalls turns a panic into the error of the calls that have not ended: on this goroutine no
// request handler would recover it.
func (b *Batcher[C]) runCalls(ctx context.Context, calls []call[C]) {
	ended, failure := 0, errNotRun
	done := func(i int, err error) {
		calls[i].finish(err)
		ended = i + 1
		b.mu.Lock()
		defer b.mu.Unlock()
		calls[i].state().ended = true
	}
	defer func() {
		if p := recover(); p != nil {
			failure = fmt.Errorf("panic in a batch: %v\n%s", p, debug.Stack())
		}
		for ended < len(calls) {
			done(ended, failure)
		}
	}()
	prepared := make([]C, len(calls))
	for i, c := range calls {
		prepared[i] = c.prepare()
	}
	b.run(ctx, prepared, done)
}
