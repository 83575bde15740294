package gateway

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/internal/pipenet"
)

// served is a server in a synctest bubble.
type served struct {
	*http.Server
	listener *pipenet.Listener
	ended    chan error // what Serve returned
}

// testTimeouts differ, so that tests can tell which one applied.
var testTimeouts = Timeouts{Header: 5 * time.Second, Read: 10 * time.Second, Write: time.Minute, Idle: 2 * time.Minute}

// startServer serves h until the test ends. Call it in a synctest bubble, which fails if the
// server leaks a goroutine.
func startServer(t *testing.T, h http.HandlerFunc, log *slog.Logger) *served {
	s := &served{
		Server:   NewServer(h, testTimeouts, log),
		listener: pipenet.Listen(),
		ended:    make(chan error, 1),
	}
	go func() { s.ended <- s.Serve(s.listener) }()
	t.Cleanup(func() { _ = s.Server.Close() })
	return s
}

// testClient is the client side of a connection.
type testClient struct {
	t *testing.T
	net.Conn
	from *bufio.Reader
}

func (s *served) dial(t *testing.T) *testClient {
	near, err := s.listener.Dial(t.Context(), "", "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = near.Close() })
	return &testClient{t, near, bufio.NewReader(near)}
}

func (c *testClient) send(text string) {
	c.t.Helper()
	if _, err := io.WriteString(c, text); err != nil {
		c.t.Error(err)
	}
}

// answer is the part of a response that tests compare.
type answer struct {
	Status int
	Body   string
	// Last reports whether the server then closes the connection.
	Last bool
}

// receive returns the next response; the zero answer if the connection ends.
func (c *testClient) receive() answer {
	c.t.Helper()
	resp, err := http.ReadResponse(c.from, nil)
	if err != nil {
		return answer{}
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return answer{resp.StatusCode, string(body), resp.Close}
}

func (c *testClient) want(want answer) {
	c.t.Helper()
	if diff := cmp.Diff(want, c.receive()); diff != "" {
		c.t.Errorf("response (-want +got):\n%s", diff)
	}
}

// wantClosed reads until the connection ends, and returns how long that took.
func (c *testClient) wantClosed() time.Duration {
	c.t.Helper()
	start := time.Now()
	if _, err := io.Copy(io.Discard, c.from); err != nil {
		c.t.Errorf("the connection ends with %v", err)
	}
	return time.Since(start)
}

func get(path string) string { return "GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n" }

func post(path, body string) string {
	return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s", path, len(body), body)
}

// echo responds with the path and body of the request.
func echo(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	_, _ = fmt.Fprintf(w, "%s %s", r.URL.Path, body)
}

func TestServer_AnswersPipelinedRequestsInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := startServer(t, echo, discard())
		c := s.dial(t)
		go c.send(post("/1", "one") + get("/2") + post("/3", strings.Repeat("x", 20_000)))
		c.want(answer{200, "/1 one", false})
		c.want(answer{200, "/2 ", false})
		c.want(answer{200, "/3 " + strings.Repeat("x", 20_000), false})
	})
}

// A proxy and this server must agree on where a request ends.
func TestServer_RefusesAmbiguousRequests(t *testing.T) {
	for name, request := range map[string]string{
		"two lengths":             "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nbody",
		"a length with a sign":    "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: +4\r\n\r\nbody",
		"a list of lengths":       "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4, 5\r\n\r\nbody",
		"two hosts":               "GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
		"no host":                 "GET / HTTP/1.1\r\n\r\n",
		"a space before a colon":  "GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding : chunked\r\n\r\n",
		"a control character":     "GET / HTTP/1.1\r\nHost: x\r\nA: \x01\r\n\r\n",
		"a bare carriage return":  "GET / HTTP/1.1\r\nHost: x\r\nA: b\rC: d\r\n\r\n",
		"no request":              "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
		"an empty name":           "GET / HTTP/1.1\r\nHost: x\r\n: b\r\n\r\n",
		"an address with a space": "GET /a b HTTP/1.1\r\nHost: x\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := startServer(t, echo, discard())
				c := s.dial(t)
				go func() { _, _ = io.WriteString(c, request+get("/next")) }()
				if got := c.receive(); got.Status != http.StatusBadRequest || !got.Last {
					t.Errorf("got %+v", got)
				}
				c.wantClosed()
			})
		})
	}
}

func TestServer_RefusesEndlessHeaders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := startServer(t, echo, discard())
		c := s.dial(t)
		go func() { _, _ = io.WriteString(c, "GET / HTTP/1.1\r\nHost: x\r\nA: "+strings.Repeat("a", 2<<20)) }()
		if got := c.receive(); got.Status != http.StatusRequestHeaderFieldsTooLarge || !got.Last {
			t.Errorf("got %+v", got)
		}
		c.wantClosed()
	})
}

