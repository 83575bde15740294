package redisstore

import (
	"sync"

	"github.com/tideline-feeds/tideline/internal/batch"
)

// byServer has one queue of batched calls per server, so that no call waits for a server that it
// does not need. Create one with newByServer.
type byServer[C any] struct {
	open func() *batch.Batcher[C]

	mu      sync.Mutex
	servers map[string]*batch.Calls[C]
}

// newByServer returns one that creates the batcher of each server with open.
func newByServer[C any](open func() *batch.Batcher[C]) *byServer[C] {
	return &byServer[C]{open: open, servers: map[string]*batch.Calls[C]{}}
}

// to returns the queue of a server.
func (b *byServer[C]) to(server string) *batch.Calls[C] {
	b.mu.Lock()
	defer b.mu.Unlock()
	calls := b.servers[server]
	if calls == nil {
		calls = batch.NewCalls(b.open())
		b.servers[server] = calls
	}
	return calls
}

// always is for errors of a batch that a caller could not mend by running its call again.
func always(error) bool { return true }
