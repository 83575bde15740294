package app

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

const (
	// clockInterval is how often a process compares its clock with the database's. Clocks
	// that are not synchronized drift by some seconds a day.
	clockInterval = 10 * time.Second
	// clockTolerance is what a process's clock may differ by from the database's and be
	// believed. Clocks that are kept differ by some milliseconds, and then every time is
	// the host's own; leases and delays are of two seconds and more.
	clockTolerance = time.Second
)

// sharedClock is the clock of this process, or the database's where the two differ. Times
// that one process writes are for another one to compare with its own: when a subtask is
// due, when its lease ends, when a post was published. If a worker whose clock was five
// minutes fast is killed, no other one takes up its subtasks for five minutes.
type sharedClock struct {
	// host is this machine's clock, and ask asks the database for its own, in
	// milliseconds since the epoch.
	host   feed.Clock
	ask    func(context.Context) (int64, error)
	offset atomic.Int64 // in milliseconds; what to add to the host's
}

// now implements [feed.Clock].
func (c *sharedClock) now() time.Time {
	return c.host().Add(time.Duration(c.offset.Load()) * time.Millisecond)
}

// compare compares the two clocks and returns an error of the database. An answer that took
// longer than what may be tolerated says too little.
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
		// Smaller changes are those of the network's.
		c.offset.Store(differ)
	}
	return nil
}
