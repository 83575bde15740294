package lrucache

import (
	"sync"

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
	held  *bounded[feed.UserID, V]
	stats Stats
}

// sized is something that returns its size in bytes.
type sized interface{ Bytes() int64 }

// open makes the memory an empty one within its bounds.
func (m *memory[V]) open(o Options) {
	m.options = o
	m.held = newBounded[feed.UserID, V](o, nil)
}

// Keeps says whether the memory has room for anything.
func (m *memory[V]) Keeps() bool { return m.options.keeps() }

// Recall returns what was kept of viewer last, and the zero value when nothing is.
func (m *memory[V]) Recall(viewer feed.UserID) V {
	m.mu.Lock()
	defer m.mu.Unlock()
	e, ok := m.held.Get(viewer)
	if !ok {
		m.stats.Misses++
		var nothing V
		return nothing
	}
	m.stats.Hits++
	return e.value
}

// Keep keeps k in the place of what was kept of viewer before.
func (m *memory[V]) Keep(viewer feed.UserID, k V) {
	if !m.Keeps() {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.held.put(viewer, &entry[V]{value: k, cost: entryCost + k.Bytes()})
}

// Stats returns the counts so far and what is held now.
func (m *memory[V]) Stats() Stats {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.stats
	s.Entries, s.Bytes, s.Evictions = m.held.Len(), m.held.bytes, m.held.evictions
	return s
}
