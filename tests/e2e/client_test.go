package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/Khan/genqlient/graphql"

	tideline "github.com/tideline-feeds/tideline/clients/go"
	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/gateway"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// testSecret signs the tokens of servers that are started with it.
const testSecret = "a secret that only tests are signed with"

// server is the real program, spoken to by HTTP only.
type server struct {
	process *testenv.Process
	base    string
	// demoLinks counts the demo links that the test has taken.
	demoLinks int
}

// startServer starts the program with settings from the environment and waits until
// it says that it is ready.
func startServer(t *testing.T, env ...string) *server {
	t.Helper()
	env = append([]string{"TIDELINE_ADDR=127.0.0.1:0"}, env...)
	p := testenv.Program(t, []string{testenv.Binary(t), "serve"}, env)
	ready := p.WaitLine(`^ready after .*: open (http://[^/]+)/graphiql$`)
	return &server{process: p, base: ready[1]}
}

// demoLink returns the path, with its fragment, of a demo link that was not used before.
func (s *server) demoLink(t *testing.T) string {
	t.Helper()
	s.demoLinks++
	var links []string
	eventually.True(t, "another demo link is printed", func() bool {
		links = regexp.MustCompile(`/#demo=\w+`).FindAllString(s.process.Output(), -1)
		return len(links) >= s.demoLinks
	})
	return links[s.demoLinks-1]
}

// tokenFor signs a token for a user of a server with testSecret.
func tokenFor(t *testing.T, user feed.UserID) string {
	t.Helper()
	token, err := gateway.NewTokens([]byte(testSecret), time.Now).Sign(gateway.Claims{User: user}, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// get fetches a page, as whoever holds the token when there is one.
func (s *server) get(t *testing.T, path, token string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.base+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s.do(t, req, token)
}

func (s *server) do(t *testing.T, req *http.Request, token string) (int, string) {
	t.Helper()
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(body)
}

// query runs a GraphQL document and fails the test on any error in the answer.
func (s *server) query(t *testing.T, token, document string, variables map[string]any, into any) {
	t.Helper()
	in, err := json.Marshal(map[string]any{"query": document, "variables": variables})
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.base+"/graphql", bytes.NewReader(in))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	_, body := s.do(t, req, token)
	var out struct {
		Data   json.RawMessage
		Errors []any
	}
	if err := json.Unmarshal([]byte(body), &out); err != nil || len(out.Errors) > 0 {
		t.Fatalf("%s\nwith %v answers\n%s", document, variables, body)
	}
	if err := json.Unmarshal(out.Data, into); err != nil {
		t.Fatal(err)
	}
}

// client returns a client of the server that asks as whoever holds the token.
func (s *server) client(token string) graphql.Client {
	return tideline.New(s.base, tideline.WithToken(token))
}

// home scrolls through a viewer's home feed from the top by pages of size, until it
// has limit ids or the feed ends.
func (s *server) home(t *testing.T, token string, size, limit int) []string {
	t.Helper()
	var ids []string
	var after *string
	for {
		got, err := tideline.HomeFeedIDs(t.Context(), s.client(token), size, after, nil)
		if err != nil {
			t.Fatal(err)
		}
		page := got.Viewer.HomeFeed
		more, next := idsOf(page)
		ids = append(ids, more...)
		if next != nil && len(page.Edges) != size {
			t.Fatalf("a page of %d entries is not full although there are more", len(page.Edges))
		}
		if next == nil || len(ids) >= limit {
			return ids[:min(len(ids), limit)]
		}
		after = next
	}
}

// homeBackward scrolls through a viewer's whole home feed from its end to the top
// and returns the ids newest first.
func (s *server) homeBackward(t *testing.T, token string, size int) []string {
	t.Helper()
	var ids []string
	var before *string
	for {
		got, err := tideline.HomeFeedUp(t.Context(), s.client(token), size, before, nil)
		if err != nil {
			t.Fatal(err)
		}
		page := got.Viewer.HomeFeed
		var run []string
		for _, e := range page.Edges {
			run = append(run, e.Node.DatabaseId)
		}
		ids = append(run, ids...)
		if !page.PageInfo.HasPreviousPage {
			return ids
		}
		before = page.PageInfo.StartCursor
	}
}

// publish publishes a post and returns its decimal id.
func (s *server) publish(t *testing.T, token, text string) string {
	t.Helper()
	got, err := tideline.PublishPost(t.Context(), s.client(token), tideline.PublishPostInput{Text: text})
	if err != nil {
		t.Fatal(err)
	}
	if err := tideline.Refused(got.PublishPost.UserErrors); err != nil {
		t.Fatalf("the publish was refused: %v", err)
	}
	return got.PublishPost.FeedEdge.Node.DatabaseId
}

// follow makes the token's holder follow a user.
func (s *server) follow(t *testing.T, token string, user feed.UserID) {
	t.Helper()
	got, err := tideline.FollowUser(t.Context(), s.client(token), tideline.UserIdInput{UserId: nodeID("User", user.String())})
	if err != nil {
		t.Fatal(err)
	}
	if err := tideline.Refused(got.FollowUser.UserErrors); err != nil {
		t.Fatalf("the follow was refused: %v", err)
	}
}

// countLines counts the lines of the process's output that hold all of the texts.
func (s *server) countLines(texts ...string) int {
	n := 0
	for _, line := range strings.Split(s.process.Output(), "\n") {
		all := true
		for _, text := range texts {
			all = all && strings.Contains(line, text)
		}
		if all {
			n++
		}
	}
	return n
}

// recordsFile writes lines of an import to a file and returns its name.
func recordsFile(t *testing.T, lines []string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "records.ndjson")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// userRecord, followRecord and postRecord are lines of an import.
func userRecord(id int) string {
	return fmt.Sprintf(`{"type":"user","id":"%d","handle":"u%d","name":"User %d","createdAt":"2026-01-01T00:00:00Z"}`, id, id, id)
}

func followRecord(follower, followee int) string {
	return fmt.Sprintf(`{"type":"follow","follower":"%d","followee":"%d","createdAt":"2026-01-02T00:00:00Z"}`, follower, followee)
}

func postRecord(p post, text string) string {
	return fmt.Sprintf(`{"type":"post","id":"%d","author":"%d","kind":"POST","text":"%s","publishedAt":"%s"}`,
		p.id, p.author, text, time.UnixMilli(p.at).UTC().Format("2006-01-02T15:04:05.000Z"))
}
