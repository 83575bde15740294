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
	// guards it, and spare.
	waiting []*round[K, V, C]
	// spare are the maps of rounds that have ended, empty.
	spare []map[K]int
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

// Place returns where a key stands in the list; false when it is not there. It may be asked until
// the values have been returned.
func (k Keys[K]) Place(key K) (int, bool) {
	place, there := k.at[key]
	return place, there
}

// gatherMax is from how many keys on a round takes nobody else in. Its call then takes some
// milliseconds, in which its connection serves as many as it can.
const gatherMax = 1000

// The map of a round is used again, unless it has had so many keys: to empty it takes as long as
// it is large. More than there are rounds at once are not kept.
const (
	spareKeys = 500
	spareMaps = 4
)

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
	return g.Begin(ctx, keys).Wait(ctx)
}

// Begun is a read that goes on.
type Begun[K comparable, V, C any] struct {
	gather *Gather[K, V, C]
	round  *round[K, V, C]
	keys   []K
	places []int
}

// Begin begins a read, for whoever has something else to ask for before he waits for it. He must
// wait.
func (g *Gather[K, V, C]) Begin(ctx context.Context, keys []K) Begun[K, V, C] {
	b := Begun[K, V, C]{gather: g, keys: keys}
	if len(keys) > 0 && ctx.Err() == nil {
		b.round, b.places = g.join(ctx, keys)
	}
	return b
}

// Wait returns what [Gather.Read] does.
func (b Begun[K, V, C]) Wait(ctx context.Context) ([]V, error) {
	r, places, g := b.round, b.places, b.gather
	if r == nil {
		return nil, ctx.Err()
	}
	err := g.lanes.await(ctx, nil, g, r)
	if err != nil && g.lanes.mayRetry(ctx, err) {
		r = g.newRound(ctx, make(map[K]int, len(b.keys)))
		places = r.add(b.keys)
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
		r = g.newRound(ctx, g.emptyMap(len(keys)))
		g.waiting = append(g.waiting, r)
	}
	r.readers++
	places = r.add(keys)
	g.lanes.wake()
	return r, places
}

// newRound makes a round for whoever asks first. The map is empty.
func (g *Gather[K, V, C]) newRound(ctx context.Context, at map[K]int) *round[K, V, C] {
	return &round[K, V, C]{passenger: newPassenger[C](ctx), gather: g, keys: Keys[K]{at: at}}
}

// emptyMap returns a map for a round that begins with so many keys. The mutex is held.
func (g *Gather[K, V, C]) emptyMap(keys int) map[K]int {
	n := len(g.spare)
	if n == 0 {
		return make(map[K]int, keys)
	}
	m := g.spare[n-1]
	g.spare = g.spare[:n-1]
	return m
}

// retire takes the map of a round of which nobody asks for a place any more.
func (g *Gather[K, V, C]) retire(m map[K]int) {
	if len(m) > spareKeys {
		return
	}
	clear(m)
	g.lanes.mu.Lock()
	defer g.lanes.mu.Unlock()
	if len(g.spare) < spareMaps {
		g.spare = append(g.spare, m)
	}
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
	r.gather.retire(r.keys.at)
	r.keys.at = nil
	r.arrive(err)
}
