package http1_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// receiveFrom waits for a channel.
func receiveFrom[T any](t *testing.T, what string, from <-chan T) T {
	t.Helper()
	select {
	case value := <-from:
		return value
	case <-time.After(patience):
		t.Fatalf("%s: nothing comes", what)
		panic("unreachable")
	}
}

// held is a handler that says when a request has come, and answers it when it is let go or
// its context ends.
type held struct {
	come chan struct{}
	let  chan struct{}
	gone chan error
}

func newHeld() *held {
	return &held{make(chan struct{}, 100), make(chan struct{}), make(chan error, 100)}
}

func (h *held) handle(w http.ResponseWriter, r *http.Request) {
	h.come <- struct{}{}
	select {
	case <-h.let:
		_, _ = fmt.Fprintf(w, "%s", r.URL)
	case <-r.Context().Done():
		h.gone <- context.Cause(r.Context())
	}
}

// A server that stops answers what has come, in its own connections and in those of net/http,
// says that it is the last, and takes nothing more.
func TestAServerThatStopsFinishesWhatIsUnderWay(t *testing.T) {
	h := newHeld()
	s := newServed(h.handle).start(t, listen(t))
	idle, fresh := dial(t, s.addr), dial(t, s.addr)
	plain, chunked := dial(t, s.addr), dial(t, s.addr)
	idle.send(ask("GET", "/idle"))
	receiveFrom(t, "a request", h.come)
	h.let <- struct{}{}
	if got := idle.receive("GET"); got.Body != "/idle" {
		t.Fatalf("answered %+v", got)
	}
	plain.send(ask("GET", "/plain"))
	chunked.send("POST /chunked HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
	receiveFrom(t, "a request", h.come)
	receiveFrom(t, "a request", h.come)

	stopped := make(chan error, 1)
	go func() { stopped <- s.srv.Shutdown(t.Context()) }()
	idle.over()
	fresh.over()
	if err := receiveFrom(t, "the end of Serve", s.ended); !errors.Is(err, http.ErrServerClosed) {
		t.Errorf("Serve returns %v", err)
	}
	select {
	case err := <-stopped:
		t.Errorf("the server has stopped while requests are under way, %v", err)
	default:
	}
	close(h.let)
	for path, c := range map[string]*client{"/plain": plain, "/chunked": chunked} {
		if got := c.receive("GET"); got.Body != path || !got.Last {
			t.Errorf("answered %+v", got)
		}
		c.over()
	}
	if err := receiveFrom(t, "the end of Shutdown", stopped); err != nil {
		t.Errorf("Shutdown returns %v", err)
	}
	if c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", s.addr); err == nil {
		_ = c.Close()
		t.Error("the server still listens")
	}
}

func TestAServerWaitsForRequestsNoLongerThanItIsTold(t *testing.T) {
	h := newHeld()
	s := newServed(h.handle).start(t, listen(t))
	c := dial(t, s.addr)
	c.send(ask("GET", "/"))
	receiveFrom(t, "a request", h.come)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.srv.Shutdown(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Shutdown returns %v", err)
	}
	if err := s.srv.Close(); err != nil {
		t.Error(err)
	}
	if err := receiveFrom(t, "the end of the request", h.gone); !errors.Is(err, context.Canceled) {
		t.Errorf("the request ends with %v", err)
	}
	c.over()
}

