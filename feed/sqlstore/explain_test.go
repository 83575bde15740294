package sqlstore_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// The tests in this file and in explain_*_test.go read plans. A statement that stops using its index
// still returns correct results, so no other test would fail.

// wantedPlan is what the plan of a statement has.
type wantedPlan struct {
	// steps are texts of the plan, by database.
	steps map[string][]string
	// sorts is how many steps sort, anySorts any number.
	sorts int
	// scans are tables that the plan may read as a whole. If never has any, it may read all but those.
	scans, never []string
}

const anySorts = -1

// reads is a plan with these texts on both databases, and each with one of its own on each.
func reads(steps ...string) wantedPlan {
	return wantedPlan{steps: map[string][]string{"sqlite": steps, "postgres": steps}}
}

func each(step map[string]string) wantedPlan {
	return wantedPlan{steps: map[string][]string{"sqlite": {step["sqlite"]}, "postgres": {step["postgres"]}}}
}

func (p wantedPlan) sorting(times int) wantedPlan {
	p.sorts = times
	return p
}

func (p wantedPlan) scanning(tables ...string) wantedPlan {
	p.scans = tables
	return p
}

func (p wantedPlan) neverScanning(tables ...string) wantedPlan {
	p.never = tables
	return p
}

// explainer is one of the ways to explain a statement.
type explainer = func(context.Context, sqlstore.Statement) (string, error)

// mustPlan checks the plans of statements. Each has to be wanted.
func mustPlan(t *testing.T, b backend, explain explainer, all sqlstore.Statements, wanted map[string]wantedPlan) {
	t.Helper()
	if len(all) > len(wanted) {
		t.Errorf("there are %d statements, and %d plans", len(all), len(wanted))
	}
	for name, statement := range all {
		plan, err := explain(t.Context(), statement)
		must(t, err)
		mustBePlanned(t, b, name, plan, wanted[name])
	}
}

func mustBePlanned(t *testing.T, b backend, name, plan string, want wantedPlan) {
	t.Helper()
	if len(want.steps[b.name]) == 0 {
		t.Errorf("no plan is wanted for %q:\n%s", name, plan)
	}
	for _, step := range want.steps[b.name] {
		if !strings.Contains(plan, step) {
			t.Errorf("%s: the plan has no step %q:\n%s", name, step, plan)
		}
	}
	if sorts := countSorts(plan); sorts != want.sorts && want.sorts != anySorts {
		t.Errorf("%s: the plan sorts %d times, want %d:\n%s", name, sorts, want.sorts, plan)
	}
	for _, table := range scanned(plan) {
		whole, _, _ := strings.Cut(table, " ")
		if !slices.Contains(want.scans, table) && (want.never == nil || slices.Contains(want.never, whole)) {
			t.Errorf("%s: the plan reads all of %s:\n%s", name, table, plan)
		}
	}
}

// fullScan matches a step that reads a whole table or index, or on PostgreSQL more posts than it
// returns. SQLite prints the name of the table in the statement, and of the index.
var fullScan = regexp.MustCompile(`(?m)^[ >-]*(?:(?:Parallel )?Seq Scan on (\w+)|Bitmap Heap Scan on (contents)|SCAN (\w+)(?: USING [A-Z ]*)?(\w*))`)

// noTable matches parameters, and rows that were selected before.
var noTable = regexp.MustCompile(`^(CONSTANT|viewer|json_each|old|page|open_\w*)$`)

// scanned returns the tables that a plan reads as a whole, or "table index" for an index.
func scanned(plan string) (tables []string) {
	for _, found := range fullScan.FindAllStringSubmatch(plan, -1) {
		if table := strings.TrimSpace(found[1] + found[2] + found[3] + " " + found[4]); !noTable.MatchString(table) {
			tables = append(tables, table)
		}
	}
	return tables
}

// countSorts counts the steps that sort.
func countSorts(plan string) int {
	return strings.Count(plan, "Sort  (") + strings.Count(plan, "USE TEMP B-TREE FOR ORDER BY")
}

