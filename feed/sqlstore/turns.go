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
	free    *feed.Semaphore
	n       int
	waitFor time.Duration
}

func newTurns(n int, waitFor time.Duration) *turns {
	return &turns{feed.NewSemaphore(n, waitFor), n, waitFor}
}

// take waits for a turn, which ends with giveBack. It is [feed.CodeUnavailable] when none
// came in time.
func (t *turns) take(ctx context.Context) error {
	if t == nil {
		return nil
	}
	held, err := t.free.Acquire(ctx)
	if err == nil && !held {
		err = feed.CannotServe(theDatabase, noConns, fmt.Errorf("all %d connections were busy for %v", t.n, t.waitFor))
	}
	return err
}

// giveBack ends a turn.
func (t *turns) giveBack() {
	if t != nil {
		t.free.Release()
	}
}
