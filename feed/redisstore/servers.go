package redisstore

import (
	"context"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/internal/batch"
)

// byServer batches calls of type C: concurrent calls to one server share round trips. Each
// server has its own batches behind the breaker, so no call waits for a server that it does not
// need. Create one with newByServer.
type byServer[C any] struct {
	redis   redis.UniversalClient
	breaker *breaker
	open    func() *batch.Batcher[C]

	mu      sync.Mutex
	servers map[string]*batch.Calls[C]
}

// newByServer limits the batches in flight to one server. The next one starts only if one has
// taken longer than linger; see [batch.Batcher.Linger].
func newByServer[C any](r redis.UniversalClient, b *breaker, inFlight int, linger time.Duration, run batch.Runner[C]) *byServer[C] {
	inTime := func(ctx context.Context, calls []C, done func(i int, err error)) {
		ctx, cancel := context.WithTimeout(ctx, b.within)
		defer cancel()
		run(ctx, calls, done)
	}
	// Callers cannot mend an error of a batch by running their calls again.
	shared := func(error) bool { return true }
	return &byServer[C]{redis: r, breaker: b, servers: map[string]*batch.Calls[C]{}, open: func() *batch.Batcher[C] {
		return batch.New(inFlight, inTime, shared).Linger(linger)
	}}
}

// do runs the call that newCall returns in a batch for the server that has the key. The results
// of the call are valid only if do returns nil.
func (b *byServer[C]) do(ctx context.Context, key string, newCall func(context.Context) C) error {
	at := targetOf(ctx, b.redis, key)
	return b.breaker.call(ctx, at, func(ctx context.Context) error { return b.to(at.server).Do(ctx, newCall) })
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
