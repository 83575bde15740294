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
	// wait is how long a load outside of a page waits for others to join its batch.
	// A millisecond lets the fields that the executor starts together meet; the
	// library's default of 16 is paid once for each level of the query.
	wait = time.Millisecond
	// capacity is the number of keys at which most batches start without waiting: as many
	// as the largest page has.
	capacity = 100
)

// bulk reads one value per key, in the order of the keys, for the loaders of an operation.
type bulk[K comparable, V any] func(ctx context.Context, of *Loaders, keys []K) ([]V, error)

// loader answers for one kind of thing within one operation. What it has read once
// it does not read again.
type loader[K comparable, V any] struct {
	// of are the loaders of the operation.
	of *Loaders
	// name is that of the loader.
	name string
	from bulk[K, V]
	// capacity is the number of keys at which a batch starts without waiting.
	capacity int

	mu sync.Mutex
	// known are the answers that were read by the page.
	known answers[K, V]
	// batch is for questions outside of a page; nil until the first of them.
	batch *batch[K, V]
}

// batch gathers keys, and has the answers in its cache.
type batch[K comparable, V any] struct {
	*dataloader.Loader[K, V]
	cache dataloader.Cache[K, V]
}

// batches returns what gathers keys.
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

// load returns the value for one key. A failure is not kept: the library would
// answer with it for the rest of the operation.
func (l *loader[K, V]) load(ctx context.Context, key K) (V, error) {
	v, err := l.shared(ctx, key)
	if err != nil {
		var none V
		return none, err
	}
	return *v, nil
}

// shared returns it where it is kept, so that it must not be changed.
func (l *loader[K, V]) shared(ctx context.Context, key K) (*V, error) {
	l.mu.Lock()
	known := l.known.find(key)
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

// prime reads the keys that have not been asked for yet, in one read and at once.
func (l *loader[K, V]) prime(ctx context.Context, keys []K) error {
	missing := l.missing(ctx, keys)
	if len(missing) == 0 {
		return nil
	}
	values, err := l.read(ctx, missing)
	if err != nil {
		return err
	}
	l.keep(missing, values)
	return nil
}

// tell tells of how many keys a read asks for.
func (l *loader[K, V]) tell(keys int) {
	if told := l.of.deps.Loaded; told != nil {
		told(l.name, keys)
	}
}

// keep notes the answers to keys, except where there is one already: within an operation
// everybody is told the same. Neither list may be changed afterwards.
func (l *loader[K, V]) keep(keys []K, values []V) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.known.add(keys, values)
}

// missing returns the distinct keys without an answer, in their order.
func (l *loader[K, V]) missing(ctx context.Context, keys []K) []K {
	l.mu.Lock()
	defer l.mu.Unlock()
	missing := make([]K, 0, len(keys))
	var seen map[K]struct{}
	if len(keys) > few {
		seen = make(map[K]struct{}, len(keys))
	}
	for _, k := range keys {
		_, twice := seen[k]
		if twice || seen == nil && slices.Contains(missing, k) || l.isAsked(ctx, k) {
			continue
		}
		if seen != nil {
			seen[k] = struct{}{}
		}
		missing = append(missing, k)
	}
	return missing
}

// isAsked says whether a key has an answer, or is about to have one.
func (l *loader[K, V]) isAsked(ctx context.Context, key K) bool {
	asked := l.known.has(key)
	if !asked && l.batch != nil {
		_, asked = l.batch.cache.Get(ctx, key)
	}
	return asked
}

// results reads for the library, which takes a result for every key and would crash on a nil
// one. It does so in the context of the operation, and not in that of whichever field happened
// to ask first.
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

// read asks for the values of keys. A panic and an answer of the wrong length are errors:
// both happen on goroutines where nobody else would catch them.
func (l *loader[K, V]) read(ctx context.Context, keys []K) (values []V, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic while loading: %v\n%s", p, debug.Stack())
		}
	}()
	l.tell(len(keys))
	values, err = l.from(ctx, l.of, keys)
	if err == nil && len(values) != len(keys) {
		err = fmt.Errorf("%d answers to %d keys", len(values), len(keys))
	}
	return values, err
}
