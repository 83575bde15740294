//go:build nightly

package e2e

import (
	"slices"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// TestUpstreams_FaultsLeaveFullPages breaks the network between a program and the services of its
// content: pages have all posts, without the content, and are complete again afterwards. The tests of
// internal/upstream have what services may do wrong.
func TestUpstreams_FaultsLeaveFullPages(t *testing.T) {
	t.Parallel()
	const posts, viewer = 60, 1
	source := harness.NewSource(47, posts, feed.NumberIDs)
	service := goExample(t, countersOf(withCustom(source.Lines), posts))
	proxy := testenv.StartProxy(t, service)
	s := startWithUpstreams(t, append(from(proxy.URL(service), "POSTS", "USERS", "COUNTERS"), "TIDELINE_UPSTREAM_PROTOCOL=json",
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
	for name, begin := range map[string]func(){
		"slow":      func() { proxy.Delay(2 * time.Second) },
		"cut":       proxy.Cut,
		"hanging":   proxy.Silence,
		"broken":    proxy.Reset,
		"trickling": func() { proxy.Slice(20, 50*time.Millisecond) },
	} {
		begin()
		for range 4 { // the circuits open meanwhile
			p := s.page(t, viewer)
			if got := p.ids(); !slices.Equal(got, want) {
				t.Errorf("%s: the page is %v, not %v", name, got, want)
			}
			for _, n := range p.Data.Viewer.HomeFeed.Nodes {
				if !n.Unavailable || !n.Author.Unavailable || n.Text+n.Author.Name != "" || n.Counters.Likes != 0 {
					t.Errorf("%s: a post is %+v", name, n)
				}
			}
			if got := len(p.Extensions.Upstream.Missing); got != 3*len(want) {
				t.Errorf("%s: %d notes for %d posts", name, got, len(want))
			}
		}
		proxy.Heal()
		healthy()
	}
	if opened := s.CountLines("a service fails"); opened == 0 || s.CountLines("a service answers again") == 0 {
		t.Errorf("the log has %d openings of circuits, and no closing", opened)
	}
}
