package sqlstore_test

import (
	"strconv"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
)

// Templates of large tables, for tests that read plans.

// progressTables are nearly all done: of a thousand plans, whose slices moved one after the other,
// one is open, and of as many events ten have no plan. The rows of n are the plans, those of t
// their slices.
var progressTables = []string{
	`INSERT INTO plans (content_id, slices, open_slices, created_at)
SELECT n.i, 40, CASE WHEN n.i % 1000 = 0 THEN 40 ELSE 0 END, n.i FROM %n%`,
	`INSERT INTO plan_slices (content_id, task, first_id, last_id, progress, state, due_at, moved_at)
SELECT n.i, t.i, 1, 2, 2, CASE WHEN n.i % 1000 = 0 THEN 0 ELSE 2 END, 1, 1 + n.i * 40 + t.i FROM %n%, %t%`,
	`INSERT INTO events (content_id, state, due_at, created_at)
SELECT n.i, CASE WHEN n.i % 100 = 0 THEN 0 ELSE 1 END, 1, 1 FROM %n%`,
}

// progressTemplate has so many plans, of as many slices each.
var progressTemplate = bulk{
	rows:       map[string][2]int{"sqlite": {1000, 5}, "postgres": {2000, 20}},
	statements: progressTables,
	last:       map[string]string{"postgres": "VACUUM ANALYZE plans, plan_slices, events"},
}.template()

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
