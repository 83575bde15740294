package lrucache

import (
	"math"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// Memory is a [feed.Memory] that forgets whom it has heard of least recently. Use
// [NewMemory].
type Memory struct{ memory[*feed.Knowledge] }

// LiveMemory is a [live.Memory] that forgets whom it has heard of least recently. Use
// [NewLiveMemory].
type LiveMemory struct{ memory[*live.Known] }

var (
	_ feed.Memory = (*Memory)(nil)
	_ live.Memory = (*LiveMemory)(nil)
)

// NewMemory returns an empty memory of at most o.Size viewers and o.Bytes bytes; o.TTL does
// not matter, unless any of the three is zero, which keeps nothing.
func NewMemory(o Options) *Memory {
	m := &Memory{}
	m.open(o)
	return m
}

// NewLiveMemory returns an empty memory, bounded as [NewMemory] is.
func NewLiveMemory(o Options) *LiveMemory {
	m := &LiveMemory{}
	m.open(o)
	return m
}

// memory keeps what is known of viewers. That says itself for how long it holds, so nothing
// is ever evicted for being old. It may be used by many goroutines.
type memory[V sized] struct {
	options Options

	mu    sync.Mutex
	lru   *simplelru.LRU[feed.UserID, *remembered[V]]
	stats Stats
}

// sized is something that tells what it takes in bytes.
type sized interface{ Bytes() int64 }

// remembered is what is known of one viewer, what that takes in bytes, and whether anybody has
// asked for it since it last came to the front.
type remembered[V sized] struct {
	known V
	cost  int64
	used  bool
}

// open makes the memory an empty one within its bounds.
func (m *memory[V]) open(o Options) {
	m.options = o
	// The only error is a size that is not positive.
	m.lru, _ = simplelru.NewLRU(math.MaxInt, func(_ feed.UserID, r *remembered[V]) { m.stats.Bytes -= r.cost })
}

// Keeps says whether the memory has room for anything.
func (m *memory[V]) Keeps() bool { return m.options.keeps() }

// Recall returns what was kept of viewer last, and the zero value when nothing is.
func (m *memory[V]) Recall(viewer feed.UserID) V {
	m.mu.Lock()
	defer m.mu.Unlock()
	r, ok := m.lru.Peek(viewer)
	if !ok {
		m.stats.Misses++
		var nothing V
		return nothing
	}
	m.stats.Hits++
	r.used = true
	return r.known
}

// Keep keeps k in the place of what was kept of viewer before.
func (m *memory[V]) Keep(viewer feed.UserID, k V) {
	cost := entryCost + k.Bytes()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.lru.Remove(viewer)
	if cost > m.options.Bytes || !m.Keeps() {
		return
	}
	for m.stats.Bytes+cost > m.options.Bytes || m.lru.Len() >= m.options.Size {
		if secondChance(m.lru, func(r *remembered[V]) *bool { return &r.used }) {
			m.stats.Evictions++
		}
	}
	m.lru.Add(viewer, &remembered[V]{known: k, cost: cost})
	m.stats.Bytes += cost
}

// Stats returns the counts so far and what is held now.
func (m *memory[V]) Stats() Stats {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.stats
	s.Entries = m.lru.Len()
	return s
}
