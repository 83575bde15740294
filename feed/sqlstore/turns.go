package sqlstore

import (
	"context"
	"fmt"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// turns lets as many to a pool's connections as there are, and bounds how long the others
// wait: database/sql would have them wait for as long as they like, which is for ever for
// work in the background. Nil turns let everybody.
type turns struct {
	free    chan struct{}
	waitFor time.Duration
}

func newTurns(n int, waitFor time.Duration) *turns {
	return &turns{free: make(chan struct{}, n), waitFor: waitFor}
}

// take waits for a turn, which ends with giveBack. It is [feed.CodeUnavailable] when none
// came in time.
func (t *turns) take(ctx context.Context) error {
	if t == nil {
		return nil
	}
	select {
	case t.free <- struct{}{}:
		return nil
	default:
	}
	timer := time.NewTimer(t.waitFor)
	defer timer.Stop()
	select {
	case t.free <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return feed.CannotServe(theDatabase, noConns, fmt.Errorf("all %d connections were busy for %v", cap(t.free), t.waitFor))
	}
}

// giveBack ends a turn.
func (t *turns) giveBack() {
	if t != nil {
		<-t.free
	}
}