// outboxSearch is how each database prints that it searches the index of outboxes within the bounds,
// without reading the posts. commentSearch is the same for the index of comments, and absenceLookUp that
// it looks up one user among those who are absent.
var (
	outboxSearch = map[string]string{
		"sqlite":   "SEARCH c USING COVERING INDEX idx_outbox (author_id=? AND published_at>? AND published_at<?)",
		"postgres": "using idx_outbox on contents c",
	}
	commentSearch = map[string]string{
		"sqlite":   "SEARCH c USING INDEX idx_comments (reply_to=? AND published_at>? AND published_at<?)",
		"postgres": "using idx_comments on contents c",
	}
	absenceLookUp = map[string]string{
		"sqlite":   "SEARCH flagged USING INDEX idx_users_absent (id=?",
		"postgres": "Index Only Scan using idx_users_absent on users flagged",
	}
)

// rowsOfContents matches how many posts PostgreSQL read in each run of a step.
var rowsOfContents = regexp.MustCompile(`on contents c .*actual rows=([0-9.]+) `)

// townLists are thirty outboxes, or the comments on thirty posts.
func townLists(comments bool, r feed.Range) (lists []feed.List) {
	for i, author := range townList()[:30] {
		ref := feed.OutboxRef(author)
		if comments {
			ref = feed.CommentsRef(feed.PostID(1000 + i))
		}
		lists = append(lists, feed.List{Ref: ref, Range: r})
	}
	return lists
}

// Of an author with many posts, few may have media.
func TestExplain_MediaHaveTheirOwnIndex(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := townTemplate.open(t, b)
		r := deepPage()
		r.Filter = feed.Filter{}.WithMedia(true)
		plan, err := s.ExplainPage(t.Context(), s.ListsStatement(townLists(false, r)))
		must(t, err)
		mustBePlanned(t, b, "outboxes of media", plan, reads("idx_outbox_media").neverScanning("contents", "c"))
	})
}

// Of an author with many posts for their followers, few may be public.
func TestExplain_StrangersHaveTheirOwnIndex(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := townTemplate.open(t, b)
		lists := townLists(false, deepPage())
		for i := range lists {
			lists[i].Stranger = true
		}
		plan, err := s.ExplainPage(t.Context(), s.ListsStatement(lists))
		must(t, err)
		mustBePlanned(t, b, "outboxes for strangers", plan, reads("idx_outbox_strangers").neverScanning("contents", "c"))
	})
}

func TestExplain_PostListsUseIndexBothWays(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := townTemplate.open(t, b)
		execAll(t, s, markTown)
		posts := []string{"contents", "c", "o", "found"}
		byOutbox := each(outboxSearch).sorting(anySorts).neverScanning(posts...)
		wanted := map[string]wantedPlan{
			"outboxes": each(outboxSearch).sorting(1).neverScanning(posts...), "a feed": reads("idx_outbox").sorting(anySorts).neverScanning(posts...), "builds together": byOutbox,
			"a build of all": byOutbox, "a build of new": byOutbox, "a build of selective": byOutbox, "a build of both": byOutbox,
		}
		for _, ascending := range []bool{false, true} {
			r := deepPage()
			r.Ascending = ascending
			mustPlan(t, b, s.Explain, s.OutboxStatements(townViewer, townList()[:30], r), wanted)
			for _, comments := range []bool{false, true} {
				search := outboxSearch
				if comments {
					search = commentSearch
				}
				plan, err := s.ExplainPage(t.Context(), s.ListsStatement(townLists(comments, r)))
				must(t, err)
				mustBePlanned(t, b, "lists", plan, each(search).neverScanning(posts...))
				for _, read := range rowsOfContents.FindAllStringSubmatch(plan, -1) {
					if rows, _ := strconv.ParseFloat(read[1], 64); rows > float64(r.Limit) {
						t.Errorf("%v posts are read for each list, more than the limit of %d:\n%s", rows, r.Limit, plan)
					}
				}
			}
		}
	})
}

// markTown makes every fifth author selective, and lets the viewer follow every third in a later
// change than the others.
var markTown = []string{
	"UPDATE users SET mark = 1 WHERE id % 5 = 0",
	"UPDATE follows SET version = 2 WHERE followee_id % 3 = 0",
	"VACUUM", // as autovacuum does: plans may read an index alone
	"ANALYZE",
}

