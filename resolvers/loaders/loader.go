package loaders

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/graph-gophers/dataloader/v7"
)

const (
	// wait is how long a load waits for others to join its batch: long enough for fields that the
	// executor starts together. The library's default is 16 ms, for each level of the query.
	wait = time.Millisecond
	// capacity is the number of keys that start most batches at once: the largest page.
	capacity = 100
)

// bulk reads one value per key, in order.
type bulk[K comparable, V any] func(ctx context.Context, of *Loaders, keys []K) ([]V, error)

// loader loads objects of one kind in one operation. It reads each key once.
type loader[K comparable, V any] struct {
	of   *Loaders
	name string
	from bulk[K, V]
	// capacity is the number of keys at which a batch starts at once.
	capacity int

	mu sync.Mutex
	// values were read by pages.
	values valueList[K, V]
	// batch serves other loads; nil until the first.
	batch *batch[K, V]
}

// batch collects keys, and caches their values.
type batch[K comparable, V any] struct {
	*dataloader.Loader[K, V]
	cache dataloader.Cache[K, V]
}

func (l *loader[K, V]) batches() *batch[K, V] {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.batch == nil {
		cache := dataloader.NewCache[K, V]()
		l.batch = &batch[K, V]{cache: cache, Loader: dataloader.NewBatchedLoader(
			func(_ context.Context, keys []K) []*dataloader.Result[V] { return l.results(keys) },
			dataloader.WithCache(cache),
			dataloader.WithWait[K, V](wait),
			dataloader.WithBatchCapacity[K, V](l.capacity),
			dataloader.WithInputCapacity[K, V](l.capacity),
		)}
	}
	return l.batch
}

func (l *loader[K, V]) load(ctx context.Context, key K) (V, error) {
	v, err := l.shared(ctx, key)
	if err != nil {
		var none V
		return none, err
	}
	return *v, nil
}

// shared returns a shared value, which must not be changed. It removes failures from the library's
// cache, which would repeat them.
func (l *loader[K, V]) shared(ctx context.Context, key K) (*V, error) {
	l.mu.Lock()
	known := l.values.find(key)
	l.mu.Unlock()
	if known != nil {
		return known, nil
	}
	batch := l.batches()
	v, err := batch.Load(ctx, key)()
	if err != nil {
		batch.Clear(ctx, key)
		return nil, err
	}
	return &v, nil
}

func (l *loader[K, V]) prime(ctx context.Context, keys []K) error {
	missing := l.missing(ctx, keys)
	if len(missing) == 0 {
		return nil
	}
	values, err := l.read(ctx, missing)
	if err != nil {
		return err
	}
	l.put(missing, values)
	return nil
}

func (l *loader[K, V]) report(keys int) {
	if loaded := l.of.deps.Loaded; loaded != nil {
		loaded(l.name, keys)
	}
}

// put stores values, except for keys that have one, so that all fields of an operation agree. The
// lists must not be changed afterwards.
func (l *loader[K, V]) put(keys []K, values []V) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.values.add(keys, values)
}

func (l *loader[K, V]) missing(ctx context.Context, keys []K) []K {
	l.mu.Lock()
	defer l.mu.Unlock()
	missing := make([]K, 0, len(keys))
	var seen map[K]struct{}
	if len(keys) > scanMax {
		seen = make(map[K]struct{}, len(keys))
	}
	for _, k := range keys {
		_, twice := seen[k]
		if twice || seen == nil && slices.Contains(missing, k) || l.has(ctx, k) {
			continue
		}
		if seen != nil {
			seen[k] = struct{}{}
		}
		missing = append(missing, k)
	}
	return missing
}

// has reports whether a key has a value or is about to.
func (l *loader[K, V]) has(ctx context.Context, key K) bool {
	asked := l.values.has(key)
	if !asked && l.batch != nil {
		_, asked = l.batch.cache.Get(ctx, key)
	}
	return asked
}

// results reads for the library, which needs a result for every key. It uses the context of the
// operation, not that of the first field.
func (l *loader[K, V]) results(keys []K) []*dataloader.Result[V] {
	out := make([]*dataloader.Result[V], len(keys))
	values, err := l.read(l.of.ctx, keys)
	for i := range out {
		out[i] = &dataloader.Result[V]{Error: err}
		if err == nil {
			out[i].Data = values[i]
		}
	}
	return out
}

// read reads the values of keys. A panic becomes an error, because nothing else would recover it on
// the library's goroutines.
func (l *loader[K, V]) read(ctx context.Context, keys []K) (values []V, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic while loading: %v\n%s", p, debug.Stack())
		}
	}()
	l.report(len(keys))
	values, err = l.from(ctx, l.of, keys)
	if err == nil && len(values) != len(keys) {
		err = fmt.Errorf("%d values for %d keys", len(values), len(keys))
	}
	return values, err
}
