package e2e

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// startWithUpstreams starts a server that a source sends all records, and whose content is elsewhere.
func startWithUpstreams(t *testing.T, env ...string) *server {
	t.Helper()
	return startServer(t, append([]string{
		"TIDELINE_DATA_DIR=" + t.TempDir(), "TIDELINE_JWT_SECRET=" + harness.Secret, "TIDELINE_SERVICE_TOKEN=" + serviceToken,
		"TIDELINE_DEMO=false", "TIDELINE_SOURCE_OWNS=user,post,follow",
	}, env...)...)
}

// from names a service in settings.
func from(url string, services ...string) []string {
	var env []string
	for _, s := range services {
		env = append(env, "TIDELINE_"+s+"_FROM="+url)
	}
	return env
}

// startExample starts an example of upstream services with records, and returns its URL.
func startExample(t *testing.T, args []string, lines []string) string {
	t.Helper()
	p := testenv.Program(t, append(args, harness.RecordsFile(t, lines)), nil)
	return p.WaitLine(`serving on (http://\S+)`)[1]
}

func goExample(t *testing.T, lines []string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "upstream")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "./deploy/beside/upstream").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return startExample(t, []string{program, "-addr", "127.0.0.1:0", "-records"}, lines)
}

func nodeExample(t *testing.T, lines []string) string {
	t.Helper()
	return startExample(t, []string{"node", "deploy/beside/upstream.mjs", "127.0.0.1:0"}, lines)
}

type upstreamPage struct {
	Data struct {
		Viewer struct {
			HomeFeed struct {
				PageInfo struct {
					StartCursor, EndCursor       string
					HasPreviousPage, HasNextPage bool
				}
				Nodes []struct {
					DatabaseID   string
					Text         string
					CustomFields map[string]string
					Unavailable  bool
					Counters     struct{ Likes int }
					Author       struct {
						DatabaseID, Name string
						Unavailable      bool
					}
				}
			}
		}
	}
	Errors     []any
	Extensions struct {
		Upstream struct{ Missing, Stale []struct{ Reason string } }
	}
}

// page returns the first page of a home feed.
func (s *server) page(t *testing.T, viewer feed.UserID) upstreamPage {
	t.Helper()
	return s.pageOf(t, viewer, "first: 100")
}

// pageOf returns a page of a home feed.
func (s *server) pageOf(t *testing.T, viewer feed.UserID, arguments string) upstreamPage {
	t.Helper()
	query, err := json.Marshal(map[string]string{"query": `{ viewer { homeFeed(` + arguments + `) { pageInfo { startCursor endCursor hasPreviousPage hasNextPage } nodes { ` +
		`databaseId text customFields unavailable counters { likes } author { databaseId name unavailable } } } } }`})
	harness.Check(t, err)
	got := s.send(t, http.MethodPost, "/graphql", string(query), "Authorization: Bearer "+serviceToken, fmt.Sprint("Tideline-Act-For: ", viewer))
	var p upstreamPage
	if err := json.Unmarshal([]byte(got.body), &p); err != nil || len(p.Errors) > 0 {
		t.Fatalf("%v: %s", err, got.body)
	}
	return p
}

// scrolls reads a whole home feed by pages of a size, from the top or from the end. Each page must
// have the posts of the feed there, with what the services know of them.
func (s *server) scrolls(t *testing.T, viewer feed.UserID, want []string, size int, up bool) error {
	t.Helper()
	for cursor, more := "", true; more; {
		n := min(size, len(want))
		part, direction := want[:n], "first: %d, after: %q"
		if up {
			part, direction = want[len(want)-n:], "last: %d, before: %q"
		}
		p := s.pageOf(t, viewer, fmt.Sprintf(direction, size, cursor))
		if err := p.complete(part); err != nil {
			return fmt.Errorf("by pages of %d, up %t, after %q: %w", size, up, cursor, err)
		}
		info := p.Data.Viewer.HomeFeed.PageInfo
		if cursor, more = info.EndCursor, info.HasNextPage; up {
			cursor, more = info.StartCursor, info.HasPreviousPage
			want = want[:len(want)-n]
		} else {
			want = want[n:]
		}
		if more != (len(want) > 0) {
			return fmt.Errorf("by pages of %d, up %t: more follow: %t, but %d are left", size, up, more, len(want))
		}
	}
	return nil
}

