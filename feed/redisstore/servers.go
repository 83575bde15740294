package redisstore

import (
	"sync"

	"github.com/tideline-feeds/tideline/internal/share"
)

// byServer has those who go to one server at once share round trips, and nobody wait for a
// server that is another one's. Make it with newByServer.
type byServer[C any] struct {
	open func() *share.Errands[C]

	mu      sync.Mutex
	servers map[string]*share.Errands[C]
}

// newByServer returns one whose ways to each server are made by open.
func newByServer[C any](open func() *share.Errands[C]) *byServer[C] {
	return &byServer[C]{open: open, servers: map[string]*share.Errands[C]{}}
}

// to returns what goes to a server.
func (b *byServer[C]) to(server string) *share.Errands[C] {
	b.mu.Lock()
	defer b.mu.Unlock()
	es := b.servers[server]
	if es == nil {
		es = b.open()
		b.servers[server] = es
	}
	return es
}
