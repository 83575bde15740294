package http1

import (
	"context"
	"errors"
	"testing"
	"time"
)

type valueKey struct{}

func newRequestContext() *requestContext {
	return &requestContext{Context: context.WithValue(context.Background(), valueKey{}, "of the connection")}
}

// ended waits until a context has ended, and returns why.
func ended(ctx context.Context, t *testing.T) error {
	t.Helper()
	select {
	case <-ctx.Done():
	case <-time.After(20 * time.Second):
		t.Fatal("the context goes on")
	}
	return ctx.Err()
}

func TestARequestContextIsLikeOthers(t *testing.T) {
	r := newRequestContext()
	before := r.Done()
	if err := r.Err(); err != nil {
		t.Errorf("it has ended with %v", err)
	}
	select {
	case <-before:
		t.Error("it is done")
	default:
	}
	if _, ok := r.Deadline(); ok {
		t.Error("it has a deadline")
	}
	if r.Value(valueKey{}) != "of the connection" {
		t.Error("it has lost a value")
	}
	r.end(context.Canceled)
	r.end(context.DeadlineExceeded) // too late
	<-before
	<-r.Done()
	if err, cause := r.Err(), context.Cause(r); !errors.Is(err, context.Canceled) || !errors.Is(cause, context.Canceled) {
		t.Errorf("it ends with %v, because of %v", err, cause)
	}
	late := newRequestContext()
	late.end(context.DeadlineExceeded)
	if err := ended(late, t); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("it ends with %v", err)
	}
	by := time.Date(2026, 11, 23, 17, 0, 0, 0, time.UTC)
	late.by = by
	if got, ok := late.Deadline(); !ok || !got.Equal(by) {
		t.Errorf("its deadline is %v", got)
	}
}

// What is made of it ends with it, without a goroutine that waits, and is forgotten when it ends
// by itself.
func TestContextsOfARequestContextEndWithIt(t *testing.T) {
	r := newRequestContext()
	child, cancelChild := context.WithCancelCause(r)
	defer cancelChild(nil)
	timed, cancelTimed := context.WithTimeout(child, time.Hour)
	defer cancelTimed()
	_, cancelOther := context.WithCancel(r)
	if len(r.after) != 2 {
		t.Errorf("%d contexts are known, not 2", len(r.after))
	}
	cancelOther()
	if len(r.after) != 1 {
		t.Errorf("%d contexts are known, not 1", len(r.after))
	}
	r.end(context.DeadlineExceeded)
	for _, ctx := range []context.Context{child, timed} {
		if err := ended(ctx, t); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("it ends with %v", err)
		}
	}
	last, cancelLast := context.WithCancel(r)
	defer cancelLast()
	if err := ended(last, t); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("what is made of one that has ended ends with %v", err)
	}
}

func TestWhatIsToHappenAfterARequestHappensOnce(t *testing.T) {
	r := newRequestContext()
	happened := make(chan string, 10)
	stopOne := context.AfterFunc(r, func() { happened <- "one" })
	stopTwo := context.AfterFunc(r, func() { happened <- "two" })
	if !stopTwo() || stopTwo() {
		t.Error("what has not happened can be stopped, once")
	}
	r.end(context.Canceled)
	if got := <-happened; got != "one" {
		t.Errorf("%s has happened", got)
	}
	if stopOne() {
		t.Error("what has happened is stopped")
	}
	stopThree := context.AfterFunc(r, func() { happened <- "three" })
	if got := <-happened; got != "three" || stopThree() {
		t.Errorf("%s has happened", got)
	}
	// Who comes while it ends, and has not seen that yet, is told as well.
	stopFour := r.AfterFunc(func() { happened <- "four" })
	if got := <-happened; got != "four" || stopFour() {
		t.Errorf("%s has happened", got)
	}
	if len(happened) > 0 {
		t.Errorf("%s has happened, too", <-happened)
	}
}
