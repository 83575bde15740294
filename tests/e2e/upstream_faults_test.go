package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// faulty passes requests to a service and changes its responses.
type faulty struct {
	url    string
	change atomic.Pointer[func(*http.Response) error]
}

func startFaulty(t *testing.T, service string) *faulty {
	t.Helper()
	to, err := url.Parse(service)
	if err != nil {
		t.Fatal(err)
	}
	f := &faulty{}
	server := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(to)
			r.Out.Header.Del("Accept-Encoding") // so that responses can be changed
		},
		ModifyResponse: func(r *http.Response) error { return (*f.change.Load())(r) }, //nolint:bodyclose // The proxy closes it.
		FlushInterval:  -1,
	})
	t.Cleanup(server.Close)
	f.url = server.URL
	f.set(nil)
	return f
}

// set sets what happens to responses; nil for nothing.
func (f *faulty) set(change func(*http.Response) error) {
	if change == nil {
		change = func(*http.Response) error { return nil }
	}
	f.change.Store(&change)
}

func replaceBody(r *http.Response, body []byte) {
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	r.Header.Set("Content-Length", fmt.Sprint(len(body)))
}

// rewrite changes each list of a response.
func rewrite(r *http.Response, change func([]any) []any) error {
	var message map[string]any
	if err := json.NewDecoder(r.Body).Decode(&message); err != nil {
		return err
	}
	for name, value := range message {
		if list, ok := value.([]any); ok {
			message[name] = change(list)
		}
	}
	body, err := json.Marshal(message)
	replaceBody(r, body)
	return err
}

func reversed(r *http.Response) error {
	return rewrite(r, func(list []any) []any {
		slices.Reverse(list)
		return list
	})
}

// doubled also has an object without a request for it.
func doubled(r *http.Response) error {
	return rewrite(r, func(list []any) []any {
		return slices.Concat(list, []any{map[string]any{"id": "unknown"}}, list)
	})
}

// lacking leaves out half of the objects.
func lacking(r *http.Response) error {
	return rewrite(r, func(list []any) []any { return list[:len(list)/2] })
}

// partial returns an error unless the page has these posts, some of them without their content.
func (p *upstreamPage) partial(want []string) error {
	if got := p.ids(); !slices.Equal(got, want) {
		return fmt.Errorf("the page is %v, not %v", got, want)
	}
	missing := 0
	for _, n := range p.Data.Viewer.HomeFeed.Nodes {
		if n.Unavailable {
			missing++
		}
		if n.Unavailable != (n.Text == "") || n.Author.Unavailable != (n.Author.Name == "") {
			return fmt.Errorf("a post is %+v", n)
		}
	}
	if missing == 0 || missing == len(want) {
		return fmt.Errorf("%d posts of %d are missing", missing, len(want))
	}
	for _, note := range p.Extensions.Upstream.Missing {
		if note.Reason != string(feed.UpstreamNotFound) {
			return fmt.Errorf("a reason is %s", note.Reason)
		}
	}
	return nil
}

func failing(r *http.Response) error {
	r.StatusCode = http.StatusInternalServerError
	return nil
}

// tooLarge makes a response that is complete but larger than the limit.
func tooLarge(r *http.Response) error {
	body, err := io.ReadAll(r.Body)
	replaceBody(r, append(body, bytes.Repeat([]byte(" "), 9<<20)...))
	return err
}

// endless has no bytes until the client leaves.
type endless struct{ left <-chan struct{} }

func (e endless) Read([]byte) (int, error) {
	<-e.left
	return 0, io.EOF
}

// hanging makes a response that never ends.
func hanging(r *http.Response) error {
	r.Body, r.ContentLength = io.NopCloser(endless{r.Request.Context().Done()}), -1
	r.Header.Del("Content-Length")
	return nil
}

// TestUpstreams_FaultsLeaveFullPages breaks the services of a program, and the network between.
func TestUpstreams_FaultsLeaveFullPages(t *testing.T) {
	t.Parallel()
	const posts, viewer, limit = 60, 1, 3 * time.Second
	source := harness.NewSource(47, posts, feed.NumberIDs)
	service := startFaulty(t, goExample(t, countersOf(withCustom(source.Lines), posts)))
	proxy := testenv.StartProxy(t, service.url)
	s := startWithUpstreams(t, append(from(proxy.URL(service.url), "POSTS", "USERS", "COUNTERS"), "TIDELINE_UPSTREAM_PROTOCOL=json",
		"TIDELINE_UPSTREAM_TIMEOUT=200ms", "TIDELINE_UPSTREAM_BUDGET=300ms", "TIDELINE_CACHE_MB=0")...)
	s.ingests(t, source.Lines...)
	want := source.FeedOf(viewer)
	healthy := func() {
		t.Helper()
		eventually.Succeeds(t, "the page is complete", func() error {
			p := s.page(t, viewer)
			return p.complete(want)
		})
	}
	healthy()
	for _, harmless := range []func(*http.Response) error{reversed, doubled} {
		service.set(harmless)
		healthy()
	}
	service.set(lacking)
	p := s.page(t, viewer)
	harness.Check(t, p.partial(want))
	for _, fault := range []struct {
		name  string
		begin func()
	}{
		{"status 500", func() { service.set(failing) }},
		{"too large", func() { service.set(tooLarge) }},
		{"hanging within a response", func() { service.set(hanging) }},
		{"slow", func() { proxy.Delay(2 * time.Second) }},
		{"cut", proxy.Cut},
		{"hanging", proxy.Silence},
		{"broken", proxy.Reset},
		{"trickling", func() { proxy.Slice(20, 50*time.Millisecond) }},
	} {
		fault.begin()
		for range 4 { // the circuits open meanwhile
			began := time.Now()
			p := s.page(t, viewer)
			if took := time.Since(began); took > limit {
				t.Errorf("%s: a page took %s", fault.name, took)
			}
			if got := p.ids(); !slices.Equal(got, want) {
				t.Errorf("%s: the page is %v, not %v", fault.name, got, want)
			}
			for _, n := range p.Data.Viewer.HomeFeed.Nodes {
				if !n.Unavailable || !n.Author.Unavailable || n.Text+n.Author.Name != "" || n.Counters.Likes != 0 {
					t.Errorf("%s: a post is %+v", fault.name, n)
				}
			}
			if got := len(p.Extensions.Upstream.Missing); got != 3*len(want) {
				t.Errorf("%s: %d notes for %d posts", fault.name, got, len(want))
			}
		}
		service.set(nil)
		proxy.Heal()
		healthy()
	}
	if opened := s.CountLines("a service fails"); opened == 0 || s.CountLines("a service answers again") == 0 {
		t.Errorf("the log has %d openings of circuits, and no closing", opened)
	}
}
