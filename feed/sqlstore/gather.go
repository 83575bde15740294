package sqlstore

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/tideline-feeds/tideline/feed"
)

// gather joins reads that go on at the same time into one statement: while a round is
// under way, whoever comes waits for the next, and all who wait are served by it. Nothing
// is kept, and a round begins after everybody whom it serves has asked, so that each gets
// what a read of his own, begun when the round began, would have got. There is no timer:
// a read that finds nothing under way begins at once.
type gather[K comparable, V any] struct {
	// load reads one value per key, in their order.
	load func(ctx context.Context, keys []K) ([]V, error)

	mu sync.Mutex
	// running is how many rounds are under way, and waiting are those to come; only the
	// last of them has room.
	running int
	waiting []*round[K, V]
}

const (
	// gatherLanes is how many rounds of one kind are under way at once. A second one
	// keeps a slow round from holding up everybody; with more, fewer reads meet in one.
	gatherLanes = 2
	// gatherMax is from how many keys on a round takes nobody else in. Its statement then
	// takes some milliseconds, in which its connection serves as many as it can.
	gatherMax = 1000
)

// round is one statement for several readers.
type round[K comparable, V any] struct {
	// ctx carries what the first reader's does, and is over when nobody waits any more.
	ctx  context.Context
	stop context.CancelFunc
	keys []K
	at   map[K]int
	// readers wait for done; the gather's mutex guards their number.
	readers int
	done    chan struct{}
	// values and err are set before done is closed.
	values []V
	err    error
}

// read returns one value per key, in their order. A failure that is not the database's as
// a whole may be about somebody else's keys, so whoever meets one reads by himself. To
// whoever has no time left it is his time that is over, and not the database that is away.
func (g *gather[K, V]) read(ctx context.Context, keys []K) ([]V, error) {
	if len(keys) == 0 || ctx.Err() != nil {
		return nil, ctx.Err()
	}
	r, places := g.join(ctx, keys)
	select {
	case <-r.done:
	case <-ctx.Done():
		g.leave(r)
		return nil, ctx.Err()
	}
	switch {
	case r.err == nil:
		out := make([]V, len(keys))
		for i, place := range places {
			out[i] = r.values[place]
		}
		return out, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case feed.CodeOf(r.err) == feed.CodeUnavailable:
		return nil, r.err
	}
	return g.load(ctx, keys)
}

// join puts the keys into a round that has not begun, and begins one when it may.
func (g *gather[K, V]) join(ctx context.Context, keys []K) (r *round[K, V], places []int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if n := len(g.waiting); n > 0 && len(g.waiting[n-1].keys) < gatherMax {
		r = g.waiting[n-1]
	} else {
		r = &round[K, V]{at: make(map[K]int, len(keys)), done: make(chan struct{})}
		r.ctx, r.stop = context.WithCancel(context.WithoutCancel(ctx)) //nolint:gosec // whoever runs the round, or leaves it last, calls stop
		g.waiting = append(g.waiting, r)
	}
	r.readers++
	places = r.add(keys)
	if g.running < gatherLanes {
		g.running++
		go g.run(g.next())
	}
	return r, places
}

// add returns the places of the keys, after adding those that are not there yet.
func (r *round[K, V]) add(keys []K) []int {
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

// leave takes a reader out who does not wait any longer. A round that nobody waits for is
// broken off, or does not take place.
func (g *gather[K, V]) leave(r *round[K, V]) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if r.readers--; r.readers == 0 {
		r.stop()
		g.waiting = slices.DeleteFunc(g.waiting, func(w *round[K, V]) bool { return w == r })
	}
}

// next takes the first of the rounds that wait. The mutex is held.
func (g *gather[K, V]) next() *round[K, V] {
	r := g.waiting[0]
	g.waiting = g.waiting[1:]
	return r
}

// run runs a round, and those that have been waiting for it to end.
func (g *gather[K, V]) run(r *round[K, V]) {
	for r != nil {
		r.values, r.err = g.guarded(r.ctx, r.keys)
		close(r.done)
		r.stop()
		r = g.after()
	}
}

// after returns the round to run after another; nil when none waits, and then the lane is
// free.
func (g *gather[K, V]) after() *round[K, V] {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.waiting) > 0 {
		return g.next()
	}
	g.running--
	return nil
}

// guarded turns a panic into an error: nobody catches it on a goroutine that belongs to no
// request.
func (g *gather[K, V]) guarded(ctx context.Context, keys []K) (values []V, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic while reading: %v\n%s", p, debug.Stack())
		}
	}()
	values, err = g.load(ctx, keys)
	if err == nil && len(values) != len(keys) {
		err = fmt.Errorf("%d answers to %d keys", len(values), len(keys))
	}
	return values, err
}