// manyAbsent makes every seventh author absent, and adds as many absent users as there are posts.
var manyAbsent = []string{
	"UPDATE users SET absent = 1 WHERE id % 7 = 0",
	fmt.Sprintf(`
INSERT INTO users (id, handle, handle_fold, name, created_at, absent)
WITH RECURSIVE n (id) AS (SELECT 1000000 UNION ALL SELECT id + 1 FROM n WHERE id < 1000000 + %d)
SELECT id, '', 'absent/' || id, '', 0, 1 FROM n`, townPosts),
	"VACUUM",
	"ANALYZE",
}

func execAll(t *testing.T, s *sqlstore.Store, statements []string) {
	t.Helper()
	for _, stmt := range statements {
		must(t, s.Exec(t.Context(), stmt))
	}
}

func TestExplain_AbsentUsersAreLookedUp(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := townTemplate.open(t, b)
		execAll(t, s, manyAbsent)
		outboxes := s.OutboxStatements(townViewer, townList()[:30], firstPage())
		viewer := s.ViewerStatements(townViewer, []feed.PostID{1000, 1001}, nil)
		users := s.UserStatements(townViewer, []string{"user"}, firstPage())
		all := sqlstore.Statements{
			"outboxes": outboxes["outboxes"], "a feed": outboxes["a feed"], "posts": viewer["posts"], "a survey": viewer["a survey"],
			"follows": users["follows"], "a search": users["a search"],
			"lists": s.ListsStatement(townLists(false, firstPage())), "comments": s.ListsStatement(townLists(true, firstPage())),
		}
		for what, statement := range all {
			if statement.Text == "" {
				continue // SQLite reads the parts of a survey in turn
			}
			plan, err := s.Explain(t.Context(), statement)
			must(t, err)
			if !strings.Contains(plan, absenceLookUp[b.name]) {
				t.Errorf("%s: the plan has no step %q:\n%s", what, absenceLookUp[b.name], plan)
			}
			for _, step := range []string{"Seq Scan on users flagged", "Bitmap Heap Scan on users flagged", "SCAN flagged"} {
				if strings.Contains(plan, step) {
					t.Errorf("%s: the plan reads all absent users:\n%s", what, plan)
				}
			}
		}
	})
}

// Posts that a batch names are looked up too: where it names one of six stored posts, PostgreSQL would
// by itself read all of them, and again for each statement.
func TestExplain_PostsAreLookedUp(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := townTemplate.open(t, b)
		mustPlan(t, b, s.Explain, s.PostStatements(), map[string]wantedPlan{
			"posts with deleted ones": reads("idx_outbox_deleted", "idx_outbox ").sorting(anySorts).scanning("part"),
			"reposts":                 reads("idx_contents_repost"),
			"posts without reposts":   reads("idx_contents_repost").scanning("repost_changes"),
		})
		if b.name == "postgres" {
			list := make([]feed.PostID, townPosts/6)
			for i := range list {
				list[i] = feed.PostID(1000 + i)
			}
			plan, err := s.ExplainImport(t.Context(), s.ImportedPostsStatement(list))
			must(t, err)
			if strings.Contains(plan, "Seq Scan on contents") {
				t.Errorf("the plan reads all posts:\n%.2000s", plan)
			}
		}
	})
}

// The log of a large site has many rows of others.
func TestExplain_ChangesAreReadByUser(t *testing.T) {
	b := postgresBackend(t)
	s := b.open(t)
	must(t, s.Exec(t.Context(), `
INSERT INTO changes (number, numbered_at, kind, user_id, other_id, content_id)
SELECT n, 0, 2, 100 + n % 1000, 0, n FROM generate_series(1, 50000) AS n;
UPDATE change_state SET last = 50000; ANALYZE changes`))
	byUser := reads("idx_changes_user").sorting(anySorts).scanning("change_state")
	mustPlan(t, b, s.Explain, s.ChangeStatements(), map[string]wantedPlan{
		"sights of authors": byUser.scanning("change_state", "change_queue"), "changes of a feed": byUser,
	})
}

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
	if b.name == "postgres" {
		// A transaction that was open while the template was vacuumed kept it from being all visible.
		must(t, store.Exec(t.Context(), "VACUUM "+k.table))
	}
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

