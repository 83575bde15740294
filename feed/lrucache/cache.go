package lrucache

import (
	"math"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/tideline-feeds/tideline/feed"
)

// cache is an LRU bounded by entries and bytes. The library's own bound is in
// entries only, and its expiring variant starts a goroutine that nothing stops; so
// the bounds and the lifetimes are kept here, and the library keeps the order.
//
// A hit only notes in the entry that it was used ([secondChance]).
type cache[K comparable, V any] struct {
	options Options
	clock   feed.Clock
	class   class[V]

	// made is when the cache was, from which on its times count.
	made time.Time

	mu sync.Mutex
	// lru keeps the order, and held finds an entry. The library finds them too, but by way of
	// its list, which is one more place in the memory to be waited for with each of them.
	lru  *simplelru.LRU[K, *entry[V]]
	held map[K]*entry[V]
	// loading has a ticket for every key that is being read from the store. What was
	// read is kept only if the ticket of its beginning still stands at its end, and
	// an eviction takes the ticket away: so a read that an eviction overtook never
	// brings back the past. Reads of one key at the same time share a ticket, and
	// the first of them to end hands it in; with a ticket for each, a key in such
	// demand that its reads always overlap would never be kept.
	loading map[K]ticket
	drawn   ticket
	// owned has the keys of what is held by owner, where the class has owners.
	owned map[feed.UserID]map[K]struct{}
	// ends say what is to be read anew, and when.
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

// entry is a value with what it costs and when it is too old, as [cache.now] has it. It is small
// so that it lies in one line of the processor's cache, of 64 bytes.
type entry[V any] struct {
	value   V
	cost    int64
	expires time.Duration
	// used says that it was a hit since it last came to the front, and asked that it was one
	// since it was read.
	used, asked bool
}

func newCache[K comparable, V any](o Options, clock feed.Clock, c class[V]) *cache[K, V] {
	made := &cache[K, V]{
		options: o, clock: clock, class: c, made: clock(), held: map[K]*entry[V]{},
		loading: map[K]ticket{}, owned: map[feed.UserID]map[K]struct{}{},
	}
	// The only error is a size that is not positive.
	made.lru, _ = simplelru.NewLRU(math.MaxInt, made.removed)
	return made
}

// now returns how long ago the cache was made, which is the time that it goes by.
func (c *cache[K, V]) now() time.Duration { return c.clock().Sub(c.made) }

// through returns one value per key, from the cache or by load, which is asked
// once for all keys that miss.
func (c *cache[K, V]) through(keys []K, load func([]K) ([]V, error)) ([]V, error) {
	if !c.options.keeps() {
		return c.past(keys, load)
	}
	// A value is as old as the beginning of its read, not as its end.
	began := c.now()
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
	c.keep(missing, values, began+c.options.TTL)
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

// atHand returns one value per key if all are held and alive. Otherwise it counts nothing:
// whoever asks will ask again, through the cache.
func (c *cache[K, V]) atHand(keys []K) ([]V, bool) {
	now := c.now()
	out := make([]V, len(keys))
	c.mu.Lock()
	defer c.mu.Unlock()
	var room [peekMany]*entry[V]
	for i, e := range c.peek(keys, room[:0]) {
		if e == nil || now >= e.expires {
			return nil, false
		}
		out[i], e.used, e.asked = e.value, true, true
	}
	c.stats.Hits += uint64(len(keys))
	return out, true
}

// misses are the keys a look-up did not find, their places in it, and their
// tickets.
type misses[K comparable] struct {
	keys    []K
	at      []int
	tickets []ticket
}

// lookUp fills out with what is held and alive, and draws tickets for the rest.
func (c *cache[K, V]) lookUp(keys []K, out []V, now time.Duration) misses[K] {
	c.mu.Lock()
	defer c.mu.Unlock()
	var m misses[K]
	var room [peekMany]*entry[V]
	for i, e := range c.peek(keys, room[:0]) {
		if e != nil && now < e.expires {
			out[i], e.used, e.asked = e.value, true, true
			c.stats.Hits++
			continue
		}
		k := keys[i]
		if e != nil {
			c.lru.Remove(k)
		}
		m.keys, m.at, m.tickets = append(m.keys, k), append(m.at, i), append(m.tickets, c.draw(k))
	}
	return m
}

// peekMany is how many keys are looked up without a list of their own: those of a page.
const peekMany = 32

// peek appends one entry per key, nil for one that is not held. It looks into none of them, so
// that the processor need not wait for one before it goes on to the next: they are all over
// the memory.
func (c *cache[K, V]) peek(keys []K, entries []*entry[V]) []*entry[V] {
	for _, k := range keys {
		entries = append(entries, c.held[k])
	}
	return entries
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
func (c *cache[K, V]) keep(m misses[K], values []V, expires time.Duration) {
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

// add holds one entry and makes room for it. One that alone is above the bound is
// not held, since everything else would have to go and it with them.
func (c *cache[K, V]) add(k K, e *entry[V]) {
	if e.cost > c.options.Bytes {
		return
	}
	// Putting one value in another's place does not tell the library's callback.
	c.lru.Remove(k)
	for c.stats.Bytes+e.cost > c.options.Bytes || c.lru.Len() >= c.options.Size {
		c.makeRoom()
	}
	c.lru.Add(k, e)
	c.added(k, e)
	c.noteEnd(k, e.expires)
}

// makeRoom removes what was not used for longest, or nearly so.
func (c *cache[K, V]) makeRoom() {
	if secondChance(c.lru, func(e *entry[V]) *bool { return &e.used }) {
		c.stats.Evictions++
	}
}

// added and removed keep the books of what is held; the library calls removed for
// everything that goes, whyever it does.
func (c *cache[K, V]) added(k K, e *entry[V]) {
	c.held[k] = e
	c.stats.Bytes += e.cost
	if c.class.owner == nil {
		return
	}
	owner := c.class.owner(e.value)
	if c.owned[owner] == nil {
		c.owned[owner] = map[K]struct{}{}
	}
	c.owned[owner][k] = struct{}{}
}

func (c *cache[K, V]) removed(k K, e *entry[V]) {
	delete(c.held, k)
	c.stats.Bytes -= e.cost
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
		c.lru.Remove(k)
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
			c.lru.Remove(k)
		}
	}
}

// purge forgets everything, and all that is being read.
func (c *cache[K, V]) purge() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.loading)
	c.lru.Purge()
}

func (c *cache[K, V]) snapshot() Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.stats
	s.Entries = c.lru.Len()
	return s
}