// An answer may be complete before its handler has returned, and the server stop in between.
func TestAConnectionThatIsDoneAfterTheServerHasStoppedIsClosed(t *testing.T) {
	come, let := make(chan struct{}), make(chan struct{})
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "2")
		_, _ = io.WriteString(w, "ok")
		come <- struct{}{}
		<-let
	})
	idle, c := dial(t, s.addr), dial(t, s.addr)
	c.send(ask("GET", "/"))
	if got := c.receive("GET"); got.Body != "ok" || got.Last {
		t.Fatalf("answered %+v", got)
	}
	receiveFrom(t, "a request", come)
	stopped := make(chan error, 1)
	go func() { stopped <- s.srv.Shutdown(t.Context()) }()
	idle.over()
	select {
	case err := <-stopped:
		t.Errorf("the server has stopped while a handler runs, %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	close(let)
	c.over()
	if err := receiveFrom(t, "the end of Shutdown", stopped); err != nil {
		t.Errorf("Shutdown returns %v", err)
	}
}

func TestAServerThatWasStoppedBeforeItBeganDoesNotBegin(t *testing.T) {
	s := newServed(tell)
	if err := s.srv.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	if err := s.srv.Serve(listen(t)); !errors.Is(err, http.ErrServerClosed) {
		t.Errorf("Serve returns %v", err)
	}
}

// Who gives up must not keep a slow server busy.
func TestARequestEndsWhenItsClientIsGone(t *testing.T) {
	h := newHeld()
	s := newServed(h.handle).start(t, listen(t))
	filling := post("/", strings.Repeat("x", 4096-len(post("/", strings.Repeat("x", 4000)))+4000))
	for _, requests := range [][]string{{post("/", "body")}, {ask("GET", "/first"), post("/", "body")}, {filling}} {
		c := dial(t, s.addr)
		for i, request := range requests {
			if i > 0 {
				h.let <- struct{}{}
				c.receive("GET")
			}
			c.send(request)
			receiveFrom(t, "a request", h.come)
		}
		_ = c.Close()
		if err := receiveFrom(t, "the end of the request", h.gone); !errors.Is(err, context.Canceled) {
			t.Errorf("the request ends with %v", err)
		}
	}
}

// Deadlines are for what a client sends, not for how long it is answered.
func TestAClientThatLeavesLateIsNoticed(t *testing.T) {
	h := newHeld()
	s := newServed(h.handle)
	s.rest.ReadHeaderTimeout = 200 * time.Millisecond
	s.start(t, listen(t))
	c := dial(t, s.addr)
	c.send(ask("GET", "/"))
	receiveFrom(t, "a request", h.come)
	select {
	case err := <-h.gone:
		t.Fatalf("the request ends with %v", err)
	case <-time.After(400 * time.Millisecond):
	}
	_ = c.Close()
	if err := receiveFrom(t, "the end of the request", h.gone); !errors.Is(err, context.Canceled) {
		t.Errorf("the request ends with %v", err)
	}
}

// What a client sends while its request takes long is the next request, also when it comes to
// who looks whether the client is still there.
func TestWhatComesDuringARequestIsTheNextOne(t *testing.T) {
	long := time.NewTimer(0)
	<-long.C
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/long") {
			long.Reset(250 * time.Millisecond) // more than it takes until somebody looks
			<-long.C
		}
		body, _ := io.ReadAll(r.Body)
		_, _ = fmt.Fprintf(w, "%s %s", r.URL, body)
	})
	c := dial(t, s.addr)
	for _, next := range []string{post("/next", strings.Repeat("n", 3000)), ask("GET", "/long"), post("/next", strings.Repeat("m", 20_000))} {
		c.send(post("/long", "l"))
		c.send(next + ask("GET", "/last"))
		path, body, _ := strings.Cut(strings.Fields(next)[1]+" ", " ")
		if at := strings.Index(next, "\r\n\r\n"); at >= 0 {
			body = next[at+4:]
		}
		for _, want := range []string{"/long l", path + " " + body, "/last "} {
			if got := c.receive("GET"); got.Body != want {
				t.Fatalf("answered %+v, not %.20q", got, want)
			}
		}
	}
	if s.taken.value() != 0 {
		t.Error("net/http had to answer")
	}
}

func TestAPanicCutsTheConnectionAndIsLogged(t *testing.T) {
	s := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/abort" {
			panic(http.ErrAbortHandler)
		}
		panic("on purpose")
	})
	for _, path := range []string{"/abort", "/panic"} {
		if logged := s.logged.String(); logged != "" {
			t.Errorf("the log says %s", logged)
		}
		c := dial(t, s.addr)
		c.send(ask("GET", path))
		c.over()
	}
	if logged := s.logged.String(); strings.Count(logged, "on purpose") != 1 || !strings.Contains(logged, "stop_test.go") {
		t.Errorf("the log says %s", logged)
	}
}

// Of a request that has been answered nothing is left to whoever still holds it.
func TestNobodyReadsOrWritesInTheNextRequest(t *testing.T) {
	type leaked struct {
		w http.ResponseWriter
		r *http.Request
	}
	leaks := make(chan leaked, 1)
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		select {
		case before := <-leaks:
			if n, err := before.r.Body.Read(make([]byte, 100)); n != 0 || err == nil {
				t.Errorf("the body before gives %d bytes, %v", n, err)
			}
			before.w.WriteHeader(http.StatusTeapot)
			before.w.Header().Set("X-Before", "yes")
			if _, err := before.w.Write([]byte("before")); err == nil {
				t.Error("the answer before can be written")
			}
			if before.r.Context().Err() == nil {
				t.Error("the context before goes on")
			}
			if before.r.URL.Path != "/changed" {
				t.Errorf("the address before is %s", before.r.URL)
			}
		default:
		}
		if r.URL.Path != "/x" {
			t.Errorf("the address is %s", r.URL)
		}
		r.URL.Path = "/changed"
		leaks <- leaked{w, r}
		_, _ = fmt.Fprintf(w, "%s", r.RequestURI)
	})
	c := dial(t, s.addr)
	for range 3 {
		c.send(post("/x", "a body"))
		if got := c.receive("GET"); got.Body != "/x" || got.Status != "200 OK" || got.Header.Get("X-Before") != "" {
			t.Errorf("answered %+v", got)
		}
	}
}

