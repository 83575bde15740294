package transport

import (
	"context"
	"slices"
)

type afterWriteKey struct{}

// afterWrite is what waits for one response to be written.
type afterWrite struct{ do []func() }

// AfterWrite has do called once the response to the operation that runs in ctx is written, or
// was given up. It reports whether it will be: not outside of an operation of a [Transport]. It
// is called by the goroutine that executes the operation, and do by the one that writes.
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

// written calls what waits for the response, last come first.
func (w *afterWrite) written() {
	for _, do := range slices.Backward(w.do) {
		do()
	}
	w.do = nil
}
