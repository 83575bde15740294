package http1_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/internal/http1"
)

// seen is what a handler sees of a request.
type seen struct {
	Method, URL, RequestURI, Proto, Host, Body string
	Header                                     http.Header
	Length                                     int64
	Remote, Local, Server                      bool
}

// tell answers with what it has seen.
func tell(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
	}
	remote, _, _ := net.SplitHostPort(r.RemoteAddr)
	_, local := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	_, server := r.Context().Value(http.ServerContextKey).(*http.Server)
	_ = json.NewEncoder(w).Encode(seen{
		r.Method, r.URL.String(), r.RequestURI, r.Proto, r.Host, string(body), r.Header, r.ContentLength, remote == "127.0.0.1", local, server,
	})
}

// Whatever comes, plain or not, is answered as net/http answers it, and so is what comes behind
// it on the same connection.
func TestRequestsAreSeenAsBehindNetHTTP(t *testing.T) {
	plain, ours := serveByNetHTTP(t, tell), serve(t, tell)
	for what, request := range map[string]string{
		"a post":                 post("/graphql", `{"query":"{viewer{id}}"}`),
		"a get":                  ask("GET", "/a%2Fb?c=d"),
		"many headers":           "GET / HTTP/1.1\r\nHost: x\r\nB: 1\r\nA: 2\r\nb: 3\r\nCookie: c=d; e=f\r\n\r\n",
		"a post of nothing":      post("/", ""),
		"a post of much":         post("/", strings.Repeat("0123456789", 6000)),
		"a post of too much":     post("/", strings.Repeat("0123456789", 9000)),
		"a long head":            "GET /" + strings.Repeat("a", 10_000) + " HTTP/1.1\r\nHost: x\r\n\r\n",
		"a longer head":          "GET /" + strings.Repeat("a", 30_000) + " HTTP/1.1\r\nHost: x\r\n\r\n",
		"chunks":                 "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n",
		"chunks and a length":    "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n4\r\nbody\r\n0\r\n\r\n",
		"two lengths":            "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nbody",
		"an absolute address":    "GET http://y/z HTTP/1.1\r\nHost: x\r\n\r\n",
		"a method of its own":    "PURGE / HTTP/1.1\r\nHost: x\r\n\r\n",
		"an old version":         "GET / HTTP/1.0\r\n\r\n",
		"a kept old version":     "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
		"a pragma":               "GET / HTTP/1.1\r\nHost: x\r\nPragma: no-cache\r\n\r\n",
		"the last":               "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
		"no host":                "GET / HTTP/1.1\r\n\r\n",
		"two hosts":              "GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
		"lines that end early":   "GET / HTTP/1.1\nHost: x\n\n",
		"a folded line":          "GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n",
		"a name that is none":    "GET / HTTP/1.1\r\nHost: x\r\nA : b\r\n\r\n",
		"a value that is none":   "GET / HTTP/1.1\r\nHost: x\r\nA: \x01\r\n\r\n",
		"a value in letters":     "GET / HTTP/1.1\r\nHost: x\r\nA: \xc3\xa4\r\n\r\n",
		"no request":             "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
		"an unknown expectation": "POST / HTTP/1.1\r\nHost: x\r\nExpect: much\r\nContent-Length: 2\r\n\r\nab",
	} {
		want, got := dial(t, plain), dial(t, ours.addr)
		for _, c := range []*client{want, got} {
			c.send(post("/first", "one") + request + post("/last", "three"))
		}
		for _, which := range []string{"before", "itself", "behind"} {
			if diff := cmp.Diff(want.receive("GET"), got.receive("GET")); diff != "" {
				t.Errorf("%s, %s: net/http answers otherwise (-):\n%s", what, which, diff)
			}
		}
	}
}

// wrapped is what stands before a handler that wants to know what it says.
type wrapped struct{ http.ResponseWriter }

