// Package circuit provides a circuit breaker with one circuit per key, such as the address
// of a server.
//
// It exists beside libraries such as sony/gobreaker because those keep one breaker for each
// key for ever, read the time themselves, and let a probe that never returns keep the circuit
// half-open without end.
package circuit

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// ErrOpen is the error of a call that was not made because its circuit is open.
var ErrOpen = errors.New("not tried, since a moment ago it failed")

// Outcome is what a call says about its target.
type Outcome int

// The outcomes.
const (
	// Unknown says nothing, such as a call whose caller gave up.
	Unknown Outcome = iota
	// Working closes the circuit.
	Working
	// Failing opens the circuit.
	Failing
)

// Breaker holds the circuits. A circuit opens with the first call that fails: callers are to
// have another way, and the next probe is due soon. It is safe for concurrent use. Make one
// with [New].
type Breaker struct {
	now  func() time.Time
	rest time.Duration

	mu sync.Mutex
	// open holds the open circuits only, so it is as large as the number of targets that fail.
	open map[string]circuit
}

// circuit is an open circuit.
type circuit struct {
	// until is when the next probe is due.
	until time.Time
	// cause is why the circuit is open.
	cause error
}

// New returns a breaker whose circuits are all closed. An open circuit lets one call
// through in every rest.
func New(now func() time.Time, rest time.Duration) *Breaker {
	return &Breaker{now: now, rest: rest, open: map[string]circuit{}}
}

// err is the error of a call that the circuit does not let through. The end of another
// caller's time must not pass for the end of this one's.
func (c circuit) err() error {
	if errors.Is(c.cause, context.DeadlineExceeded) || errors.Is(c.cause, context.Canceled) {
		return fmt.Errorf("%w: %s", ErrOpen, c.cause.Error())
	}
	return fmt.Errorf("%w: %w", ErrOpen, c.cause)
}

// Allow returns nil if the target of a key may be called, and else an error that is [ErrOpen]
// and wraps the one that opened the circuit. While a circuit is open, one caller per rest is
// allowed, as a probe. A probe that never reports does not prevent the next.
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
	c.until = now.Add(b.rest)
	b.open[key] = c
	return nil
}

// Report tells the outcome of a call to the target of a key, and the error of one that failed.
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
	b.open[key] = circuit{until: b.now().Add(b.rest), cause: err}
}
