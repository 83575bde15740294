package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/gateway"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// testSecret signs the tokens of servers that are started with it.
const testSecret = "a secret that only tests are signed with"

// server is the real program, spoken to by HTTP only.
type server struct {
	process *testenv.Process
	base    string
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

// feedPage is one page of a feed, with nothing but what paging needs.
type feedPage struct {
	Edges []struct {
		Cursor string
		Node   struct{ DatabaseID string }
	}
	PageInfo struct {
		HasNextPage, HasPreviousPage bool
		StartCursor, EndCursor       *string
	}
}

const pageFields = `edges { cursor node { databaseId } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }`

// home scrolls through a viewer's home feed from the top by pages of size, until it
// has limit ids or the feed ends.
func (s *server) home(t *testing.T, token string, size, limit int) []string {
	t.Helper()
	var ids []string
	var after *string
	for {
		var got struct{ Viewer struct{ HomeFeed feedPage } }
		s.query(t, token, `query($n: Int, $after: String) { viewer { homeFeed(first: $n, after: $after) { `+pageFields+` } } }`,
			map[string]any{"n": size, "after": after}, &got)
		page := got.Viewer.HomeFeed
		for _, e := range page.Edges {
			ids = append(ids, e.Node.DatabaseID)
		}
		if page.PageInfo.HasNextPage && len(page.Edges) != size {
			t.Fatalf("a page of %d entries is not full although there are more", len(page.Edges))
		}
		if !page.PageInfo.HasNextPage || len(ids) >= limit {
			return ids[:min(len(ids), limit)]
		}
		after = page.PageInfo.EndCursor
	}
}

// homeBackward scrolls through a viewer's whole home feed from its end to the top
// and returns the ids newest first.
func (s *server) homeBackward(t *testing.T, token string, size int) []string {
	t.Helper()
	var ids []string
	var before *string
	for {
		var got struct{ Viewer struct{ HomeFeed feedPage } }
		s.query(t, token, `query($n: Int, $before: String) { viewer { homeFeed(last: $n, before: $before) { `+pageFields+` } } }`,
			map[string]any{"n": size, "before": before}, &got)
		page := got.Viewer.HomeFeed
		var run []string
		for _, e := range page.Edges {
			run = append(run, e.Node.DatabaseID)
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
	var got struct {
		PublishPost struct {
			Post       *struct{ DatabaseID string }
			UserErrors []struct{ Message string }
		}
	}
	s.query(t, token, `mutation($text: String!) { publishPost(input: {text: $text}) { post { databaseId } userErrors { message } } }`,
		map[string]any{"text": text}, &got)
	if got.PublishPost.Post == nil {
		t.Fatalf("the publish was refused: %v", got.PublishPost.UserErrors)
	}
	return got.PublishPost.Post.DatabaseID
}

// follow makes the token's holder follow a user.
func (s *server) follow(t *testing.T, token string, user feed.UserID) {
	t.Helper()
	var got struct {
		FollowUser struct{ UserErrors []struct{ Message string } }
	}
	id := base64.RawURLEncoding.EncodeToString([]byte("User:" + user.String()))
	s.query(t, token, `mutation($id: ID!) { followUser(input: {userId: $id}) { userErrors { message } } }`, map[string]any{"id": id}, &got)
	if len(got.FollowUser.UserErrors) > 0 {
		t.Fatalf("the follow was refused: %v", got.FollowUser.UserErrors)
	}
}

// eventually calls ok every 20 ms until it is true. What it waits for happens in
// another process, which has no other way to tell.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(60 * time.Second)
	for !ok() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("it did not happen within a minute that %s", what)
		}
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