func (w wrapped) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// handlers are the ways in which a handler may answer.
func handlers() map[string]http.HandlerFunc {
	return map[string]http.HandlerFunc{
		"nothing":  func(http.ResponseWriter, *http.Request) {},
		"a text":   func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<p>hello") },
		"no body":  func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) },
		"the same": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotModified) },
		"no body of a kind": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			w.Header().Set("Content-Length", "0")
			w.WriteHeader(http.StatusNoContent)
		},
		"the same of a kind": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Etag", `"a"`)
			w.Header().Set("Content-Type", "text/plain")
			w.Header().Set("Content-Length", "10")
			w.WriteHeader(http.StatusNotModified)
		},
		"headers that come late": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Early", "yes")
			w.WriteHeader(http.StatusOK)
			w.Header().Set("Late", "yes")
			w.Header().Set("Content-Length", "10")
			_, _ = io.WriteString(w, "body")
		},
		"a body where there is none": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusNoContent)
			_, err := w.Write([]byte("x"))
			w.Header().Set("Too-Late", fmt.Sprint(err))
		},
		"a refusal": func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusForbidden) },
		"an unheard-of status": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(599)
			_, _ = io.WriteString(w, "?")
		},
		"hints": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Link", "</a>; rel=preload")
			w.WriteHeader(http.StatusEarlyHints)
			w.Header().Del("Link")
			_, _ = io.WriteString(w, "after the hints")
		},
		"two statuses": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusTeapot)
			w.WriteHeader(http.StatusOK)
		},
		"nothing behind all": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "2")
			for _, text := range []string{"", "ok", "", ""} {
				_, _ = io.WriteString(w, text)
			}
		},
		"nothing over and over": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "0")
			for range 3 {
				_, _ = io.WriteString(w, "")
			}
		},
		"a length": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "9500")
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write(bytes.Repeat([]byte("x"), 9500))
		},
		"a length in pieces": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "4")
			_, _ = io.WriteString(w, "ab")
			_, _ = io.WriteString(w, "cd")
		},
		"pieces": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "8")
			if err := http1.WriteAll(wrapped{w}, []byte("{"), nil, []byte("pieces"), []byte("}")); err != nil {
				panic(err)
			}
		},
		"pieces of no length": func(w http.ResponseWriter, _ *http.Request) {
			if err := http1.WriteAll(wrapped{w}, []byte("<p>"), []byte("pieces")); err != nil {
				panic(err)
			}
			_, _ = io.WriteString(w, " and more")
		},
		"too many pieces": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "2")
			if err := http1.WriteAll(w, []byte("abc")); err == nil {
				panic("more is written than was said")
			}
		},
		"more than its length": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "3")
			_, _ = io.WriteString(w, "ab")
			if _, err := io.WriteString(w, "cd"); err == nil {
				panic("more is written than was said")
			}
			_, _ = io.WriteString(w, "c")
		},
		"less than its length": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "10")
			_, _ = io.WriteString(w, "ab")
		},
		"many headers": func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["Set-Cookie"] = []string{"a=b", "c=d"}
			w.Header().Set("X-Lines", "a\r\nX-Injected: b\nc")
			w.Header()["No Name"] = []string{"x"}
			w.Header().Set("Date", "yesterday")
			_, _ = io.WriteString(w, "ab")
		},
		"a type of its own": func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["Content-Type"] = nil
			_, _ = io.WriteString(w, "<p>")
		},
		"what is packed": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = io.WriteString(w, "<p>")
		},
		"an end": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Connection", "close")
			_, _ = io.WriteString(w, "ab")
		},
		"a cut":   func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"a panic": func(http.ResponseWriter, *http.Request) { panic("on purpose") },
		"a panic behind an answer": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "9500")
			_, _ = w.Write(bytes.Repeat([]byte("x"), 9500))
			panic(http.ErrAbortHandler)
		},
		"a body that is left": func(w http.ResponseWriter, r *http.Request) {
			_ = r.Body.Close()
			n, err := r.Body.Read(make([]byte, 1))
			_, _ = fmt.Fprint(w, n, err != nil)
		},
	}
}

func TestAnswersAreThoseOfNetHTTP(t *testing.T) {
	for what, h := range handlers() {
		plain, ours := serveByNetHTTP(t, h), serve(t, h)
		for _, method := range []string{"GET", "HEAD", "POST", "OPTIONS"} {
			want, got := dial(t, plain), dial(t, ours.addr)
			for _, c := range []*client{want, got} {
				c.send(ask(method, "/") + ask("GET", "/"))
			}
			for _, which := range []string{"first", "second"} {
				expected, came := want.receive(method), got.receive(method)
				if diff := cmp.Diff(expected, came); diff != "" {
					t.Errorf("%s to %s, the %s answer: net/http says otherwise (-):\n%s", what, method, which, diff)
				}
				method = "GET"
			}
		}
		if ours.taken.value() != 0 {
			t.Errorf("%s: net/http had to answer", what)
		}
	}
}

// How an answer is framed is not the handler's to say.
func TestAnAnswerIsSentAsItIsWhateverItsHandlerSays(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Transfer-Encoding", "chunked")
		_, _ = io.WriteString(w, "not in chunks")
	})
	c := dial(t, s.addr)
	for range 2 {
		c.send(ask("GET", "/"))
		if got := c.receive("GET"); got.Body != "not in chunks" || got.Err != "" {
			t.Errorf("answered %+v", got)
		}
	}
}

