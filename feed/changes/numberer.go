package changes

import (
	"context"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/inbox"
)

// Numberer numbers changes while its process leads. Use [Numberer.Lead].
type Numberer struct {
	Log     feed.ChangeNumberer
	Signal  feed.ChangeSignal
	Leaders feed.Leaders
	// Holder names this process among the others.
	Holder string
}

const (
	leadNumbers = "number changes"
	// leadFor is how long changes have no numbers after the leader has died.
	leadFor = 5 * time.Second
	// pollInterval is the longest time that a change waits for its number while there are others.
	pollInterval = 100 * time.Millisecond
	// After busyPolls polls without a change polls are idleInterval apart. One that wakes idle
	// processors takes up to 0.7 ms of them, so these take less than 2 ms a second.
	busyPolls    = 20
	idleInterval = 500 * time.Millisecond
	// numberBatch takes some milliseconds. Readers see its changes when it ends.
	numberBatch = 1000
)

// Lead numbers changes for as long as this process leads. If another one leads, it returns nil at
// once. Call it every second.
func (n *Numberer) Lead(ctx context.Context) error {
	return n.leadership().Do(ctx, n.number)
}

// Resign lets another process lead at once. Call it after the last Lead.
func (n *Numberer) Resign(ctx context.Context) error { return n.leadership().Resign(ctx) }

func (n *Numberer) leadership() inbox.Leadership {
	return inbox.Leadership{Leaders: n.Leaders, Name: leadNumbers, Holder: n.Holder, For: leadFor}
}

func (n *Numberer) number(ctx context.Context) error {
	signal, stop := n.signaller(ctx)
	defer stop()
	var signalled feed.ChangePlace
	for quiet := 0; ; quiet++ {
		more, last, err := n.Log.NumberChanges(ctx, numberBatch)
		if err != nil {
			return err
		}
		if last != signalled {
			signal(last)
			signalled, quiet = last, 0
		}
		if more {
			continue
		}
		interval := pollInterval
		if quiet >= busyPolls {
			interval = idleInterval
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(interval):
		}
	}
}

// signaller returns a function that signals in the background, so that numbering never waits for
// Redis, and one that waits for the last signal. While a signal waits, others are dropped.
func (n *Numberer) signaller(ctx context.Context) (signal func(feed.ChangePlace), stop func()) {
	waiting, ended := make(chan feed.ChangePlace, 1), make(chan struct{})
	go func() {
		defer close(ended)
		for last := range waiting {
			_ = n.Signal.Signal(ctx, last)
		}
	}()
	signal = func(last feed.ChangePlace) {
		select {
		case waiting <- last:
		default:
		}
	}
	return signal, func() { close(waiting); <-ended }
}
