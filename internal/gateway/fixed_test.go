package gateway_test

import (
	"bufio"
	"bytes"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/internal/gateway"
	"github.com/tideline-feeds/tideline/internal/http1"
)

// answers are the ways in which a handler may answer, by the path that asks for each.
func answers() http.Handler {
	mux := http.NewServeMux()
	answer := func(path string, h http.HandlerFunc) { mux.HandleFunc(path, h) }
	answer("/small", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "a few bytes") })
	answer("/large", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "9500")
		_, _ = w.Write(bytes.Repeat([]byte("x"), 9500))
	})
	answer("/pieces", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "15000")
		for range 3 {
			_, _ = w.Write(bytes.Repeat([]byte("y"), 5000))
		}
	})
	answer("/nothing", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	answer("/silence", func(http.ResponseWriter, *http.Request) {})
	answer("/hints", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusEarlyHints)
		_, _ = io.WriteString(w, "after the hints")
	})
	answer("/own", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Security-Policy", "default-src 'self'")
		_, _ = io.WriteString(w, "a page")
	})
	answer("/panic", func(http.ResponseWriter, *http.Request) { panic("on purpose") })
	return mux
}

// behind returns the handler behind what the program has in front of it.
func behind(h http.Handler) http.Handler {
	log := slog.New(slog.DiscardHandler)
	return gateway.LogAccess(log, nil, gateway.Recover(log, gateway.SecureHeaders(h)))
}

// said is all that a client sees of a response.
type said struct {
	Status int
	Header http.Header
	Body   string
}

func saidBy(t *testing.T, url, method, path string) said {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url+path, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	resp.Header.Del("Date")
	return said{resp.StatusCode, resp.Header, string(body)}
}

// plainServer serves a handler as the program does, and returns its address.
func plainServer(t *testing.T, h http.Handler) string {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := http1.New(&http.Server{Handler: h, ReadHeaderTimeout: time.Minute}, http1.Options{
		Streams: func(*http.Request) bool { return false },
	})
	go func() { _ = srv.Serve(l) }()
	t.Cleanup(func() {
		if err := srv.Close(); err != nil {
			t.Error(err)
		}
	})
	return l.Addr().String()
}

// A server that takes them as lines sends the same headers as one that has them among all
// others, whatever a handler does.
func TestFixedHeadersAreTheSameAsLines(t *testing.T) {
	usual := httptest.NewServer(behind(answers()))
	t.Cleanup(usual.Close)
	lines := plainServer(t, behind(answers()))
	for _, path := range []string{"/small", "/large", "/pieces", "/nothing", "/silence", "/hints", "/own", "/panic", "/large", "/small"} {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			want, got := saidBy(t, usual.URL, method, path), saidBy(t, "http://"+lines, method, path)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s %s with headers as lines (+):\n%s", method, path, diff)
			}
			if len(got.Header.Values("X-Content-Type-Options")) != 1 {
				t.Errorf("%s %s: the header is %v", method, path, got.Header)
			}
		}
	}
}

// What comes before an answer has nothing inserted.
func TestAGoAheadComesWithoutFixedHeaders(t *testing.T) {
	addr := plainServer(t, behind(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(w, r.Body)
	})))
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	from := bufio.NewReader(c)
	for range 2 {
		_, _ = io.WriteString(c, "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n")
		for _, want := range []string{"HTTP/1.1 100 Continue\r\n", "\r\n"} {
			if line, err := from.ReadString('\n'); line != want || err != nil {
				t.Fatalf("the line is %q, %v, want %q", line, err, want)
			}
		}
		_, _ = io.WriteString(c, "body")
		resp, err := http.ReadResponse(from, nil)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if string(body) != "body" || err != nil || len(resp.Header.Values("X-Frame-Options")) != 1 {
			t.Errorf("the answer is %q, %v, with %v", body, err, resp.Header)
		}
	}
}
