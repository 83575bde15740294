package redisstore

import (
	"context"
	"crypto/rand"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/feed"
)

// Cache is the part of a process's cache that evictions need.
type Cache interface {
	feed.Evictor
	Purge()
}

// Evictions is a [feed.Evictor] for the caches of all processes on one Redis. It publishes what one
// process evicts, and the others evict it too.
//
// Redis delivers messages at most once, to current listeners. So a process that connects, or
// connects again, purges its cache. The cache's time to live bounds losses that go unnoticed.
type Evictions struct {
	redis redis.UniversalClient
	local Cache
	log   *slog.Logger
	// self marks this process's own messages, which it ignores.
	self  string
	queue chan eviction

	closing context.Context
	stop    context.CancelFunc
	work    sync.WaitGroup

	// Each flag is used by one goroutine, to log only changes: the last publish failed, the
	// subscription is down, a message could not be read.
	failing, deaf, puzzled bool

	sent, dropped, received, purges atomic.Uint64
}

var _ feed.Evictor = (*Evictions)(nil)

const (
	// queueLength is how many calls of Evict may wait. They are joined into few messages, so only
	// an outage fills the queue.
	queueLength = 1024
	// publishWithin limits one publish, which takes Redis less than a millisecond.
	publishWithin = replyTimeout
)

// EvictionStats count since the start. Sent, Dropped and Received count ids.
type EvictionStats struct {
	// Dropped were not sent, because Redis refused them or the queue was full; other caches keep
	// them for their time to live.
	Sent, Dropped uint64
	// Received came from other processes.
	Received uint64
	// Purges happen at the start, and after every lost connection and unreadable message.
	Purges uint64
}

// NewEvictions returns evictions for local and the caches of other processes on the client's Redis.
// [Evictions.Start] begins them. The caller closes the client, after [Evictions.Close].
func NewEvictions(c *Client, local Cache, log *slog.Logger) *Evictions {
	e := &Evictions{redis: c.redis, local: local, log: log, self: rand.Text(), queue: make(chan eviction, queueLength)}
	e.closing, e.stop = context.WithCancel(context.Background())
	return e
}

// Start begins to send and to listen in the background. Both retry without Redis. Call it once.
func (e *Evictions) Start() {
	e.work.Go(e.publishQueued)
	e.work.Go(e.subscribe)
}

// Close sends what is queued, for some seconds at most. Later evictions reach this process only. It
// may be called twice; the error is always nil.
func (e *Evictions) Close() error {
	e.stop()
	e.work.Wait()
	return nil
}

// Evict implements [feed.Evictor]. The local cache has evicted when it returns; the others do so a
// moment later. It never waits for Redis: what does not fit the queue is dropped and counted.
func (e *Evictions) Evict(posts []feed.PostID, users []feed.UserID) {
	e.local.Evict(posts, users)
	// The caller may reuse its slices before they are sent.
	ev := eviction{posts: slices.Clone(posts), users: slices.Clone(users)}
	if ev.size() == 0 {
		return
	}
	if e.closing.Err() != nil {
		e.drop(ev)
		return
	}
	select {
	case e.queue <- ev:
	default:
		e.drop(ev)
	}
}

// Stats returns the counts so far.
func (e *Evictions) Stats() EvictionStats {
	return EvictionStats{Sent: e.sent.Load(), Dropped: e.dropped.Load(), Received: e.received.Load(), Purges: e.purges.Load()}
}

func (e *Evictions) drop(ev eviction) { e.dropped.Add(uint64(ev.size())) }

func (e *Evictions) publishQueued() {
	for {
		select {
		case ev := <-e.queue:
			ctx, cancel := context.WithTimeout(context.Background(), publishWithin)
			e.publish(ctx, e.gather(ev))
			cancel()
		case <-e.closing.Done():
			ctx, cancel := context.WithTimeout(context.Background(), publishWithin)
			defer cancel()
			e.publish(ctx, e.gather(eviction{}))
			return
		}
	}
}

// gather joins queued evictions to ev, up to about one message, or at the end all of them.
func (e *Evictions) gather(ev eviction) eviction {
	for ev.size() < maxIDs || e.closing.Err() != nil {
		select {
		case more := <-e.queue:
			ev.posts, ev.users = append(ev.posts, more.posts...), append(ev.users, more.users...)
		default:
			return ev
		}
	}
	return ev
}

// publish logs only when publishing begins to fail and when it works again.
func (e *Evictions) publish(ctx context.Context, ev eviction) {
	for part := range ev.parts(maxIDs) {
		err := e.redis.Publish(ctx, evictionChannel, part.encode(e.self)).Err()
		if err != nil {
			e.drop(part)
		} else {
			e.sent.Add(uint64(part.size()))
		}
		switch {
		case err != nil && !e.failing:
			e.log.Warn("evictions cannot be published; other processes may show outdated data for their caches' time to live", "error", err)
		case err == nil && e.failing:
			e.log.Info("evictions are published again", "dropped", e.dropped.Load())
		}
		e.failing = err != nil
	}
}
