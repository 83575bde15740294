package loaders

import "slices"

// few is up to how many keys it is faster to look through a list than in a map.
const few = 32

// answers are values by their keys, as a read brought them. The library's own cache makes a warm
// page take a third more CPU time (ADR 27). They are asked for in the order
// in which they came, most of the time: by a page, entry by entry. So the place behind the
// last one that was found is looked at first, and a map is made only for what is not found
// like that among many.
type answers[K comparable, V any] struct {
	keys   []K
	values []V
	// next is where the next one is expected.
	next int
	// index is where each key stands; nil while nobody needed it.
	index map[K]int
}

// find returns the value of a key, which must not be changed; nil when there is none.
func (a *answers[K, V]) find(key K) *V {
	at := a.next
	if at >= len(a.keys) || a.keys[at] != key {
		if at = a.search(key); at < 0 {
			return nil
		}
	}
	a.next = at + 1
	return &a.values[at]
}

// search returns where a key stands; -1 when it is not there.
func (a *answers[K, V]) search(key K) int {
	if len(a.keys) <= few {
		return slices.Index(a.keys, key)
	}
	if a.index == nil {
		a.index = make(map[K]int, len(a.keys))
		for i, k := range a.keys {
			a.index[k] = i
		}
	}
	if at, ok := a.index[key]; ok {
		return at
	}
	return -1
}

// has says whether there is an answer to a key.
func (a *answers[K, V]) has(key K) bool { return len(a.keys) > 0 && a.search(key) >= 0 }

// add takes the values of keys, except where there is one already. The first lists to come
// are kept as they are.
func (a *answers[K, V]) add(keys []K, values []V) {
	if len(a.keys) == 0 {
		a.keys, a.values = keys, values
		return
	}
	a.keys, a.values = slices.Grow(a.keys, len(keys)), slices.Grow(a.values, len(keys))
	for i, k := range keys {
		if a.has(k) {
			continue
		}
		if a.index != nil {
			a.index[k] = len(a.keys)
		}
		a.keys, a.values = append(a.keys, k), append(a.values, values[i])
	}
}
