// Package eventually waits in tests for what happens in other goroutines and processes.
//
// Its limit ends a test that hangs. It is no measure of speed: a test must pass on a
// machine that is a hundred times slower than usual, so whatever a test waits for, it
// waits for it here.
package eventually

import (
	"context"
	"testing"
	"time"
)

// Limit is how long a test waits before it fails. It is longer than a healthy program
// takes on any machine, and short enough that a run with several hanging tests ends
// within the hour that scripts/test.sh gives it.
const Limit = 5 * time.Minute

// The time between two checks of a condition that nothing signals. It grows with the wait, since a
// check may cost a query of a database.
const (
	intervalShortest = 10 * time.Millisecond
	intervalLongest  = 50 * time.Millisecond
	// intervalShare is the part of the wait so far.
	intervalShare = 20
)

// True calls holds every 10 to 50 ms until it returns true, and fails the test after [Limit]. What
// completes the sentence "it did not happen that ...". Call it from the goroutine that
// runs the test.
func True(t testing.TB, what string, holds func() bool) {
	t.Helper()
	w := newWait()
	for !holds() {
		if !w.next() {
			t.Fatalf("it did not happen within %v that %s", Limit, what)
		}
	}
}

// Succeeds calls do every 10 to 50 ms until it returns no error, and fails the test with its last
// error after [Limit]. Call it from the goroutine that runs the test.
func Succeeds(t testing.TB, what string, do func() error) {
	t.Helper()
	w := newWait()
	for err := do(); err != nil; err = do() {
		if !w.next() {
			t.Fatalf("%s did not succeed within %v: %v", what, Limit, err)
		}
	}
}

// wait is a wait for a condition.
type wait struct {
	began    time.Time
	deadline <-chan time.Time
}

func newWait() *wait { return &wait{time.Now(), time.After(Limit)} }

// next waits until the next check. It reports false at the deadline.
func (w *wait) next() bool {
	select {
	case <-time.After(min(max(time.Since(w.began)/intervalShare, intervalShortest), intervalLongest)):
		return true
	case <-w.deadline:
		return false
	}
}

// Receive returns the next value of a channel, and fails the test if none arrives within
// [Limit]. Call it from the goroutine that runs the test.
func Receive[T any](t testing.TB, what string, from <-chan T) T {
	t.Helper()
	select {
	case v := <-from:
		return v
	case <-time.After(Limit):
		t.Fatalf("no %s within %v", what, Limit)
		panic("unreachable")
	}
}

// Context returns a context that ends with the test, or after [Limit]: for calls that
// would otherwise hang for as long as the test binary runs.
func Context(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), Limit)
	t.Cleanup(cancel)
	return ctx
}
