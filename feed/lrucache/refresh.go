package lrucache

import (
	"context"
	"errors"
	"slices"
	"time"
)

// Entries in use are reloaded before they expire, many at once and while no request waits. Without
// that, some of the twenty posts of nearly every page have expired, and a read of one or two costs
// as much as a read of all.

const (
	// RefreshEvery is how often to call Refresh.
	RefreshEvery = 100 * time.Millisecond
	// refreshAhead is how long before its expiry an entry is reloaded: two calls and the read.
	refreshAhead = 250 * time.Millisecond
	// refreshMany is the number of keys read at once, in some milliseconds.
	refreshMany = 500
)

// Refresh reloads posts that expire soon and were used since they were read. An unchanged post
// stays the same object. Call it every [RefreshEvery] from one goroutine. After an error of the
// store, entries expire as usual.
func (p *Posts) Refresh(ctx context.Context) error {
	return p.cache.refresh(ctx, p.inner.Posts)
}

// Refresh does for profiles what [Posts.Refresh] does for posts.
func (u *Users) Refresh(ctx context.Context) error {
	return u.cache.refresh(ctx, u.inner.Users)
}

// Refresh does for counters what [Posts.Refresh] does for posts.
func (c *Counters) Refresh(ctx context.Context) error {
	return errors.Join(c.posts.refresh(ctx, c.Counters.PostCounters), c.users.refresh(ctx, c.Counters.UserCounters))
}

type expiry[K comparable] struct {
	key K
	at  time.Time
}

// expiries are in the order of the reads, recorded from the first refresh on, up to a limit.
type expiries[K comparable] struct {
	recording bool
	queue     []expiry[K]
}

func (c *cache[K, V]) queueExpiry(k K, at time.Time) {
	if c.expiries.recording && len(c.expiries.queue) < 2*c.options.Size {
		c.expiries.queue = append(c.expiries.queue, expiry[K]{k, at})
	}
}

func (c *cache[K, V]) refresh(ctx context.Context, load loader[K, V]) error {
	for keys := range slices.Chunk(c.expiring(c.clock()), refreshMany) {
		began := c.clock()
		m := c.beginLoads(keys)
		values, err := load(ctx, keys)
		if err == nil {
			c.renew(m, values, began.Add(c.options.TTL))
		}
		c.endLoads(m)
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *cache[K, V]) expiring(now time.Time) []K {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.expiries.recording = true
	soon := now.Add(min(refreshAhead, c.options.TTL/4))
	var keys []K
	queue := c.expiries.queue
	for len(queue) > 0 && queue[0].at.Before(soon) {
		end := queue[0]
		queue = queue[1:]
		// An entry that was read again since has another expiry.
		if e, ok := c.held.Peek(end.key); ok && e.used && e.expires.Equal(end.at) {
			keys = append(keys, end.key)
		}
	}
	c.expiries.queue = queue
	return keys
}

func (c *cache[K, V]) beginLoads(keys []K) misses[K] {
	c.mu.Lock()
	defer c.mu.Unlock()
	m := misses[K]{keys: keys, loads: make([]loadID, len(keys))}
	for i, k := range keys {
		m.loads[i] = c.beginLoad(k)
	}
	return m
}

func (c *cache[K, V]) renew(m misses[K], values []V, expires time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for n, v := range values {
		k := m.keys[n]
		old, ok := c.held.Peek(k)
		if !ok || !c.class.keeps(v) || c.loading[k] != m.loads[n] {
			continue
		}
		if c.class.same != nil && c.class.same(old.value, v) {
			v = old.value
		}
		c.add(k, &entry[V]{value: v, cost: c.class.cost(v), expires: expires})
	}
}
