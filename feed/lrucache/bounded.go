package lrucache

import "github.com/hashicorp/golang-lru/v2/simplelru"

// bounded is the library's LRU with a bound in bytes beside its own in entries. The type
// without a lock is used, because the caches hold one of their own around several calls;
// the library's expiring variant starts a goroutine that nothing stops.
type bounded[K comparable, V any] struct {
	*simplelru.LRU[K, *entry[V]]
	maxBytes, bytes int64
	evictions       uint64
}

// newBounded returns an empty LRU. removed, unless nil, is called for every entry that
// leaves it.
func newBounded[K comparable, V any](o Options, removed func(K, *entry[V])) *bounded[K, V] {
	b := &bounded[K, V]{maxBytes: o.Bytes}
	// The only error is a size below one, with which nothing is ever added.
	b.LRU, _ = simplelru.NewLRU(max(o.Size, 1), func(k K, e *entry[V]) {
		b.bytes -= e.cost
		if removed != nil {
			removed(k, e)
		}
	})
	return b
}

// put adds an entry in the place of an older one with its key, and evicts the least recently
// used entries that are too many. It returns false for one that alone is above the bound:
// everything else would have to go, and it too.
func (b *bounded[K, V]) put(k K, e *entry[V]) bool {
	// Adding over an older entry would not call removed.
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
