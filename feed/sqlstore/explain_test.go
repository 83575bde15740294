package sqlstore_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// The tests in this file read plans. A statement that stops using its index still returns correct
// results, so no other test would fail.

// outboxSearch is how each database prints that it searches the index of outboxes within the
// bounds, without reading the posts.
var outboxSearch = map[string]string{
	"sqlite":   "SEARCH c USING COVERING INDEX idx_outbox (author_id=? AND published_at>? AND published_at<?)",
	"postgres": "using idx_outbox on contents c",
}

// commentSearch is the same for the index of comments.
var commentSearch = map[string]string{
	"sqlite":   "SEARCH c USING INDEX idx_comments (reply_to=? AND published_at>? AND published_at<?)",
	"postgres": "using idx_comments on contents c",
}

// rowsOfContents matches how many posts PostgreSQL read in each run of a step.
var rowsOfContents = regexp.MustCompile(`on contents c .*actual rows=([0-9.]+) `)

// townLists are thirty lists of a kind.
func townLists(kind string, r feed.Range) (lists []feed.List) {
	for i, author := range townList()[:30] {
		ref := feed.OutboxRef(author)
		if kind == "comments" {
			ref = feed.CommentsRef(feed.PostID(1000 + i))
		}
		lists = append(lists, feed.List{Ref: ref, Range: r})
	}
	return lists
}

func TestExplain_PostListsUseIndexBothWays(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := townTemplate.open(t, b)
		markTown(t, s)
		for _, ascending := range []bool{false, true} {
			r := deepPage()
			r.Ascending = ascending
			outbox, err := s.ExplainOutbox(t.Context(), townList()[:30], r)
			mustPlan(t, outbox, err, outboxSearch[b.name])
			for _, share := range []feed.FolloweeFilter{{}, {Since: 1}, {Selective: true}, {Since: 1, Selective: true}} {
				covered, err := s.ExplainCovered(t.Context(), townViewer, share, r)
				mustPlan(t, covered, err, outboxSearch[b.name])
			}
			home, err := s.ExplainFeed(t.Context(), townViewer, r)
			mustPlan(t, home, err, "idx_outbox")
			for _, kind := range []struct{ step, lists string }{{outboxSearch[b.name], "outboxes"}, {commentSearch[b.name], "comments"}} {
				plan, err := s.ExplainLists(t.Context(), townLists(kind.lists, r))
				mustPlan(t, plan, err, kind.step)
				if sorts := countSorts(plan); sorts != 0 {
					t.Errorf("%s are sorted, though the index has them in order:\n%s", kind.lists, plan)
				}
				for _, read := range rowsOfContents.FindAllStringSubmatch(plan, -1) {
					if rows, _ := strconv.ParseFloat(read[1], 64); rows > float64(r.Limit) {
						t.Errorf("%s read %v posts for each list, more than the limit of %d:\n%s", kind.lists, rows, r.Limit, plan)
					}
				}
			}
			if sorts := countSorts(outbox); sorts != 1 {
				t.Errorf("the plan sorts merged outboxes %d times, want once:\n%s", sorts, outbox)
			}
		}
	})
}

func TestExplain_BuildsUseIndexes(t *testing.T) {
	s := townTemplate.open(t, postgresBackend(t))
	markTown(t, s)
	plan, err := s.ExplainBuilds(t.Context(), []feed.UserID{townViewer, townAuthor(1), townAuthor(2)}, feed.DefaultPolicy().InboxCap)
	mustPlan(t, plan, err, outboxSearch["postgres"])
}

// manyAbsent makes every seventh author absent, and adds as many absent users as there are posts.
func manyAbsent(t *testing.T, s *sqlstore.Store) {
	t.Helper()
	for _, stmt := range []string{
		"UPDATE users SET absent = 1 WHERE id % 7 = 0",
		fmt.Sprintf(`
INSERT INTO users (id, handle, handle_fold, name, created_at, absent)
WITH RECURSIVE n (id) AS (SELECT 1000000 UNION ALL SELECT id + 1 FROM n WHERE id < 1000000 + %d)
SELECT id, '', 'absent/' || id, '', 0, 1 FROM n`, townPosts),
		"VACUUM",
		"ANALYZE",
	} {
		must(t, s.Exec(t.Context(), stmt))
	}
}

