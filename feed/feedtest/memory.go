package feedtest

import (
	"sync"

	"github.com/tideline-feeds/tideline/feed"
)

// Memory is a [feed.Memory] that never forgets, so that nothing but what a stamp says
// keeps a service from showing what was once true. Use [NewMemory].
type Memory struct {
	mu    sync.Mutex
	known map[feed.UserID]*feed.Knowledge
}

// NewMemory returns one that knows nothing.
func NewMemory() *Memory { return &Memory{known: map[feed.UserID]*feed.Knowledge{}} }

// Recall implements [feed.Memory].
func (m *Memory) Recall(viewer feed.UserID) *feed.Knowledge {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.known[viewer]
}

// Keep implements [feed.Memory].
func (m *Memory) Keep(viewer feed.UserID, k *feed.Knowledge) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.known[viewer] = k
}
