//go:build nightly

package e2e

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/edge/transport"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// suitesReport has the stored figures of the clients.
const suitesReport = "docs/benchmarks/client-suites.md"

// feedClients has the third-party clients by package name, with the page size of each.
func feedClients() map[string]int {
	return map[string]int{
		"relay-runtime": 7, "@apollo/client": 10, "@urql/exchange-graphcache": 8, "graphql-ws": 6, "graphql-sse": 9,
		"@graphql-codegen/client-preset": 12,
	}
}

// Each third-party client reads a feed to its end, as its documentation says, while posts are
// published. It must show each post once and new posts above the others.
func TestThirdPartyClients_ReadFeedWhilePublishing(t *testing.T) {
	t.Parallel()
	install(t)
	env := shared(t, noDemo, "TIDELINE_LOG_LEVEL=debug",
		"TIDELINE_TRUSTED_DOCUMENTS=clients/typescript/src/generated/persisted-documents.json",
		fmt.Sprint("TIDELINE_PUSH_THRESHOLD=", worldThreshold), fmt.Sprint("TIDELINE_INBOX_CAP=", worldInbox))
	worlds := importWorlds(t, env)
	keepFlags(t, setting(env, "TIDELINE_DATABASE_URL"))
	s := startServer(t, env...)
	for _, w := range worlds {
		w.warm(t, s)
	}

	reports := t.TempDir()
	runSuites(t, []string{"feeds/*.test.mjs", "feeds/*/*.test.js"},
		"TIDELINE_URL="+s.Base+"/graphql", "FEED_WORLDS="+worldsFile(t, worlds), "FEED_REPORTS="+reports)
	figures := readReports(t, reports)
	if len(figures) != len(worlds) {
		t.Errorf("%d of %d clients wrote a report", len(figures), len(worlds))
	}
	// The number of posts depends on when a subscription begins, so it is not compared.
	report := suitesTable(figures)
	if t.Log(report); *update {
		harness.Check(t, os.WriteFile(suitesReport, []byte(report), 0o644))
	}
	for name, w := range worlds {
		for _, source := range []feed.Source{feed.SourceInbox, feed.SourceBoth, feed.SourceReference} {
			if s.CountLines(fmt.Sprintf("viewer=%d source=%s ", w.viewer, source)) == 0 {
				t.Errorf("no page of %s has the source %s", name, source)
			}
		}
	}
}

// importWorlds imports a world for each client. Its first author publishes at a server that pushes
// nothing.
func importWorlds(t *testing.T, env []string) map[string]*feedWorld {
	t.Helper()
	var lines []string
	for fan := 1; fan <= worldFans; fan++ {
		lines = append(lines, harness.UserRecord(fan))
	}
	worlds := map[string]*feedWorld{}
	clients := feedClients()
	for no, name := range slices.Sorted(maps.Keys(clients)) {
		w, more := newFeedWorld(t, no, clients[name])
		worlds[name] = w
		lines = append(lines, more...)
	}
	harness.ImportFile(t, env, harness.RecordsFile(t, lines), fmt.Sprintf("%d new, 0 known, 0 bad", len(lines)))

	s := startServer(t, append(env, "TIDELINE_FANOUT=pull")...)
	for _, w := range worlds {
		w.publishUnpushed(t, s)
	}
	s.Process.Interrupt()
	if code := s.Process.Wait(); code != 0 {
		t.Fatalf("the server ended with exit code %d:\n%s", code, s.Process.Output())
	}
	return worlds
}

// keepFlags lets flags of the mode pull stay in another mode: those after a backlog fall only once an
// author has few followers.
func keepFlags(t *testing.T, database string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), database)
	harness.Check(t, err)
	defer func() { _ = conn.Close(t.Context()) }()
	_, err = conn.Exec(t.Context(), "UPDATE users SET mark_reason = $1 WHERE mark_reason = $2", int(feed.FlagBacklog), int(feed.FlagMode))
	harness.Check(t, err)
}

// suiteFigures is the result of one client.
type suiteFigures struct {
	Client                  string
	Pages, Posts, Published int
	Duplicates, Gaps        int
}

// readReports returns the reports that the suites wrote to a folder.
func readReports(t *testing.T, folder string) []suiteFigures {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	harness.Check(t, err)
	all := make([]suiteFigures, len(files))
	for i, file := range files {
		text, err := os.ReadFile(file)
		harness.Check(t, err)
		harness.Check(t, json.Unmarshal(text, &all[i]))
	}
	return all
}

