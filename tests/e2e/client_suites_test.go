//go:build nightly

package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/tideline-feeds/tideline/feed"
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
