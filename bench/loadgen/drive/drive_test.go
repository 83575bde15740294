package drive_test

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/bench/loadgen/drive"
)

// serve starts a server and returns its HOST:PORT.
func serve(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	return strings.TrimPrefix(srv.URL, "http://")
}

const request = "POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 4\r\n\r\nbody"

func always(check func([]byte) error) func(*rand.Rand) *drive.Request {
	r := &drive.Request{Wire: []byte(request), Check: check}
	return func(*rand.Rand) *drive.Request { return r }
}

func accept([]byte) error { return nil }

// A connection reads bodies of known length and chunked bodies in sequence.
func TestBodies(t *testing.T) {
	var asked atomic.Int64
	addr := serve(t, func(w http.ResponseWriter, r *http.Request) {
		n := int(asked.Add(1))
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		_, _ = fmt.Fprintf(w, "%s %d ", body, n)
		if n%2 == 0 {
			// Flushing before the end makes the response chunked.
			w.(http.Flusher).Flush()
		}
		_, _ = io.WriteString(w, strings.Repeat("x", 1000*n))
	})
	c, err := drive.Dial(t.Context(), addr)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	for n := 1; n <= 40; n++ {
		got, err := c.Do([]byte(request))
		if err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf("body %d ", n) + strings.Repeat("x", 1000*n); string(got) != want {
			t.Fatalf("response %d is %.50q, %d bytes", n, got, len(got))
		}
	}
}

// A status other than 200 is an error with the status and the beginning of the body.
func TestStatus(t *testing.T) {
	addr := serve(t, func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "too much", http.StatusTooManyRequests) })
	_, err := drive.Run(t.Context(), drive.Load{Addr: addr, Conns: 1, For: time.Minute, Next: always(accept)})
	if err == nil || !strings.Contains(err.Error(), "status 429: too much") {
		t.Errorf("the error is %v", err)
	}
}

// An open loop times from when a request was due. If a server stalls, all requests due meanwhile
// count as slow.
func TestOpenLoop_CountsRequestsThatWaited(t *testing.T) {
	const still = 400 * time.Millisecond
	var asked atomic.Int64
	addr := serve(t, func(http.ResponseWriter, *http.Request) {
		if asked.Add(1) == 10 {
			<-time.After(still)
		}
	})
	r, err := drive.Run(t.Context(), drive.Load{Addr: addr, Conns: 1, For: time.Second, Rate: 200, Next: always(accept)})
	if err != nil {
		t.Fatal(err)
	}
	// 200 requests are due in the second, 80 of them while the server stalls: a quarter of all wait
	// longer than 100 ms.
	if r.Requests != 200 {
		t.Errorf("%d requests were sent, not 200", r.Requests)
	}
	if r.P90 < (still / 4).Microseconds() {
		t.Errorf("the 90th percentile is %d µs, want at least %d", r.P90, (still / 4).Microseconds())
	}
}

// A response that Check rejects is an error, and repeated errors end the run.
func TestRun_EndsOnBadResponse(t *testing.T) {
	addr := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "wrong") })
	wrong := errors.New("wrong body")
	r, err := drive.Run(t.Context(), drive.Load{Addr: addr, Conns: 2, For: time.Hour, Next: always(func(body []byte) error {
		if string(body) == "wrong" {
			return wrong
		}
		return nil
	})})
	if !errors.Is(err, wrong) || r.Errors == 0 {
		t.Errorf("%d errors, %v", r.Errors, err)
	}
}
