package ingest_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/ingest"
)

// slowIngester applies a batch after a time, unless its context ends before.
type slowIngester struct {
	feed.Ingester
	takes          time.Duration
	begun, stopped atomic.Int32
}

func (s *slowIngester) Ingest(ctx context.Context, b feed.SourceBatch) (feed.Ingested, error) {
	if len(b.Records) > 0 {
		s.begun.Add(1)
		select {
		case <-time.After(s.takes):
		case <-ctx.Done():
			s.stopped.Add(1)
			return feed.Ingested{}, ctx.Err()
		}
	}
	return s.Ingester.Ingest(ctx, b)
}

// A toy renews its lease between batches, and a standby takes over during a long one.
func TestConsumer_LeadsDuringLongBatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newConsumerTest(t)
		slow := &slowIngester{Ingester: c.store, takes: time.Minute}
		var stops []func() error
		for _, holder := range []string{"one", "two"} {
			stops = append(stops, c.start(holder, func(c *ingest.Consumer) { c.Sink.Store = slow }))
		}
		c.bus.send(unversioned(1))
		time.Sleep(2 * slow.takes)
		same(t, "the position", c.position(), "1")
		same(t, "batches", slow.begun.Load(), int32(1))
		for _, stop := range stops {
			if err := stop(); err != nil {
				t.Error(err)
			}
		}
		same(t, "lines in the log", c.log.count("\n"), 0)
	})
}

// deposable leads until it is deposed.
type deposable struct {
	feed.Leaders
	deposed atomic.Bool
}

func (d *deposable) Lead(ctx context.Context, name, holder string, lease time.Duration) (bool, error) {
	if d.deposed.Load() {
		return false, nil
	}
	return d.Leaders.Lead(ctx, name, holder, lease)
}

func TestConsumer_StopsBatchWhenDeposed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newConsumerTest(t)
		slow := &slowIngester{Ingester: c.store, takes: time.Hour}
		leaders := &deposable{Leaders: c.store}
		stop := c.start("one", func(c *ingest.Consumer) { c.Sink.Store, c.Leaders = slow, leaders })
		c.bus.send(unversioned(1))
		time.Sleep(time.Minute)
		same(t, "stopped batches of a leader", slow.stopped.Load(), int32(0))
		leaders.deposed.Store(true)
		time.Sleep(5 * time.Second)
		same(t, "stopped batches", slow.stopped.Load(), int32(1))
		same(t, "batches", slow.begun.Load(), int32(1))
		same(t, "the position", c.position(), "")
		_ = stop()
	})
}
