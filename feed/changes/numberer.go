package changes

import (
	"context"
	"sync"
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
	// pollInterval is from the beginning of one poll to the next while there are changes. It is about
	// the longest time that a change waits for its number.
	pollInterval = 50 * time.Millisecond
	// After busyPolls polls without a change or a signal, a signal wakes the numberer at once. These
	// polls take longer than wakeInterval, because a process that has just signalled relies on them.
	busyPolls = 30
	// idleInterval bounds the effect of a lost signal. A poll that wakes idle processors takes up to
	// 0.7 ms of them.
	idleInterval = time.Second
	// numberBatch takes some milliseconds. Readers see its changes when it ends.
	numberBatch = 1000
	// waitingMax is about a second's work.
	waitingMax = 10 * numberBatch
)

// Lead numbers changes for as long as this process leads. If another one leads, it returns nil at
// once. Call it every second.
func (n *Numberer) Lead(ctx context.Context) error {
	return n.leadership().Do(ctx, n.number)
}

// NumberWaiting numbers changes that wait, up to 10,000, whether this process leads or not. A process
// that calls it before its first subscription does not end that one for an older reset.
func (n *Numberer) NumberWaiting(ctx context.Context) error {
	for numbered := 0; numbered < waitingMax; numbered += numberBatch {
		if more, _, err := n.Log.NumberChanges(ctx, numberBatch); err != nil || !more {
			return err
		}
	}
	return nil
}

// Resign lets another process lead at once. Call it after the last Lead.
func (n *Numberer) Resign(ctx context.Context) error { return n.leadership().Resign(ctx) }

func (n *Numberer) leadership() inbox.Leadership {
	return inbox.Leadership{Leaders: n.Leaders, Name: leadNumbers, Holder: n.Holder, For: leadFor}
}

func (n *Numberer) number(ctx context.Context) error {
	signal, stop := n.signaller(ctx)
	defer stop()
	ctx, cancel := context.WithCancel(ctx)
	woken := make(chan struct{}, 1)
	var listening sync.WaitGroup
	listening.Go(func() { listen(ctx, n.Signal.ListenWaiting, woken) })
	defer listening.Wait()
	defer cancel()
	var signalled feed.ChangePlace
	for quiet := 0; ; quiet++ {
		began := time.Now()
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
		interval, wake := idleInterval, woken
		if quiet < busyPolls {
			// A signal waits in the channel, so a fleet of writers causes no more polls than one.
			interval, wake = pollInterval-time.Since(began), nil
		}
		select {
		case <-ctx.Done():
			return nil
		case <-wake:
			quiet = -1
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
