package lrucache

import "github.com/hashicorp/golang-lru/v2/simplelru"

// bounded limits the bytes of the library's LRU without a lock; the caches hold theirs for several
// calls. The library's expirable variant starts a goroutine that nothing stops.
type bounded[K comparable, V any] struct {
	*simplelru.LRU[K, *entry[V]]
	maxBytes, bytes int64
	evictions       uint64
}

func newBounded[K comparable, V any](o Options, removed func(K, *entry[V])) *bounded[K, V] {
	b := &bounded[K, V]{maxBytes: o.Bytes}
	// The only error is a size below one, and nothing is added then.
	b.LRU, _ = simplelru.NewLRU(max(o.Size, 1), func(k K, e *entry[V]) {
		b.bytes -= e.cost
		if removed != nil {
			removed(k, e)
		}
	})
	return b
}

// put adds or replaces an entry. It returns false for one that alone exceeds the limit.
func (b *bounded[K, V]) put(k K, e *entry[V]) bool {
	// Replacing an entry would not call removed.
	b.Remove(k)
	if e.cost > b.maxBytes {
		return false
	}
	b.bytes += e.cost
	if b.Add(k, e) {
		b.evictions++
	}
	for b.bytes > b.maxBytes {
		b.RemoveOldest()
		b.evictions++
	}
	return true
}