// suitesTable formats the page of figures.
func suitesTable(figures []suiteFigures) string {
	var page strings.Builder
	page.WriteString(suitesHead)
	for _, f := range figures {
		fmt.Fprintf(&page, "| %s | %d | %d | %d | %d | %d |\n", f.Client, f.Pages, f.Posts, f.Published, f.Duplicates, f.Gaps)
	}
	return page.String()
}

// suitesHead is the text above the table.
const suitesHead = `# Clients

Third-party clients read one feed each while others publish into it. All use one server on PostgreSQL and Redis at the same time. A post is published while each page loads, and another one before the next. The upper part of each feed is merged from an inbox, a pulled outbox and the viewer's own; the lower part is below the floor of the inbox. *Posts* are those that existed when the scroll began. *Duplicates* and *gaps* are counted in the server's pages and in the client's list. The test fails if a new post is not at the top, or if the feed is not exact after a reload.

The test prints this table at every run; this one was written by

` + "```sh\nscripts/gotest.sh -count=1 -tags nightly -run ReadFeedWhilePublishing ./tests/e2e -update\n```" + `

| client | pages | posts | published meanwhile | duplicates | gaps |
| --- | --- | --- | --- | --- | --- |
`

// The posts of a world. Two authors have more followers than the push threshold. The first is
// unpushed, so reads pull their outbox. Posts of the second are pushed to active followers. An
// inbox holds a third of a feed. So the upper part of a scroll is merged from the inbox, the outbox
// of the first author and the viewer's own, and the lower part is from below the floor.
const (
	worldSize      = 300
	worldAuthors   = 6
	worldFans      = 12
	worldThreshold = 10
	worldInbox     = 100
)

// feedWorld is what a client reads, as its suite receives it.
type feedWorld struct {
	Viewer   string   `json:"viewer"`   // the viewer's token
	Authors  []string `json:"authors"`  // tokens of the followed users
	PageSize int      `json:"pageSize"` // posts per page
	Posts    []string `json:"posts"`    // decimal ids of the feed, newest first

	viewer, pulled feed.UserID
}

// newFeedWorld returns the world of the client with a number, and its import records. Three posts
// at a time share a millisecond, and ids are independent of times. Users below a hundred follow
// both popular authors. One post is not in the records: see publishUnpushed.
func newFeedWorld(t *testing.T, no, pageSize int) (*feedWorld, []string) {
	t.Helper()
	viewer := (no + 1) * 100
	w := &feedWorld{Viewer: harness.TokenFor(t, feed.UserID(viewer)), PageSize: pageSize, viewer: feed.UserID(viewer), pulled: feed.UserID(viewer + 1)}
	lines := []string{harness.UserRecord(viewer)}
	for author := viewer + 1; author <= viewer+worldAuthors; author++ {
		w.Authors = append(w.Authors, harness.TokenFor(t, feed.UserID(author)))
		lines = append(lines, harness.UserRecord(author), harness.FollowRecord(viewer, author))
	}
	for fan := 1; fan <= worldFans; fan++ {
		lines = append(lines, harness.FollowRecord(fan, viewer+1), harness.FollowRecord(fan, viewer+2))
	}
	posts := worldPosts(no, viewer)
	w.Posts = harness.SortedIDs(posts)
	for _, p := range posts {
		lines = append(lines, harness.PostRecord(p, "an old one"))
	}
	return w, lines
}

// worldPosts returns the posts of a world.
func worldPosts(no, viewer int) []harness.Post {
	rng := rand.New(rand.NewPCG(uint64(no), 9))
	start := time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC).UnixMilli()
	posts := make([]harness.Post, worldSize-1)
	for i, at := range rng.Perm(worldSize - 1) {
		posts[i] = harness.Post{ID: int64(no*worldSize+i)*1_000_003 + 1, Author: viewer + i%(worldAuthors+1), At: start + int64(at/3)}
	}
	return posts
}

// publishUnpushed publishes as an author of a world while nothing is pushed, and waits until the
// author is flagged unpushed: no inbox covers them.
func (w *feedWorld) publishUnpushed(t *testing.T, s *server) {
	t.Helper()
	id := s.Publish(t, harness.TokenFor(t, w.pulled), "not pushed")
	s.waitForTask(t, "dispatch", "post "+id)
	w.Posts = slices.Insert(w.Posts, 0, id)
}

// warm reads the viewer's home feed until it comes from the inbox and an outbox.
func (w *feedWorld) warm(t *testing.T, s *server) {
	t.Helper()
	eventually.True(t, fmt.Sprintf("the inbox of user %d is read", w.viewer), func() bool {
		s.Home(t, w.Viewer, 1, 1)
		return s.CountLines(fmt.Sprintf("viewer=%d source=inbox inbox=warm pulled=1", w.viewer)) > 0
	})
}

