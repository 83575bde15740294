package app

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

const (
	// Clocks without synchronization drift by seconds per day.
	clockInterval = 10 * time.Second
	// clockTolerance is far above the difference of synchronized clocks, and below the two seconds
	// of the shortest lease.
	clockTolerance = time.Second
)

// sharedClock is the clock of this process, or that of the database if the two differ. Processes
// compare times that others wrote. Without it, if a worker whose clock is five minutes fast is
// killed, its slices wait for five minutes.
type sharedClock struct {
	// host is this machine's clock; ask returns the database's time in milliseconds since the
	// epoch.
	host   feed.Clock
	ask    func(context.Context) (int64, error)
	offset atomic.Int64 // in milliseconds; what to add to the host's
}

func (c *sharedClock) now() time.Time {
	return c.host().Add(time.Duration(c.offset.Load()) * time.Millisecond)
}

// compare updates the offset. It ignores responses slower than the tolerance, as too inexact.
func (c *sharedClock) compare(ctx context.Context) error {
	began := c.host()
	there, err := c.ask(ctx)
	if err != nil {
		return err
	}
	took := c.host().Sub(began)
	if took > clockTolerance {
		return nil
	}
	differ := there - feed.Millis(began.Add(took/2))
	switch tolerated := clockTolerance.Milliseconds(); {
	case max(differ, -differ) <= tolerated:
		c.offset.Store(0)
	case max(differ-c.offset.Load(), c.offset.Load()-differ) > tolerated/2:
		// Smaller changes are noise of the network.
		c.offset.Store(differ)
	}
	return nil
}
