package telemetry

import "sync"

// series keeps what counts for the labels that K holds, once it has been made: a vector of the
// library hashes the texts of all labels byte by byte and makes a list of them each time, which
// for what is counted with every request is most of the price. As many are kept as the vector
// has series. Make one with [newSeries]; it may be used by many goroutines.
type series[K comparable, V any] struct {
	make func(K) V

	mu   sync.RWMutex
	made map[K]V
}

// newSeries returns series of which none is made yet. make is called for labels that are new;
// it may be called twice for the same.
func newSeries[K comparable, V any](make func(K) V) *series[K, V] {
	return &series[K, V]{make: make, made: map[K]V{}}
}

// of returns what counts for these labels.
func (s *series[K, V]) of(labels K) V {
	s.mu.RLock()
	v, ok := s.made[labels]
	s.mu.RUnlock()
	if ok {
		return v
	}
	v = s.make(labels)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.made[labels] = v
	return v
}
