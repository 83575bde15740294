package transport

import (
	"context"
	"slices"
)

type afterWriteKey struct{}

// afterWrite has functions to call once a response is written, and before the next.
type afterWrite struct {
	do     []func()
	notify func(ready func())
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
