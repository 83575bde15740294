package redisstore

import (
	"context"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	// pingEvery is how often a connection that listens is asked whether it still
	// stands. One whose other end has vanished is silent like one on which nobody
	// has anything to say.
	pingEvery = time.Second
	// silence is after how long without a word, an answer to a ping included, a
	// connection counts as dead: after an answer's usual patience.
	silence = pingEvery + replyTimeout
	// listenAgain is the pause between two tries to listen. It is short, since what
	// is evicted meanwhile is missed, and kind to a Redis that is starting.
	listenAgain = 250 * time.Millisecond
)

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

// listen subscribes and does what it hears until the connection is lost. The
// library's own channel of messages would hide that a connection was lost, and does
// not notice one that is merely silent.
func (l *listener) listen(ctx context.Context) error {
	sub := l.e.redis.Subscribe(ctx, evictionChannel)
	var pings sync.WaitGroup
	defer pings.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	// A context that ends does not wake who waits for a message; closing does.
	defer context.AfterFunc(ctx, func() { _ = sub.Close() })()
	defer func() { _ = sub.Close() }()
	pings.Go(func() { ping(ctx, sub) })
	for {
		message, err := sub.ReceiveTimeout(ctx, silence)
		if err != nil {
			return err
		}
		switch m := message.(type) {
		case *redis.Subscription:
			l.subscribed()
		case *redis.Message:
			l.heed(m.Payload)
		}
	}
}

// ping asks for a sign of life until ctx ends. Whether one comes, the receiver sees.
func ping(ctx context.Context, sub *redis.PubSub) {
	ticker := time.NewTicker(pingEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			_ = sub.Ping(ctx)
		case <-ctx.Done():
			return
		}
	}
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
