package sqlstore_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// How PostgreSQL prints that it uses the bounds of a page.
const (
	stepAbove = "AND (ROW(publish_time, content_id) > ROW("
	stepBelow = "AND (ROW(publish_time, content_id) < ROW("
)

// inboxKind is the tables of one kind of inboxes.
type inboxKind struct {
	open         func(*sqlstore.Store, int) *sqlstore.Inboxes
	table, index string
	full         template
}

// search is how each database prints that it reads a page, newest first, from the index alone and within
// the bounds. SQLite does not print the direction, but it needs no sort. PostgreSQL also prints that it
// read no more entries than the page has, and none from the table.
func (k inboxKind) search() wantedPlan {
	return wantedPlan{never: []string{k.table}, steps: map[string][]string{
		"sqlite": {
			"SEARCH " + k.table + " USING COVERING INDEX " + k.index +
				" (user_id=? AND (publish_time,content_id)>(?,?) AND (publish_time,content_id)<(?,?))",
		},
		"postgres": {
			"Index Only Scan Backward using " + k.index + " on " + k.table + " (actual rows=21 loops=1)", stepAbove, stepBelow, "Heap Fetches: 0",
		},
	}}
}

func TestExplain_InboxesUseIndexOnlyScans(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		for _, k := range []inboxKind{
			{sqlstore.NewInboxes, "inbox", "idx_feed", homeInboxTemplate},
			{sqlstore.NewReplayInboxes, "replay_inbox", "idx_replay_feed", replayInboxTemplate},
		} {
			t.Run(k.table, func(t *testing.T) { mustUseIndex(t, b, k) })
		}
	})
}

func mustUseIndex(t *testing.T, b backend, k inboxKind) {
	store := k.full.open(t, b)
	s := k.open(store, feed.DefaultPolicy().InboxCap)
	for name, r := range inboxPages() {
		explained := func(want wantedPlan, explain func() (string, error)) {
			t.Helper()
			plan, err := explain()
			must(t, err)
			mustBePlanned(t, b, name, plan, want)
		}
		explained(k.search(), func() (string, error) { return store.Explain(t.Context(), s.ReadStatement(7, r)) })
		if b.name == "postgres" {
			explained(k.search(), func() (string, error) { return s.ExplainPreparedRead(t.Context(), 7, r) })
			// A shared read has only the bounds of its pages.
			shared := k.search()
			for step, has := range map[string]bool{stepAbove: r.Above != feed.Bottom, stepBelow: r.Below != feed.Top} {
				if !has {
					shared.steps["postgres"] = slices.DeleteFunc(shared.steps["postgres"], func(s string) bool { return s == step })
				}
			}
			explained(shared, func() (string, error) { return store.Explain(t.Context(), s.TopsStatement(7, r)) })
		}
	}
	for name, statement := range s.TrimStatements(inboxViewers(sqlstore.PushMost)) {
		plan, err := store.Explain(t.Context(), statement)
		must(t, err)
		for _, line := range strings.Split(plan, "\n") {
			switch line = strings.TrimLeft(line, " ->"); {
			case strings.HasPrefix(line, "Seq Scan on "+k.table+" "), line == "SCAN "+k.table, line == "SCAN e":
				t.Errorf("the plan to %s reads all inboxes:\n%s", name, plan)
			}
		}
		if !strings.Contains(plan, k.index) || countSorts(plan) != 0 {
			t.Errorf("the plan to %s does not take the entries in the order of their index:\n%s", name, plan)
		}
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
