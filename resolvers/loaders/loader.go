package loaders

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/graph-gophers/dataloader/v7"
)

const (
	// wait is how long a load outside of a page waits for others to join its batch.
	// A millisecond lets the fields that the executor starts together meet; the
	// library's default of 16 is paid once for each level of the query.
	wait = time.Millisecond
	// capacity is the number of keys at which a batch starts without waiting: as many
	// as the largest page has.
	capacity = 100
)

// bulk reads one value per key, in the order of the keys.
type bulk[K comparable, V any] func(ctx context.Context, keys []K) ([]V, error)

// loader answers for one kind of thing within one operation. What it has read once
// it does not read again.
type loader[K comparable, V any] struct {
	read  bulk[K, V]
	cache dataloader.Cache[K, V]
	batch *dataloader.Loader[K, V]
}

// newLoader makes a loader whose batches run under ctx, the operation's context, and
// not under that of whichever field happened to ask first. note is told how many keys
// each read asks for.
func newLoader[K comparable, V any](ctx context.Context, note func(keys int), read bulk[K, V]) *loader[K, V] {
	noted := func(ctx context.Context, keys []K) ([]V, error) {
		note(len(keys))
		return read(ctx, keys)
	}
	l := &loader[K, V]{read: guarded(noted), cache: dataloader.NewCache[K, V]()}
	l.batch = dataloader.NewBatchedLoader(
		func(_ context.Context, keys []K) []*dataloader.Result[V] { return results(ctx, l.read, keys) },
		dataloader.WithCache(l.cache),
		dataloader.WithWait[K, V](wait),
		dataloader.WithBatchCapacity[K, V](capacity),
		dataloader.WithInputCapacity[K, V](capacity),
	)
	return l
}

// load returns the value for one key. A failure is not kept: the library would
// answer with it for the rest of the operation.
func (l *loader[K, V]) load(ctx context.Context, key K) (V, error) {
	v, err := l.batch.Load(ctx, key)()
	if err != nil {
		l.batch.Clear(ctx, key)
	}
	return v, err
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
	for i, k := range missing {
		l.batch.Prime(ctx, k, values[i])
	}
	return nil
}

// missing returns the distinct keys without an answer, in their order.
func (l *loader[K, V]) missing(ctx context.Context, keys []K) []K {
	seen := make(map[K]struct{}, len(keys))
	missing := make([]K, 0, len(keys))
	for _, k := range keys {
		if _, twice := seen[k]; twice {
			continue
		}
		seen[k] = struct{}{}
		if _, known := l.cache.Get(ctx, k); !known {
			missing = append(missing, k)
		}
	}
	return missing
}

// results calls read for the library, which takes a result for every key and would
// crash on a nil one.
func results[K comparable, V any](ctx context.Context, read bulk[K, V], keys []K) []*dataloader.Result[V] {
	out := make([]*dataloader.Result[V], len(keys))
	values, err := read(ctx, keys)
	for i := range out {
		out[i] = &dataloader.Result[V]{Error: err}
		if err == nil {
			out[i].Data = values[i]
		}
	}
	return out
}

// guarded turns a panic and an answer of the wrong length into errors: both happen
// on goroutines where nobody else would catch them.
func guarded[K comparable, V any](read bulk[K, V]) bulk[K, V] {
	return func(ctx context.Context, keys []K) (values []V, err error) {
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("panic while loading: %v\n%s", p, debug.Stack())
			}
		}()
		values, err = read(ctx, keys)
		if err == nil && len(values) != len(keys) {
			err = fmt.Errorf("%d answers to %d keys", len(values), len(keys))
		}
		return values, err
	}
}
