package batch

import (
	"context"
	"sync"

	"golang.org/x/sync/semaphore"
)

// KeyedMutex is one mutex per key, locked in the order of the callers. Callers wait here instead of
// for a row of a database, each with a connection. A key that nothing holds takes no memory.
type KeyedMutex[K comparable] struct {
	mu    sync.Mutex
	locks map[K]*keyLock
}

type keyLock struct {
	held *semaphore.Weighted
	// users are the callers that hold the mutex or wait for it.
	users int
}

// NewKeyedMutex returns a keyed mutex of which no key is locked.
func NewKeyedMutex[K comparable]() *KeyedMutex[K] {
	return &KeyedMutex[K]{locks: map[K]*keyLock{}}
}

// Do calls f with the mutex of a key held, and returns its error. If ctx ends while Do waits, it
// returns the error of ctx without calling f.
func (m *KeyedMutex[K]) Do(ctx context.Context, key K, f func() error) error {
	l := m.use(key)
	defer m.release(key, l)
	if err := l.held.Acquire(ctx, 1); err != nil {
		return err
	}
	defer l.held.Release(1)
	return f()
}

// use returns the mutex of a key, which exists until its last user calls release.
func (m *KeyedMutex[K]) use(key K) *keyLock {
	m.mu.Lock()
	defer m.mu.Unlock()
	l := m.locks[key]
	if l == nil {
		l = &keyLock{held: semaphore.NewWeighted(1)}
		m.locks[key] = l
	}
	l.users++
	return l
}

func (m *KeyedMutex[K]) release(key K, l *keyLock) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if l.users--; l.users == 0 {
		delete(m.locks, key)
	}
}
