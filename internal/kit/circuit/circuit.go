// Package circuit has a circuit breaker with one circuit per key, such as the address of a server.
// sony/gobreaker keeps a breaker per key forever, and stays half-open while a probe is in flight.
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

// Unknown, as of a call whose caller gave up, changes nothing; Working closes, Failing opens.
const (
	Unknown Outcome = iota
	Working
	Failing
)

// Breaker opens a circuit at the first failing call. It is safe for concurrent use.
type Breaker struct {
	now      func() time.Time
	interval time.Duration

	mu sync.Mutex
	// open holds the open circuits only, so failing targets alone take memory.
	open map[string]circuit
}

type circuit struct {
	// until is when the next probe is due.
	until time.Time
	cause error
}

// New returns a breaker with closed circuits. An open circuit allows one call per interval.
func New(now func() time.Time, interval time.Duration) *Breaker {
	return &Breaker{now: now, interval: interval, open: map[string]circuit{}}
}

// err does not wrap the context error of another caller.
func (c circuit) err() error {
	if errors.Is(c.cause, context.DeadlineExceeded) || errors.Is(c.cause, context.Canceled) {
		return fmt.Errorf("%w: %s", ErrOpen, c.cause.Error())
	}
	return fmt.Errorf("%w: %w", ErrOpen, c.cause)
}

// Allow returns nil if a call may be made, else an error that wraps [ErrOpen] and the cause. An
// open circuit allows one probe per interval. A probe that never reports does not block the next.
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
