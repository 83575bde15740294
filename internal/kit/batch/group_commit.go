package batch

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
)

// GroupCommit coalesces concurrent changes of one key into one transaction. At most one transaction
// per key is in flight; the next one has the changes that arrive meanwhile. Use it where many
// callers update the same row: in the database, each waiter would hold a connection. Without
// contention it adds one mutex acquisition. It is safe for concurrent use.
type GroupCommit[K comparable, P any] struct {
	commit Commit[K, P]
	shared func(error) bool

	mu sync.Mutex
	// queued has an entry for each key with a transaction in flight: the changes that wait.
	queued map[K][]*change[P]
}

// Commit makes changes of one key in one transaction. It returns one error per change, in their
// order and nil for those made, or nil if all were made. If it returns err, no change was made.
type Commit[K comparable, P any] func(ctx context.Context, key K, changes []P) (each []error, err error)

// maxChanges limits a transaction, so that it takes milliseconds.
const maxChanges = 500

type change[P any] struct {
	what P
	// ctx has the values of the caller's context, and is never canceled.
	ctx context.Context
	// done is closed when the change has ended; err is set before that.
	done chan struct{}
	err  error
}

// NewGroupCommit returns a group commit for one kind of change. An error for which shared returns
// true, such as that of an unreachable server, fails all changes of the transaction. After any
// other error, which may be the fault of one change, each is committed alone.
func NewGroupCommit[K comparable, P any](commit Commit[K, P], shared func(error) bool) *GroupCommit[K, P] {
	return &GroupCommit[K, P]{commit: commit, shared: shared, queued: map[K][]*change[P]{}}
}

// Do makes a change of a key: alone and within ctx if no transaction of that key is in flight,
// otherwise together with others. If ctx ends before the change has begun, nothing is changed. If
// it ends later, the change may still be made.
func (g *GroupCommit[K, P]) Do(ctx context.Context, key K, what P) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	c, first := g.join(ctx, key, what)
	if first {
		g.run(ctx, key, []*change[P]{c})
		g.next(key)
		return c.err
	}
	select {
	case <-c.done:
		return c.err
	case <-ctx.Done():
		g.remove(key, c)
		return ctx.Err()
	}
}

// join queues the change unless it is the first, which the caller is to run.
func (g *GroupCommit[K, P]) join(ctx context.Context, key K, what P) (c *change[P], first bool) {
	c = &change[P]{what: what, ctx: context.WithoutCancel(ctx), done: make(chan struct{})}
	g.mu.Lock()
	defer g.mu.Unlock()
	queued, inFlight := g.queued[key]
	if inFlight {
		queued = append(queued, c)
	}
	g.queued[key] = queued
	return c, !inFlight
}

func (g *GroupCommit[K, P]) remove(key K, c *change[P]) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if queued, inFlight := g.queued[key]; inFlight {
		g.queued[key] = slices.DeleteFunc(queued, func(other *change[P]) bool { return other == c })
	}
}

func (g *GroupCommit[K, P]) next(key K) {
	g.mu.Lock()
	defer g.mu.Unlock()
	queued := g.queued[key]
	if len(queued) == 0 {
		delete(g.queued, key)
		return
	}
	n := min(len(queued), maxChanges)
	changes := slices.Clone(queued[:n])
	g.queued[key] = slices.Delete(queued, 0, n)
	go func() {
		g.run(changes[0].ctx, key, changes)
		g.next(key)
		for _, c := range changes {
			close(c.done)
		}
	}()
}

func (g *GroupCommit[K, P]) run(ctx context.Context, key K, changes []*change[P]) {
	each, err := g.attempt(ctx, key, changes)
	if err != nil && len(changes) > 1 && !g.shared(err) {
		for _, c := range changes {
			g.run(c.ctx, key, []*change[P]{c}) //nolint:contextcheck // it has the values of the caller's
		}
		return
	}
	for i, c := range changes {
		if c.err = err; err == nil && each != nil {
			c.err = each[i]
		}
	}
}

// attempt turns a panic into an error: on another goroutine no request handler would recover it.
func (g *GroupCommit[K, P]) attempt(ctx context.Context, key K, changes []*change[P]) (each []error, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic in a group commit: %v\n%s", p, debug.Stack())
		}
	}()
	what := make([]P, len(changes))
	for i, c := range changes {
		what[i] = c.what
	}
	each, err = g.commit(ctx, key, what)
	if err == nil && each != nil && len(each) != len(changes) {
		err = fmt.Errorf("%d outcomes for %d changes", len(each), len(changes))
	}
	return each, err
}
