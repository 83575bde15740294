package redisstore

import (
	"context"
	"time"
)

// listenAgain is the pause between two tries to listen. It is short, since what is
// evicted meanwhile is missed, and kind to a Redis that is starting.
const listenAgain = 250 * time.Millisecond

// subscribe listens until the end.
func (e *Evictions) subscribe() {
	l := listener{e: e}
	pause := time.NewTimer(listenAgain)
	defer pause.Stop()
	for {
		err := l.listen(e.closing)
		if e.closing.Err() != nil {
			return
		}
		if !l.deaf {
			l.deaf = true
			e.log.Warn("what other processes evict is not heard; it may be shown for the caches' time to live", "error", err)
		}
		pause.Reset(listenAgain)
		select {
		case <-pause.C:
		case <-e.closing.Done():
			return
		}
	}
}

// listener does what the messages say. It logs when it begins not to understand
// them, or not to hear them, rather than every time.
type listener struct {
	e                *Evictions
	deaf, bewildered bool
}

// listen does what it hears until the connection is lost.
func (l *listener) listen(ctx context.Context) error {
	return listenTo(ctx, l.e.redis, evictionChannel, func() error {
		l.subscribed()
		return nil
	}, func(text string) error {
		l.heed(text)
		return nil
	})
}

// subscribed makes up for what was missed. Redis has confirmed by now that it sends
// everything from here on, so that nothing falls between the two.
func (l *listener) subscribed() {
	l.purge()
	if l.deaf {
		l.deaf = false
		l.e.log.Info("what other processes evict is heard again; everything cached before was forgotten")
	}
}

// heed evicts what another process did. A message it does not understand, as a newer
// version may send, says that something has changed and not what; so everything is
// forgotten, which is slow and right.
func (l *listener) heed(text string) {
	ev, from, err := decodeEviction(text)
	if err != nil {
		l.purge()
		if !l.bewildered {
			l.bewildered = true
			l.e.log.Warn("everything cached is forgotten whenever such a message comes", "error", err)
		}
		return
	}
	if from == l.e.self {
		return
	}
	l.e.received.Add(uint64(ev.size()))
	l.e.local.Evict(ev.posts, ev.users)
}

func (l *listener) purge() {
	l.e.purges.Add(1)
	l.e.local.Purge()
}
