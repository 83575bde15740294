package ingest_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/records/ingest"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv/sqlitetest"
)

// memoryBus is a bus with one partition in memory. Positions count messages.
type memoryBus struct {
	mu       sync.Mutex
	identity string
	messages []string
	// down makes it fail.
	down bool
	// trimmed messages are gone.
	trimmed int
	// endless makes it claim that further messages follow.
	endless bool
	// sentAt is when messages were sent.
	sentAt time.Time
}

func (b *memoryBus) send(messages ...string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.messages = append(b.messages, messages...)
}

func (b *memoryBus) set(change func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	change()
}

func (b *memoryBus) Partitions(context.Context) ([]string, error) { return []string{"0"}, nil }
func (b *memoryBus) Close() error                                 { return nil }

func (b *memoryBus) Open(_ context.Context, _ string, after ingest.Place) (ingest.Partition, error) {
	at, _ := strconv.Atoi(after.Position)
	return &memoryReader{b, at}, nil
}

type memoryReader struct {
	*memoryBus
	at int
}

func (r *memoryReader) Close() {}

// pollMax is how many messages a poll of a [memoryBus] returns.
const pollMax = 100

// Poll waits for a moment if there are no messages, as buses do.
func (r *memoryReader) Poll(ctx context.Context) (ingest.Poll, error) {
	got, err := r.look()
	if err == nil && len(got.Messages) == 0 {
		return got, briefly(ctx)
	}
	return got, cmp.Or(err, ctx.Err())
}

// briefly waits for a moment, or until ctx ends.
func briefly(ctx context.Context) error {
	select {
	case <-ctx.Done():
	case <-time.After(2 * time.Millisecond):
	}
	return ctx.Err()
}

func (r *memoryReader) look() (ingest.Poll, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.down:
		return ingest.Poll{}, errors.New("connection refused")
	case r.at > 0 && r.at < r.trimmed:
		return ingest.Poll{}, &ingest.LostError{Reason: "messages were trimmed"}
	}
	got := ingest.Poll{Identity: r.identity}
	for ; r.at < len(r.messages) && len(got.Messages) < pollMax; r.at++ {
		got.Messages = append(got.Messages, ingest.Message{Position: strconv.Itoa(r.at + 1), Payload: []byte(r.messages[r.at]), At: r.sentAt})
	}
	got.Waiting = int64(len(r.messages) - r.at)
	got.CaughtUp = got.Waiting == 0 && !r.endless
	return got, nil
}

// lockedLog is the log of a consumer.
type lockedLog struct {
	mu  sync.Mutex
	out bytes.Buffer
}

func (l *lockedLog) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out.Write(b)
}

func (l *lockedLog) count(text string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.out.String(), text)
}

// consumerTest runs consumers over one store in memory.
type consumerTest struct {
	*testing.T
	store *sqlstore.Store
	bus   *memoryBus
	log   *lockedLog
	lag   chan time.Duration
	// done gets the error of the consumer that was started last.
	done <-chan error
}

func newConsumerTest(t *testing.T) *consumerTest {
	return &consumerTest{t, sqlitetest.New(t, time.Now), &memoryBus{identity: "one"}, &lockedLog{}, make(chan time.Duration, 1000), nil}
}

// start runs a consumer until stop is called, which returns its error.
func (c *consumerTest) start(holder string, change func(*ingest.Consumer)) (stop func() error) {
	sink := &ingest.Sink{
		Store: c.store, Progress: c.store, Queue: &feedtest.Queue{}, Evictor: noEvictor{}, Clock: time.Now, Policy: feed.DefaultPolicy(),
		Wait: func(ctx context.Context, _ time.Duration) error { return briefly(ctx) },
	}
	sink.Policy.Owned = feed.OwnedTypes()
	consumer := &ingest.Consumer{
		Sink: sink, Bus: c.bus, Source: "shop", Leaders: c.store, Holder: holder, Log: slog.New(slog.NewTextHandler(c.log, nil)),
		Lag: func(_, _ string, behind time.Duration) {
			select {
			case c.lag <- behind:
			default:
			}
		},
	}
	if change != nil {
		change(consumer)
	}
	ctx, cancel := context.WithCancel(c.Context())
	done := make(chan error, 1)
	c.done = done
	go func() { done <- consumer.Run(ctx) }()
	return func() error {
		cancel()
		return <-done
	}
}

