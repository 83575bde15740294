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

// Cache is what a process keeps in memory and evictions reach.
type Cache interface {
	feed.Evictor
	// Purge forgets everything.
	Purge()
}

// Evictions is a [feed.Evictor] for the caches of all processes on one Redis: what
// one of them evicts, the others are told of over Redis' publish and subscribe, and
// evict too. Make one with [NewEvictions].
//
// Such messages are sent at most once, to whoever listens at that moment. So a
// process that (re)connects purges its cache, because it may have missed some; and
// what is lost unnoticed, the cache's own time to live must bound.
type Evictions struct {
	redis redis.UniversalClient
	local Cache
	log   *slog.Logger
	// self marks this process's messages, which need not be heeded again.
	self  string
	queue chan eviction

	// closing ends the goroutines, and work waits for their end.
	closing context.Context
	stop    context.CancelFunc
	work    sync.WaitGroup

	// failing says that the last publish failed, deaf that nothing is heard, and puzzled that
	// a message could not be read. Each changes are logged once; one goroutine uses each.
	failing, deaf, puzzled bool

	sent, dropped, received, purges atomic.Uint64
}

var _ feed.Evictor = (*Evictions)(nil)

const (
	// queueLength is how many calls of Evict may wait to be published. They are
	// joined into few messages, so it takes an outage to fill it.
	queueLength = 1024
	// publishWithin bounds one publishing; Redis answers within a millisecond.
	publishWithin = replyTimeout
)

// EvictionStats count since the start. Sent, Dropped and Received are of ids.
type EvictionStats struct {
	// Sent were published; Dropped were not, because Redis did not take them or too
	// many were waiting, and stay in the other processes' caches until their time to
	// live is over.
	Sent, Dropped uint64
	// Received came from other processes.
	Received uint64
	// Purges is how often everything was forgotten: once at the start, and after
	// every lost connection and every message that could not be read.
	Purges uint64
}

// NewEvictions returns evictions for the cache of this process, local, and those of
// the others on the client's Redis. Nothing is sent or heard before
// [Evictions.Start]. The client stays the caller's, and must outlive
// [Evictions.Close].
func NewEvictions(c *Client, local Cache, log *slog.Logger) *Evictions {
	e := &Evictions{redis: c.redis, local: local, log: log, self: rand.Text(), queue: make(chan eviction, queueLength)}
	e.closing, e.stop = context.WithCancel(context.Background())
	return e
}

// Start begins to send and to listen, in goroutines of its own. It needs no Redis
// that answers: they go on trying until one does. Call it once.
func (e *Evictions) Start() {
	e.work.Go(e.publishQueued)
	e.work.Go(e.subscribe)
}

// Close sends what waits to be sent, for some seconds at most, and ends the
// goroutines. An eviction after it reaches this process only. Closing twice is
// harmless; the error is always nil.
func (e *Evictions) Close() error {
	e.stop()
	e.work.Wait()
	return nil
}

// Evict implements [feed.Evictor]. When it returns this process has forgotten; the
// others do so a moment later. It never waits for Redis: what cannot be queued is
// dropped and counted.
func (e *Evictions) Evict(posts []feed.PostID, users []feed.UserID) {
	e.local.Evict(posts, users)
	// The caller may use his slices again before they are sent.
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

// publishQueued publishes what Evict has queued, until the end.
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

// gather joins what waits in the queue to ev, up to about a message's worth while
// running, and all of it at the end.
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

// publish publishes evictions. It logs when that begins to fail and when it works again, not
// every time.
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
			e.log.Warn("other processes cannot be told what to evict, and may show what is outdated for their caches' time to live", "error", err)
		case err == nil && e.failing:
			e.log.Info("other processes are told again what to evict", "dropped", e.dropped.Load())
		}
		e.failing = err != nil
	}
}
