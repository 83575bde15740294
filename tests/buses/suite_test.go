// Package buses has the tests of message buses on real servers.
package buses

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/connect/bus"
	"github.com/tideline-feeds/tideline/feed/records/ingest"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// server is a message bus with one stream or topic, as its producers use it.
type server interface {
	// url is that of the stream or topic.
	url() string
	// create creates it empty, remove removes it.
	create(t *testing.T)
	remove(t *testing.T)
	// send appends messages to the only partition.
	send(t *testing.T, payloads ...[]byte)
	// trim removes all messages but the last keep.
	trim(t *testing.T, keep int)
}

// stopper is a server that can be stopped and started with its messages.
type stopper interface {
	stop(t *testing.T)
	start(t *testing.T)
}

// conform checks the promises of [ingest.Bus] and [ingest.Partition]. All tests but one have the same
// server, with streams or topics of the same name.
func conform(t *testing.T, start func(t *testing.T) server) {
	t.Helper()
	s := start(t)
	for name, check := range map[string]func(*testing.T, *busTest){
		"messages come in order, after any of them": inOrder,
		"a new stream has no messages":              startsEmpty,
		"positions grow":                            positionsGrow,
		"trimmed messages that were read are fine":  trimsRead,
		"trimmed messages that were unread stop":    trimsUnread,
		"a source that was created again stops":     createdAgain,
		"a large message is cut":                    largeMessage,
		"a message is read again while it is there": readsAgain,
		"polls are bounded and tell what waits":     boundedPolls,
	} {
		t.Run(name, func(t *testing.T) {
			b := &busTest{t, s, openBus(t, s)}
			check(t, b)
			s.remove(t)
		})
	}
	t.Run("a bus that stops is read again", func(t *testing.T) {
		s := start(t)
		stops(t, &busTest{t, s, openBus(t, s)})
	})
}

func openBus(t *testing.T, s server) ingest.Bus {
	t.Helper()
	b, source, err := bus.Open(s.url())
	if err != nil || source == "" {
		t.Fatalf("cannot open the bus: %q, %v", source, err)
	}
	t.Cleanup(func() { _ = b.Close() })
	return b
}

type busTest struct {
	*testing.T
	server server
	bus    ingest.Bus
}

func (b *busTest) open(after ingest.Place) (ingest.Partition, error) {
	b.Helper()
	var names []string
	eventually.Succeeds(b.T, "listing the partitions", func() (err error) {
		if names, err = b.bus.Partitions(b.Context()); err == nil && len(names) != 1 {
			err = fmt.Errorf("the partitions are %v", names)
		}
		return err
	})
	return b.bus.Open(b.Context(), names[0], after)
}

// opened is open without an error.
func (b *busTest) opened(after ingest.Place) ingest.Partition {
	b.Helper()
	p, err := b.open(after)
	harness.Check(b.T, err)
	return p
}

// read reads n messages after a place.
func (b *busTest) read(after ingest.Place, n int) ([]ingest.Message, ingest.Place) {
	b.Helper()
	var list []ingest.Message
	p := b.opened(after)
	defer p.Close()
	eventually.True(b.T, fmt.Sprintf("%d messages arrive", n), func() bool {
		got, err := p.Poll(b.Context())
		harness.Check(b.T, err)
		list = append(list, got.Messages...)
		if len(got.Messages) > 0 {
			after = ingest.Place{Identity: got.Identity, Position: list[len(list)-1].Position}
		}
		return len(list) >= n
	})
	return list, after
}

// lost fails unless reading after a place returns a [*ingest.LostError].
func (b *busTest) lost(after ingest.Place) {
	b.Helper()
	p, err := b.open(after)
	for range 100 {
		if err != nil {
			break
		}
		var got ingest.Poll
		if got, err = p.Poll(b.Context()); len(got.Messages) > 0 {
			b.Fatalf("%d messages were read from %s on", len(got.Messages), got.Messages[0].Position)
		}
	}
	var lost *ingest.LostError
	if !errors.As(err, &lost) || strings.Contains(lost.Reason, "\n") {
		b.Errorf("reading after %+v returns %v", after, err)
	}
	b.Log(err)
	if p != nil {
		p.Close()
	}
}

