package sqlstore

import (
	"context"
	"fmt"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// gather joins reads of one kind that go on at the same time into one statement: while the
// lanes are full, whoever comes waits for the next round, and all who wait are served by it.
// Nothing is kept, and a round begins after everybody whom it serves has asked, so that each
// gets what a read of his own, begun when the round began, would have got. There is no timer:
// a read that finds a lane free begins at once.
type gather[K comparable, V any] struct {
	// ask returns the statement that reads one value per key, in their order.
	ask   func(keys []K) reading[V]
	lanes *lanes

	// waiting are the rounds to come; only the last of them has room. The mutex of the lanes
	// guards it.
	waiting []*round[K, V]
}

// reading is a statement that reads one value for each of some keys.
type reading[V any] struct {
	statement
	// values returns them, in the order of the keys, when all rows have been read.
	values func() []V
}

// gatherMax is from how many keys on a round takes nobody else in. Its statement then
// takes some milliseconds, in which its connection serves as many as it can.
const gatherMax = 1000

// round is one statement for several readers.
type round[K comparable, V any] struct {
	passenger
	gather *gather[K, V]
	keys   []K
	at     map[K]int
	reading[V]
	// found are the values; they are set before the round is done.
	found []V
}

// newGather makes a gather that takes its turn on some lanes, behind those made before it.
func newGather[K comparable, V any](l *lanes, ask func(keys []K) reading[V]) *gather[K, V] {
	g := &gather[K, V]{ask: ask, lanes: l}
	l.queues = append(l.queues, g)
	return g
}

// read returns one value per key, in their order. A failure that is not the database's as
// a whole may be about somebody else's keys, so whoever meets one reads by himself. To
// whoever has no time left it is his time that is over, and not the database that is away.
func (g *gather[K, V]) read(ctx context.Context, keys []K) ([]V, error) {
	if len(keys) == 0 || ctx.Err() != nil {
		return nil, ctx.Err()
	}
	r, places := g.join(ctx, keys)
	err := g.lanes.await(ctx, g, r)
	if err == nil {
		out := make([]V, len(keys))
		for i, place := range places {
			out[i] = r.found[place]
		}
		return out, nil
	}
	if blameless(ctx, err) {
		return g.alone(ctx, keys)
	}
	return nil, err
}

// blameless says whether whoever meets a failure of a trip may do better by himself.
func blameless(ctx context.Context, err error) bool {
	return ctx.Err() == nil && feed.CodeOf(err) != feed.CodeUnavailable
}

// one reads the value of one key.
func (g *gather[K, V]) one(ctx context.Context, key K) (V, error) {
	values, err := g.read(ctx, []K{key})
	if err != nil {
		var none V
		return none, err
	}
	return values[0], nil
}

// alone reads in a round that has no other readers and no others beside it.
func (g *gather[K, V]) alone(ctx context.Context, keys []K) ([]V, error) {
	r := g.newRound(ctx)
	r.add(keys)
	g.lanes.ride(ctx, []ride{r})
	out := make([]V, len(keys))
	if r.err == nil {
		for i, k := range keys {
			out[i] = r.found[r.at[k]]
		}
	}
	return out, r.err
}

// join puts the keys into a round that has not begun, and begins one when it may.
func (g *gather[K, V]) join(ctx context.Context, keys []K) (r *round[K, V], places []int) {
	g.lanes.mu.Lock()
	defer g.lanes.mu.Unlock()
	if n := len(g.waiting); n > 0 && len(g.waiting[n-1].keys) < gatherMax {
		r = g.waiting[n-1]
	} else {
		r = g.newRound(ctx)
		g.waiting = append(g.waiting, r)
	}
	r.readers++
	places = r.add(keys)
	g.lanes.wake()
	return r, places
}

// newRound makes a round for whoever asks first.
func (g *gather[K, V]) newRound(ctx context.Context) *round[K, V] {
	return &round[K, V]{passenger: newPassenger(ctx), gather: g}
}

// add returns the places of the keys, after adding those that are not there yet.
func (r *round[K, V]) add(keys []K) []int {
	if r.at == nil {
		r.at = make(map[K]int, len(keys))
	}
	places := make([]int, len(keys))
	for i, k := range keys {
		place, there := r.at[k]
		if !there {
			place = len(r.keys)
			r.at[k] = place
			r.keys = append(r.keys, k)
		}
		places[i] = place
	}
	return places
}

// next implements [queue].
func (g *gather[K, V]) next(rides []ride) []ride {
	if len(g.waiting) == 0 {
		return rides
	}
	r := g.waiting[0]
	g.waiting = g.waiting[1:]
	return append(rides, r)
}

// drop implements [queue].
func (g *gather[K, V]) drop(dropped ride) {
	g.waiting = slices.DeleteFunc(g.waiting, func(r *round[K, V]) bool { return ride(r) == dropped })
}

// begin implements [ride].
func (r *round[K, V]) begin() *statement {
	r.reading = r.gather.ask(r.keys)
	r.statement.ctx = r.ctx
	return &r.statement
}

// end implements [ride].
func (r *round[K, V]) end(err error) {
	if err == nil {
		r.found = r.values()
		if len(r.found) != len(r.keys) {
			err = fmt.Errorf("%d answers to %d keys", len(r.found), len(r.keys))
		}
	}
	r.arrive(err)
}
