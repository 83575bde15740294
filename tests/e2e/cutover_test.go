//go:build nightly

package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/connect/shadow"
	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/edge/gateway"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// side starts a server that responds with its name and returns its address.
func side(t *testing.T, name string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, name) }))
	t.Cleanup(s.Close)
	return strings.TrimPrefix(s.URL, "http://")
}

// cutoverUsers is how many users ask. The hash of their ids is always the same.
const cutoverUsers = 500

// cutover is a proxy that splits users between two systems.
type cutover struct {
	proxied
	tokens *gateway.Tokens
}

// asks returns the side that serves a user, whose token is valid for a time.
func (c cutover) asks(user int, valid time.Duration, query string) string {
	c.t.Helper()
	token, err := c.tokens.Sign(gateway.Claims{User: feed.UserID(user)}, valid)
	harness.Check(c.t, err)
	return c.send(http.MethodGet, "/feed"+query, "", as(token), "X-User-Id: "+strconv.Itoa(user)).body
}

// moved returns the users who are on the new side.
func (c cutover) moved() map[int]bool {
	c.t.Helper()
	users := map[int]bool{}
	for user := 1; user <= cutoverUsers; user++ {
		switch got := c.asks(user, time.Hour, ""); got {
		case "new":
			users[user] = true
		case "old":
		default:
			c.t.Fatalf("user %d gets %q", user, got)
		}
	}
	return users
}

// The examples for a cut-over, in the servers that Debian packages.
func TestCutover_MovesUsersByShares(t *testing.T) {
	t.Parallel()
	tokens := gateway.NewTokens([]byte(harness.Secret), time.Now)
	for name, c := range map[string]struct {
		start func(t testing.TB, snippet, addr string) *testenv.ReverseProxy
		// share is the line with the share, and the same for a percentage.
		share string
		to    func(percent int) string
	}{
		"deploy/nginx/cutover.conf": {testenv.StartNginx, "\t10%     new_feed;\n", func(percent int) string {
			if percent == 0 {
				return ""
			}
			return fmt.Sprintf("\t%d%%     new_feed;\n", percent)
		}},
		"deploy/haproxy/cutover.cfg": {testenv.StartHAProxy, "-m int lt 100\n", func(percent int) string {
			return fmt.Sprintf("-m int lt %d\n", 10*percent)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			snippet := strings.ReplaceAll(harness.Doc(t, name), "127.0.0.1:9000", side(t, "old"))
			if strings.Count(snippet, c.share) != 1 {
				t.Fatalf("the example does not have %q once", c.share)
			}
			at := func(percent int) cutover {
				proxy := c.start(t, strings.Replace(snippet, c.share, c.to(percent), 1), side(t, "new"))
				return cutover{newProxied(t, proxy), tokens}
			}
			before := map[int]bool{}
			for _, percent := range []int{10, 50} {
				now := at(percent)
				moved := now.moved()
				if share := 100 * len(moved) / cutoverUsers; share < percent-4 || share > percent+4 {
					t.Errorf("at %d %%, %d %% of the users are moved", percent, share)
				}
				for user := range before {
					if !moved[user] {
						t.Errorf("at %d %%, user %d is moved back", percent, user)
					}
				}
				now.sticks(moved)
				before = moved
			}
			back := at(0)
			if moved := back.moved(); len(moved) != 0 {
				t.Errorf("at 0 %%, %d users are moved", len(moved))
			}
		})
	}
}

// sticks checks that users stay on their side with another token, and scrolls on that of their cursor.
func (c cutover) sticks(moved map[int]bool) {
	c.t.Helper()
	for user := 1; user <= 20; user++ {
		want := map[bool]string{true: "new", false: "old"}[moved[user]]
		if got := c.asks(user, 2*time.Hour, "?first=20"); got != want {
			c.t.Errorf("with another token, user %d moves to the %s side", user, got)
		}
		ours := feed.Cursor{Kind: feed.FeedHome, Key: feed.Key{TS: int64(user) * 1e11, ID: int64(user)}}.String()
		if got := c.asks(user, time.Hour, "?after="+ours); got != "new" {
			c.t.Errorf("the scroll with Tideline's cursor %s goes on at the %s side", ours, got)
		}
		if got := c.asks(user, time.Hour, "?after=page-2"); got != "old" {
			c.t.Errorf("the scroll with the cursor of the old feed goes on at the %s side", got)
		}
	}
}

