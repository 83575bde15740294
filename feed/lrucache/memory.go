package lrucache

import (
	"math"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/tideline-feeds/tideline/feed"
)

// Memory is a [feed.Memory] that forgets whom it has heard of least recently. What it keeps
// says itself for how long it holds, so nothing is ever evicted from it for being old. It
// may be used by many goroutines.
type Memory struct {
	options Options

	mu    sync.Mutex
	lru   *simplelru.LRU[feed.UserID, remembered]
	stats Stats
}

var _ feed.Memory = (*Memory)(nil)

// remembered is what is known of one viewer, and what that takes in bytes.
type remembered struct {
	known *feed.Knowledge
	cost  int64
}

// NewMemory returns an empty memory of at most o.Size viewers and o.Bytes bytes; o.TTL does
// not matter, unless any of the three is zero, which keeps nothing.
func NewMemory(o Options) *Memory {
	m := &Memory{options: o}
	// The only error is a size that is not positive.
	m.lru, _ = simplelru.NewLRU(math.MaxInt, func(_ feed.UserID, r remembered) { m.stats.Bytes -= r.cost })
	return m
}

// Recall implements [feed.Memory].
func (m *Memory) Recall(viewer feed.UserID) *feed.Knowledge {
	m.mu.Lock()
	defer m.mu.Unlock()
	r, ok := m.lru.Get(viewer)
	if !ok {
		m.stats.Misses++
		return nil
	}
	m.stats.Hits++
	return r.known
}

// Keep implements [feed.Memory].
func (m *Memory) Keep(viewer feed.UserID, k *feed.Knowledge) {
	cost := entryCost + k.Bytes()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.lru.Remove(viewer)
	if cost > m.options.Bytes || m.options.TTL <= 0 {
		return
	}
	m.lru.Add(viewer, remembered{k, cost})
	m.stats.Bytes += cost
	for m.stats.Bytes > m.options.Bytes || m.lru.Len() > m.options.Size {
		m.lru.RemoveOldest()
		m.stats.Evictions++
	}
}

// Stats returns the counts so far and what is held now.
func (m *Memory) Stats() Stats {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.stats
	s.Entries = m.lru.Len()
	return s
}
