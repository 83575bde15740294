// Package expiring has sets whose members expire.
package expiring

import (
	"sync"
	"time"
)

// Max limits a [Set]: 200,000 ids of eight bytes are some megabytes.
const Max = 200_000

// Set is a set of members with an expiry each. When it is full it starts over empty. The zero value
// is empty. It is safe for concurrent use and must not be copied.
type Set[T comparable] struct {
	mu    sync.Mutex
	until map[T]time.Time
}

// Has reports whether a member is in the set at now.
func (s *Set[T]) Has(member T, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return now.Before(s.until[member])
}

// Put adds a member, or changes its expiry.
func (s *Set[T]) Put(member T, until time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.put(member, until)
}

// Claim adds a member and returns true unless it is in the set at now.
func (s *Set[T]) Claim(member T, now, until time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now.Before(s.until[member]) {
		return false
	}
	s.put(member, until)
	return true
}

// put is Put for a caller that holds mu.
func (s *Set[T]) put(member T, until time.Time) {
	if _, in := s.until[member]; s.until == nil || !in && len(s.until) >= Max {
		s.until = map[T]time.Time{}
	}
	s.until[member] = until
}

// Drop removes a member.
func (s *Set[T]) Drop(member T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.until, member)
}
