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

// run calls do when there is a connection for it. It returns [feed.CodeUnavailable] if none
// became free in time.
func (t *turns) run(ctx context.Context, do func() error) error {
	if t == nil {
		return do()
	}
	held, err := t.free.Acquire(ctx)
	switch {
	case err != nil:
		return err
	case !held:
		return feed.CannotServe(theDatabase, noConns, fmt.Errorf("all %d connections were busy for %v", t.n, t.waitFor))
	}
	defer t.free.Release()
	return do()
}
