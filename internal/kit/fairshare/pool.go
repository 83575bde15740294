package fairshare

import (
	"cmp"
	"container/heap"
	"container/list"
	"context"
	"sync"
)

// Options configures a [Pool].
type Options struct {
	// Max is the number of units in the pool, and Share how many of them a holder may have;
	// [OfAddress] of Max if 0. The empty holder, for indistinguishable clients, has no limit of its
	// own.
	Max, Share int
	// Replace lets a holder that exceeds its share lose its oldest claims instead of being refused,
	// and lets every claim into the pool, whatever its size.
	Replace bool
	// OnEvict is called for each evicted claim; it may be nil.
	OnEvict func()
}

// Refusal is why a claim is refused.
type Refusal string

// HolderFull means that the holder, or a network around it, has its share. Full means that the pool
// is full, and that no holder has so much that it should lose some.
const (
	HolderFull Refusal = "holder"
	Full       Refusal = "full"
)

// Pool divides units among holders. It is safe for concurrent use. Create it with [New].
type Pool struct {
	o Options

	mu     sync.Mutex
	all    group
	groups map[string]*group // without all
	added  int               // groups so far
	turns  list.List         // of the holders with waiters, the next to get a unit first
}

// claim is what a holder has taken at once.
type claim struct {
	holder *group
	n      int
	evict  func()
	at     *list.Element // nil once it is released or evicted
}

type waiter struct {
	ready   chan struct{}
	release func() // set before ready is closed
}

// New returns a pool.
func New(o Options) *Pool {
	o.Share = cmp.Or(o.Share, OfAddress(o.Max))
	if o.OnEvict == nil {
		o.OnEvict = func() {}
	}
	return &Pool{o: o, all: group{max: o.Max}, groups: map[string]*group{}}
}

// Used returns the number of units that are taken.
func (p *Pool) Used() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.all.used
}

// Take takes n units for a holder until release is called, or returns why not. If the pool is full,
// it evicts the oldest claim of the largest holder, unless the holder of the new claim would then be
// the larger one. evict must not block or use the pool, and is not called after release has returned;
// nil if the claim cannot be evicted.
func (p *Pool) Take(holder string, n int, evict func()) (release func(), refused Refusal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	h := p.holder(holder)
	defer p.forget(h)
	if refused := p.makeRoom(h, n); refused != "" {
		return nil, refused
	}
	return p.claim(h, n, evict), ""
}

// Wait takes a unit for a holder once there is one, or returns nil if ctx is done before. Holders get
// units in turn, and calls of one holder in their order. The claim cannot be evicted.
func (p *Pool) Wait(ctx context.Context, holder string) (release func()) {
	w, release := p.enqueue(holder)
	if w == nil {
		return release
	}
	select {
	case <-w.ready:
		return w.release
	case <-ctx.Done():
		p.leave(holder, w)
		return nil
	}
}

// enqueue takes a unit, or returns a waiter for one.
func (p *Pool) enqueue(holder string) (w *waiter, release func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	h := p.holder(holder)
	if h.waiting.Len() == 0 && p.makeRoom(h, 1) == "" {
		return nil, p.claim(h, 1, nil)
	}
	w = &waiter{ready: make(chan struct{})}
	h.waiting.PushBack(w)
	if h.turn == nil {
		h.turn = p.turns.PushBack(h)
	}
	return w, nil
}

// leave removes a waiter, or releases the unit that it was given meanwhile.
func (p *Pool) leave(holder string, w *waiter) {
	p.mu.Lock()
	given := w.release
	if h := p.groups[holder]; given == nil {
		for e := h.waiting.Front(); e != nil; e = e.Next() {
			if e.Value == w {
				h.waiting.Remove(e)
				break
			}
		}
		p.endTurn(h)
		p.forget(h)
	}
	p.mu.Unlock()
	if given != nil {
		given()
	}
}

// serve gives free units to waiters.
func (p *Pool) serve() {
	for e := p.turns.Front(); e != nil && p.all.hasRoom(1); {
		h, next := e.Value.(*group), e.Next()
		if p.hasRoom(h, 1) {
			w := h.waiting.Remove(h.waiting.Front()).(*waiter)
			w.release = p.claim(h, 1, nil)
			close(w.ready)
			p.turns.MoveToBack(e)
			p.endTurn(h)
			if next == nil {
				next = h.turn
			}
		}
		e = next
	}
}

// endTurn removes a holder without waiters from the turns.
func (p *Pool) endTurn(h *group) {
	if h.turn != nil && h.waiting.Len() == 0 {
		p.turns.Remove(h.turn)
		h.turn = nil
	}
}

// makeRoom evicts claims until the holder may take n units, or returns why it may not.
func (p *Pool) makeRoom(h *group, n int) Refusal {
	h.isTaking = true // so that evicting its last claim does not remove it
	defer func() { h.isTaking = false }()
	for g := h; g != &p.all; g = g.parent {
		for !g.hasRoom(n) {
			if !p.o.Replace {
				return HolderFull
			}
			if !p.evict(g) {
				break
			}
		}
	}
	for !p.all.hasRoom(n) {
		// Taking from a holder that is about as large would let two of them evict each other for ever.
		isLarger := len(p.all.members) > 0 && p.all.members[0].used > h.outermost().used+n
		if (isLarger || p.o.Replace) && p.evict(&p.all) {
			continue
		}
		if !p.o.Replace {
			return Full
		}
		break
	}
	return ""
}

// evict evicts the oldest claim of the largest holder in a group, and reports whether there is one.
func (p *Pool) evict(g *group) bool {
	c := g.oldest()
	if c == nil {
		return false
	}
	c.evict()
	p.remove(c)
	p.o.OnEvict()
	return true
}

func (p *Pool) hasRoom(h *group, n int) bool {
	for g := h; g != nil; g = g.parent {
		if !g.hasRoom(n) {
			return false
		}
	}
	return true
}

func (p *Pool) claim(h *group, n int, evict func()) (release func()) {
	c := &claim{holder: h, n: n, evict: evict}
	c.at = h.claims.PushBack(c)
	h.add(n)
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.remove(c)
		p.serve()
	}
}

func (p *Pool) remove(c *claim) {
	if c.at == nil {
		return
	}
	c.holder.claims.Remove(c.at)
	c.at = nil
	c.holder.add(-c.n)
	p.forget(c.holder)
}

// holder returns the group of a holder, which the caller must [Pool.forget] if it takes nothing.
func (p *Pool) holder(key string) *group {
	if h := p.groups[key]; h != nil {
		return h
	}
	parent, limit := &p.all, p.o.Share
	if key == "" {
		limit = 0
	}
	for _, n := range wider(key) {
		parent = p.group(n.key, parent, p.o.Share*n.halves/2)
	}
	return p.group(key, parent, limit)
}

func (p *Pool) group(key string, parent *group, limit int) *group {
	if g := p.groups[key]; g != nil {
		return g
	}
	p.added++
	g := &group{key: key, parent: parent, max: limit, since: p.added}
	p.groups[key] = g
	heap.Push(&parent.members, g)
	return g
}

// forget removes a holder and the networks around it if nothing is taken and no call waits.
func (p *Pool) forget(h *group) {
	for g := h; g.isUnused() && p.groups[g.key] == g; g = g.parent {
		heap.Remove(&g.parent.members, g.index)
		delete(p.groups, g.key)
	}
}
