// Package circuit has a circuit breaker with one circuit per key, such as the address of a
// server.
//
// Libraries such as sony/gobreaker keep a breaker per key forever, read the time themselves, and
// stay half-open while a probe does not return.
package circuit

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// ErrOpen is the error for a call that was not made because its circuit is open.
var ErrOpen = errors.New("not tried, since a moment ago it failed")

// Outcome is the result of a call.
type Outcome int

// The outcomes.
const (
	// Unknown changes nothing; an example is a call whose caller gave up.
	Unknown Outcome = iota
	// Working closes the circuit.
	Working
	// Failing opens the circuit.
	Failing
)

// Breaker holds the circuits. The first failing call opens a circuit: callers have an
// alternative, and the next probe is due soon. Create one with [New]. It is safe for concurrent
// use.
type Breaker struct {
	now      func() time.Time
	interval time.Duration

	mu sync.Mutex
	// open holds the open circuits only, so failing targets alone take memory.
	open map[string]circuit
}

// circuit is an open circuit.
type circuit struct {
	// until is when the next probe is due.
	until time.Time
	// cause is the error that opened the circuit.
	cause error
}

// New returns a breaker with closed circuits. An open circuit allows one call per interval.
func New(now func() time.Time, interval time.Duration) *Breaker {
	return &Breaker{now: now, interval: interval, open: map[string]circuit{}}
}

// err is the error of a refused call. It does not wrap the context error of another caller.
func (c circuit) err() error {
	if errors.Is(c.cause, context.DeadlineExceeded) || errors.Is(c.cause, context.Canceled) {
		return fmt.Errorf("%w: %s", ErrOpen, c.cause.Error())
	}
	return fmt.Errorf("%w: %w", ErrOpen, c.cause)
}

// Allow returns nil if a call to the key's target may be made, else an error that wraps [ErrOpen]
// and the cause. While a circuit is open, it allows one caller per interval, as a probe. A probe
// that never reports does not block the next.
func (b *Breaker) Allow(key string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	c, open := b.open[key]
	if !open {
		return nil
	}
	now := b.now()
	if now.Before(c.until) {
		return c.err()
	}
	c.until = now.Add(b.interval)
	b.open[key] = c
	return nil
}

// Report records the outcome of a call to the key's target, and the error of a failed one.
func (b *Breaker) Report(key string, o Outcome, err error) {
	if o == Unknown {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if o == Working {
		delete(b.open, key)
		return
	}
	b.open[key] = circuit{until: b.now().Add(b.interval), cause: err}
}
