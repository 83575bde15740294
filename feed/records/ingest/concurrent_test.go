package ingest_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/records"
	"github.com/tideline-feeds/tideline/feed/records/ingest"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
)

// pollsBus has one partition with some polls, and then nothing more.
type pollsBus struct{ polls []ingest.Poll }

func (b *pollsBus) Partitions(context.Context) ([]string, error) { return []string{"0"}, nil }
func (b *pollsBus) Close() error                                 { return nil }

func (b *pollsBus) Open(context.Context, string, ingest.Place) (ingest.Partition, error) {
	return &pollsReader{slices.Clone(b.polls)}, nil
}

type pollsReader struct{ polls []ingest.Poll }

func (r *pollsReader) Close() {}

func (r *pollsReader) Poll(ctx context.Context) (ingest.Poll, error) {
	if len(r.polls) == 0 {
		return ingest.Poll{Identity: "one"}, briefly(ctx)
	}
	got := r.polls[0]
	r.polls = r.polls[1:]
	return got, ctx.Err()
}

// pairingStore applies batches of snapshots in pairs: it waits with each for the other one.
type pairingStore struct {
	feed.Ingester
	mu      sync.Mutex
	waiting chan struct{}
	log     []string
}

func (s *pairingStore) Ingest(ctx context.Context, b feed.SourceBatch) (feed.Ingested, error) {
	name := b.Origins[0].Position
	if b.Snapshot.Number == 1 {
		s.mu.Lock()
		other := s.waiting
		if other == nil {
			s.waiting = make(chan struct{})
			other = s.waiting
			s.mu.Unlock()
			select {
			case <-other:
			case <-ctx.Done():
				return feed.Ingested{}, ctx.Err()
			}
		} else {
			s.waiting = nil
			close(other)
			s.mu.Unlock()
		}
	}
	if name == "bad" {
		return feed.Ingested{}, errors.New("the disk is full")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log = append(s.log, name)
	return feed.Ingested{}, nil
}

func (s *pairingStore) applied() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.log)
}

// snapshotPoll is a poll of a snapshot with one record.
func snapshotPoll(position string, number int64) ingest.Poll {
	line := ingest.PayloadLine{Text: []byte(unversioned(7))}
	return ingest.Poll{
		Identity: "one", Snapshot: feed.SnapshotPart{Number: number}, Concurrent: number == 1,
		Messages: []ingest.Message{{Position: position, Lines: []ingest.PayloadLine{line}}},
	}
}

func TestConsumer_AppliesConcurrentPollsBeforeOthers(t *testing.T) {
	c := newConsumerTest(t)
	store := &pairingStore{Ingester: c.store}
	bus := &pollsBus{polls: []ingest.Poll{
		snapshotPoll("a", 1), snapshotPoll("b", 1), snapshotPoll("alone", 2), snapshotPoll("c", 1), snapshotPoll("d", 1), snapshotPoll("last", 2),
	}}
	stop := c.start("one", func(consumer *ingest.Consumer) { consumer.Bus, consumer.Sink.Store = bus, store })
	eventually.True(t, "all is applied", func() bool { return len(store.applied()) == len(bus.polls) })
	check(t, stop())
	log := store.applied()
	slices.Sort(log[:2])
	slices.Sort(log[3:5])
	if want := []string{"a", "b", "alone", "c", "d", "last"}; !slices.Equal(log, want) {
		t.Errorf("polls were applied in the order %v, want %v", log, want)
	}
}

// The partition is opened again after a failure, with nothing after it applied.
func TestConsumer_ConcurrentFailureOpensAgain(t *testing.T) {
	c := newConsumerTest(t)
	store := &pairingStore{Ingester: c.store}
	bus := &pollsBus{polls: []ingest.Poll{snapshotPoll("a", 1), snapshotPoll("bad", 1), snapshotPoll("alone", 2)}}
	stop := c.start("one", func(consumer *ingest.Consumer) { consumer.Bus, consumer.Sink.Store = bus, store })
	eventually.True(t, "it has begun twice", func() bool { return len(store.applied()) >= 2 })
	check(t, stop())
	for _, name := range store.applied() {
		if name != "a" {
			t.Errorf("%s was applied after a failure", name)
		}
	}
}

// A record that was made of values, and not of a line, has its line as the dead letter.
func TestConsumer_DeadLetterOfMadeRecord(t *testing.T) {
	c := newConsumerTest(t)
	user := func(id string) records.Made {
		return records.Made{Type: "follow", Members: []records.Member{
			{Name: "follower", Text: "7"}, {Name: "followee", Text: id}, {Name: "createdAt", Text: "2026-01-01T00:00:00.000Z"},
		}}
	}
	var lines []ingest.PayloadLine
	for _, id := range []string{"8", "7", "x"} {
		lines = append(lines, ingest.DecodedLine(records.Format{}.Make(user(id))))
	}
	bus := &pollsBus{polls: []ingest.Poll{{Identity: "one", Messages: []ingest.Message{{Position: "1", Lines: lines}}}}}
	stop := c.start("one", func(consumer *ingest.Consumer) { consumer.Bus = bus })
	c.await("1")
	check(t, stop())
	var got []string
	for _, l := range c.letters() {
		got = append(got, string(l.Text))
	}
	slices.Sort(got)
	want := []string{string(user("7").Line()), string(user("x").Line())}
	if !slices.Equal(got, want) {
		t.Errorf("the dead letters are %q, want %q", got, want)
	}
}

// tablesStore lists the tables and positions of batches.
type tablesStore struct {
	feed.Ingester
	mu  sync.Mutex
	log []string
}

func (s *tablesStore) Ingest(ctx context.Context, b feed.SourceBatch) (feed.Ingested, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log = append(s.log, fmt.Sprintf("%d %s-%s", len(b.Tables), b.Move.From, b.Move.To))
	return s.Ingester.Ingest(ctx, b)
}

// What a source says of its tables is stored at once, and before what follows.
func TestConsumer_StoresTablesBeforeMessages(t *testing.T) {
	c := newConsumerTest(t)
	message := func(position string) []ingest.Message {
		return []ingest.Message{{Position: position, Lines: []ingest.PayloadLine{{Text: []byte(unversioned(7))}}}}
	}
	tables := []feed.MirrorTable{{Name: "public.a", State: "new"}}
	store := &tablesStore{Ingester: c.store}
	bus := &pollsBus{polls: []ingest.Poll{
		{Identity: "one", Messages: message("1")}, {Identity: "one", Tables: tables}, {Identity: "one", Tables: tables, Messages: message("2")},
	}}
	stop := c.start("one", func(consumer *ingest.Consumer) { consumer.Bus, consumer.Sink.Store = bus, store })
	c.await("2")
	check(t, stop())
	store.mu.Lock()
	defer store.mu.Unlock()
	if want := []string{"0 -1", "1 1-1", "1 1-1", "0 1-2"}; len(store.log) < len(want) || !slices.Equal(store.log[:len(want)], want) {
		t.Errorf("the batches are %q, want %q", store.log, want)
	}
}

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
