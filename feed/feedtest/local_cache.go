package feedtest

import (
	"sync"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/viewercache"
)

// Local is a [viewercache.Local] that never evicts. Only the viewer version can then prevent stale
// results. Use [NewLocal].
type Local struct {
	mu      sync.Mutex
	entries map[feed.UserID]*viewercache.Entry
}

// NewLocal returns an empty cache.
func NewLocal() *Local { return &Local{entries: map[feed.UserID]*viewercache.Entry{}} }

// Get implements [viewercache.Local].
func (m *Local) Get(viewer feed.UserID) *viewercache.Entry {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.entries[viewer]
}

// Put implements [viewercache.Local].
func (m *Local) Put(viewer feed.UserID, e *viewercache.Entry) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.entries[viewer] = e
}