func (p *upstreamPage) ids() []string {
	ids := []string{}
	for _, n := range p.Data.Viewer.HomeFeed.Nodes {
		ids = append(ids, n.DatabaseID)
	}
	return ids
}

// complete returns an error unless the page has these posts with what the services know of them.
func (p *upstreamPage) complete(want []string) error {
	if got := p.ids(); !slices.Equal(got, want) {
		return fmt.Errorf("the page is %v, not %v", got, want)
	}
	if u := p.Extensions.Upstream; len(u.Missing)+len(u.Stale) > 0 {
		return fmt.Errorf("notes: %+v", u)
	}
	for _, n := range p.Data.Viewer.HomeFeed.Nodes {
		likes, err := strconv.Atoi(n.DatabaseID)
		if n.Text != "post "+n.DatabaseID || n.CustomFields["of"] != "service" || n.Author.Name != "User "+n.Author.DatabaseID || n.Counters.Likes != likes || err != nil {
			return fmt.Errorf("a post is %+v", n)
		}
	}
	return nil
}

// countersOf adds counters to lines: each post has as many likes as its id says.
func countersOf(lines []string, posts int) []string {
	lines = slices.Clone(lines)
	for id := range posts {
		lines = append(lines, fmt.Sprintf(`{"type":"counters","post":"%d","likes":%d,"version":1}`, id+1, id+1))
	}
	return lines
}

var (
	recordText = regexp.MustCompile(`"text":"[^"]*",`)
	recordName = regexp.MustCompile(`"name":"[^"]*"`)
)

// withCustom adds custom fields to posts.
func withCustom(lines []string) []string {
	return replaced(lines, recordText, `$0"custom":{"of":"service"},`)
}

// TestUpstreams_FeedsAreThoseOfTheSource sends skeletons only, in any order, and half of them while
// feeds are read.
func TestUpstreams_FeedsAreThoseOfTheSource(t *testing.T) {
	t.Parallel()
	const posts, viewers = 150, feed.UserID(8)
	source := harness.NewSource(46, posts, feed.NumberIDs)
	full := countersOf(withCustom(source.Lines), posts)
	inGo, inNode := goExample(t, full), nodeExample(t, full)
	source.Shuffle()
	for name, mode := range map[string]struct {
		protocol, url string
		services      []string
	}{
		"profiles by JSON":      {"json", inNode, []string{"USERS"}},
		"counters by gRPC":      {"grpc", inGo, []string{"COUNTERS"}},
		"posts by gRPC-Web":     {"grpc-web", inGo, []string{"POSTS"}},
		"everything by Connect": {"connect", inGo, []string{"POSTS", "USERS", "COUNTERS"}},
		"everything by JSON":    {"json", inNode, []string{"POSTS", "USERS", "COUNTERS"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := append(from(mode.url, mode.services...), "TIDELINE_UPSTREAM_PROTOCOL="+mode.protocol, "TIDELINE_LOG_LEVEL=debug")
			lines := source.Lines
			if slices.Contains(mode.services, "POSTS") {
				lines = replaced(lines, recordText, "")
			} else {
				lines = withCustom(lines)
			}
			if slices.Contains(mode.services, "USERS") {
				lines = replaced(lines, recordName, `"name":""`)
			}
			if !slices.Contains(mode.services, "COUNTERS") {
				env = append(env, "TIDELINE_COUNTERS=source")
				lines = countersOf(lines, posts)
			}
			s := startWithUpstreams(t, env...)
			for _, part := range [][]string{lines[:len(lines)/2], lines[len(lines)/2:]} {
				if got := s.ingests(t, part...); !strings.Contains(got.body, `"badCount":0`) {
					t.Fatal(got.body)
				}
				eventually.True(t, "every inbox is built", func() bool { // the rest is pushed to them
					for viewer := range viewers {
						s.page(t, viewer+1)
					}
					return s.CountLines("source=inbox") >= int(viewers)
				})
			}
			for viewer := range viewers {
				viewer++
				want := source.FeedOf(viewer)
				eventually.Succeeds(t, fmt.Sprint("the home feed of user ", viewer), func() error {
					return cmp.Or(s.scrolls(t, viewer, want, 100, false), s.scrolls(t, viewer, want, 7, false), s.scrolls(t, viewer, want, 7, true))
				})
			}
		})
	}
}

