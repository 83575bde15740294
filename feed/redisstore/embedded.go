package redisstore

import (
	"context"
	"crypto/rand"
	"fmt"
	"sync"
	"time"

	"github.com/alicebob/miniredis/v2"
)

// Embedded is a Redis inside this process, on a random loopback port with a random password. Close
// drops its data. It is for small loads: its large sorted sets are slow.
type Embedded struct {
	server *miniredis.Miniredis
	client *Client
	url    string
	// stop ends the clock, and clock waits for its end.
	stop  context.CancelFunc
	clock sync.WaitGroup
}

// tick is how late a key may expire: the task queue's leases and locks hold for many seconds.
const tick = time.Second

// OpenEmbedded starts and connects to a Redis. The context bounds the start only. Close the result.
func OpenEmbedded(ctx context.Context) (*Embedded, error) {
	server := miniredis.NewMiniRedis()
	password := rand.Text()
	server.RequireAuth(password)
	if err := server.Start(); err != nil {
		return nil, fmt.Errorf("start the embedded Redis: %w", err)
	}
	url := fmt.Sprintf("redis://:%s@%s/0", password, server.Addr())
	client, err := Open(ctx, url)
	if err != nil {
		server.Close()
		return nil, err
	}
	e := &Embedded{server: server, client: client, url: url}
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	e.stop = stop
	e.clock.Go(func() { e.drive(running) })
	return e, nil
}

// drive expires keys, because this Redis has no clock. Its option ClockTTL sorts all keys.
func (e *Embedded) drive(running context.Context) {
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	last := time.Now()
	for {
		select {
		case <-running.Done():
			return
		case now := <-ticker.C:
			e.server.FastForward(now.Sub(last))
			last = now
		}
	}
}

// URL returns the URL to [Open] this Redis from another process of this machine, with the password.
func (e *Embedded) URL() string { return e.url }

// Client returns the connection to this Redis; [Embedded.Close] closes it.
func (e *Embedded) Client() *Client { return e.client }

// Close closes the client, the server and its clock.
func (e *Embedded) Close() error {
	e.stop()
	e.clock.Wait()
	err := e.client.Close()
	e.server.Close()
	return err
}
