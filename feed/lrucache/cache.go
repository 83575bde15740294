package lrucache

import (
	"sync"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// cache keeps values that are read from a store, for a time, within bounds.
type cache[K comparable, V any] struct {
	options Options
	clock   feed.Clock
	class   class[V]

	mu   sync.Mutex
	held *bounded[K, V]
	// loading has a ticket for every key that is being read from the store. What was
	// read is kept only if the ticket of its beginning is still valid at its end, and
	// an eviction takes the ticket away: so a read that an eviction overtook never
	// brings back the past. Reads of one key at the same time share a ticket, and
	// the first of them to end hands it in; with a ticket for each, a key in such
	// demand that its reads always overlap would never be kept.
	loading map[K]ticket
	drawn   ticket
	// owned has the keys of what is held by owner, where the class has owners.
	owned map[feed.UserID]map[K]struct{}
	// ends say what is to be read again, and when.
	ends  endings[K]
	stats Stats
}

// ticket is a number drawn when a read begins. Zero is none.
type ticket uint64

// class says which values a cache keeps, what one of them takes in bytes, whose it is, and
// whether two are the same. owner and same may be nil.
type class[V any] struct {
	keeps func(V) bool
	cost  func(V) int64
	owner func(V) feed.UserID
	same  func(old, read V) bool
}

// entry is a value, its cost in bytes, and when it is too old.
type entry[V any] struct {
	value   V
	cost    int64
	expires time.Time
	// asked says that it was a hit since it was read.
	asked bool
}

func newCache[K comparable, V any](o Options, clock feed.Clock, c class[V]) *cache[K, V] {
	made := &cache[K, V]{
		options: o, clock: clock, class: c, loading: map[K]ticket{}, owned: map[feed.UserID]map[K]struct{}{},
	}
	made.held = newBounded(o, made.removed)
	return made
}

// through returns one value per key, from the cache or by load, which is asked
// once for all keys that miss.
func (c *cache[K, V]) through(keys []K, load func([]K) ([]V, error)) ([]V, error) {
	if !c.options.keeps() {
		return c.past(keys, load)
	}
	// A value is as old as the beginning of its read, not as its end.
	began := c.clock()
	out := make([]V, len(keys))
	missing := c.lookUp(keys, out, began)
	if len(missing.keys) == 0 {
		return out, nil
	}
	defer c.handIn(missing)
	values, err := load(missing.keys)
	if err != nil {
		return nil, err
	}
	for n, v := range values {
		out[missing.at[n]] = v
	}
	c.keep(missing, values, began.Add(c.options.TTL))
	return out, nil
}

// past is through for a cache that keeps nothing: all are read, and counted.
func (c *cache[K, V]) past(keys []K, load func([]K) ([]V, error)) ([]V, error) {
	values, err := load(keys)
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

// count counts a value that was read from the store, and says whether the cache keeps such.
func (c *cache[K, V]) count(v V) bool {
	if !c.class.keeps(v) {
		c.stats.Passed++
		return false
	}
	c.stats.Misses++
	return true
}

// hit returns the value of a key unless it is too old. The first hit of an entry's life
// makes it the most recently used; later ones leave the order alone, because a move writes
// to its neighbours all over the memory, and lives are short.
func (c *cache[K, V]) hit(k K, now time.Time) (v V, ok bool) {
	e, ok := c.held.Peek(k)
	if !ok || !now.Before(e.expires) {
		return v, false
	}
	if !e.asked {
		e.asked = true
		c.held.Get(k)
	}
	return e.value, true
}

// misses are the keys a look-up did not find, their places in it, and their
// tickets.
type misses[K comparable] struct {
	keys    []K
	at      []int
	tickets []ticket
}

// lookUp fills out with what is held and alive, and draws tickets for the rest.
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
		m.keys, m.at, m.tickets = append(m.keys, k), append(m.at, i), append(m.tickets, c.draw(k))
	}
	return m
}

// draw returns the ticket for a read of k that begins now.
func (c *cache[K, V]) draw(k K) ticket {
	if t := c.loading[k]; t != 0 {
		return t
	}
	c.drawn++
	c.loading[k] = c.drawn
	return c.drawn
}

// handIn ends reads, whatever became of them.
func (c *cache[K, V]) handIn(m misses[K]) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for n, k := range m.keys {
		if c.loading[k] == m.tickets[n] {
			delete(c.loading, k)
		}
	}
}

// keep holds those of the values that are of the cache's class and whose tickets
// still stand.
func (c *cache[K, V]) keep(m misses[K], values []V, expires time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for n, v := range values {
		if !c.count(v) {
			continue
		}
		if k := m.keys[n]; c.loading[k] == m.tickets[n] {
			c.add(k, &entry[V]{value: v, cost: c.class.cost(v), expires: expires})
		}
	}
}

// add holds one entry and makes room for it.
func (c *cache[K, V]) add(k K, e *entry[V]) {
	if !c.held.put(k, e) {
		return
	}
	c.noteEnd(k, e.expires)
	if c.class.owner == nil {
		return
	}
	owner := c.class.owner(e.value)
	if c.owned[owner] == nil {
		c.owned[owner] = map[K]struct{}{}
	}
	c.owned[owner][k] = struct{}{}
}

// removed forgets whose an entry was that is not held any more.
func (c *cache[K, V]) removed(k K, e *entry[V]) {
	if c.class.owner == nil {
		return
	}
	owner := c.class.owner(e.value)
	delete(c.owned[owner], k)
	if len(c.owned[owner]) == 0 {
		delete(c.owned, owner)
	}
}

// evict forgets keys, and what is being read of them.
func (c *cache[K, V]) evict(keys []K) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, k := range keys {
		delete(c.loading, k)
		c.held.Remove(k)
	}
}

// evictOwned forgets what the users own. Who owns what is being read is not known
// yet, so none of that is kept.
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

// purge forgets everything, and all that is being read.
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