// How each database prints that it looks up plans and slices by primary key.
var (
	planSearch = map[string]string{
		"sqlite":   "SEARCH plans USING INTEGER PRIMARY KEY (rowid=?)",
		"postgres": "using plans_pkey on plans",
	}
	slicesByPost = map[string]string{
		"sqlite":   "plan_slices USING PRIMARY KEY (content_id=?)",
		"postgres": "plan_slices_pkey",
	}
	sliceSearch = map[string]string{
		"sqlite":   "SEARCH plan_slices USING PRIMARY KEY (content_id=? AND task=?)",
		"postgres": "using plan_slices_pkey on plan_slices",
	}
)

// openProgress opens a copy of the template. SQLite's connections use the statistics from when they were
// made.
func openProgress(t *testing.T, b backend) *sqlstore.Store {
	t.Helper()
	s := progressTemplate.open(t, b)
	if b.name == "sqlite" {
		must(t, s.Exec(t.Context(), "ANALYZE"))
	}
	return s
}

func TestExplain_OpenWorkUsesPartialIndexes(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := openProgress(t, b)
		slices, both := reads("idx_slices_due"), reads("idx_slices_due", "idx_events_due")
		mustPlan(t, b, s.Explain, s.OpenStatements(noon, feed.DefaultPolicy().SweepBatch), map[string]wantedPlan{
			"backlog": slices, "waiting": slices, "running": slices, "any due": both, "pending": both.scanning("events idx_events_due"),
			// The plan also scans what these indexes return.
			"pending authors": both.sorting(anySorts).scanning("events idx_events_due", "e", "o", "authors"),
			"pending posts":   each(planSearch),
		})
		refs := make([]feed.SliceRef, sqlstore.RerunBatch)
		for i := range refs {
			refs[i].Post = feed.PostID(i + 1)
		}
		mustPlan(t, b, s.Explain, s.RerunStatements(refs, 1, 1<<40), map[string]wantedPlan{
			"find": reads("idx_slices_moved"), "lock": each(sliceSearch).sorting(1),
		})
		// Since the last moments of the template, a few plans have moved.
		since := map[string]int64{"sqlite": 39_900, "postgres": 79_900}
		bySlice := each(slicesByPost).sorting(anySorts).neverScanning("p", "plans", "plan_slices", "events", "contents")
		mustPlan(t, b, s.Explain, sqlstore.FanoutStatements(1000, since[b.name]), map[string]wantedPlan{
			"a fan-out": bySlice, "its open slices": bySlice, "the slice of a follower": bySlice,
			// The template has so few plans that PostgreSQL scans them for the join.
			"the slowest": reads("idx_slices_moved").sorting(anySorts).neverScanning("p", "plan_slices", "events", "contents"),
		})
	})
}

// A plan stays until the tables are analyzed. If it was made while nothing was open, it must not
// read everything that is open later.
func TestExplain_NamedRowsUsePrimaryKeys(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		empty := func(t *testing.T, b backend) *sqlstore.Store { t.Helper(); return b.open(t) }
		for state, open := range map[string]func(*testing.T, backend) *sqlstore.Store{"empty": empty, "nearly all done": openProgress} {
			t.Run("tables that are "+state, func(t *testing.T) {
				s := open(t, b)
				for statement, q := range s.NamedStatements() {
					plan, err := s.Explain(t.Context(), q)
					must(t, err)
					if strings.Contains(plan, "idx_slices_due") || strings.Contains(plan, "idx_events_due") {
						t.Errorf("the plan for %s reads all open rows:\n%s", statement, plan)
					}
					isClaim := strings.HasPrefix(statement, "to claim")
					if isClaim != strings.Contains(plan, "idx_slices_together") || strings.Contains(plan, "Seq Scan") {
						t.Errorf("%s does not use the primary key, or the index of followers for a joint claim:\n%s", statement, plan)
					}
					// It would read and sort everything that waits, to return a few.
					if isClaim && countSorts(plan) != 0 {
						t.Errorf("the plan for %s sorts waiting slices:\n%s", statement, plan)
					}
				}
			})
		}
	})
}