func TestConnectionsOnWhichNothingComesAreClosed(t *testing.T) {
	for what, sent := range map[string]string{
		"nothing":               "",
		"the beginning of one":  "POST /graphql HTTP/1.1\r\nHost:",
		"a head without a body": "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc",
		"one and no more":       ask("GET", "/"),
		"one and half another":  ask("GET", "/") + "GET / HT",
	} {
		s := newServed(tell)
		s.rest.ReadHeaderTimeout, s.rest.ReadTimeout, s.rest.IdleTimeout = 20*time.Millisecond, 20*time.Millisecond, 20*time.Millisecond
		s.start(t, listen(t))
		c := dial(t, s.addr)
		c.send(sent)
		if strings.HasPrefix(sent, "GET") {
			if got := c.receive("GET"); got.Status != "200 OK" {
				t.Errorf("%s: answered %+v", what, got)
			}
		}
		c.over()
	}
}

// An idle connection has other deadlines than one that has just come, and each request counts.
func TestAConnectionThatIsUsedStaysOpen(t *testing.T) {
	s := newServed(tell)
	s.rest.ReadHeaderTimeout, s.rest.IdleTimeout = 200*time.Millisecond, patience
	s.start(t, listen(t))
	c := dial(t, s.addr)
	pause := time.NewTicker(250 * time.Millisecond)
	defer pause.Stop()
	for range 3 {
		c.send(ask("GET", "/"))
		if got := c.receive("GET"); got.Status != "200 OK" {
			t.Fatalf("answered %+v", got)
		}
		<-pause.C
	}
}

// A request that came slowly leaves no deadline behind.
func TestAConnectionStaysOpenBehindARequestInPieces(t *testing.T) {
	near, far := net.Pipe()
	p := make(pipes)
	s := newServed(tell)
	s.rest.ReadHeaderTimeout, s.rest.IdleTimeout = 200*time.Millisecond, patience
	s.start(t, p)
	_ = near.SetDeadline(time.Now().Add(patience))
	p <- far
	c := &client{t, near, bufio.NewReader(near)}
	c.send(ask("GET", "/"))
	c.receive("GET")
	c.send("GET / HTTP/1.1\r\n")
	c.send("Host: x\r\n\r\n")
	c.receive("GET")
	<-time.After(300 * time.Millisecond)
	c.send(ask("GET", "/"))
	if got := c.receive("GET"); got.Status != "200 OK" {
		t.Errorf("answered %+v", got)
	}
	_ = near.Close()
}

// The deadline of a connection moves on while it is used.
func TestAConnectionThatIsUsedIsNeverIdle(t *testing.T) {
	s := newServed(tell)
	s.rest.ReadHeaderTimeout, s.rest.IdleTimeout = 300*time.Millisecond, 300*time.Millisecond
	s.srv.SetArmedFor(time.Millisecond)
	s.start(t, listen(t))
	c := dial(t, s.addr)
	pause := time.NewTicker(100 * time.Millisecond)
	defer pause.Stop()
	for range 6 {
		<-pause.C
		c.send(ask("GET", "/"))
		if got := c.receive("GET"); got.Status != "200 OK" {
			t.Fatalf("answered %+v", got)
		}
	}
}

// What net/http answers may take as long as it likes.
func TestAConnectionThatIsHandedOverHasNoDeadlines(t *testing.T) {
	later := time.NewTimer(200 * time.Millisecond)
	s := newServed(func(w http.ResponseWriter, _ *http.Request) {
		<-later.C
		_, _ = io.WriteString(w, "ok")
	})
	s.srv.SetWriteWithin(50 * time.Millisecond)
	s.start(t, listen(t))
	c := dial(t, s.addr)
	c.send("GET / HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n")
	if got := c.receive("GET"); got.Body != "ok" {
		t.Errorf("answered %+v", got)
	}
}

// Many clients at once, each of which gets its own answers, whole and in order.
func TestAnswersAreNotMixedUp(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if len(body)%3 == 0 {
			w.Header().Set("Content-Length", fmt.Sprint(2*len(body)))
			_, _ = w.Write(bytes.Repeat(body, 2))
			return
		}
		_, _ = w.Write(body)
		_, _ = w.Write(body)
	})
	var clients sync.WaitGroup
	for n := range 16 {
		r := rand.New(rand.NewPCG(seed, uint64(n)))
		c := dial(t, s.addr)
		clients.Go(func() {
			for range 100 {
				body := strings.Repeat(string(rune('a'+n)), r.IntN(1000)) + strings.Repeat("z", r.IntN(2)*r.IntN(20_000))
				if _, err := io.WriteString(c, post("/", body)); err != nil {
					t.Errorf("client %d: %v", n, err)
					return
				}
				resp, err := http.ReadResponse(c.from, nil)
				if err != nil {
					t.Errorf("client %d: %v", n, err)
					return
				}
				got, err := io.ReadAll(resp.Body)
				_ = resp.Body.Close()
				if string(got) != body+body || err != nil {
					t.Errorf("client %d: of %d bytes come %d, %v", n, len(body), len(got), err)
					return
				}
			}
		})
	}
	clients.Wait()
}
