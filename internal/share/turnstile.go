package share

import (
	"context"
	"slices"
	"sync"
)

// Turnstile lets one after the other do something with a thing that only one can have at a
// time, in the order in which they come: so that those who would wait for one another where
// the thing is kept wait here, where that takes nothing from anybody else. Make it with
// [NewTurnstile].
type Turnstile[K comparable] struct {
	mu sync.Mutex
	// passing has the things that somebody has, and who waits for each. Whoever is next is
	// told by the end of his channel.
	passing map[K][]chan struct{}
}

// NewTurnstile returns a turnstile that nobody passes.
func NewTurnstile[K comparable]() *Turnstile[K] {
	return &Turnstile[K]{passing: map[K][]chan struct{}{}}
}

// Pass does something with the thing that key names when it is one's turn, and returns what
// it returns. Whoever has no time left before that has done nothing.
func (t *Turnstile[K]) Pass(ctx context.Context, key K, do func() error) error {
	if turn := t.queue(key); turn != nil {
		select {
		case <-turn:
		case <-ctx.Done():
			t.leave(key, turn)
			return ctx.Err()
		}
	}
	defer t.next(key)
	return do()
}

// queue returns what tells of one's turn; nil when it is at once.
func (t *Turnstile[K]) queue(key K) chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	waiting, taken := t.passing[key]
	if !taken {
		t.passing[key] = nil
		return nil
	}
	turn := make(chan struct{})
	t.passing[key] = append(waiting, turn)
	return turn
}

// leave gives a place in the queue up, or the turn that has come meanwhile.
func (t *Turnstile[K]) leave(key K, turn chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	waiting := t.passing[key]
	if i := slices.Index(waiting, turn); i >= 0 {
		t.passing[key] = slices.Delete(waiting, i, i+1)
		return
	}
	t.pass(key)
}

// next ends a turn.
func (t *Turnstile[K]) next(key K) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.pass(key)
}

// pass tells whoever is next. It is called with the mutex held.
func (t *Turnstile[K]) pass(key K) {
	waiting := t.passing[key]
	if len(waiting) == 0 {
		delete(t.passing, key)
		return
	}
	close(waiting[0])
	t.passing[key] = slices.Delete(waiting, 0, 1)
}
