//go:build nightly

package e2e

import (
	"compress/gzip"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	otlp "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// spanCollector is a fake collector of OpenTelemetry.
type spanCollector struct {
	url string

	mu    sync.Mutex
	spans map[string][]*otlp.Span // by trace id
	bad   error
}

func collectSpans(t *testing.T) *spanCollector {
	t.Helper()
	c := &spanCollector{spans: map[string][]*otlp.Span{}}
	srv := httptest.NewServer(c)
	t.Cleanup(srv.Close)
	c.url = srv.URL
	return c
}

// ServeHTTP receives spans.
func (c *spanCollector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	err := c.take(r)
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil || r.URL.Path != "/v1/traces" {
		c.bad = fmt.Errorf("a request to %s: %w", r.URL.Path, err)
		w.WriteHeader(http.StatusBadRequest)
	}
}

func (c *spanCollector) take(r *http.Request) error {
	body := io.Reader(r.Body)
	if r.Header.Get("Content-Encoding") == "gzip" {
		var err error
		if body, err = gzip.NewReader(r.Body); err != nil {
			return err
		}
	}
	text, err := io.ReadAll(body)
	if err != nil {
		return err
	}
	var in collector.ExportTraceServiceRequest
	if err := proto.Unmarshal(text, &in); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, resource := range in.GetResourceSpans() {
		for _, scope := range resource.GetScopeSpans() {
			for _, s := range scope.GetSpans() {
				id := hex.EncodeToString(s.GetTraceId())
				c.spans[id] = append(c.spans[id], s)
			}
		}
	}
	return nil
}

// trace returns the spans of a trace.
func (c *spanCollector) trace(t *testing.T, id string) []*otlp.Span {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.bad != nil {
		t.Fatal(c.bad)
	}
	return slices.Clone(c.spans[id])
}

// path returns the names of a span's ancestors and of the span.
func path(spans []*otlp.Span, s *otlp.Span) string {
	name := s.GetName()
	for _, around := range spans {
		if string(around.GetSpanId()) == string(s.GetParentSpanId()) {
			return path(spans, around) + " > " + name
		}
	}
	return name
}

// One trace has a publish from the request to the inboxes.
func TestTracing_LeadsFromPublishToInboxes(t *testing.T) {
	t.Parallel()
	c := collectSpans(t)
	s := startServer(t, embedded(t, "TIDELINE_OTLP_ENDPOINT="+c.url)...)
	follower := harness.TokenFor(t, 10)
	s.Follow(t, follower, 20)
	s.Home(t, follower, 5, 5)

	const trace = "0af7651916cd43dd8448eb211c80319c"
	response := s.ask(t, `mutation Say { publishPost(input: {text: "among friends"}) { post { id } } }`, as(harness.TokenFor(t, 20)), "Traceparent: 00-"+trace+"-b7ad6b7169203331-01")
	if !strings.Contains(response.body, `"id"`) {
		t.Fatalf("the response to the publish is %s", response.body)
	}
	const root, push = "POST /graphql > mutation", "POST /graphql > mutation > task timeline_push"
	want := []string{root + " > SQL INSERT", root + " > Redis EVALSHA", push + " > SQL UPDATE", push + " > Redis PIPELINE"}
	var spans []*otlp.Span
	eventually.True(t, "the trace reaches the inboxes", func() bool {
		spans = c.trace(t, trace)
		return slices.ContainsFunc(spans, func(s *otlp.Span) bool { return path(spans, s) == push })
	})
	var paths []string
	for _, span := range spans {
		paths = append(paths, path(spans, span))
		if strings.Contains(span.String(), "among friends") {
			t.Errorf("a span has the text of the post: %v", span)
		}
	}
	for _, p := range want {
		if !slices.Contains(paths, p) {
			t.Errorf("the trace lacks %s", p)
		}
	}
	if n := s.CountLines("msg=request", "path=/graphql", "traceId="+trace); n != 1 {
		t.Errorf("%d lines of the log belong to the trace, want 1", n)
	}
}

// The server decides which traces are sampled, and ignores the client's header.
func TestTracing_IgnoresClientSampling(t *testing.T) {
	t.Parallel()
	c := collectSpans(t)
	s := startServer(t, embedded(t, noDemo, "TIDELINE_OTLP_ENDPOINT="+c.url, "TIDELINE_TRACE_RATIO=0")...)
	const trace = "0af7651916cd43dd8448eb211c80319c"
	s.ask(t, `{ __typename }`, "Traceparent: 00-"+trace+"-b7ad6b7169203331-01")
	s.Process.Interrupt()
	if code := s.Process.Wait(); code != 0 {
		t.Errorf("the exit code is %d, want 0", code)
	}
	if spans := c.trace(t, trace); len(spans) > 0 {
		t.Errorf("the server sent %d spans, want 0", len(spans))
	}
}
