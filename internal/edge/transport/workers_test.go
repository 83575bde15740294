package transport

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

func TestWorkers_RunAllAtOnceAndKeepSome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorkers()
		release, ran := make(chan struct{}), 0
		done := make(chan struct{}, 3*workersMax)
		for range 3 * workersMax {
			w.run(func() { <-release; done <- struct{}{} })
		}
		close(release)
		synctest.Wait()
		if len(done) != cap(done) || len(w.kept) != workersMax {
			t.Errorf("%d functions ran and %d goroutines are kept", len(done), len(w.kept))
		}
		w.run(func() { ran++ })
		synctest.Wait()
		if ran != 1 || len(w.kept) != workersMax {
			t.Errorf("a further function ran %d times, and %d goroutines are kept", ran, len(w.kept))
		}
		<-time.After(2 * keepWorker)
		synctest.Wait()
		if len(w.kept) != 0 {
			t.Errorf("%d idle goroutines are kept for ever", len(w.kept))
		}
	})
}

// Middleware that buffers responses must skip all streams.
func TestStreams_IncludesEveryStream(t *testing.T) {
	choice := rapid.StringMatching(`( ?(text/event-stream|TEXT/Event-Stream|application/json|\*/\*|text/html)( ?; ?(q=(0|1|0\.[1-9])|charset=utf-8))?){0,1}`)
	rapid.Check(t, func(t *rapid.T) {
		var accept []string
		for range rapid.IntRange(0, 3).Draw(t, "headers") {
			accept = append(accept, strings.Join(rapid.SliceOfN(choice, 0, 3).Draw(t, "choices"), ","))
		}
		mediaType, _, ok := negotiate(accept)
		if ok && mediaType == mediaEvents && !Streams(&http.Request{Header: http.Header{"Accept": accept}}) {
			t.Errorf("%q selects a stream", accept)
		}
	})
}

func TestStreams_ExcludesOtherRequests(t *testing.T) {
	for what, c := range map[string]struct {
		header http.Header
		want   bool
	}{
		"nothing said":     {http.Header{}, false},
		"anything":         {http.Header{"Accept": {"*/*"}}, false},
		"a response":       {http.Header{"Accept": {"application/graphql-response+json, application/json;q=0.9"}}, false},
		"a stream":         {http.Header{"Accept": {"text/event-stream"}}, true},
		"a stream at last": {http.Header{"Accept": {"application/json", "a/b, Text/Event-Stream;q=0.1"}}, true},
		"parts":            {http.Header{"Accept": {"multipart/mixed;subscriptionSpec=1.0"}}, true},
		"a socket":         {http.Header{"Upgrade": {"websocket"}}, true},
	} {
		if got := Streams(&http.Request{Header: c.header}); got != c.want {
			t.Errorf("%s: %v", what, got)
		}
	}
}

func TestBounded_LimitsTheTime(t *testing.T) {
	transport := New(Options{OperationWithin: time.Minute})
	for what, has := range map[string]time.Duration{"as much": time.Minute, "less": time.Second} {
		ctx, cancel := context.WithTimeout(t.Context(), has)
		bounded, end := transport.Bounded(ctx)
		end()
		if bounded != ctx || ctx.Err() != nil {
			t.Errorf("with %s time, the request ends with its operation: %v", what, ctx.Err())
		}
		cancel()
	}
	long, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	for what, ctx := range map[string]context.Context{"more": long, "any": t.Context()} {
		bounded, end := transport.Bounded(ctx)
		if by, ok := bounded.Deadline(); !ok || time.Until(by) > time.Minute {
			t.Errorf("with %s time, the deadline of the operation is %v", what, by)
		}
		end()
		if bounded.Err() == nil || ctx.Err() != nil {
			t.Errorf("with %s time, at its end the operation has the error %v and its request %v", what, bounded.Err(), ctx.Err())
		}
	}
}
