package transport_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/coder/websocket"

	"github.com/tideline-feeds/tideline/internal/edge/transport"
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

// What operations keep counts in the budget of unsent bytes. Of its quarter, one client may have two
// large operations.
func TestIdle_LargeOperationsCountAsUnsent(t *testing.T) {
	const size = 1 << 20
	for name, begin := range map[string]func(b *bench) (wantEnd func()){
		"stream": func(b *bench) func() {
			s := b.subscribed(context.Background())
			return func() {
				s.want(": " + makeRoom + "\n\n")
				s.wantEnd()
			}
		},
		"socket": func(b *bench) func() {
			p := b.connected()
			p.send(subscribe("1", "subscription { ticks }"))
			return func() { p.wantClosed(websocket.StatusTryAgainLater, makeRoom) }
		},
		"unopened reservation": func(b *bench) func() {
			c := b.reserve("")
			c.wantStatus(http.StatusAccepted, "a", "{ name }")
			return func() { c.wantStatus(http.StatusNotFound, "b", "{ name }") }
		},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, transport.Options{UnsentMax: 10 * size}, func(b *bench) {
				b.transport.SizeOperations(func(*graphql.OperationContext) int { return size })
				wantEnd := begin(b)
				synctest.Wait()
				if got := b.transport.Unsent(); got < size/2 || got > 2*size {
					t.Errorf("one operation counts %d bytes", got)
				}
				for range 2 {
					b.subscribed(context.Background())
				}
				wantEnd()
				synctest.Wait()
				if got := b.transport.Unsent(); got < size || got > 10*size/4 {
					t.Errorf("two operations count %d bytes", got)
				}
			})
		})
	}
}

func TestIdle_FirstOperationsOfConnectionsAreFree(t *testing.T) {
	inBubble(t, transport.Options{}, func(b *bench) {
		p := b.connected()
		for _, id := range []string{"1", "2", "3"} {
			p.send(subscribe(id, "subscription { ticks }"))
			synctest.Wait()
			if free := id != "3"; free != (b.transport.Unsent() == 0) {
				t.Errorf("operation %s: %d bytes count", id, b.transport.Unsent())
			}
		}
		for _, id := range []string{"1", "2", "3"} {
			p.send(`{"type":"complete","id":"` + id + `"}`)
		}
		synctest.Wait()
		wantEqual(t, 0, b.transport.Unsent(), "the bytes that count after the end")
	})
}

// crowd is a server with places for few clients, whose holders tests choose.
type crowd struct {
	*bench
	holder string
}

func inCrowd(t *testing.T, o transport.Options, test func(*crowd)) {
	c := &crowd{holder: "stranger"}
	o.ConnectionKey = func(context.Context) string { return c.holder }
	inBubble(t, o, func(b *bench) {
		c.bench = b
		test(c)
	})
}

const makeRoom = "closed to make room for other clients; try again in a moment"

func TestConnections_StrangersMakeRoomForUsers(t *testing.T) {
	for name, begin := range map[string]func(c *crowd) (wantEnd func()){
		"stream": func(c *crowd) func() {
			s := c.subscribed(context.Background())
			return func() {
				s.want(": " + makeRoom + "\n\n")
				s.wantEnd()
			}
		},
		"multipart": func(c *crowd) func() {
			response := c.ask(c.post(context.Background(), "subscription { ticks }", `multipart/mixed;subscriptionSpec="1.0"`))
			return func() {
				c.wantResponse(response, http.StatusOK, "\r\n--graphql\r\nContent-Type: application/json\r\n\r\n"+
					`{"payload":null,"errors":[{"message":"`+makeRoom+`","extensions":{"code":"UNAVAILABLE"}}]}`+"\r\n--graphql--\r\n")
			}
		},
		"socket": func(c *crowd) func() {
			p := c.connected()
			return func() { p.wantClosed(websocket.StatusTryAgainLater, makeRoom) }
		},
		"reserved stream": func(c *crowd) func() {
			s := c.reserve("").open(context.Background())
			return func() {
				s.want(": " + makeRoom + "\n\n")
				s.wantEnd()
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			inCrowd(t, transport.Options{ConnectionsMax: 4, KeyConnectionsMax: 3}, func(c *crowd) {
				c.holder = "other"
				c.connected()
				c.holder = "stranger"
				wantEnd := begin(c)
				c.subscribed(context.Background())
				c.subscribed(context.Background())
				c.holder = "user"
				c.subscribed(context.Background())
				wantEnd()
				synctest.Wait()
				wantEqual(t, 4, c.transport.Open(), "the open connections")
			})
		})
	}
}