// absenceLookUp is how each database prints that it looks up one user among those who are absent.
var absenceLookUp = map[string]string{
	"sqlite":   "SEARCH gone USING INDEX idx_users_absent (id=?",
	"postgres": "Index Only Scan using idx_users_absent on users gone",
}

func TestExplain_AbsentUsersAreLookedUp(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := townTemplate.open(t, b)
		manyAbsent(t, s)
		for what, explain := range map[string]func() (string, error){
			"outboxes": func() (string, error) { return s.ExplainOutbox(t.Context(), townList()[:30], firstPage()) },
			"a feed":   func() (string, error) { return s.ExplainFeed(t.Context(), townViewer, firstPage()) },
			"lists":    func() (string, error) { return s.ExplainLists(t.Context(), townLists("outboxes", firstPage())) },
			"comments": func() (string, error) { return s.ExplainLists(t.Context(), townLists("comments", firstPage())) },
			"posts":    func() (string, error) { return s.ExplainPosts(t.Context(), []feed.PostID{1000, 1001}) },
			"follows":  func() (string, error) { return s.ExplainFollowing(t.Context(), townViewer, firstPage()) },
			"a search": func() (string, error) { return s.ExplainSearch(t.Context(), []string{"user"}, firstPage()) },
			"a survey": func() (string, error) {
				if b.name == "sqlite" { // which reads its parts in turn
					return absenceLookUp["sqlite"], nil
				}
				return s.ExplainSurvey(t.Context(), townViewer, 1)
			},
		} {
			plan, err := explain()
			must(t, err)
			if !strings.Contains(plan, absenceLookUp[b.name]) {
				t.Errorf("%s: the plan has no step %q:\n%s", what, absenceLookUp[b.name], plan)
			}
			for _, step := range []string{"Seq Scan on users gone", "Bitmap Heap Scan on users gone", "SCAN gone"} {
				if strings.Contains(plan, step) {
					t.Errorf("%s: the plan reads all absent users:\n%s", what, plan)
				}
			}
		}
	})
}

// PostgreSQL scans a table as small as this.
func TestExplain_PulledDoesNotScanFollows(t *testing.T) {
	s := townTemplate.open(t, sqliteBackend(t))
	markTown(t, s)
	plan, err := s.ExplainPulled(t.Context(), townViewer, 1)
	mustPlan(t, plan, err, "idx_stamped")
}

// markTown makes every fifth author selective, and lets the viewer follow every third in a later
// change than the others.
func markTown(t *testing.T, s *sqlstore.Store) {
	t.Helper()
	for _, stmt := range []string{
		"UPDATE users SET mark = 1 WHERE id % 5 = 0",
		"UPDATE follows SET version = 2 WHERE followee_id % 3 = 0",
		"VACUUM", // as autovacuum does: plans may read an index alone
		"ANALYZE",
	} {
		must(t, s.Exec(t.Context(), stmt))
	}
}

// mustPlan checks that a plan contains a step and scans all posts nowhere.
func mustPlan(t *testing.T, plan string, err error, step string) {
	t.Helper()
	must(t, err)
	if !strings.Contains(plan, step) {
		t.Errorf("the plan has no step %q:\n%s", step, plan)
	}
	for _, line := range strings.Split(plan, "\n") {
		switch line = strings.TrimLeft(line, " ->"); {
		case strings.HasPrefix(line, "Seq Scan on contents"), strings.HasPrefix(line, "Bitmap Heap Scan on contents"):
			t.Errorf("the plan reads more posts than it returns:\n%s", plan)
		case line == "SCAN c", line == "SCAN o", line == "SCAN found", strings.HasPrefix(line, "SCAN c USING"):
			t.Errorf("the plan reads all posts:\n%s", plan)
		}
	}
}

// countSorts counts the steps that sort.
func countSorts(plan string) int {
	return strings.Count(plan, "Sort  (") + strings.Count(plan, "USE TEMP B-TREE FOR ORDER BY")
}
