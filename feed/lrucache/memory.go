package lrucache

import (
	"sync"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/viewercache"
)

// Viewers is a [viewercache.Local] that drops the least recently used viewers. Use
// [NewViewers].
type Viewers struct{ memory[*viewercache.Entry] }

// LiveFeeds is a [live.FeedCache] that drops the least recently used viewers. Use
// [NewLiveMemory].
type LiveFeeds struct{ memory[*live.CachedFeed] }

var (
	_ viewercache.Local = (*Viewers)(nil)
	_ live.FeedCache    = (*LiveFeeds)(nil)
)

// NewViewers returns an empty cache of at most o.Size viewers and o.Bytes bytes. o.TTL does not
// matter, unless any of the three is zero, which keeps nothing.
func NewViewers(o Options) *Viewers {
	m := &Viewers{}
	m.open(o)
	return m
}

// NewLiveMemory returns an empty memory, bounded as [NewViewers] is.
func NewLiveFeeds(o Options) *LiveFeeds {
	m := &LiveFeeds{}
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

// Get returns what was put for viewer last, and the zero value if there is nothing.
func (m *memory[V]) Get(viewer feed.UserID) V {
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

// Put replaces what is kept of viewer by k.
func (m *memory[V]) Put(viewer feed.UserID, k V) {
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
