package transport

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
)

type afterWriteKey struct{}

// afterWrite has functions to call once a response is written, and before the next.
type afterWrite struct {
	do     []func()
	notify func(ready func())

	mu      sync.Mutex
	cancel  context.CancelCauseFunc // nil for an operation that cannot be evicted
	cut     func()                  // nil while no response is written
	evicted bool

	private atomic.Bool // no shared cache may store the response
}

// Evict returns the function that cancels the operation of ctx for one of another client, and cuts off
// the writing of its response unless it is to a stream or socket, where writes have a short timeout. It
// does not block. It is nil for a subscription.
func Evict(ctx context.Context) func() {
	if w, ok := ctx.Value(afterWriteKey{}).(*afterWrite); ok && w.cancel != nil {
		return w.evict
	}
	return nil
}

func (w *afterWrite) evict() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.evicted = true
	w.cancel(errMadeRoom)
	if w.cut != nil {
		w.cut()
	}
}

// writing lets evict cut off a response until end is called, but not one that says that it was called.
func (w *afterWrite) writing(cut func()) (end func()) {
	if w == nil {
		return func() {}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.evicted {
		w.cut = cut
	}
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.cut = nil
	}
}

// NotifyBy registers a function that calls its argument once, without blocking, when the
// subscription of ctx has its next response or has ended. Sockets then keep no goroutine for an idle
// subscription. It is optional.
func NotifyBy(ctx context.Context, notify func(ready func())) {
	if w, ok := ctx.Value(afterWriteKey{}).(*afterWrite); ok {
		w.notify = notify
	}
}

// AfterWrite registers a function to call once the response of the operation in ctx is written or
// given up. It returns false outside of an operation of a [Transport]. Only the goroutine that
// executes the operation may call it; the one that writes calls do.
func AfterWrite(ctx context.Context, do func()) bool {
	w, ok := ctx.Value(afterWriteKey{}).(*afterWrite)
	if ok {
		w.do = append(w.do, do)
	}
	return ok
}

// NoStore forbids shared caches to store the response of the operation in ctx.
func NoStore(ctx context.Context) {
	if w, ok := ctx.Value(afterWriteKey{}).(*afterWrite); ok {
		w.private.Store(true)
	}
}

func withAfterWrite(ctx context.Context) (context.Context, *afterWrite) {
	w := &afterWrite{}
	return context.WithValue(ctx, afterWriteKey{}, w), w
}

func (w *afterWrite) written() {
	for _, do := range slices.Backward(w.do) {
		do()
	}
	w.do = nil
}
