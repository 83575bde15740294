package transport_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"github.com/tideline-feeds/tideline/resolvers/transport"
)

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
