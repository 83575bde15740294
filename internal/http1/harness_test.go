package http1_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/internal/http1"
)

// patience is how long a test waits for what must come; then it has failed.
const patience = 20 * time.Second

// served is a server under test.
type served struct {
	addr string
	srv  *http1.Server
	rest *http.Server
	// logged is what the server has written.
	logged *lines
	// ended gets what Serve returned.
	ended chan error
	// taken counts the connections that net/http got.
	taken *counter
}

// lines is a log of a test.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

type counter struct {
	mu sync.Mutex
	n  int
	// more gets something each time.
	more chan struct{}
}

func (c *counter) add() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
	c.more <- struct{}{}
}

func (c *counter) value() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}

func streams(r *http.Request) bool { return r.Header.Get("Accept") == "text/event-stream" }

// newServed returns a server that answers by a handler and is not started.
func newServed(h http.HandlerFunc) *served {
	s := &served{logged: &lines{}, ended: make(chan error, 1), taken: &counter{more: make(chan struct{}, 1000)}}
	s.rest = &http.Server{
		Handler: h, ReadHeaderTimeout: patience, ErrorLog: log.New(s.logged, "", 0),
		ConnState: func(_ net.Conn, state http.ConnState) {
			if state == http.StateNew {
				s.taken.add()
			}
		},
	}
	s.srv = http1.New(s.rest, http1.Options{Streams: streams})
	return s
}

func (s *served) start(t *testing.T, l net.Listener) *served {
	t.Helper()
	s.addr = l.Addr().String()
	go func() { s.ended <- s.srv.Serve(l) }()
	t.Cleanup(func() {
		if err := s.srv.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func serve(t *testing.T, h http.HandlerFunc) *served {
	t.Helper()
	return newServed(h).start(t, listen(t))
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// serveByNetHTTP serves a handler as the standard library does.
func serveByNetHTTP(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	l := listen(t)
	srv := &http.Server{Handler: h, ReadHeaderTimeout: patience, ErrorLog: log.New(io.Discard, "", 0)}
	go func() { _ = srv.Serve(l) }()
	t.Cleanup(func() { _ = srv.Close() })
	return l.Addr().String()
}

// client is a connection of a test.
type client struct {
	t *testing.T
	net.Conn
	from *bufio.Reader
}

func dial(t *testing.T, addr string) *client {
	t.Helper()
	c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	_ = c.SetDeadline(time.Now().Add(patience))
	return &client{t, c, bufio.NewReader(c)}
}

func (c *client) send(text string) {
	c.t.Helper()
	if _, err := io.WriteString(c, text); err != nil {
		c.t.Fatal(err)
	}
}

// said is all that a client sees of an answer.
type said struct {
	Status string
	Header http.Header
	Body   string
	// Last says that the connection ends.
	Last bool
	Err  string
}

// receive returns the next answer to a request of a method.
func (c *client) receive(method string) said {
	c.t.Helper()
	resp, err := http.ReadResponse(c.from, &http.Request{Method: method})
	if err == nil && resp.StatusCode < http.StatusOK {
		return c.receive(method) // what comes before an answer nobody has to send
	}
	if err != nil {
		return said{Err: "no answer"}
	}
	body, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	resp.Header.Del("Date")
	if method != http.MethodHead {
		resp.Header.Del("Content-Length") // net/http sends what is long in chunks
	}
	out := said{Status: resp.Status, Header: resp.Header, Body: string(body), Last: resp.Close}
	if err != nil {
		out.Err = "half an answer"
	}
	return out
}

// over fails unless the server has closed the connection.
func (c *client) over() {
	c.t.Helper()
	if rest, err := io.ReadAll(c.from); len(rest) > 0 || isTimeout(err) {
		c.t.Errorf("the connection is not closed: %q, %v", rest, err)
	}
}

func isTimeout(err error) bool {
	var timeout net.Error
	return errors.As(err, &timeout) && timeout.Timeout()
}

// ask is a plain request for a path.
func ask(method, path string) string {
	if method != http.MethodPost {
		return method + " " + path + " HTTP/1.1\r\nHost: x\r\n\r\n"
	}
	return post(path, "a body")
}

func post(path, body string) string {
	return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s", path, len(body), body)
}