func texts(from, to int) [][]byte {
	var list [][]byte
	for i := from; i <= to; i++ {
		list = append(list, fmt.Appendf(nil, "message %d", i))
	}
	return list
}

func (b *busTest) expect(got []ingest.Message, want [][]byte) {
	b.Helper()
	if !slices.EqualFunc(got, want, func(m ingest.Message, p []byte) bool { return m.Bad == "" && bytes.Equal(m.Payload, p) }) {
		b.Errorf("got %d messages, want %d: %.200v", len(got), len(want), got)
	}
}

func inOrder(t *testing.T, b *busTest) {
	b.server.create(t)
	b.server.send(t, texts(1, 5)...)
	got, end := b.read(ingest.Place{}, 5)
	b.expect(got, texts(1, 5))
	b.server.send(t, texts(6, 8)...)
	got, _ = b.read(end, 3)
	b.expect(got, texts(6, 8))
	got, _ = b.read(ingest.Place{Identity: end.Identity, Position: got[0].Position}, 2)
	b.expect(got, texts(7, 8))
	if age := time.Since(got[0].At); age < -time.Hour || age > time.Hour {
		t.Errorf("the message is from %v", got[0].At)
	}
}

func startsEmpty(t *testing.T, b *busTest) {
	b.server.create(t)
	p := b.opened(ingest.Place{})
	defer p.Close()
	eventually.True(t, "the reader is at the end", func() bool {
		got, err := p.Poll(t.Context())
		if err != nil || len(got.Messages) != 0 {
			t.Fatalf("%d messages, %v", len(got.Messages), err)
		}
		return got.CaughtUp
	})
}

func positionsGrow(t *testing.T, b *busTest) {
	b.server.create(t)
	b.server.send(t, texts(1, 30)...)
	got, _ := b.read(ingest.Place{}, 30)
	number := func(position string) (n [2]uint64) {
		_, _ = fmt.Sscanf(strings.Replace(position, "-", " ", 1), "%d %d", &n[0], &n[1])
		return n
	}
	for i := range got[1:] {
		a, b := number(got[i].Position), number(got[i+1].Position)
		if slices.Compare(a[:], b[:]) >= 0 {
			t.Errorf("position %s is followed by %s", got[i].Position, got[i+1].Position)
		}
	}
}

func trimsRead(t *testing.T, b *busTest) {
	b.server.create(t)
	b.server.send(t, texts(1, 5)...)
	_, end := b.read(ingest.Place{}, 5)
	// The reader has been at the end once before messages go.
	p := b.opened(end)
	if _, err := p.Poll(t.Context()); err != nil {
		t.Fatal(err)
	}
	p.Close()
	b.server.send(t, texts(6, 7)...)
	b.server.trim(t, 2)
	got, _ := b.read(end, 2)
	b.expect(got, texts(6, 7))
}

func trimsUnread(t *testing.T, b *busTest) {
	b.server.create(t)
	b.server.send(t, texts(1, 5)...)
	_, end := b.read(ingest.Place{}, 5)
	b.server.send(t, texts(6, 9)...)
	b.server.trim(t, 2)
	b.lost(end)
}

func createdAgain(t *testing.T, b *busTest) {
	b.server.create(t)
	b.server.send(t, texts(1, 5)...)
	_, end := b.read(ingest.Place{}, 5)
	b.server.remove(t)
	b.server.create(t)
	b.server.send(t, texts(1, 9)...)
	b.lost(end)
}

