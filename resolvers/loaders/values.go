package loaders

import "slices"

// scanMax is the length up to which searching a list is faster than a map.
const scanMax = 32

// valueList has the values that bulk reads returned, by key. The library's cache makes a warm page
// take a third more CPU time (ADR 27). A page asks for values mostly in the order in which they
// were read, so find tries the one after the last first. Only long lists get a map.
type valueList[K comparable, V any] struct {
	keys   []K
	values []V
	// next is the index of the expected key.
	next int
	// index has the index of each key; nil until it is needed.
	index map[K]int
}

// find returns the value of a key, which must not be changed; nil if there is none.
func (a *valueList[K, V]) find(key K) *V {
	at := a.next
	if at >= len(a.keys) || a.keys[at] != key {
		if at = a.search(key); at < 0 {
			return nil
		}
	}
	a.next = at + 1
	return &a.values[at]
}

// search returns the index of a key; -1 if there is none.
func (a *valueList[K, V]) search(key K) int {
	if len(a.keys) <= scanMax {
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

func (a *valueList[K, V]) has(key K) bool { return len(a.keys) > 0 && a.search(key) >= 0 }

// add adds values, except for keys that have one. It keeps the first lists without copying them.
func (a *valueList[K, V]) add(keys []K, values []V) {
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