type noEvictor struct{}

func (noEvictor) Evict([]feed.PostID, []feed.UserID) {}

func (c *consumerTest) position() string {
	list, err := c.store.Positions(c.Context(), "shop")
	check(c.T, err)
	if len(list) == 0 {
		return ""
	}
	return list[0].Position
}

func (c *consumerTest) await(position string) {
	c.Helper()
	eventually.True(c.T, "the position is "+position, func() bool { return c.position() == position })
}

func (c *consumerTest) letters() []feed.DeadLetter {
	list, err := c.store.DeadLetters(c.Context(), "shop", 0, 100)
	check(c.T, err)
	return list
}

func unversioned(id int) string {
	return fmt.Sprintf(`{"type":"user","id":"%d","handle":"u%d","name":"","createdAt":"2026-01-01T00:00:00Z"}`, id, id)
}

func TestConsumer_AppliesMessagesAndArrays(t *testing.T) {
	c := newConsumerTest(t)
	stop := c.start("one", nil)
	c.bus.send(unversioned(1), "["+unversioned(2)+", {broken]", "", "["+unversioned(3)+","+`{"type":"user"}`+"]", "x")
	c.await("5")
	check(t, stop())
	users, err := c.store.Users(t.Context(), []feed.UserID{1, 2, 3})
	check(t, err)
	var handles []string
	for _, u := range users {
		if u != nil {
			handles = append(handles, u.Handle)
		}
	}
	same(t, "the users", handles, []string{"u1", "u2", "u3"})
	var got []string
	for _, l := range c.letters() {
		got = append(got, l.Position+" "+string(l.Text))
		if l.Reason == "" {
			t.Errorf("the dead letter %s has no reason", l.Text)
		}
	}
	slices.Sort(got)
	same(t, "the dead letters", got, []string{"2 ", "2 {broken]", `4 {"type":"user"}`, "5 x"})
	same(t, "the last lag", <-c.lag, time.Duration(0))
}

// keepingBus is a bus that returns messages again.
type keepingBus struct{ *memoryBus }

func (b keepingBus) Message(_ context.Context, _ string, at ingest.Place) (ingest.Message, error) {
	if at.Identity != b.identity {
		return ingest.Message{}, &ingest.LostError{Reason: "it was created again"}
	}
	n, err := strconv.Atoi(at.Position)
	return ingest.Message{Payload: []byte(b.messages[n-1])}, err
}

func TestConsumer_KeepsPlacesOfWhatCanBeReread(t *testing.T) {
	const secret = `,"password":"secret"}`
	c := newConsumerTest(t)
	bus := keepingBus{c.bus}
	stop := c.start("one", func(c *ingest.Consumer) { c.Bus = bus })
	scheduled := strings.Replace(unversioned(7), "2026-", "2999-", 1)
	c.bus.send("["+unversioned(1)+`,{"type":"user","id":"2"`+secret+","+scheduled+"]", `{"x":1`+secret)
	c.await("2")
	check(t, stop())
	letters := c.letters()
	slices.SortFunc(letters, func(a, b feed.DeadLetter) int {
		return cmp.Or(cmp.Compare(a.Position, b.Position), a.Element-b.Element)
	})
	var got, again []string
	for i := range letters {
		l := &letters[i]
		got = append(got, fmt.Sprint(l.Position, " ", l.Element, " ", string(l.Text)))
		positions, err := c.store.Positions(t.Context(), "shop")
		check(t, err)
		line, err := ingest.Reread(t.Context(), bus, ingest.Payloads{}, positions, l)
		check(t, err)
		again = append(again, string(line))
	}
	same(t, "the letters", got, []string{`1 2 {"type":"user","id":"2"}`, `1 3 {"type":"user","id":"7"}`, "2 1 "})
	same(t, "the lines", again, []string{`{"type":"user","id":"2"` + secret, scheduled, `{"x":1` + secret})
	var lost *ingest.LostError
	for name, l := range map[string]feed.DeadLetter{
		"another mapping": {Partition: "0", LineOrigin: feed.LineOrigin{Position: "2", Element: 2}},
		"another bus":     {Partition: "1", LineOrigin: feed.LineOrigin{Position: "2", Element: 1}},
	} {
		positions, _ := c.store.Positions(t.Context(), "shop")
		if _, err := ingest.Reread(t.Context(), bus, ingest.Payloads{}, positions, &l); !errors.As(err, &lost) {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
}

func TestConsumer_ContinuesAtStoredPosition(t *testing.T) {
	c := newConsumerTest(t)
	for i, position := range []string{"2", "4", "6"} {
		c.bus.send(unversioned(2*i+1), "bad")
		stop := c.start(position, nil)
		c.await(position)
		_ = stop()
	}
	same(t, "dead letters", len(c.letters()), 3)
}

// moves keeps the moves of positions.
type moves struct {
	feed.Ingester
	mu   sync.Mutex
	list []feed.PositionMove
	// bulk says of each batch whether it was part of a bulk load.
	bulk []bool
}

func (m *moves) Ingest(ctx context.Context, b feed.SourceBatch) (feed.Ingested, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.list, m.bulk = append(m.list, b.Move), append(m.bulk, b.Bulk)
	return m.Ingester.Ingest(ctx, b)
}

func (m *moves) count() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.list)
}

