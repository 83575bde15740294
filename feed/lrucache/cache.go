package lrucache

import (
	"context"
	"sync"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

type cache[K comparable, V any] struct {
	options Options
	clock   feed.Clock
	class   class[V]

	mu   sync.Mutex
	held *bounded[K, V]
	// loading has the current load of every key that is being read. What was read is kept only if
	// its load is still current at its end. An eviction removes the load, so a read that began
	// before it never restores old state. Overlapping reads of a key share one load, which ends
	// with the first of them; otherwise a key whose reads always overlap would never be kept.
	loading  map[K]loadID
	lastLoad loadID
	// owned has the keys of the entries by each of their owners, if the class has owners.
	owned map[feed.UserID]map[K]struct{}
	stats Stats
}

type loader[K comparable, V any] func(ctx context.Context, keys []K) ([]V, error)

type loadID uint64

// class describes the values of a cache. owners may be nil.
type class[V any] struct {
	keeps  func(V) bool
	cost   func(V) int64
	owners func(V) owners
}

// owners are the users whose eviction evicts a value; 0 for none.
type owners [2]feed.UserID

type entry[V any] struct {
	value   V
	cost    int64
	expires time.Time
}

func newCache[K comparable, V any](o Options, clock feed.Clock, c class[V]) *cache[K, V] {
	made := &cache[K, V]{
		options: o, clock: clock, class: c, loading: map[K]loadID{}, owned: map[feed.UserID]map[K]struct{}{},
	}
	made.held = newBounded(o, made.removed)
	return made
}

// get returns one value per key, from the cache or from one call of load for all missing keys.
func (c *cache[K, V]) get(ctx context.Context, keys []K, load loader[K, V]) ([]V, error) {
	if !c.options.keeps() || feed.ReadsFresh(ctx) {
		return c.bypass(ctx, keys, load)
	}
	// The age of a value counts from the beginning of its read.
	began := c.clock()
	out := make([]V, len(keys))
	missing := c.lookUp(keys, out, began)
	if len(missing.keys) == 0 {
		return out, nil
	}
	defer c.endLoads(missing)
	values, err := load(ctx, missing.keys)
	if err != nil {
		return nil, err
	}
	for n, v := range values {
		out[missing.at[n]] = v
	}
	c.keep(missing, values, began.Add(c.options.TTL))
	return out, nil
}

func (c *cache[K, V]) bypass(ctx context.Context, keys []K, load loader[K, V]) ([]V, error) {
	values, err := load(ctx, keys)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, v := range values {
		c.count(v)
	}
	return values, nil
}

func (c *cache[K, V]) count(v V) bool {
	if !c.class.keeps(v) {
		c.stats.Passed++
		return false
	}
	c.stats.Misses++
	return true
}

func (c *cache[K, V]) hit(k K, now time.Time) (v V, ok bool) {
	e, ok := c.held.Get(k)
	if !ok || !now.Before(e.expires) {
		return v, false
	}
	return e.value, true
}

type misses[K comparable] struct {
	keys  []K
	at    []int
	loads []loadID
}

func (c *cache[K, V]) lookUp(keys []K, out []V, now time.Time) misses[K] {
	c.mu.Lock()
	defer c.mu.Unlock()
	var m misses[K]
	for i, k := range keys {
		if v, ok := c.hit(k, now); ok {
			out[i] = v
			c.stats.Hits++
			continue
		}
		m.keys, m.at, m.loads = append(m.keys, k), append(m.at, i), append(m.loads, c.beginLoad(k))
	}
	return m
}

func (c *cache[K, V]) beginLoad(k K) loadID {
	if t := c.loading[k]; t != 0 {
		return t
	}
	c.lastLoad++
	c.loading[k] = c.lastLoad
	return c.lastLoad
}

func (c *cache[K, V]) endLoads(m misses[K]) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for n, k := range m.keys {
		if c.loading[k] == m.loads[n] {
			delete(c.loading, k)
		}
	}
}

// keep adds the values that the class keeps and whose loads are current.
func (c *cache[K, V]) keep(m misses[K], values []V, expires time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for n, v := range values {
		if !c.count(v) {
			continue
		}
		if k := m.keys[n]; c.loading[k] == m.loads[n] {
			c.add(k, &entry[V]{value: v, cost: c.class.cost(v), expires: expires})
		}
	}
}

func (c *cache[K, V]) add(k K, e *entry[V]) {
	if !c.held.put(k, e) {
		return
	}
	for _, owner := range c.ownersOf(e.value) {
		if owner == 0 {
			continue
		}
		if c.owned[owner] == nil {
			c.owned[owner] = map[K]struct{}{}
		}
		c.owned[owner][k] = struct{}{}
	}
}

func (c *cache[K, V]) removed(k K, e *entry[V]) {
	for _, owner := range c.ownersOf(e.value) {
		delete(c.owned[owner], k)
		if len(c.owned[owner]) == 0 {
			delete(c.owned, owner)
		}
	}
}

func (c *cache[K, V]) ownersOf(v V) owners {
	if c.class.owners == nil {
		return owners{}
	}
	return c.class.owners(v)
}

func (c *cache[K, V]) evict(keys []K) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, k := range keys {
		delete(c.loading, k)
		c.held.Remove(k)
	}
}

// evictOwned also invalidates all running loads, since the owners of those values are unknown.
func (c *cache[K, V]) evictOwned(users []feed.UserID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.loading)
	for _, u := range users {
		for k := range c.owned[u] {
			c.held.Remove(k)
		}
	}
}

func (c *cache[K, V]) purge() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.loading)
	c.held.Purge()
}

func (c *cache[K, V]) snapshot() Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.stats
	s.Entries, s.Bytes, s.Evictions = c.held.Len(), c.held.bytes, c.held.evictions
	return s
}
