package fairshare

import (
	"container/heap"
	"container/list"
)

// group is a holder, a network of holders, or the whole pool. What its members use counts for it too.
type group struct {
	key       string
	parent    *group // nil for the pool
	used, max int    // max is 0 for no limit
	since     int    // when it was added, by which the older of two equal groups is known
	index     int    // in the members of parent
	members   members
	claims    list.List // of *claim, the oldest first; only holders have any
	waiting   list.List // of *waiter, likewise
	turn      *list.Element
	isTaking  bool
}

func (g *group) hasRoom(n int) bool { return g.max == 0 || g.used+n <= g.max }

// add adds n, which may be negative, to what the group and those around it use.
func (g *group) add(n int) {
	for ; g != nil; g = g.parent {
		g.used += n
		if g.parent != nil {
			heap.Fix(&g.parent.members, g.index)
		}
	}
}

// oldest returns the claim to evict from the group: the oldest of its largest member; nil if that has
// none that can be evicted.
func (g *group) oldest() *claim {
	for len(g.members) > 0 {
		g = g.members[0]
	}
	for e := g.claims.Front(); e != nil; e = e.Next() {
		if c := e.Value.(*claim); c.evict != nil {
			return c
		}
	}
	return nil
}

// outermost returns the member of the pool that contains the group.
func (g *group) outermost() *group {
	for g.parent.parent != nil {
		g = g.parent
	}
	return g
}

func (g *group) isUnused() bool {
	return g.parent != nil && !g.isTaking && g.used == 0 && len(g.members) == 0 && g.waiting.Len() == 0
}

// members is a heap of groups with the largest first.
type members []*group

func (m members) Len() int { return len(m) }

func (m members) Less(i, j int) bool {
	return m[i].used > m[j].used || m[i].used == m[j].used && m[i].since < m[j].since
}

func (m members) Swap(i, j int) {
	m[i], m[j] = m[j], m[i]
	m[i].index, m[j].index = i, j
}

// Push implements [heap.Interface].
func (m *members) Push(x any) {
	g := x.(*group)
	g.index = len(*m)
	*m = append(*m, g)
}

// Pop implements [heap.Interface].
func (m *members) Pop() any {
	last := len(*m) - 1
	g := (*m)[last]
	(*m)[last] = nil
	*m = (*m)[:last]
	return g
}