func TestAnAnswerSaysWhenItWasGiven(t *testing.T) {
	s := serve(t, tell)
	c := dial(t, s.addr)
	before := time.Now().Truncate(time.Second)
	c.send(ask("GET", "/"))
	resp, err := http.ReadResponse(c.from, nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if at, err := http.ParseTime(resp.Header.Get("Date")); err != nil || at.Before(before) || at.After(time.Now()) {
		t.Errorf("the answer is of %v, %v", at, err)
	}
}

// A request ends when its time is over, whether somebody has looked before or not.
func TestARequestTakesNoLongerThanItMay(t *testing.T) {
	for _, within := range []time.Duration{20 * time.Millisecond, 250 * time.Millisecond} {
		s := newServed(nil)
		s.rest.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			by, ok := r.Context().Deadline()
			if left := time.Until(by); !ok || left > within {
				t.Errorf("of %v it has %v", within, left)
			}
			if r.URL.Path == "/long" {
				<-r.Context().Done()
			}
			_, _ = fmt.Fprint(w, r.Context().Err())
		})
		s.srv = http1.New(s.rest, http1.Options{Streams: streams, Within: within})
		s.start(t, listen(t))
		c := dial(t, s.addr)
		for range 2 {
			c.send(ask("GET", "/long") + ask("GET", "/short"))
			for _, want := range []string{"context deadline exceeded", "<nil>"} {
				if got := c.receive("GET"); got.Body != want {
					t.Errorf("within %v: answered %+v", within, got)
				}
			}
		}
	}
}

// Streams and whatever else is not plain goes to net/http, and stays there.
func TestAConnectionIsHandedOverOnce(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		_, flushes := w.(http.Flusher)
		_, _ = fmt.Fprint(w, flushes)
	})
	c := dial(t, s.addr)
	for i, step := range []struct {
		request, flushes string
		taken            int
	}{
		{ask("GET", "/"), "false", 0},
		{ask("POST", "/"), "false", 0},
		{"GET / HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n", "true", 1},
		{ask("GET", "/"), "true", 1},
	} {
		c.send(step.request)
		if got := c.receive("GET"); got.Body != step.flushes || s.taken.value() != step.taken {
			t.Errorf("step %d: answered %+v, and net/http has %d connections", i, got, s.taken.value())
		}
	}
}

// What has no end must not be kept until it has one.
func TestAHeadThatGoesOnAndOnIsHandedOver(t *testing.T) {
	s := serve(t, tell)
	dial(t, s.addr).send("GET / HTTP/1.1\r\nHost: x\r\nA: " + strings.Repeat("a", 20<<10))
	receiveFrom(t, "the connection of net/http", s.taken.more)
}

// pipes is a listener of connections within the process, on which each write is one read.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	c, ok := <-p
	if !ok {
		return nil, net.ErrClosed
	}
	return c, nil
}
func (p pipes) Close() error   { close(p); return nil }
func (p pipes) Addr() net.Addr { return &net.TCPAddr{} }

func TestRequestsMayComeInAnyPieces(t *testing.T) {
	p := make(pipes)
	s := newServed(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		_, _ = fmt.Fprintf(w, "%s %s %s", r.URL, r.Header.Get("A"), body)
	}).start(t, p)
	both := "POST /1 HTTP/1.1\r\nHost: x\r\nA: b\r\nContent-Length: 3\r\n\r\none" + post("/2", "two") + post("/2", "six") + ask("GET", "/3")
	ask := func(pieces ...string) {
		t.Helper()
		near, far := net.Pipe()
		_ = near.SetDeadline(time.Now().Add(patience))
		p <- far
		var sent sync.WaitGroup
		sent.Go(func() {
			for _, piece := range pieces {
				_, _ = io.WriteString(near, piece)
			}
		})
		c := &client{t, near, bufio.NewReader(near)}
		for _, want := range []string{"/1 b one", "/2  two", "/2  six", "/3  "} {
			if got := c.receive("GET"); got.Body != want {
				t.Fatalf("in pieces of %q comes %+v, not %s", pieces, got, want)
			}
		}
		sent.Wait()
		_ = near.Close()
	}
	for at := range len(both) {
		ask(both[:at], both[at:])
	}
	ask(strings.Split(both, "")...)
	if s.taken.value() != 0 {
		t.Errorf("net/http had to answer %d times", s.taken.value())
	}
}

// failing is a listener that fails at first.
type failing struct {
	net.Listener
	left int
}

type passing struct{}

func (passing) Error() string   { return "no more file descriptors" }
func (passing) Temporary() bool { return true }

func (f *failing) Accept() (net.Conn, error) {
	if f.left--; f.left >= 0 {
		return nil, fmt.Errorf("accept: %w", passing{})
	}
	return f.Listener.Accept()
}

func TestConnectionsAreAcceptedAgainWhenThereIsRoom(t *testing.T) {
	s := newServed(tell).start(t, &failing{listen(t), 2})
	c := dial(t, s.addr)
	c.send(ask("GET", "/"))
	if got := c.receive("GET"); got.Status != "200 OK" {
		t.Errorf("answered %+v", got)
	}
	if n := strings.Count(s.logged.String(), "no more file descriptors"); n != 2 {
		t.Errorf("the log tells of %d failures: %s", n, s.logged)
	}
}

func TestAListenerThatFailsEndsTheServer(t *testing.T) {
	l := listen(t)
	s := newServed(tell).start(t, l)
	_ = l.Close()
	select {
	case err := <-s.ended:
		if err == nil || err == http.ErrServerClosed { //nolint:errorlint // it is joined with others
			t.Errorf("it ends with %v", err)
		}
	case <-time.After(patience):
		t.Error("it goes on")
	}
}