// A socket counts for its address until it signs in, and then for its user.
func TestSocket_CountsForItsUser(t *testing.T) {
	who := func(ctx context.Context, payload map[string]any) (context.Context, time.Time, error) {
		return context.WithValue(ctx, whoKey{}, payload["who"]), time.Time{}, nil
	}
	inBubble(t, transport.Options{Authenticate: who, ConnectionKey: owner, Holder: owner, KeyConnectionsMax: 1}, func(b *bench) {
		signIn := func(who string) *probe {
			p := b.connect()
			p.send(`{"type":"connection_init","payload":{"who":"` + who + `"}}`)
			return p
		}
		for _, who := range []string{"ann", "ben"} {
			signIn(who).want(`{"type":"connection_ack"}`)
		}
		signIn("ann").wantClosed(websocket.StatusTryAgainLater, "too many streams and sockets are open")
		synctest.Wait()
		wantEqual(t, 2, b.transport.Open(), "the open sockets")
	})
}

func TestReservation_UnopenedTakesNoPlace(t *testing.T) {
	inCrowd(t, transport.Options{ConnectionsMax: 20, KeyConnectionsMax: 10}, func(c *crowd) {
		put := func() int { return c.unreserved().StatusCode }
		for n := range 2 {
			c.holder = fmt.Sprint("stranger ", n)
			wantEqual(t, []int{http.StatusCreated, http.StatusTooManyRequests}, []int{put(), put()}, "the statuses of PUT")
		}
		wantEqual(t, 0, c.transport.Open(), "the places that they take")
		c.holder = "user"
		wantEqual(t, http.StatusServiceUnavailable, put(), "the status when all have as many")
		for range 10 {
			c.subscribed(context.Background())
		}
	})
}

func TestReservation_LargestHolderLosesItsOldest(t *testing.T) {
	inCrowd(t, transport.Options{ConnectionsMax: 30, KeyConnectionsMax: 30}, func(c *crowd) {
		first := c.reserve("")
		second := c.reserve("")
		c.reserve("")
		c.holder = "user"
		c.reserve("").open(context.Background())
		wantEqual(t, http.StatusNotFound, first.send(context.Background(), http.MethodGet, "", "").StatusCode, "the status of the evicted one")
		second.open(context.Background())
	})
}

// unreserved asks for a reservation that the server may refuse.
func (b *bench) unreserved() *http.Response {
	b.t.Helper()
	return reserved{bench: b}.send(context.Background(), http.MethodPut, "", "")
}

// The slot of an operation may go to another client, also while its response is written.
func TestEvict_CancelsAndCutsOff(t *testing.T) {
	inBubble(t, transport.Options{}, func(b *bench) {
		response := b.ask(b.post(context.Background(), large, "application/json"))
		b.wantRunning(1, 0)
		b.evict()
		b.wantRunning(1, 1)
		if text, err := io.ReadAll(response.Body); err == nil {
			t.Errorf("the client gets all %d bytes", len(text))
		}
		slow := make(chan *http.Response)
		go func() { slow <- b.ask(b.post(context.Background(), "{ slow }", "application/json")) }()
		b.wantRunning(2, 1)
		b.evict()
		b.wantResponse(<-slow, http.StatusOK, `{"errors":[{"message":"`+makeRoom+`","extensions":{"code":"UNAVAILABLE"}}],"data":null}`)
	})
}