func replaced(lines []string, what *regexp.Regexp, by string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = what.ReplaceAllString(line, by)
	}
	return out
}

// shopPosts is a PostService whose posts change.
type shopPosts struct {
	mu    sync.Mutex
	texts map[string]string
	gone  map[string]int
}

func (p *shopPosts) set(change func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change()
}

func (p *shopPosts) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var request struct{ IDs []string }
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	results := []map[string]any{}
	for _, id := range request.IDs {
		switch version, gone := p.gone[id]; {
		case gone:
			results = append(results, map[string]any{"id": id, "gone": map[string]any{"version": version}})
		case p.texts[id] != "":
			results = append(results, map[string]any{"id": id, "found": map[string]any{"version": 5, "text": p.texts[id]}})
		}
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"results": results})
}

// TestUpstreams_ChangesAndDeletions has a service that changes and deletes posts, with and without
// records.
func TestUpstreams_ChangesAndDeletions(t *testing.T) {
	t.Parallel()
	shop := &shopPosts{texts: map[string]string{}, gone: map[string]int{}}
	upstream := httptest.NewServer(shop)
	t.Cleanup(upstream.Close)
	s := startWithUpstreams(t, append(from(upstream.URL, "POSTS"), "TIDELINE_UPSTREAM_PROTOCOL=json", "TIDELINE_UPSTREAM_TTL=1h")...)
	lines := []string{sourceUser(1, 1, ""), sourceUser(2, 1, ""), sourceFollow(1, 2, 1, "")}
	ids := []string{}
	for id := 30; id > 10; id-- {
		ids = append(ids, fmt.Sprint(id))
		shop.texts[fmt.Sprint(id)] = "one"
		lines = append(lines, sourcePost(id, 2, 1, ""))
	}
	s.ingests(t, lines...)
	s.awaitHome(t, 1, strings.Join(ids, " "))
	textOf := func(at int) string { return s.page(t, 1).Data.Viewer.HomeFeed.Nodes[at].Text }
	if got := textOf(0); got != "one" {
		t.Errorf("the first text is %q", got)
	}
	shop.set(func() { shop.texts["30"] = "two" })
	if got := textOf(0); got != "one" {
		t.Errorf("before the record, the text is %q", got)
	}
	s.ingests(t, sourcePost(30, 2, 2, ""))
	if got := textOf(0); got != "two" {
		t.Errorf("after the record, the text is %q", got)
	}

	// One is gone without a record, and not found hides nothing.
	shop.set(func() { shop.gone["29"] = 9; delete(shop.texts, "28") })
	s.ingests(t, sourcePost(29, 2, 2, ""), sourcePost(28, 2, 2, ""))
	left := append([]string{"30"}, ids[2:]...)
	if p := s.page(t, 1); !slices.Equal(p.ids(), left) || len(p.Extensions.Upstream.Missing) > 0 {
		t.Errorf("the page is %v with the notes %+v, not %v", p.ids(), p.Extensions.Upstream, left)
	}

	// Many at once are a fault of the service.
	evict := []string{}
	shop.set(func() {
		for _, id := range ids[4:16] {
			shop.gone[id] = 9
			n, _ := strconv.Atoi(id)
			evict = append(evict, sourcePost(n, 2, 3, ""))
		}
	})
	s.ingests(t, evict...)
	p := s.page(t, 1)
	if got, want := p.ids(), append([]string{"30"}, ids[2:]...); !slices.Equal(got, want) {
		t.Errorf("the page is %v, not %v", got, want)
	}
	if got := len(p.Extensions.Upstream.Stale); got < len(evict) {
		t.Errorf("%d of %d notes: %+v", got, len(evict), p.Extensions.Upstream)
	}
	eventually.True(t, "the log names the fault", func() bool {
		return s.CountLines("a service fails", "too many objects are gone") > 0
	})
}