// A toy reports only its own reads, so nothing shows a lag once it has stopped.
func TestConsumer_StoresLag(t *testing.T) {
	c := newConsumerTest(t)
	stored := &moves{Ingester: c.store}
	var now atomic.Int64
	now.Store(time.Hour.Milliseconds())
	c.bus.sentAt = time.UnixMilli(now.Load() - 700)
	for range pollMax + 20 {
		c.bus.send("")
	}
	stop := c.start("one", func(c *ingest.Consumer) {
		c.Sink.Store = stored
		c.Sink.Clock = func() time.Time { return time.UnixMilli(now.Load()) }
	})
	c.await("120")
	same(t, "the moves", stored.list, []feed.PositionMove{
		{Partition: "0", Identity: "one", To: "100", Lag: feed.SourceLag{Millis: 700, Messages: 20}},
		{Partition: "0", Identity: "one", From: "100", To: "120"},
	})
	now.Add(2000)
	eventually.True(t, "a partition without messages stores that", func() bool { return stored.count() == 3 })
	check(t, stop())
	same(t, "the last move", stored.list[2], feed.PositionMove{Partition: "0", Identity: "one", From: "120", To: "120"})
}

// loading reports whether a bulk load runs.
func (c *consumerTest) loading() bool {
	c.Helper()
	report, err := c.store.ReportSources(c.Context())
	check(c.T, err)
	return report.Load.Since > 0
}

func TestConsumer_BulkLoadEndsAtTheEnd(t *testing.T) {
	c := newConsumerTest(t)
	stored := &moves{Ingester: c.store}
	for id := range pollMax + 20 {
		c.bus.send(unversioned(id + 1))
	}
	bulk := func(c *ingest.Consumer) { c.Sink.Store, c.Loads = stored, c.Leaders.(feed.BulkLoads) }
	stop := c.start("one", bulk)
	eventually.True(t, "the load is complete", func() bool { return c.log.count("bulk load complete") == 1 })
	same(t, "whether a load runs", c.loading(), false)
	c.bus.send(unversioned(500))
	c.await("121")
	check(t, stop())
	same(t, "whether batches were part of the load", stored.bulk, []bool{true, true, false})
	same(t, "whether a load runs at last", c.loading(), false)
}

// A toy leaves feeds without inboxes if its load is stopped.
func TestConsumer_BulkLoadEndsWithItsProcess(t *testing.T) {
	c := newConsumerTest(t)
	for id := range pollMax {
		c.bus.send(unversioned(id + 1))
	}
	c.bus.set(func() { c.bus.endless = true })
	bulk := func(store feed.Ingester) func(c *ingest.Consumer) {
		return func(c *ingest.Consumer) { c.Sink.Store, c.Loads = store, c.Leaders.(feed.BulkLoads) }
	}
	stop := c.start("one", bulk(c.store))
	c.await("100")
	same(t, "whether a load runs", c.loading(), true)
	check(t, stop())
	same(t, "whether a load runs after the stop", c.loading(), false)
	c.bus.send(unversioned(500))
	c.bus.set(func() { c.bus.endless = false })
	stored := &moves{Ingester: c.store}
	stop = c.start("two", bulk(stored))
	eventually.True(t, "the load is complete", func() bool { return c.log.count("bulk load complete") == 1 })
	_ = stop()
	same(t, "whether the rest was part of the load", stored.bulk, []bool{true})
}

