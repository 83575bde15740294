package lrucache

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// What pages show all the time is read anew before its time is over, many at once and while
// nobody waits for it. Without that, of twenty contents on a page some are always too old, so
// that nearly every page reads from the store: for one or two of them, as dear as for all.

const (
	// RefreshEvery is how often Refresh is to be called.
	RefreshEvery = 100 * time.Millisecond
	// refreshAhead is how long before the end of its life an entry is read anew: two calls,
	// and time for the read.
	refreshAhead = 250 * time.Millisecond
	// refreshMany is how many are read at once. A statement takes as many keys in some
	// milliseconds.
	refreshMany = 500
)

// Refresh reads those contents anew that are about to be too old and were asked for since they
// were read. Those that have not changed stay the same objects. It is called every
// [RefreshEvery] by one goroutine; an error is the store's, and then entries end as ever.
func (p *Posts) Refresh(ctx context.Context) error {
	return p.cache.refresh(func(ids []feed.PostID) ([]*feed.Post, error) { return p.inner.Posts(ctx, ids) })
}

// Refresh does for profiles what [Posts.Refresh] does for contents.
func (u *Users) Refresh(ctx context.Context) error {
	return u.cache.refresh(func(ids []feed.UserID) ([]*feed.User, error) { return u.inner.Users(ctx, ids) })
}

// Refresh does for counters what [Posts.Refresh] does for contents.
func (c *Counters) Refresh(ctx context.Context) error {
	return errors.Join(
		c.posts.refresh(func(ids []feed.PostID) ([]feed.PostCounters, error) { return c.inner.PostCounters(ctx, ids) }),
		c.users.refresh(func(ids []feed.UserID) ([]feed.UserCounters, error) { return c.inner.UserCounters(ctx, ids) }),
	)
}

// ending is when a key is too old.
type ending[K comparable] struct {
	key K
	at  time.Time
}

// endings are the ends of entries, in the order in which they were read. They are noted from
// the first call of refresh on, as many as there may be entries.
type endings[K comparable] struct {
	noted bool
	queue []ending[K]
}

func (c *cache[K, V]) noteEnd(k K, at time.Time) {
	if c.ends.noted && len(c.ends.queue) < 2*c.options.Size {
		c.ends.queue = append(c.ends.queue, ending[K]{k, at})
	}
}

// refresh reads anew, by load, what is about to be too old and was asked for.
func (c *cache[K, V]) refresh(load func([]K) ([]V, error)) error {
	for keys := range slices.Chunk(c.ending(c.clock()), refreshMany) {
		began := c.clock()
		m := c.drawAll(keys)
		values, err := load(keys)
		if err == nil {
			c.renew(m, values, began.Add(c.options.TTL))
		}
		c.handIn(m)
		if err != nil {
			return err
		}
	}
	return nil
}

// ending returns the keys of what is about to be too old and was asked for.
func (c *cache[K, V]) ending(now time.Time) []K {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ends.noted = true
	soon := now.Add(min(refreshAhead, c.options.TTL/4))
	var keys []K
	queue := c.ends.queue
	for len(queue) > 0 && queue[0].at.Before(soon) {
		end := queue[0]
		queue = queue[1:]
		// An entry that was read again since has another end.
		if e, ok := c.held.Peek(end.key); ok && e.asked && e.expires.Equal(end.at) {
			keys = append(keys, end.key)
		}
	}
	c.ends.queue = queue
	return keys
}

// drawAll draws tickets for reads of keys that begin now.
func (c *cache[K, V]) drawAll(keys []K) misses[K] {
	c.mu.Lock()
	defer c.mu.Unlock()
	m := misses[K]{keys: keys, tickets: make([]ticket, len(keys))}
	for i, k := range keys {
		m.tickets[i] = c.draw(k)
	}
	return m
}

// renew puts values in the place of those that are still held, if their tickets still stand.
func (c *cache[K, V]) renew(m misses[K], values []V, expires time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for n, v := range values {
		k := m.keys[n]
		old, ok := c.held.Peek(k)
		if !ok || !c.class.keeps(v) || c.loading[k] != m.tickets[n] {
			continue
		}
		if c.class.same != nil && c.class.same(old.value, v) {
			v = old.value
		}
		c.add(k, &entry[V]{value: v, cost: c.class.cost(v), expires: expires})
	}
}
