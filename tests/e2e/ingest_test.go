package e2e

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// sourceLine is a change record of another system.
func sourceLine(typ, key, rest string, version int) string {
	return fmt.Sprintf(`{"type":%q,%s,%s"version":%d}`, typ, key, rest, version)
}

func sourceUser(id, version int, rest string) string {
	return sourceLine("user", fmt.Sprintf(`"id":"%d"`, id), `"handle":"","name":"N","createdAt":"2026-01-01T00:00:00Z",`+rest, version)
}

func sourcePost(id, author, version int, rest string) string {
	return sourceLine("post", fmt.Sprintf(`"id":"%d"`, id),
		fmt.Sprintf(`"author":"%d","kind":"POST","text":"t","publishedAt":"2026-01-01T00:00:00Z",`, author)+rest, version)
}

func sourceFollow(follower, followee, version int, rest string) string {
	return sourceLine("follow", fmt.Sprintf(`"follower":"%d","followee":"%d"`, follower, followee), `"createdAt":"2026-01-01T00:00:00Z",`+rest, version)
}

const sourceGone = `"deletedAt":"2026-02-01T00:00:00Z",`

// homeIDs returns the home feed of a user as text.
func (s *server) homeIDs(t *testing.T, user int) string {
	t.Helper()
	got := s.send(t, http.MethodPost, "/graphql", `{"query":"{ viewer { homeFeed(first: 20) { nodes { databaseId } } } }"}`,
		"Authorization: Bearer "+serviceToken, fmt.Sprintf("Tideline-Act-For: %d", user))
	var ids []string
	for _, part := range strings.Split(got.body, `"databaseId":"`)[1:] {
		ids = append(ids, part[:strings.Index(part, `"`)])
	}
	return strings.Join(ids, " ")
}

// ingests posts lines as a service.
func (s *server) ingests(t *testing.T, lines ...string) response {
	t.Helper()
	return s.send(t, http.MethodPost, "/ingest", strings.Join(lines, "\n"), "Authorization: Bearer "+serviceToken)
}

func startBeside(t *testing.T) *server {
	t.Helper()
	return startServer(t, "TIDELINE_DATA_DIR="+t.TempDir(), "TIDELINE_JWT_SECRET="+harness.Secret, "TIDELINE_SERVICE_TOKEN="+serviceToken,
		"TIDELINE_DEMO=false", "TIDELINE_SOURCE_OWNS=user,post,follow")
}

func TestIngest_FeedsFollowTheSource(t *testing.T) {
	t.Parallel()
	s := startBeside(t)
	got := s.ingests(t, sourceFollow(1, 2, 1, ""), sourcePost(10, 2, 1, ""), "no record", sourceUser(1, 1, ""), sourcePost(11, 2, 1, ""))
	if want := `"stored":4,"updated":0,"unchanged":0,"outdated":0,"badCount":1`; got.StatusCode != http.StatusOK || !strings.Contains(got.body, want) {
		t.Fatalf("status %d: %s", got.StatusCode, got.body)
	}
	if home := s.homeIDs(t, 1); home != "" {
		t.Errorf("posts of a user who has not arrived are shown: %s", home)
	}
	s.ingests(t, sourceUser(2, 1, ""))
	s.awaitHome(t, 1, "11 10")
	s.ingests(t, sourcePost(10, 2, 2, sourceGone))
	s.awaitHome(t, 1, "11")
	s.ingests(t, sourcePost(10, 2, 1, ""), sourcePost(10, 2, 3, ""))
	s.awaitHome(t, 1, "11 10")
	s.ingests(t, sourceFollow(1, 2, 2, sourceGone))
	s.awaitHome(t, 1, "")
}

// So many posts share tasks of the queue.
func TestIngest_ManyPostsReachAnInbox(t *testing.T) {
	t.Parallel()
	const authors, posts = 10, 400
	s := startBeside(t)
	lines := []string{sourceUser(1, 1, "")}
	for author := 2; author < 2+authors; author++ {
		lines = append(lines, sourceUser(author, 1, ""), sourceFollow(1, author, 1, ""))
	}
	s.ingests(t, append(lines, sourcePost(999, 2, 1, ""))...)
	s.awaitHome(t, 1, "999")
	lines = nil
	for i := range posts {
		lines = append(lines, sourcePost(1000+i, 2+i%authors, 1, ""))
	}
	s.ingests(t, lines...)
	var want []string
	for i := range 20 {
		want = append(want, fmt.Sprint(1000+posts-1-i))
	}
	s.awaitHome(t, 1, strings.Join(want, " "))
}

// awaitHome waits until a home feed is as wanted: pushes and evictions take a moment.
func (s *server) awaitHome(t *testing.T, user int, want string) {
	t.Helper()
	eventually.Succeeds(t, fmt.Sprintf("the home feed of user %d is %q", user, want), func() error {
		if got := s.homeIDs(t, user); got != want {
			return fmt.Errorf("it is %q", got)
		}
		return nil
	})
}

func TestIngest_IsForServices(t *testing.T) {
	t.Parallel()
	s := startBeside(t)
	for name, c := range map[string]struct {
		method, token string
		want          int
	}{
		"no token":  {http.MethodPost, "", http.StatusUnauthorized},
		"a user":    {http.MethodPost, harness.TokenFor(t, 1), http.StatusForbidden},
		"a read":    {http.MethodGet, serviceToken, http.StatusMethodNotAllowed},
		"a service": {http.MethodPost, serviceJWT(t, "content", time.Hour), http.StatusOK},
	} {
		headers := []string{"X-Test: 1"}
		if c.token != "" {
			headers = append(headers, "Authorization: Bearer "+c.token)
		}
		if got := s.send(t, c.method, "/ingest", sourceUser(1, 1, ""), headers...); got.StatusCode != c.want {
			t.Errorf("%s: status %d, want %d: %s", name, got.StatusCode, c.want, got.body)
		}
	}
}

func TestIngest_TakesGzip(t *testing.T) {
	t.Parallel()
	s := startBeside(t)
	var body bytes.Buffer
	z := gzip.NewWriter(&body)
	for id := range 5000 {
		_, _ = io.WriteString(z, sourceUser(id+1, 1, "")+"\n")
	}
	_ = z.Close()
	got := s.send(t, http.MethodPost, "/ingest", body.String(), "Authorization: Bearer "+serviceToken, "Content-Encoding: gzip")
	if !strings.Contains(got.body, `"stored":5000,`) {
		t.Errorf("status %d: %s", got.StatusCode, got.body)
	}
}