func TestConsumer_StopsWithOneLine(t *testing.T) {
	for name, c := range map[string]struct {
		prepare func(*memoryBus)
		want    string
	}{
		"created again": {func(b *memoryBus) { b.identity = "two" }, "its identity is two, and not one"},
		"lost messages": {func(b *memoryBus) { b.trimmed = 3 }, "messages were trimmed"},
	} {
		t.Run(name, func(t *testing.T) {
			test := newConsumerTest(t)
			test.bus.send(unversioned(1), unversioned(2))
			stop := test.start("one", nil)
			test.await("2")
			_ = stop()
			test.bus.send(unversioned(3), unversioned(4))
			test.bus.set(func() { c.prepare(test.bus) })
			text := test.ends(nil)
			if !strings.Contains(text, c.want) || !strings.Contains(text, "source shop, partition 0: cannot continue after position 2") || strings.Contains(text, "\n") {
				t.Errorf("the error is %q", text)
			}
			same(t, "the position", test.position(), "2")
		})
	}
}

// ends returns the error with which a consumer ends by itself.
func (c *consumerTest) ends(change func(*ingest.Consumer)) string {
	c.Helper()
	c.start("last", change)
	return fmt.Sprint(eventually.Receive(c.T, "the end of the consumer", c.done))
}

func TestConsumer_StrictStopsBeforeBadRecord(t *testing.T) {
	c := newConsumerTest(t)
	c.bus.send(unversioned(1), unversioned(2), "["+unversioned(3)+`,"x"]`, unversioned(4))
	strict := func(c *ingest.Consumer) { c.Strict = true }
	for range 2 {
		if text := c.ends(strict); !strings.Contains(text, "stopped at position 3, whose record is bad: ") {
			t.Errorf("the error is %q", text)
		}
		same(t, "the position", c.position(), "2")
	}
	same(t, "dead letters", len(c.letters()), 0)
}

func TestConsumer_LogsAnOutageOnce(t *testing.T) {
	c := newConsumerTest(t)
	c.bus.down = true
	stop := c.start("one", nil)
	eventually.True(t, "the outage is logged", func() bool { return c.log.count("cannot read the source; retrying") == 1 })
	c.bus.send(unversioned(1))
	c.bus.set(func() { c.bus.down = false })
	c.await("1")
	_ = stop()
	same(t, "lines", c.log.count("\n"), 2)
	same(t, "lines about its end", c.log.count("the source can be read again"), 1)
}

// A zombie believes that it leads.
type zombie struct{ feed.Leaders }

func (zombie) Lead(context.Context, string, string, time.Duration) (bool, error) { return true, nil }

func TestConsumer_AppliesNothingTwice(t *testing.T) {
	c := newConsumerTest(t)
	var stops []func() error
	for _, holder := range []string{"one", "two", "three"} {
		stops = append(stops, c.start(holder, func(c *ingest.Consumer) { c.Leaders = zombie{c.Leaders} }))
	}
	for i := range 200 {
		c.bus.send("bad " + strconv.Itoa(i))
	}
	c.await("200")
	for _, stop := range stops {
		if err := stop(); err != nil {
			t.Error(err)
		}
	}
	var got []string
	for after := int64(0); ; {
		list, err := c.store.DeadLetters(t.Context(), "shop", after, 100)
		check(t, err)
		if len(list) == 0 {
			break
		}
		for _, l := range list {
			got = append(got, string(l.Text))
			after = l.ID
		}
	}
	for i := range 200 {
		if i >= len(got) || got[i] != "bad "+strconv.Itoa(i) {
			t.Fatalf("letter %d of %d is wrong", i, len(got))
		}
	}
	same(t, "letters", len(got), 200)
}

func TestConsumer_OneProcessLeads(t *testing.T) {
	c := newConsumerTest(t)
	first := c.start("one", nil)
	c.bus.send(unversioned(1))
	c.await("1")
	second := c.start("two", nil)
	c.bus.send(unversioned(2))
	c.await("2")
	_ = first()
	c.bus.send(unversioned(3))
	c.await("3")
	_ = second()
	same(t, "lines about moved positions", c.log.count("another process"), 0)
}
