//go:build nightly

package e2e

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/gateway"
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