// worldsFile writes the worlds for the suites to a file and returns its name.
func worldsFile(t *testing.T, worlds map[string]*feedWorld) string {
	t.Helper()
	text, err := json.Marshal(worlds)
	harness.Check(t, err)
	return harness.RecordsFile(t, []string{string(text)})
}

// waitForTask waits until a task with the text in its description is done.
func (s *server) waitForTask(t *testing.T, queue, text string) {
	t.Helper()
	eventually.True(t, "a task of the queue "+queue+" was done", func() bool {
		_, body := s.Get(t, "/tasks/api/queues/"+queue+"/completed_tasks", operatorToken)
		return strings.Contains(body, text)
	})
}

// update makes tests write the stored reports instead of comparing them.
var update = flag.Bool("update", false, "update stored reports")

// auditReport has the stored results of the audits of GraphQL over HTTP.
const auditReport = "docs/benchmarks/graphql-http-audit.txt"

// Third-party clients and audits work with this server.
func TestThirdPartyClients_AndAuditsPass(t *testing.T) {
	t.Parallel()
	install(t)
	s := startServer(t, embedded(t)...)
	ticks := httptest.NewServer(ticking())
	t.Cleanup(ticks.Close)
	report := filepath.Join(t.TempDir(), "audit.txt")

	runSuites(t, []string{"*.test.mjs"}, "TIDELINE_URL="+s.Base+"/graphql", "TIDELINE_TOKEN="+harness.TokenFor(t, 10), "TICKS_URL="+ticks.URL, "AUDIT_REPORT="+report)
	got, err := os.ReadFile(report)
	harness.Check(t, err)
	wantKept(t, auditReport, string(got))
}

// runSuites runs the suites of tests/clients whose files match patterns, by Node.js.
func runSuites(t *testing.T, patterns []string, env ...string) {
	t.Helper()
	var suites []string
	for _, pattern := range patterns {
		files, err := filepath.Glob(filepath.Join("bin/clients", pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("no suite matches %s (error %v)", pattern, err)
		}
		for _, file := range files {
			suites = append(suites, strings.TrimPrefix(file, "bin/clients/"))
		}
	}
	runNode(t, "bin/clients", suites, env...)
}

// installed installs the third-party packages once for all parallel tests.
var installed = sync.OnceValue(func() error {
	if out, err := exec.CommandContext(context.Background(), "scripts/clients.sh").CombinedOutput(); err != nil {
		return fmt.Errorf("scripts/clients.sh: %w\n%s", err, out)
	}
	return nil
})

// install installs the third-party packages.
func install(t *testing.T) {
	t.Helper()
	testenv.Checkout(t)
	harness.Check(t, installed())
}

// wantKept compares a report with a stored file, or stores it with -update.
func wantKept(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		harness.Check(t, os.WriteFile(file, []byte(got), 0o644))
	}
	if diff := cmp.Diff(harness.Doc(t, file), got); diff != "" {
		t.Errorf("%s differs from the result; update it by scripts/gotest.sh -tags nightly -run ThirdParty ./tests/e2e -update\n%s", file, diff)
	}
}

// ticking is a server whose subscription counts from one, over the real server's transport.
func ticking() http.Handler {
	const schema = `type Query { name: String! } type Subscription { ticks(to: Int!): Int! }`
	server := handler.New(&graphql.ExecutableSchemaMock{
		SchemaFunc:     func() *ast.Schema { return gqlparser.MustLoadSchema(&ast.Source{Input: schema}) },
		ExecFunc:       count,
		ComplexityFunc: func(context.Context, string, string, int, map[string]any) (int, bool) { return 0, false },
	})
	server.AddTransport(transport.New(transport.Options{Authenticate: forAWhile}))
	return server
}

// forAWhile accepts every token, for as long as the client asks.
func forAWhile(ctx context.Context, payload map[string]any) (context.Context, time.Time, error) {
	millis, given := payload["expiresInMillis"].(json.Number)
	if !given {
		return ctx, time.Time{}, nil
	}
	n, err := millis.Int64()
	return ctx, time.Now().Add(time.Duration(n) * time.Millisecond), err
}

func count(ctx context.Context) graphql.ResponseHandler {
	oc := graphql.GetOperationContext(ctx)
	field := oc.Operation.SelectionSet[0].(*ast.Field)
	to := field.ArgumentMap(oc.Variables)["to"].(int64)
	n := int64(0)
	return func(context.Context) *graphql.Response {
		if n++; n > to {
			return nil
		}
		return &graphql.Response{Data: fmt.Appendf(nil, `{%q:%d}`, field.Alias, n)}
	}
}
