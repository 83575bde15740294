// Package circuit provides a circuit breaker with one circuit per key, such as the address
// of a server.
//
// It exists beside libraries such as sony/gobreaker because those keep one breaker for each
// key for ever, read the time themselves, and let a probe that never returns keep the circuit
// half-open without end.
package circuit

import (
	"errors"
	"sync"
	"time"
)

// ErrOpen is the error of a call that was not made because its circuit is open.
var ErrOpen = errors.New("circuit open: it did not serve a moment ago")

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
	// until is when the next probe of an open circuit is due. A closed circuit has no entry,
	// so the map is as large as the number of targets that fail.
	until map[string]time.Time
}

// New returns a breaker whose circuits are all closed. An open circuit lets one call
// through in every rest.
func New(now func() time.Time, rest time.Duration) *Breaker {
	return &Breaker{now: now, rest: rest, until: map[string]time.Time{}}
}

// Allow reports whether the target of a key may be called. While its circuit is open, one
// caller per rest is allowed, as a probe. A probe that never reports does not prevent the next.
func (b *Breaker) Allow(key string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	until, open := b.until[key]
	if !open {
		return true
	}
	now := b.now()
	if now.Before(until) {
		return false
	}
	b.until[key] = now.Add(b.rest)
	return true
}

// Report tells the outcome of a call to the target of a key.
func (b *Breaker) Report(key string, o Outcome) {
	if o == Unknown {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if o == Working {
		delete(b.until, key)
		return
	}
	b.until[key] = b.now().Add(b.rest)
}
