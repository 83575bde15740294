package redisstore

import (
	"context"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/internal/kit/batch"
)

// byServer batches concurrent calls of type C to one server. Each server has its own batches behind
// the breaker, so no call waits for a server that it does not need.
type byServer[C any] struct {
	redis   redis.UniversalClient
	breaker *breaker
	open    func() *batch.Batcher[C]

	mu      sync.Mutex
	servers map[string]*batch.Calls[C]
}

// newByServer limits the batches in flight to one server; for linger see [batch.Batcher.Linger].
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

// do runs the call of newCall in a batch for the key's server. Errors make its results invalid.
func (b *byServer[C]) do(ctx context.Context, key string, newCall func(context.Context) C) error {
	at := targetOf(ctx, b.redis, key)
	return b.breaker.call(ctx, at, func(ctx context.Context) error { return b.to(at.server).Do(ctx, newCall) })
}

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
