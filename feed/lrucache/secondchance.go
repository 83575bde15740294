package lrucache

import "github.com/hashicorp/golang-lru/v2/simplelru"

// secondChance removes the entry at the end of a list and says that it did, unless the entry
// was used since it last came to the front: then it moves there again, and has to be used once
// more to stay the next time. used returns where an entry notes that. A hit need not move
// anything so: that touches four entries all over the memory, which takes longer than all else
// that a page asks of a cache.
func secondChance[K comparable, E any](list *simplelru.LRU[K, E], used func(E) *bool) (removed bool) {
	k, e, _ := list.GetOldest()
	if noted := used(e); *noted {
		*noted = false
		list.Get(k)
		return false
	}
	return list.Remove(k)
}
