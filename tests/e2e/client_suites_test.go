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

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// suitesReport is what the clients have read.
const suitesReport = "docs/benchmarks/client-suites.md"

// feedClients are the clients that read a feed to its end, by the names of their
// packages, with the page size that each asks for.
func feedClients() map[string]int {
	return map[string]int{
		"relay-runtime": 7, "@apollo/client": 10, "@urql/exchange-graphcache": 8, "graphql-ws": 6, "graphql-sse": 9,
		"@graphql-codegen/client-preset": 12, "genqlient": 11,
	}
}

// Other people's clients read a feed to its end while contents are published into it, each
// used as its makers say. None shows anything twice or leaves anything out, and each has
// what is new above the rest.
func TestThirdPartyClients_ReadFeedWhilePublishing(t *testing.T) {
	t.Parallel()
	install(t)
	env := []string{
		"TIDELINE_DATABASE_URL=" + testenv.Postgres(t), "TIDELINE_REDIS_URL=" + testenv.Redis(t),
		"TIDELINE_JWT_SECRET=" + harness.Secret, "TIDELINE_DEMO=false", "TIDELINE_LOG_LEVEL=debug",
		"TIDELINE_TRUSTED_DOCUMENTS=clients/typescript/src/generated/persisted-documents.json",
		fmt.Sprint("TIDELINE_PUSH_THRESHOLD=", worldThreshold), fmt.Sprint("TIDELINE_INBOX_CAP=", worldInbox),
	}
	worlds := importWorlds(t, env)
	s := startServer(t, env...)
	for _, w := range worlds {
		w.warm(t, s)
	}

	reports := t.TempDir()
	runSuites(t, []string{"feeds/*.test.mjs", "feeds/*/*.test.js"},
		"TIDELINE_URL="+s.Base+"/graphql", "FEED_WORLDS="+worldsFile(t, worlds), "FEED_REPORTS="+reports)
	figures := append(readReports(t, reports), newGoReader(t, s, worlds["genqlient"]).read())
	if len(figures) != len(worlds) {
		t.Errorf("%d of %d clients have reported", len(figures), len(worlds))
	}
	keepReport(t, suitesTable(figures))
	for name, w := range worlds {
		for _, source := range []feed.Source{feed.SourceInbox, feed.SourceBoth, feed.SourceReference} {
			if s.CountLines(fmt.Sprintf("viewer=%d source=%s ", w.viewer, source)) == 0 {
				t.Errorf("no page of %s has the source %s", name, source)
			}
		}
	}
}

// importWorlds imports a world for each client, and has its first author publish at a
// server that pushes nothing.
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
		t.Fatalf("the server ended with %d:\n%s", code, s.Process.Output())
	}
	return worlds
}

// keepReport prints a report, and keeps it when the test is told to update. How much is
// published is a matter of how soon a subscription listens, so it is never quite the same.
func keepReport(t *testing.T, report string) {
	t.Helper()
	t.Log(report)
	if *update {
		if err := os.WriteFile(suitesReport, []byte(report), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// suiteFigures are what one client has read.
type suiteFigures struct {
	Client                     string
	Pages, Contents, Published int
	Duplicates, Gaps           int
}

// readReports returns what the suites have left in a folder.
func readReports(t *testing.T, folder string) []suiteFigures {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	all := make([]suiteFigures, len(files))
	for i, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, &all[i]); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	}
	return all
}

// suitesTable makes a page of figures.
func suitesTable(figures []suiteFigures) string {
	var page strings.Builder
	page.WriteString(suitesHead)
	for _, f := range figures {
		fmt.Fprintf(&page, "| %s | %d | %d | %d | %d | %d |\n", f.Client, f.Pages, f.Contents, f.Published, f.Duplicates, f.Gaps)
	}
	return page.String()
}

// suitesHead is what stands above the table.
const suitesHead = `# Clients

What other people's clients read: each a feed of its own, into which others publish while it is read, from one server on PostgreSQL and Redis that all of them use at the same time. A content is published while each page loads, and another one before the next. The upper part of each feed is merged from an inbox, an outbox that is pulled and the viewer's own; the lower part lies below what the inbox holds. *Contents* are those that existed when the scroll began. *Duplicates* and *gaps* are counted in the pages that the server sent and in the list that the client made of them; new contents that stand anywhere but at the top fail the test, and so does a feed that is not exact when it is loaded anew.

The test prints this table at every run; this one was written by

` + "```sh\nscripts/gotest.sh -count=1 -run ReadFeedWhilePublishing ./tests/e2e -update\n```" + `

| client | pages | contents | published meanwhile | duplicates | gaps |
| --- | --- | --- | --- | --- | --- |
`
