package lrucache

import (
	"sync"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/changes"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/viewercache"
)

// Viewers is a [viewercache.Local] of the most recently used viewers.
type Viewers struct{ *perViewer[*viewercache.Entry] }

// LiveFeeds is a [live.FeedCache] of the most recently used viewers.
type LiveFeeds struct{ *perViewer[*live.CachedFeed] }

// Followees is a [changes.FolloweeCache] of the most recently used viewers.
type Followees struct{ *perViewer[*changes.Followees] }

var (
	_ viewercache.Local = (*Viewers)(nil)
	_ live.FeedCache    = (*LiveFeeds)(nil)

	_ changes.FolloweeCache = (*Followees)(nil)
)

// NewViewers returns an empty cache. Entries do not expire, but a TTL of zero turns the cache off.
func NewViewers(o Options) *Viewers { return &Viewers{newPerViewer[*viewercache.Entry](o)} }

// NewLiveFeeds returns an empty cache with limits as for [NewViewers].
func NewLiveFeeds(o Options) *LiveFeeds { return &LiveFeeds{newPerViewer[*live.CachedFeed](o)} }

// NewFollowees returns an empty cache with limits as for [NewViewers].
func NewFollowees(o Options) *Followees { return &Followees{newPerViewer[*changes.Followees](o)} }

// perViewer keeps values that know how long they are valid. It is safe for concurrent use.
type perViewer[V sized] struct {
	options Options

	mu    sync.Mutex
	held  *bounded[feed.UserID, V]
	stats Stats
}

type sized interface{ Bytes() int64 }

func newPerViewer[V sized](o Options) *perViewer[V] {
	return &perViewer[V]{options: o, held: newBounded[feed.UserID, V](o, nil)}
}

// Keeps reports whether the cache may keep anything.
func (m *perViewer[V]) Keeps() bool { return m.options.keeps() }

// Get returns the value of viewer, or the zero value if there is none.
func (m *perViewer[V]) Get(viewer feed.UserID) V {
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

// Put replaces the value of viewer.
func (m *perViewer[V]) Put(viewer feed.UserID, k V) {
	if !m.Keeps() {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.held.put(viewer, &entry[V]{value: k, cost: entryCost + k.Bytes()})
}

// Stats returns the statistics of the cache.
func (m *perViewer[V]) Stats() Stats {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.stats
	s.Entries, s.Bytes, s.Evictions = m.held.Len(), m.held.bytes, m.held.evictions
	return s
}
