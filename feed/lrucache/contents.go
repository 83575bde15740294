package lrucache

import (
	"sync"
	"time"
)

// Contents caches what services answer about objects. A value expires after Options.TTL or by
// [Contents.Expire], but stays until it is replaced, pushed out or keep is over: it may still serve
// while the service is down. It is safe for concurrent use.
type Contents[K comparable, V any] struct {
	options Options
	keep    time.Duration
	cost    func(*V) int64

	mu   sync.Mutex
	held *bounded[K, content[V]]
}

type content[V any] struct {
	value  V
	readAt time.Time
}

// NewContents returns an empty cache. keep is how long after its read a value may be used at all.
func NewContents[K comparable, V any](o Options, keep time.Duration) *Contents[K, V] {
	return &Contents[K, V]{options: o, keep: keep, cost: costOf[V], held: newBounded[K, content[V]](o, nil)}
}

// Get returns a value that may be used at now, and whether it has not expired.
func (c *Contents[K, V]) Get(key K, now time.Time) (value V, fresh, found bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.held.Get(key)
	if !ok || !now.Before(e.value.readAt.Add(max(c.keep, c.options.TTL))) {
		return value, false, false
	}
	return e.value.value, now.Before(e.expires), true
}

// Put adds or replaces a value that was asked for at readAt.
func (c *Contents[K, V]) Put(key K, value V, readAt time.Time) {
	if !c.options.keeps() {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held.put(key, &entry[content[V]]{
		value: content[V]{value, readAt}, cost: c.cost(&value), expires: readAt.Add(c.options.TTL),
	})
}

// Expire makes values expire.
func (c *Contents[K, V]) Expire(keys ...K) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, key := range keys {
		if e, ok := c.held.Peek(key); ok {
			e.expires = time.Time{}
		}
	}
}

// ExpireAll makes all values expire.
func (c *Contents[K, V]) ExpireAll() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range c.held.Values() {
		e.expires = time.Time{}
	}
}

// Remove removes a value.
func (c *Contents[K, V]) Remove(key K) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held.Remove(key)
}
