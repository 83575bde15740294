package transport_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tideline-feeds/tideline/resolvers/transport"
)

// large has a response that is larger than what a client reads ahead.
const large = `{ large }`

func TestHTTP_EndsResponsesThatTakeTooLong(t *testing.T) {
	inBubble(t, transport.Options{ResponseWithin: 20 * time.Second}, func(b *bench) {
		response := b.ask(b.post(context.Background(), large, "application/json"))
		b.wantRunning(1, 0) // until it is written
		b.pass(19 * time.Second)
		b.wantRunning(1, 0)
		b.pass(2 * time.Second)
		b.wantRunning(1, 1)
		if text, err := io.ReadAll(response.Body); err == nil {
			b.t.Errorf("the client got all %d bytes after the deadline", len(text))
		}
	})
}

func TestHTTP_OperationsRunUntilTheyAreWritten(t *testing.T) {
	inBubble(t, transport.Options{}, func(b *bench) {
		response := b.ask(b.post(context.Background(), large, "application/json"))
		b.wantRunning(1, 0)
		if n := b.transport.Unsent(); n < largeBytes {
			b.t.Errorf("%d bytes are unsent", n)
		}
		if text, err := io.ReadAll(response.Body); err != nil || len(text) < largeBytes {
			b.t.Errorf("the client got %d bytes, %v", len(text), err)
		}
		b.wantRunning(1, 1)
		wantEqual(b.t, 0, b.transport.Unsent(), "the unsent bytes when all are read")
	})
}

// smallBudget has room for three large responses of one address.
func smallBudget(cut *int) transport.Options {
	return transport.Options{UnsentMax: 4 * 3 * (largeBytes + 16<<10), Cut: func() { *cut++ }}
}

func TestUnsent_CutsSlowStreamsAndResponses(t *testing.T) {
	for _, accept := range []string{"application/json", "text/event-stream"} {
		t.Run(accept, func(t *testing.T) {
			cut := 0
			inBubble(t, smallBudget(&cut), func(b *bench) {
				slow := b.ask(b.post(context.Background(), large, accept))
				b.wantRunning(1, 0) // a stream has its headers before its response is begun
				for range 3 {
					b.ask(b.post(context.Background(), large, accept))
				}
				b.wantRunning(4, 1)
				if text, err := io.ReadAll(slow.Body); err == nil || len(text) >= largeBytes {
					b.t.Errorf("the slowest client gets %d bytes, %v", len(text), err)
				}
				wantEqual(b.t, 1, cut, "the clients that were cut off")
			})
		})
	}
}

// Otherwise all would have their responses in memory at once.
func TestSocket_ExecutesFewOperationsAtOnce(t *testing.T) {
	inBubble(t, transport.Options{}, func(b *bench) {
		p := b.connected()
		const operations, atOnce = 10, 4
		for n := range operations + 1 {
			p.send(subscribe(fmt.Sprint(n), "{ slow }"))
		}
		b.wantRunning(atOnce, 0)
		p.send(fmt.Sprintf(`{"type":"complete","id":"%d"}`, operations)) // it waits, or another one does
		synctest.Wait()
		close(b.release)
		for range 2 * operations {
			if _, _, err := p.conn.Read(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
		p.send(`{"type":"ping"}`)
		p.want(`{"type":"pong"}`)
	})
}

func TestUnsent_CutsSlowSockets(t *testing.T) {
	cut := 0
	inBubble(t, smallBudget(&cut), func(b *bench) {
		slow := b.connected()
		slow.send(subscribe("1", large))
		b.wantRunning(1, 0)
		other := b.connected()
		other.send(subscribe("1", large)) // a message is there twice
		b.wantRunning(2, 1)
		if _, _, err := slow.conn.Read(context.Background()); err == nil {
			b.t.Error("the slowest socket got its message")
		}
		other.conn.SetReadLimit(2 * largeBytes)
		other.want(`{"id":"1","type":"next","payload":{"data":{"large":"` + strings.Repeat("x", largeBytes) + `"}}}`)
		other.want(`{"id":"1","type":"complete"}`)
		b.wantRunning(2, 2)
		wantEqual(b.t, 1, cut, "the clients that were cut off")
	})
}
