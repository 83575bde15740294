//go:build unix

package resolvers_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"github.com/tideline-feeds/tideline/internal/edge/transport"
	"github.com/tideline-feeds/tideline/resolvers"
)

// idleMax is the goal for the memory that one operation of a client keeps while nothing happens:
// 10,000 of them, one for each stream, take 640 MB.
const idleMax = 64 << 10

// idle is something that a client lets the server keep. begin makes n of it. base is the row with the
// stream that is not counted; empty to count all.
type idle struct {
	name  string
	begin func(c *idleClient, n int)
	base  string
}

const smallestStream = "a stream with the smallest subscription"

// idleRows are what clients can keep, each in its worst size.
func idleRows() []idle {
	return []idle{
		{smallestStream, func(c *idleClient, n int) {
			for range n {
				c.raw(get("subscription{homeFeedEdges{cursor}}"))
			}
		}, ""},
		{"an open socket", func(c *idleClient, n int) {
			for range n {
				c.socket(0, 0)
			}
		}, ""},
		{"a subscription on a socket", func(c *idleClient, n int) {
			for i := 0; i < n; i += 50 {
				c.socket(i, min(n, i+50))
			}
		}, ""},
		{"a subscription by POST, with 250 KB of extensions", func(c *idleClient, n int) {
			for i := range n {
				c.raw(streamed(i))
			}
		}, smallestStream},
		{"a subscription by GET", func(c *idleClient, n int) {
			for i := range n {
				c.raw(get(largestSubscription(i, 150)))
			}
		}, smallestStream},
		{"a reservation whose stream is not open", func(c *idleClient, n int) {
			for range n {
				c.reserve()
			}
		}, ""},
		{"a subscription of such a reservation", func(c *idleClient, n int) {
			token := c.reserve()
			for i := range n {
				c.begin(token, i)
			}
		}, ""},
	}
}

// largestSubscription is one that is not in the cache, and as large as it may be with a header and, by
// GET, with itself in the URL.
func largestSubscription(i, fields int) string {
	return fmt.Sprintf("subscription s%d { homeFeedEdges { node { %s } } }", i, strings.Repeat("text ", fields))
}

func idleBody(i int, extension string) string {
	body := fmt.Sprintf(`{"query":%q,"extensions":{%s"x":[`, largestSubscription(i, 170), extension)
	return body + strings.Repeat("{},", (250_000-len(body))/3) + `{}]}}`
}

func get(query string) string {
	return "GET /graphql?query=" + url.QueryEscape(query) + " HTTP/1.1\r\nHost: x\r\nX-Viewer: 1\r\nAccept: text/event-stream\r\n\r\n"
}

func streamed(i int) string {
	body := idleBody(i, "")
	return fmt.Sprintf("POST /graphql HTTP/1.1\r\nHost: x\r\nX-Viewer: 1\r\nAccept: text/event-stream\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
}

// idleClient is a client that keeps as little memory as it can.
type idleClient struct {
	*world
	server *httptest.Server
}

// raw sends a request and waits for the header of a stream.
func (c *idleClient) raw(request string) {
	c.t.Helper()
	conn, err := net.Dial("tcp", c.server.Listener.Addr().String())
	noError(c.t, err)
	c.t.Cleanup(func() { _ = conn.Close() })
	_, err = io.WriteString(conn, request)
	noError(c.t, err)
	status, err := bufio.NewReaderSize(conn, 16).ReadString('\n')
	if err != nil || !strings.Contains(status, " 200 ") {
		c.t.Fatalf("the response begins with %s, %v", status, err)
	}
}

func (c *idleClient) socket(from, to int) {
	c.t.Helper()
	conn, _, err := websocket.Dial(context.Background(), c.server.URL+"/graphql", &websocket.DialOptions{ //nolint:bodyclose // the library closes it
		Subprotocols: []string{"graphql-transport-ws"}, HTTPHeader: http.Header{"X-Viewer": {"1"}},
	})
	noError(c.t, err)
	c.t.Cleanup(func() { _ = conn.CloseNow() })
	send := func(text string) {
		noError(c.t, conn.Write(context.Background(), websocket.MessageText, []byte(text)))
	}
	send(`{"type":"connection_init"}`)
	for i := from; i < to; i++ {
		send(fmt.Sprintf(`{"type":"subscribe","id":"%d","payload":%s}`, i, idleBody(i, "")))
	}
}

func (c *idleClient) reserve() (token string) {
	c.t.Helper()
	return c.request(http.MethodPut, "", "", http.StatusCreated)
}

func (c *idleClient) begin(token string, i int) {
	c.t.Helper()
	c.request(http.MethodPost, token, idleBody(i, fmt.Sprintf(`"operationId":"%d",`, i)), http.StatusAccepted)
}

func (c *idleClient) request(method, token, body string, status int) string {
	c.t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), method, c.server.URL+"/graphql", strings.NewReader(body))
	noError(c.t, err)
	r.Header.Set("X-Viewer", "1")
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-GraphQL-Event-Stream-Token", token)
	response, err := c.server.Client().Do(r)
	noError(c.t, err)
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != status {
		c.t.Fatalf("the response to %s is %d %s, %v", method, response.StatusCode, text, err)
	}
	return string(text)
}

// measureIdle returns the rows of the table, and fails the test above idleMax.
func measureIdle(t *testing.T) string {
	t.Helper()
	var rows strings.Builder
	all := map[string]int{}
	for _, row := range idleRows() {
		all[row.name] = idleMemory(t, row)
		kept := all[row.name] - all[row.base]
		if kept > idleMax {
			t.Errorf("%s keeps %d bytes, more than %d", row.name, kept, idleMax)
		}
		name := row.name
		if row.base != "" {
			name += ", without its stream"
		}
		fmt.Fprintf(&rows, "| %s | %.1f |\n", name, float64(kept)/1000)
	}
	return idleHeader + rows.String()
}

const idleHeader = `
## Memory that an idle operation keeps

Subscriptions have the largest document that they may have, which no other one uses. Connections and the client of the test are included. The goal is 64 kB.

| operation | kB |
| --- | ---: |
`

// idleMemory returns the bytes that one of row keeps.
func idleMemory(t *testing.T, row idle) int {
	t.Helper()
	const n = 50
	w := newWorld(t, func(d *resolvers.Deps) {
		d.Transport = transport.New(transport.Options{InitWithin: 1 << 40}) // so that reservations stay
	})
	c := &idleClient{w, httptest.NewServer(transport.Detach(w.handler))}
	t.Cleanup(c.server.Close)
	t.Cleanup(func() { _ = w.deps.Transport.Drain(context.Background()) })
	row.begin(c, 1) // what all have in common
	settled := func(subscribers int) int {
		if strings.Contains(row.name, "subscription") && !strings.Contains(row.name, "reservation") {
			until(func() bool { return w.subscriptions.Subscribers() == subscribers })
		}
		for range 8 {
			runtime.GC()
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc + m.StackInuse)
	}
	before := settled(1)
	row.begin(c, n)
	return (settled(1+n) - before) / n
}

func TestIdle_OperationKeepsLittle(t *testing.T) {
	if testing.Short() {
		t.Skip("it collects garbage for three seconds")
	}
	t.Log(measureIdle(t))
}
