package e2e

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// startWithUpstreams starts a server that a source sends all records, and whose content is elsewhere.
func startWithUpstreams(t *testing.T, env ...string) *server {
	t.Helper()
	return startServer(t, append(embedded(t, noDemo, sourceOwns), env...)...)
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
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-C", testenv.Checkout(t), "-o", program, "./deploy/beside/upstream").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return startExample(t, []string{program, "-addr", "127.0.0.1:0", "-records"}, lines)
}

func nodeExample(t *testing.T, lines []string) string {
	t.Helper()
	return startExample(t, []string{"node", filepath.Join(testenv.Checkout(t), "deploy", "beside", "upstream.mjs"), "127.0.0.1:0"}, lines)
}

type upstreamPage struct {
	Data struct {
		Viewer struct {
			HomeFeed struct {
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
	got := s.ask(t, `{ viewer { homeFeed(first: 100) { nodes { databaseId text customFields unavailable counters { likes } author { databaseId name unavailable } } } } }`, actFor(viewer)...)
	var p upstreamPage
	if got.decode(t, &p); len(p.Errors) > 0 {
		t.Fatal(got.body)
	}
	return p
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
		"everything by Connect": {"connect", inGo, []string{"POSTS", "USERS", "COUNTERS"}},
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
				wantIngested(t, s.ingests(t, part...), `"badCount":0`)
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
					p := s.page(t, viewer)
					return p.complete(want[:min(100, len(want))])
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
