package batch

import (
	"context"
	"fmt"
	"slices"
)

// Lookup merges concurrent reads of one kind into calls that ask for each key once.
type Lookup[K comparable, V, C any] struct {
	batcher *Batcher[C]
	prepare Prepare[K, V, C]

	// queued are the waiting reads; only the last one accepts keys. The batcher's mutex guards it.
	queued []*read[K, V, C]
}

// Prepare returns the call that reads one value per key, and a function that returns these
// values, in the order of the keys, once the call has succeeded. The context has the values of
// the first caller's context, such as a trace, and is never canceled.
type Prepare[K comparable, V, C any] func(ctx context.Context, keys Keys[K]) (call C, values func() []V)

// Keys are the keys of one call, without duplicates.
type Keys[K comparable] struct {
	List  []K
	index map[K]int
}

// Index returns the position of a key in List; false if it is not there.
func (k Keys[K]) Index(key K) (int, bool) {
	i, ok := k.index[key]
	return i, ok
}

// maxKeys is the number of keys from which on a read accepts no further caller. Such a read takes
// some milliseconds and uses its connection fully.
const maxKeys = 1000

type read[K comparable, V, C any] struct {
	waiters[C]
	lookup *Lookup[K, V, C]
	keys   Keys[K]
	values func() []V
	// found is set before the waiters wake.
	found []V
}

// NewLookup returns a lookup whose reads run on a batcher.
func NewLookup[K comparable, V, C any](b *Batcher[C], prepare Prepare[K, V, C]) *Lookup[K, V, C] {
	l := &Lookup[K, V, C]{batcher: b, prepare: prepare}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.queues = append(b.queues, l)
	return l
}

// All returns one value per key, in the order of the keys. If ctx is done, it returns the error
// of ctx, even if the call fails at the same time.
func (l *Lookup[K, V, C]) All(ctx context.Context, keys []K) ([]V, error) {
	if len(keys) == 0 || ctx.Err() != nil {
		return nil, ctx.Err()
	}
	r, indexes := l.join(ctx, keys)
	err := l.batcher.wait(ctx, l, r)
	if err != nil && l.batcher.mayRetry(ctx, err) {
		r = l.newRead(ctx, len(keys))
		indexes = r.add(keys)
		l.batcher.runCalls(ctx, []call[C]{r})
		err = r.err
	}
	if err != nil {
		return nil, err
	}
	out := make([]V, len(indexes))
	for i, index := range indexes {
		out[i] = r.found[index]
	}
	return out, nil
}

// One returns the value of one key, as [Lookup.All] does.
func (l *Lookup[K, V, C]) One(ctx context.Context, key K) (value V, err error) {
	values, err := l.All(ctx, []K{key})
	if err == nil {
		value = values[0]
	}
	return value, err
}

func (l *Lookup[K, V, C]) join(ctx context.Context, keys []K) (r *read[K, V, C], indexes []int) {
	l.batcher.mu.Lock()
	defer l.batcher.mu.Unlock()
	if n := len(l.queued); n > 0 && len(l.queued[n-1].keys.List) < maxKeys {
		r = l.queued[n-1]
	} else {
		r = l.newRead(ctx, len(keys))
		l.queued = append(l.queued, r)
	}
	r.n++
	indexes = r.add(keys)
	l.batcher.startIfFree()
	return r, indexes
}

func (l *Lookup[K, V, C]) newRead(ctx context.Context, n int) *read[K, V, C] {
	return &read[K, V, C]{waiters: newWaiters[C](ctx), lookup: l, keys: Keys[K]{index: make(map[K]int, n)}}
}

// add adds the keys that the read does not have yet, and returns the positions of all.
func (r *read[K, V, C]) add(keys []K) []int {
	indexes := make([]int, len(keys))
	for i, k := range keys {
		index, ok := r.keys.index[k]
		if !ok {
			index = len(r.keys.List)
			r.keys.index[k] = index
			r.keys.List = append(r.keys.List, k)
		}
		indexes[i] = index
	}
	return indexes
}

func (l *Lookup[K, V, C]) waiting() bool { return len(l.queued) > 0 }

func (l *Lookup[K, V, C]) take(calls []call[C]) []call[C] {
	if len(l.queued) == 0 {
		return calls
	}
	r := l.queued[0]
	l.queued = l.queued[1:]
	return append(calls, r)
}

func (l *Lookup[K, V, C]) remove(unwanted call[C]) {
	l.queued = slices.DeleteFunc(l.queued, func(r *read[K, V, C]) bool { return call[C](r) == unwanted })
}

func (r *read[K, V, C]) prepare() C {
	call, values := r.lookup.prepare(r.ctx, r.keys)
	r.values = values
	return call
}

func (r *read[K, V, C]) finish(err error) {
	if err == nil {
		r.found = r.values()
		if len(r.found) != len(r.keys.List) {
			err = fmt.Errorf("%d values for %d keys", len(r.found), len(r.keys.List))
		}
	}
	r.wake(err)
}
