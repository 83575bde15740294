package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// sourceLine is a change record of another system.
func sourceLine(typ, key, rest string, version int) string {
	return fmt.Sprintf(`{"type":%q,%s,%s"version":%d}`, typ, key, rest, version)
}

func sourceUser(id, version int) string {
	return sourceLine("user", fmt.Sprintf(`"id":"%d"`, id), `"handle":"","name":"N","createdAt":"2026-01-01T00:00:00Z",`, version)
}

func sourcePost(id, author, version int, rest string) string {
	return sourceLine("post", fmt.Sprintf(`"id":"%d"`, id),
		fmt.Sprintf(`"author":"%d","kind":"POST","text":"t","publishedAt":"2026-01-01T00:00:00Z",`, author)+rest, version)
}

func sourceFollow(follower, followee, version int, rest string) string {
	return sourceLine("follow", fmt.Sprintf(`"follower":"%d","followee":"%d"`, follower, followee), `"createdAt":"2026-01-01T00:00:00Z",`+rest, version)
}

func sourceCounters(key, counters string, version int) string {
	return sourceLine("counters", key, counters+",", version)
}

const sourceGone = `"deletedAt":"2026-02-01T00:00:00Z",`

// homeIDs returns the home feed of a user as text.
func (s *server) homeIDs(t *testing.T, user int) string {
	t.Helper()
	got := s.ask(t, `{ viewer { homeFeed(first: 20) { nodes { databaseId } } } }`, actFor(user)...)
	var ids []string
	for _, part := range strings.Split(got.body, `"databaseId":"`)[1:] {
		ids = append(ids, part[:strings.Index(part, `"`)])
	}
	return strings.Join(ids, " ")
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

// ingests posts lines as a service.
func (s *server) ingests(t *testing.T, lines ...string) response {
	t.Helper()
	return s.send(t, http.MethodPost, "/ingest", strings.Join(lines, "\n"), as(serviceToken))
}

// wantIngested fails the test unless the response to records has a text.
func wantIngested(t *testing.T, got response, want string) {
	t.Helper()
	if got.StatusCode != http.StatusOK || !strings.Contains(got.body, want) {
		t.Fatalf("status %d without %s: %s", got.StatusCode, want, got.body)
	}
}

func TestIngest_FeedsFollowTheSource(t *testing.T) {
	t.Parallel()
	env := embedded(t, noDemo, sourceOwns, "TIDELINE_CACHE_TTL=0s")
	s := startServer(t, env...)
	got := s.ingests(t, sourceFollow(1, 2, 1, ""), sourcePost(10, 2, 1, ""), "no record", sourceUser(1, 1), sourcePost(11, 2, 1, ""))
	wantIngested(t, got, `"stored":4,"updated":0,"unchanged":0,"outdated":0,"badCount":1`)
	if home := s.homeIDs(t, 1); home != "" {
		t.Errorf("posts of a user who has not arrived are shown: %s", home)
	}
	s.ingests(t, sourceUser(2, 1))
	s.awaitHome(t, 1, "11 10")
	s.ingests(t, sourcePost(10, 2, 2, sourceGone))
	s.awaitHome(t, 1, "11")
	s.ingests(t, sourcePost(10, 2, 1, ""), sourcePost(10, 2, 3, ""))
	s.awaitHome(t, 1, "11 10")

	t.Run("by a file", func(t *testing.T) {
		harness.ImportFile(t, env, harness.RecordsFile(t, []string{
			`{"type":"user","id":"2","handle":"two","name":"Two","createdAt":"2026-01-01T00:00:00Z"}`,
			`{"type":"post","id":"12","author":"2","kind":"POST","text":"c","publishedAt":"2026-01-05T00:00:00Z"}`,
		}), "2 lines, 1 new, 0 known, 0 bad, 1 updated")
		s.awaitHome(t, 1, "12 11 10")
	})
	t.Run("users change only what the source does not own", func(t *testing.T) {
		got := s.ask(t, `mutation { publishPost(input: {text: "x"}) { userErrors { message } } muteUser(input: {userId: "`+harness.NodeID("User", "2")+`"}) { userErrors { code } } }`, as(harness.TokenFor(t, 1)))
		if !strings.Contains(got.body, "type post") || !strings.Contains(got.body, `"muteUser":{"userErrors":[]}`) {
			t.Errorf("the response is %s", got.body)
		}
		s.awaitHome(t, 1, "")
	})
	t.Run("only services send", func(t *testing.T) {
		for token, want := range map[string]int{
			"": http.StatusUnauthorized, harness.TokenFor(t, 1): http.StatusForbidden, serviceJWT(t, "content"): http.StatusOK,
		} {
			if got := s.send(t, http.MethodPost, "/ingest", sourceUser(1, 1), as(token)); got.StatusCode != want {
				t.Errorf("with the token %q: status %d, want %d: %s", token, got.StatusCode, want, got.body)
			}
		}
		if got := s.send(t, http.MethodGet, "/ingest", "", as(serviceToken)); got.StatusCode != http.StatusMethodNotAllowed {
			t.Errorf("a read: status %d", got.StatusCode)
		}
	})
}

// A user without a record is shown once their mode says so, and signs in where Tideline owns users.
func TestUsers_WithoutRecordSignInAndShow(t *testing.T) {
	t.Parallel()
	env := embedded(t, "TIDELINE_SOURCE_OWNS=post,follow", "TIDELINE_CACHE_TTL=0s")
	s := startServer(t, env...)
	harness.ImportLines(t, env, harness.FollowRecord(1, 2), harness.FollowRecord(1, 3),
		`{"type":"post","id":"10","author":"2","kind":"POST","text":"a","publishedAt":"2026-01-03T00:00:00Z"}`,
		`{"type":"post","id":"11","author":"3","kind":"POST","text":"a","publishedAt":"2026-01-04T00:00:00Z"}`)
	s.awaitHome(t, 1, "")
	s.ask(t, `{ viewer { user { id } } }`, as(harness.TokenFor(t, 2)))
	s.awaitHome(t, 1, "10")
	// Another process changes the mode.
	if code, out := harness.Command(t, env, "import", "--users=implicit", harness.RecordsFile(t, []string{harness.FollowRecord(1, 2)})); code != 0 {
		t.Fatalf("the import ended with exit code %d:\n%s", code, out)
	}
	s.awaitHome(t, 1, "11 10")
	got := s.ask(t, `{ user(databaseId: "3") { handle name unavailable counters { followers posts } } }`, as(harness.TokenFor(t, 1)))
	if want := `{"handle":"","name":"","unavailable":false,"counters":{"followers":1,"posts":1}}`; !strings.Contains(got.body, want) {
		t.Errorf("the author without a record is %s", got.body)
	}
}

func TestCounters_ComeFromTheSource(t *testing.T) {
	t.Parallel()
	env := embedded(t, noDemo, sourceOwns, "TIDELINE_COUNTERS=source")
	s := startServer(t, env...)
	s.ingests(t, sourceUser(1, 1), sourceUser(2, 1), sourceFollow(1, 2, 1, ""), sourcePost(10, 2, 1, ""))
	// The caches of a process keep counters for a second.
	counts := func(followers, likes int) {
		t.Helper()
		want := fmt.Sprintf(`{"data":{"user":{"counters":{"followers":%d}},"post":{"counters":{"likes":%d}}}`, followers, likes)
		eventually.Succeeds(t, "the counters are "+want, func() error {
			got := s.ask(t, `{ user(databaseId: "2") { counters { followers } } post(databaseId: "10") { counters { likes } } }`, actFor(1)...)
			if !strings.HasPrefix(got.body, want) {
				return fmt.Errorf("the response is %s", got.body)
			}
			return nil
		})
	}
	counts(0, 0)
	wantIngested(t, s.ingests(t, sourceCounters(`"user":"2"`, `"followers":900`, 1), sourceCounters(`"post":"10"`, `"likes":70,"comments":3`, 2)), `"stored":2,`)
	counts(900, 70)
	liked := s.ask(t, `mutation { likePost(input: {postId: "`+harness.NodeID("Post", "10")+`"}) { post { viewerHasLiked } } }`, actFor(1)...)
	if !strings.Contains(liked.body, `"viewerHasLiked":true`) {
		t.Errorf("the response to a like is %s", liked.body)
	}
	s.ingests(t, sourceCounters(`"user":"2"`, `"followers":901`, 2), sourceCounters(`"post":"10"`, `"likes":69`, 1))
	counts(901, 70)
	if code, out := harness.Command(t, env, "export", "-"); !strings.Contains(out, `{"type":"counters","post":"10","likes":70,"comments":3}`) || !strings.Contains(out, "2 counters") {
		t.Errorf("the export ended with exit code %d:\n%s", code, out)
	}
}