// oldToken is that of the old feed. Reports must not have it.
const oldToken = "the-token-of-the-old-feed"

// oldFeed serves the entries of user 1's feed, in pages of 20: /v1/users/1/feed?limit=20&before=CURSOR.
// A cursor is a number of entries.
func oldFeed(t *testing.T, entries []map[string]any) string {
	t.Helper()
	const size = 20
	s := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+oldToken || r.URL.Path != "/v1/users/1/feed" || r.URL.Query().Get("limit") != strconv.Itoa(size) {
			http.Error(out, "no", http.StatusForbidden)
			return
		}
		from, _ := strconv.Atoi(r.URL.Query().Get("before")) // 0 on the first page
		page, next := entries[from:min(from+size, len(entries))], ""
		if from+size < len(entries) {
			next = strconv.Itoa(from + size)
		}
		_ = json.NewEncoder(out).Encode(map[string]any{"items": page, "next": next})
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1"
}

// The tests of connect/shadow have a case of every reason why feeds differ.
func TestShadow_NamesBugsOfTheOldFeed(t *testing.T) {
	t.Parallel()
	env := shared(t, noDemo, sourceOwns)
	s := startServer(t, env...)
	lines := []string{sourceUser(1, 1), sourceUser(2, 1), sourceFollow(1, 2, 1, "")}
	var entries []map[string]any
	for id := 30; id > 0; id-- { // Posts of one millisecond are ordered by id.
		lines = append(lines, sourcePost(id, 2, 1, ""))
		entries = append(entries, map[string]any{"id": id, "created_at": "2026-01-01T00:00:00Z"})
	}
	wantIngested(t, s.ingests(t, append(lines, sourcePost(25, 2, 2, sourceGone))...), `"badCount":0`)
	oracle := harness.NewOracle(t, setting(env, "TIDELINE_DATABASE_URL"))
	eventually.True(t, "all posts are pushed", func() bool { return oracle.Open() == 0 })
	guide := harness.CodeBlocks(t, harness.Doc(t, "docs/cutover.md"), "yaml")
	env = append(env, "TIDELINE_SHADOW_OLD="+oldFeed(t, entries), "TIDELINE_SHADOW_MAP="+harness.RecordsFile(t, guide[:1]), "OLD_FEED_TOKEN="+oldToken)
	command := "shadow --pause=0s --rate=10000 --viewers=" + harness.RecordsFile(t, []string{"1"})

	if r := reportOf(t, env, 1, command+" --json"); r.OK || r.Different != 1 || r.Failed != 0 || len(r.Findings) != 1 || r.Findings[0].Reason != "deleted" {
		t.Errorf("the old feed shows a deleted post, and the report is %+v", r)
	}
	runs(t, env, 0, command+" --allow=deleted", "compared 1 viewers in ", "normal  only-old deleted", "look at old: it or its author's account is deleted",
		"user 1  page 1  post 25", "different: 0 of 1 viewers, 0 %; the limit is 0 %")
	_, out := harness.Command(t, append(slices.Clone(env), "OLD_FEED_TOKEN=another-secret"), strings.Fields(command)...)
	if strings.Contains(out, "another-secret") || !strings.Contains(out, "403 Forbidden") {
		t.Errorf("with a refused token it prints\n%s", out)
	}
	t.Run("Tideline agrees with itself", func(t *testing.T) {
		env := append(slices.Clone(env), "TIDELINE_SHADOW_OLD="+s.Base+"/graphql", "TIDELINE_SHADOW_MAP="+harness.RecordsFile(t, guide[1:2]), "OLD_FEED_TOKEN="+serviceToken)
		r := reportOf(t, env, 0, "shadow --sample=2 --seed=7 --json --pages=2 --rate=10000 --pause=0s --max-different=0.1%")
		if r.Different != 0 || r.Viewers != 2 || r.PagesEqual != r.Pages || r.Posts == 0 {
			t.Errorf("the report is %+v", r)
		}
	})
}

// reportOf runs a comparison that must end with an exit code.
func reportOf(t *testing.T, env []string, code int, command string) (r shadow.Summary) {
	t.Helper()
	got, out := harness.Command(t, env, strings.Fields(command)...)
	// An error of the command follows the report.
	if err := json.NewDecoder(strings.NewReader(out)).Decode(&r); err != nil || got != code || strings.Contains(out, oldToken) {
		t.Fatalf("the exit code is %d, want %d: %v\n%s", got, code, err, out)
	}
	return r
}
