package batch

import (
	"context"
	"sync"
	"time"
)

// Recent keeps the result of a read for a while, also if it is an error. Callers share a read that is
// under way, and each waits only as long as its own context. Its fields are set before the first use.
// It is safe for concurrent use.
type Recent[T any] struct {
	// Read gets a context that outlives the caller's, and ends after Within.
	Read  func(context.Context) (T, error)
	Clock func() time.Time
	// For is how long a result is used, from the beginning of its read.
	For, Within time.Duration

	mu   sync.Mutex
	last *recentRead[T]
	// good is the last read without an error.
	good *recentRead[T]
}

// recentRead is a read. Its result is set once done is closed.
type recentRead[T any] struct {
	begun time.Time
	done  chan struct{}
	value T
	err   error
}

// Get returns the result of a read that began less than For ago, or is still under way.
func (r *Recent[T]) Get(ctx context.Context) (T, error) {
	read := r.read(ctx)
	select {
	case <-read.done:
		return read.value, read.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// Last returns the result of the last read without an error, however old it is. It does not read.
func (r *Recent[T]) Last() (value T, found bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.good == nil {
		return value, false
	}
	return r.good.value, true
}

// read returns the last read, or begins another one if that is too old.
func (r *Recent[T]) read(ctx context.Context) *recentRead[T] {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.Clock()
	if r.last != nil && !r.last.isOver(now, r.For) {
		return r.last
	}
	read := &recentRead[T]{begun: now, done: make(chan struct{})}
	r.last = read
	go func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), r.Within)
		defer cancel()
		read.value, read.err = r.Read(ctx)
		r.mu.Lock()
		defer r.mu.Unlock()
		if read.err == nil {
			r.good = read
		}
		close(read.done)
	}()
	return read
}

// isOver reports whether a read has ended, and its result is too old. A clock that was set back makes
// it too old.
func (read *recentRead[T]) isOver(now time.Time, after time.Duration) bool {
	select {
	case <-read.done:
		return now.Sub(read.begun) >= after || now.Before(read.begun)
	default:
		return false
	}
}
