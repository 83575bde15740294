package sqlstore

import (
	"context"
	"fmt"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// connLimit admits as many callers to a pool as it has connections, and limits how long others
// wait. In database/sql they would wait as long as their context, which for background work may
// never end. A nil connLimit admits all callers.
type connLimit struct {
	free    *feed.Semaphore
	n       int
	waitFor time.Duration
}

func newConnLimit(n int, waitFor time.Duration) *connLimit {
	return &connLimit{feed.NewSemaphore(n, waitFor), n, waitFor}
}

// run calls do once a connection is free. If none is in time, it returns [feed.CodeUnavailable].
func (l *connLimit) run(ctx context.Context, do func() error) error {
	if l == nil {
		return do()
	}
	held, err := l.free.Acquire(ctx)
	switch {
	case err != nil:
		return err
	case !held:
		return feed.CannotServe(theDatabase, noConns, fmt.Errorf("all %d connections were busy for %v", l.n, l.waitFor))
	}
	defer l.free.Release()
	return do()
}
