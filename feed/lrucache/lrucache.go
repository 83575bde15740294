// Package lrucache keeps contents and profiles of big-V authors in memory, in front
// of any store: a content that a million feeds show is read from SQL once per
// process and lifetime. What ordinary authors publish is not kept, because it is
// read a few times at most and would push out what is.
//
// A cache here is shared by all viewers, so nothing in it depends on who asks, and
// a viewer's own contents are read past it (feed.Filter and feed.Directory do so).
package lrucache

import (
	"sync/atomic"
	"time"

	"github.com/hashicorp/golang-lru/v2/expirable"
)

// Options bound a cache.
type Options struct {
	// Size is how many entries it keeps; the least recently used go first.
	Size int
	// TTL is how long an entry is kept at most. It bounds what a process shows of
	// the past when it was not told of a change.
	TTL time.Duration
}

// DefaultPosts and DefaultUsers return the bounds Tideline runs with. 50,000 posts
// of a kilobyte or so are some 50 MB; 20,000 profiles are a tenth of that. Five
// seconds keep the hit rate of a hot content near one and a missed eviction short.
func DefaultPosts() Options { return Options{Size: 50_000, TTL: 5 * time.Second} }

// DefaultUsers returns the bounds of the cache of profiles; see [DefaultPosts].
func DefaultUsers() Options { return Options{Size: 20_000, TTL: 5 * time.Second} }

// Stats counts look-ups since the start, of ids asked for.
type Stats struct{ Hits, Misses uint64 }

// cache is an LRU that never keeps what was loaded before an eviction and arrives
// after it.
type cache[K comparable, V any] struct {
	lru          *expirable.LRU[K, V]
	epoch        atomic.Uint64
	hits, misses atomic.Uint64
}

func newCache[K comparable, V any](o Options) *cache[K, V] {
	return &cache[K, V]{lru: expirable.NewLRU[K, V](o.Size, nil, o.TTL)}
}

// evict forgets keys. The epoch rises first: a load that began before must not
// bring back what it read then.
func (c *cache[K, V]) evict(keys []K) {
	if len(keys) == 0 {
		return
	}
	c.epoch.Add(1)
	for _, k := range keys {
		c.lru.Remove(k)
	}
}

func (c *cache[K, V]) purge() {
	c.epoch.Add(1)
	c.lru.Purge()
}

func (c *cache[K, V]) stats() Stats { return Stats{Hits: c.hits.Load(), Misses: c.misses.Load()} }

// through returns one value per key, from the cache or by load, which is asked
// once for all keys that miss. Of what it returns, that which keep lets through is
// cached.
func (c *cache[K, V]) through(keys []K, load func([]K) ([]V, error), keep func(V) bool) ([]V, error) {
	out := make([]V, len(keys))
	var missing []K
	var at []int
	for i, k := range keys {
		if v, ok := c.lru.Get(k); ok {
			out[i] = v
			continue
		}
		missing, at = append(missing, k), append(at, i)
	}
	c.hits.Add(uint64(len(keys) - len(missing)))
	c.misses.Add(uint64(len(missing)))
	if len(missing) == 0 {
		return out, nil
	}
	epoch := c.epoch.Load()
	values, err := load(missing)
	if err != nil {
		return nil, err
	}
	for n, v := range values {
		out[at[n]] = v
		if keep(v) {
			c.add(missing[n], v, epoch)
		}
	}
	return out, nil
}

// add keeps v unless something was evicted since epoch. It looks again after the
// fact, since an eviction may come between the look and the act.
func (c *cache[K, V]) add(k K, v V, epoch uint64) {
	if c.epoch.Load() != epoch {
		return
	}
	c.lru.Add(k, v)
	if c.epoch.Load() != epoch {
		c.lru.Remove(k)
	}
}
