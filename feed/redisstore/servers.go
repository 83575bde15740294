package redisstore

import (
	"context"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/internal/kit/batch"
)

// byServer batches concurrent reads of inboxes by server. Each server has its own batches behind
// the breaker, so no call waits for a server that it does not need.
type byServer struct {
	redis   redis.UniversalClient
	breaker *breaker
	open    func() *batch.Batcher[*inboxRead]

	mu      sync.Mutex
	servers map[string]*batch.Calls[*inboxRead]
}

// newByServer limits the batches in flight to one server; for linger see [batch.Batcher.Linger].
func newByServer(r redis.UniversalClient, b *breaker, inFlight int, linger time.Duration, run batch.Runner[*inboxRead]) *byServer {
	inTime := func(ctx context.Context, calls []*inboxRead, done func(i int, err error)) {
		ctx, cancel := context.WithTimeout(ctx, b.within)
		defer cancel()
		run(ctx, calls, done)
	}
	// Callers cannot mend an error of a batch by running their calls again.
	shared := func(error) bool { return true }
	return &byServer{redis: r, breaker: b, servers: map[string]*batch.Calls[*inboxRead]{}, open: func() *batch.Batcher[*inboxRead] {
		return batch.New(inFlight, inTime, shared).Linger(linger)
	}}
}

// do runs the call of newCall in a batch for the key's server. Errors make its results invalid.
func (b *byServer) do(ctx context.Context, key string, newCall func(context.Context) *inboxRead) error {
	at := targetOf(ctx, b.redis, key)
	return b.breaker.call(ctx, at, func(ctx context.Context) error { return b.to(at.server).Do(ctx, newCall) })
}

func (b *byServer) to(server string) *batch.Calls[*inboxRead] {
	b.mu.Lock()
	defer b.mu.Unlock()
	calls := b.servers[server]
	if calls == nil {
		calls = batch.NewCalls(b.open())
		b.servers[server] = calls
	}
	return calls
}
