package redisstore

import (
	"context"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	// pingEvery detects a dead connection, which is as silent as one without messages.
	pingEvery = time.Second
	// silence is how long a connection may be silent before it counts as dead.
	silence = pingEvery + replyTimeout
)

// listenTo calls heed with each message until ctx ends, the connection is lost, or a function
// fails. It calls subscribed when Redis has confirmed the subscription, and again after the library
// has reconnected. The library's own channel hides lost and silent connections.
func listenTo(ctx context.Context, client redis.UniversalClient, channel string, subscribed func() error, heed func(text string) error) error {
	sub := client.Subscribe(ctx, channel)
	var pings sync.WaitGroup
	defer pings.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	// An ended context does not wake the receiver; closing does.
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
