// Package positions lets reads wait until the source of truth has what they need.
package positions

import (
	"cmp"
	"context"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// Waiter waits for positions. Its fields are set before the first use. It is safe for concurrent
// use.
type Waiter struct {
	Commits feed.Commits
	Sources feed.Ingester
	// Waits takes a place among the reads that wait, for the client of ctx; false if there is none.
	// It calls evict, which does not block, to give the place to another client.
	Waits func(ctx context.Context, evict func()) (release func(), ok bool)
	// Wait waits for a while, or until the context ends.
	Wait func(context.Context, time.Duration) error
}

// A wait looks again after pauses that double, up to pauseMax. All pauses are a second.
const (
	pauseFirst = 10 * time.Millisecond
	pauseMax   = 160 * time.Millisecond
	patience   = time.Second
)

// errStale is for clients.
var errStale = feed.Errorf(feed.CodeStale, "the data does not reflect the position yet; try again, or read without it")

// Reach returns once the source of truth has all of need, or [feed.CodeStale] after a second. Reads
// that begin afterwards reflect it if they are fresh ([feed.WithFreshReads]).
func (w *Waiter) Reach(ctx context.Context, need feed.AtLeast) error {
	if reached, err := w.reached(ctx, need); reached || err != nil {
		return err
	}
	waiting, evict := context.WithCancelCause(ctx)
	defer evict(nil)
	release, ok := w.Waits(ctx, func() { evict(errStale) })
	if !ok {
		return errStale
	}
	defer release()
	pause := pauseFirst
	for waited := time.Duration(0); waited < patience; pause = min(2*pause, pauseMax) {
		pause = min(pause, patience-waited)
		if err := w.Wait(waiting, pause); err != nil {
			return cmp.Or(context.Cause(waiting), err)
		}
		waited += pause
		if reached, err := w.reached(ctx, need); reached || err != nil {
			return err
		}
	}
	return errStale
}

func (w *Waiter) reached(ctx context.Context, need feed.AtLeast) (bool, error) {
	if len(need.Commits) > 0 {
		last, err := w.Commits.LastCommit(ctx)
		if err != nil {
			return false, err
		}
		for _, p := range need.Commits {
			if p.Epoch != last.Epoch || p.Number > last.Number {
				return false, nil
			}
		}
	}
	stored := map[string][]feed.SourcePosition{}
	for _, p := range need.Sources {
		if _, read := stored[p.Source]; !read {
			list, err := w.Sources.Positions(ctx, p.Source)
			if err != nil {
				return false, err
			}
			stored[p.Source] = list
		}
		if !anyReaches(stored[p.Source], p) {
			return false, nil
		}
	}
	return true, nil
}

func anyReaches(stored []feed.SourcePosition, need feed.SourcePosition) bool {
	for _, s := range stored {
		if s.Partition == need.Partition && need.ReachedBy(s.Position) {
			return true
		}
	}
	return false
}
