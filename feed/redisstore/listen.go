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
)

// listenTo subscribes to a channel and does what it hears until ctx ends, the connection
// is lost, or one of the functions fails. The library's own channel of messages would
// hide that a connection was lost, and does not notice one that is merely silent.
//
// subscribed is called when Redis has confirmed that it sends everything from here on:
// again when the library has connected anew by itself.
func listenTo(ctx context.Context, client redis.UniversalClient, channel string, subscribed func() error, heed func(text string) error) error {
	sub := client.Subscribe(ctx, channel)
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
			err = subscribed()
		case *redis.Message:
			err = heed(m.Payload)
		}
		if err != nil {
			return err
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
