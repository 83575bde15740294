package share

import (
	"context"
	"fmt"
	"slices"
)

// Gather joins reads of one kind that go on at the same time into one call, which reads each
// key once.
type Gather[K comparable, V, C any] struct {
	lanes *Lanes[C]
	ask   Ask[K, V, C]

	// waiting are the rounds to come; only the last of them has room. The mutex of the lanes
	// guards it.
	waiting []*round[K, V, C]
}

// Ask returns the call that reads one value per key, and a function that returns them, in
// the order of the keys, when the call has ended well. The context carries what belongs to
// whoever asked first, such as a trace, and never ends.
type Ask[K comparable, V, C any] func(ctx context.Context, keys Keys[K]) (call C, values func() []V)

// Keys are those of one call, each once.
type Keys[K comparable] struct {
	List []K
	at   map[K]int
}

// Place returns where a key stands in the list; false when it is not there.
func (k Keys[K]) Place(key K) (int, bool) {
	place, there := k.at[key]
	return place, there
}

// gatherMax is from how many keys on a round takes nobody else in. Its call then takes some
// milliseconds, in which its connection serves as many as it can.
const gatherMax = 1000

// round is one call for several readers.
type round[K comparable, V, C any] struct {
	passenger[C]
	gather *Gather[K, V, C]
	keys   Keys[K]
	values func() []V
	// found are the values; they are set before the round is done.
	found []V
}

// NewGather returns a gather whose calls go on some lanes.
func NewGather[K comparable, V, C any](l *Lanes[C], ask Ask[K, V, C]) *Gather[K, V, C] {
	g := &Gather[K, V, C]{ask: ask, lanes: l}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.queues = append(l.queues, g)
	return g
}

// Read returns one value per key, in their order. To whoever has no time left it is his time
// that is over, and not the server that is away.
func (g *Gather[K, V, C]) Read(ctx context.Context, keys []K) ([]V, error) {
	if len(keys) == 0 || ctx.Err() != nil {
		return nil, ctx.Err()
	}
	r, places := g.join(ctx, keys)
	err := g.lanes.await(ctx, nil, g, r)
	if err != nil && g.lanes.mayRetry(ctx, err) {
		r = g.newRound(ctx, len(keys))
		places = r.add(keys)
		g.lanes.ride(ctx, []ride[C]{r})
		err = r.err
	}
	if err != nil {
		return nil, err
	}
	out := make([]V, len(places))
	for i, place := range places {
		out[i] = r.found[place]
	}
	return out, nil
}

// One returns the value of one key, as [Gather.Read] does.
func (g *Gather[K, V, C]) One(ctx context.Context, key K) (value V, err error) {
	values, err := g.Read(ctx, []K{key})
	if err == nil {
		value = values[0]
	}
	return value, err
}

// join puts the keys into a round that has not begun, and begins one when it may.
func (g *Gather[K, V, C]) join(ctx context.Context, keys []K) (r *round[K, V, C], places []int) {
	g.lanes.mu.Lock()
	defer g.lanes.mu.Unlock()
	if n := len(g.waiting); n > 0 && len(g.waiting[n-1].keys.List) < gatherMax {
		r = g.waiting[n-1]
	} else {
		r = g.newRound(ctx, len(keys))
		g.waiting = append(g.waiting, r)
	}
	r.readers++
	places = r.add(keys)
	g.lanes.wake()
	return r, places
}

// newRound makes a round that begins with so many keys.
func (g *Gather[K, V, C]) newRound(ctx context.Context, keys int) *round[K, V, C] {
	return &round[K, V, C]{passenger: newPassenger[C](ctx), gather: g, keys: Keys[K]{at: make(map[K]int, keys)}}
}

// add returns the places of the keys, after adding those that are not there yet.
func (r *round[K, V, C]) add(keys []K) []int {
	places := make([]int, len(keys))
	for i, k := range keys {
		place, there := r.keys.at[k]
		if !there {
			place = len(r.keys.List)
			r.keys.at[k] = place
			r.keys.List = append(r.keys.List, k)
		}
		places[i] = place
	}
	return places
}

// waits implements [queue].
func (g *Gather[K, V, C]) waits() bool { return len(g.waiting) > 0 }

// next implements [queue].
func (g *Gather[K, V, C]) next(rides []ride[C]) []ride[C] {
	if len(g.waiting) == 0 {
		return rides
	}
	r := g.waiting[0]
	g.waiting = g.waiting[1:]
	return append(rides, r)
}

// drop implements [queue].
func (g *Gather[K, V, C]) drop(dropped ride[C]) {
	g.waiting = slices.DeleteFunc(g.waiting, func(r *round[K, V, C]) bool { return ride[C](r) == dropped })
}

// begin implements [ride].
func (r *round[K, V, C]) begin() C {
	call, values := r.gather.ask(r.ctx, r.keys)
	r.values = values
	return call
}

// end implements [ride].
func (r *round[K, V, C]) end(err error) {
	if err == nil {
		r.found = r.values()
		if len(r.found) != len(r.keys.List) {
			err = fmt.Errorf("%d answers to %d keys", len(r.found), len(r.keys.List))
		}
	}
	r.arrive(err)
}
