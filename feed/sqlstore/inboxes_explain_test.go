package sqlstore_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// inboxSearch is how each database prints that it reads a page, newest first, from the index alone
// and within the bounds. SQLite does not print the direction, but it needs no sort. PostgreSQL also
// prints that it read no more entries than the page has, and none from the table.
func inboxSearch(k inboxKind) map[string][]string {
	return map[string][]string{
		"sqlite": {
			"SEARCH " + k.table + " USING COVERING INDEX " + k.index +
				" (user_id=? AND (publish_time,content_id)>(?,?) AND (publish_time,content_id)<(?,?))",
		},
		"postgres": {
			"Index Only Scan Backward using " + k.index + " on " + k.table + " (actual rows=21 loops=1)",
			stepAbove, stepBelow,
			"Heap Fetches: 0",
		},
	}
}

// How PostgreSQL prints that it uses the bounds of a page.
const (
	stepAbove = "AND (ROW(publish_time, content_id) > ROW("
	stepBelow = "AND (ROW(publish_time, content_id) < ROW("
)

// mustReadWithin checks the plan of a shared read, which has only the bounds of its pages.
func mustReadWithin(t *testing.T, steps []string, r feed.Range, plan string, err error) {
	t.Helper()
	for step, has := range map[string]bool{stepAbove: r.Above != feed.Bottom, stepBelow: r.Below != feed.Top} {
		if !has {
			steps = slices.DeleteFunc(slices.Clone(steps), func(s string) bool { return s == step })
		}
		if strings.Contains(plan, step) != has {
			t.Errorf("whether the plan contains %q should be %v:\n%s", step, has, plan)
		}
	}
	mustReadIndexAlone(t, steps, plan, err)
}

// inboxKind is the tables of one kind of inboxes.
type inboxKind struct {
	open         func(*sqlstore.Store, int) *sqlstore.Inboxes
	table, index string
	full         template
}

func inboxKinds() []inboxKind {
	return []inboxKind{
		{sqlstore.NewInboxes, "inbox", "idx_feed", homeInboxTemplate},
		{sqlstore.NewReplayInboxes, "replay_inbox", "idx_replay_feed", replayInboxTemplate},
	}
}

func TestExplain_InboxesUseIndexOnlyScans(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		for _, k := range inboxKinds() {
			t.Run(k.table, func(t *testing.T) { mustUseIndex(t, b, k) })
		}
	})
}

func mustUseIndex(t *testing.T, b backend, k inboxKind) {
	s := manyInboxes(t, b, k)
	for name, r := range inboxPages() {
		t.Run(name, func(t *testing.T) {
			plan, err := s.ExplainRead(t.Context(), 7, r)
			mustReadIndexAlone(t, inboxSearch(k)[b.name], plan, err)
			if b.name == "postgres" {
				plan, err = s.ExplainPreparedRead(t.Context(), 7, r)
				mustReadIndexAlone(t, inboxSearch(k)[b.name], plan, err)
				plan, err = s.ExplainTops(t.Context(), 7, r)
				mustReadWithin(t, inboxSearch(k)[b.name], r, plan, err)
			}
		})
	}
	t.Run("push", func(t *testing.T) {
		plan, err := s.ExplainTrim(t.Context(), inboxViewers(sqlstore.PushMost))
		must(t, err)
		for _, line := range strings.Split(plan, "\n") {
			switch line = strings.TrimLeft(line, " ->"); {
			case strings.HasPrefix(line, "Seq Scan on "+k.table+" "), line == "SCAN "+k.table, line == "SCAN e":
				t.Errorf("the plan reads all inboxes:\n%s", plan)
			}
		}
		if !strings.Contains(plan, k.index) || countSorts(plan) != 0 {
			t.Errorf("the plan does not take the entries in the order of their index:\n%s", plan)
		}
	})
}