func TestServer_ClosesSilentConnections(t *testing.T) {
	for name, c := range map[string]struct {
		sent  string
		after time.Duration
	}{
		"nothing":               {"", testTimeouts.Header},
		"half a header":         {"POST /graphql HTTP/1.1\r\nHost:", testTimeouts.Header},
		"a header without body": {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc", testTimeouts.Read},
		"one request":           {get("/"), testTimeouts.Idle},
		"half of a second":      {get("/") + "GET / HT", testTimeouts.Header},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := startServer(t, echo, discard())
				client := s.dial(t)
				go client.send(c.sent)
				// After half a request, net/http closes up to half a second late.
				if took := client.wantClosed(); took < c.after || took > c.after+time.Second {
					t.Errorf("closed after %v, want %v", took, c.after)
				}
			})
		})
	}
}

func TestServer_KeepsUsedConnections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := startServer(t, echo, discard())
		c := s.dial(t)
		for range 5 {
			c.send(get("/"))
			c.want(answer{200, "/ ", false})
			<-time.After(testTimeouts.Idle - time.Second)
		}
	})
}

func TestServer_CutsOffClientsThatReadNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		written := make(chan error, 1)
		s := startServer(t, func(w http.ResponseWriter, _ *http.Request) {
			_, err := w.Write(make([]byte, 10_000))
			written <- err
		}, discard())
		start := time.Now()
		s.dial(t).send(get("/"))
		var timeout net.Error
		if err := <-written; !errors.As(err, &timeout) || !timeout.Timeout() {
			t.Errorf("the write ends with %v", err)
		}
		if took := time.Since(start); took != testTimeouts.Write {
			t.Errorf("the write ends after %v, want %v", took, testTimeouts.Write)
		}
	})
}

func TestServer_CancelsRequestsOfGoneClients(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began, gone := make(chan struct{}), make(chan error, 1)
		s := startServer(t, func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			began <- struct{}{}
			<-r.Context().Done()
			gone <- r.Context().Err()
		}, discard())
		c := s.dial(t)
		c.send(post("/", "body"))
		<-began
		_ = c.Close()
		if err := <-gone; !errors.Is(err, context.Canceled) {
			t.Errorf("the request ends with %v", err)
		}
	})
}

func TestServer_FinishesRequestsWhenStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began, release := make(chan struct{}), make(chan struct{})
		s := startServer(t, func(w http.ResponseWriter, r *http.Request) {
			began <- struct{}{}
			<-release
			echo(w, r)
		}, discard())
		idle, busy := s.dial(t), s.dial(t)
		go idle.send(get("/idle"))
		<-began
		release <- struct{}{}
		idle.want(answer{200, "/idle ", false})
		busy.send(get("/busy"))
		<-began
		stopped := make(chan error, 1)
		go func() { stopped <- s.Shutdown(t.Context()) }()
		idle.wantClosed()
		if err := <-s.ended; !errors.Is(err, http.ErrServerClosed) {
			t.Errorf("Serve returns %v", err)
		}
		if len(stopped) > 0 {
			t.Error("the server stopped before it responded")
		}
		close(release)
		busy.want(answer{200, "/busy ", true})
		busy.wantClosed()
		if err := <-stopped; err != nil {
			t.Errorf("Shutdown returns %v", err)
		}
	})
}

func TestServer_ShutdownHonoursDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began, gone := make(chan struct{}), make(chan struct{})
		s := startServer(t, func(_ http.ResponseWriter, r *http.Request) {
			began <- struct{}{}
			<-r.Context().Done()
			close(gone)
		}, discard())
		c := s.dial(t)
		c.send(get("/"))
		<-began
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := s.Shutdown(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Shutdown returns %v", err)
		}
		if err := s.Server.Close(); err != nil {
			t.Error(err)
		}
		<-gone
		c.wantClosed()
	})
}

// [Recover] handles most panics; one outside of it must not end the process either.
func TestServer_LogsPanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		s := startServer(t, func(http.ResponseWriter, *http.Request) { panic("on purpose") }, slog.New(slog.NewTextHandler(&log, nil)))
		c := s.dial(t)
		c.send(get("/"))
		c.wantClosed()
		synctest.Wait()
		if got := log.String(); strings.Count(got, "on purpose") != 1 || !strings.Contains(got, "level=WARN") {
			t.Errorf("the log is %q", got)
		}
	})
}

func TestSecureHeaders_KeepsHandlersOwn(t *testing.T) {
	h := SecureHeaders(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/own" {
			w.Header().Set("Content-Security-Policy", "default-src 'self'")
		}
	}))
	for _, c := range []struct{ path, policy string }{
		{"/own", "default-src 'self'"},
		{"/", "default-src 'none'; frame-ancestors 'none'"}, // also after /own
	} {
		header := serve(h, localRequest(http.MethodGet, c.path, "")).Header
		if got := header.Values("Content-Security-Policy"); !cmp.Equal(got, []string{c.policy}) {
			t.Errorf("%s: the policy is %q", c.path, got)
		}
		if got := header.Get("X-Content-Type-Options"); got != "nosniff" {
			t.Errorf("%s: X-Content-Type-Options is %q", c.path, got)
		}
	}
}