func largeMessage(t *testing.T, b *busTest) {
	b.server.create(t)
	if s, limited := b.server.(interface{ largest() int }); limited && s.largest() < ingest.PayloadMax {
		return // the bus accepts no large messages
	}
	large := bytes.Repeat([]byte("x"), ingest.PayloadMax+1)
	b.server.send(t, large, []byte("small"))
	got, _ := b.read(ingest.Place{}, 2)
	if got[0].Bad == "" || len(got[0].Payload) > ingest.PayloadKept || got[1].Bad != "" || string(got[1].Payload) != "small" {
		t.Errorf("the messages are %d bytes, %q, and %q, %q", len(got[0].Payload), got[0].Bad, got[1].Payload, got[1].Bad)
	}
}

func boundedPolls(t *testing.T, b *busTest) {
	b.server.create(t)
	payload := bytes.Repeat([]byte("x"), 100_000)
	var list [][]byte
	for range 120 {
		list = append(list, payload)
	}
	b.server.send(t, list...)
	p := b.opened(ingest.Place{})
	defer p.Close()
	count := 0
	eventually.True(t, "all messages arrive", func() bool {
		got, err := p.Poll(t.Context())
		harness.Check(t, err)
		size := 0
		for _, m := range got.Messages {
			size += len(m.Payload)
		}
		if size > 2*ingest.PollBytes {
			t.Errorf("a poll has %d bytes", size)
		}
		count += len(got.Messages)
		if waiting := int64(len(list) - count); len(got.Messages) > 0 && got.Waiting != waiting || got.CaughtUp && waiting > 0 {
			t.Errorf("a poll tells that %d messages wait (caught up: %v), and %d do", got.Waiting, got.CaughtUp, waiting)
		}
		return count == len(list)
	})
}

func stops(t *testing.T, b *busTest) {
	s, ok := b.server.(stopper)
	if !ok {
		return
	}
	b.server.create(t)
	b.server.send(t, texts(1, 2)...)
	_, end := b.read(ingest.Place{}, 2)
	p := b.opened(end)
	s.stop(t)
	var err error
	eventually.True(t, "the reader fails", func() bool {
		_, err = p.Poll(t.Context())
		return err != nil
	})
	var lost *ingest.LostError
	if errors.As(err, &lost) {
		t.Fatalf("a stopped bus counts as lost: %v", err)
	}
	p.Close()
	s.start(t)
	b.server.send(t, texts(3, 3)...)
	eventually.Succeeds(t, "opening the partition", func() error {
		p, err := b.open(end)
		if err != nil {
			return err
		}
		defer p.Close()
		got, err := p.Poll(t.Context())
		if err == nil && len(got.Messages) == 0 {
			err = errors.New("no messages")
		}
		if err == nil {
			b.expect(got.Messages, texts(3, 3))
		}
		return err
	})
}

func readsAgain(t *testing.T, b *busTest) {
	b.server.create(t)
	b.server.send(t, []byte("a"), []byte("b"), []byte("c"))
	list, end := b.read(ingest.Place{}, 3)
	again := func(position, identity string) (ingest.Message, error) {
		return b.bus.(ingest.Rereader).Message(t.Context(), "0", ingest.Place{Identity: identity, Position: position})
	}
	for _, m := range list {
		got, err := again(m.Position, end.Identity)
		if err != nil || string(got.Payload) != string(m.Payload) || got.Position != m.Position || got.Key != m.Key || !got.At.Equal(m.At) {
			t.Errorf("the message %+v is read again as %+v, %v", m, got, err)
		}
	}
	b.server.trim(t, 1)
	var lost *ingest.LostError
	if got, err := again(list[0].Position, end.Identity); !errors.As(err, &lost) {
		t.Errorf("a trimmed message is read again as %+v, %v", got, err)
	}
	b.server.remove(t)
	b.server.create(t)
	b.server.send(t, []byte("d"), []byte("e"), []byte("f"))
	if got, err := again(list[2].Position, end.Identity); !errors.As(err, &lost) {
		t.Errorf("a message of another stream is read as %+v, %v", got, err)
	}
}

func TestMain(m *testing.M) { os.Exit(harness.Main(m)) }