// mustReadIndexAlone checks that the plan of a page has the steps and sorts nothing.
func mustReadIndexAlone(t *testing.T, steps []string, plan string, err error) {
	t.Helper()
	must(t, err)
	for _, step := range steps {
		if !strings.Contains(plan, step) {
			t.Errorf("the plan does not contain %q:\n%s", step, plan)
		}
	}
	if sorts := countSorts(plan); sorts != 0 {
		t.Errorf("the page is sorted, though the index has it in order:\n%s", plan)
	}
}

// inboxPages are the newest entries, and entries after a cursor, each with one more to detect the
// next page.
func inboxPages() map[string]feed.Range {
	deep := firstPage()
	deep.Below = inboxKey(31)
	middle := firstPage()
	middle.Below = inboxKey(151)
	bounded := deep
	bounded.Above = inboxKey(3)
	return map[string]feed.Range{
		"pull-down": firstPage(), "slide-up": middle, "slide-up near the end": deep, "slide-up to where one was": bounded,
	}
}

// inboxTables are full inboxes. %headers and %entries are the tables of one kind of them.
var inboxTables = []string{
	`INSERT INTO %headers (user_id, state, token, generation, started_at, entry_count) SELECT n.i, 2, 'one', 1, 1, ` +
		strconv.Itoa(feed.DefaultPolicy().InboxCap) + ` FROM %n%`,
	`INSERT INTO %entries (user_id, publish_time, content_id) SELECT n.i, 1700000000000 + 1000 * t.i, t.i FROM %n%, %t%`,
}

// inboxTemplate has so many full inboxes, in a table and that of their headers, that a wrong plan
// is expensive.
func inboxTemplate(entries, headers string) template {
	names := strings.NewReplacer("%entries", entries, "%headers", headers)
	var statements []string
	for _, statement := range inboxTables {
		statements = append(statements, names.Replace(statement))
	}
	rows := [2]int{300, feed.DefaultPolicy().InboxCap}
	return bulk{
		rows: map[string][2]int{"sqlite": rows, "postgres": rows}, statements: statements,
		last: map[string]string{"sqlite": "ANALYZE", "postgres": "VACUUM ANALYZE"},
	}.template()
}

var (
	homeInboxTemplate   = inboxTemplate("inbox", "inbox_headers")
	replayInboxTemplate = inboxTemplate("replay_inbox", "replay_inbox_headers")
)

// manyInboxes opens a store with many full inboxes of a kind.
func manyInboxes(t testing.TB, b backend, k inboxKind) *sqlstore.Inboxes {
	t.Helper()
	return k.open(k.full.open(t, b), feed.DefaultPolicy().InboxCap)
}

// inboxViewers returns the viewers 1 … n.
func inboxViewers(n int) []feed.UserID {
	viewers := make([]feed.UserID, n)
	for i := range viewers {
		viewers[i] = feed.UserID(i + 1)
	}
	return viewers
}

// inboxKey is the n-th oldest entry of the inboxes that readyInbox makes.
func inboxKey(n int64) feed.Key { return feed.Key{TS: 1700000000000 + 1000*n, ID: n} }

// readyInbox gives the viewer an inbox with n entries.
func readyInbox(t testing.TB, s *sqlstore.Inboxes, viewer feed.UserID, n int) {
	t.Helper()
	keys := make([]feed.Key, n)
	for i := range keys {
		keys[i] = inboxKey(int64(i + 1))
	}
	buildInbox(t, s, viewer, feed.Build{Keys: keys})
}

// buildInbox gives the viewer the inbox of a build.
func buildInbox(t testing.TB, s *sqlstore.Inboxes, viewer feed.UserID, build feed.Build) {
	t.Helper()
	if began, err := s.BeginBuild(t.Context(), viewer, feed.BuildHeader{Token: "one"}, 0); err != nil || !began {
		t.Fatalf("BeginBuild returned %v, %v", began, err)
	}
	if done, err := s.FinishBuild(t.Context(), viewer, "one", build); err != nil || !done {
		t.Fatalf("FinishBuild returned %v, %v", done, err)
	}
}
