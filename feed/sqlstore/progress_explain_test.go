package sqlstore_test

import (
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

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

func openProgress(t *testing.T, b backend) *sqlstore.Store {
	t.Helper()
	s := progressTemplate.open(t, b)
	if b.name == "sqlite" {
		// A connection uses the statistics from when it was made.
		mustBe(t, "", s.Exec(t.Context(), "ANALYZE"))
	}
	return s
}

func TestExplain_OpenWorkUsesPartialIndexes(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := openProgress(t, b)
		t.Run("backlog", func(t *testing.T) {
			plan, err := s.ExplainBacklog(t.Context(), feed.DefaultPolicy().BacklogMax)
			mustLookUp(t, plan, err, "idx_slices_due")
		})
		t.Run("any due", func(t *testing.T) {
			plan, err := s.ExplainAnyDue(t.Context(), noon)
			plan = strings.TrimPrefix(plan, "SCAN CONSTANT ROW\n") // of no table
			mustLookUp(t, plan, err, "idx_slices_due")
			mustLookUp(t, plan, err, "idx_events_due")
		})
		t.Run("due", func(t *testing.T) {
			waiting, running, err := s.ExplainDue(t.Context(), noon, feed.DefaultPolicy().SweepBatch)
			mustLookUp(t, waiting, err, "idx_slices_due")
			mustLookUp(t, running, err, "idx_slices_due")
		})
		t.Run("pending", func(t *testing.T) {
			plan, err := s.ExplainPending(t.Context(), noon)
			mustLookUp(t, plan, err, "idx_slices_due")
			mustLookUp(t, plan, err, "idx_events_due")
		})
		t.Run("pending authors", func(t *testing.T) {
			plan, err := s.ExplainPendingAuthors(t.Context(), 1)
			for _, part := range []string{"idx_slices_due", "idx_events_due"} {
				if err != nil || !strings.Contains(plan, part) {
					t.Errorf("the plan lacks %s (%v):\n%s", part, err, plan)
				}
			}
			// The plan also scans what these indexes return.
			if strings.Contains(plan, "Seq Scan") || strings.Contains(plan, "SCAN c\n") || strings.Contains(plan, "SCAN f\n") {
				t.Errorf("the plan reads a whole table:\n%s", plan)
			}
		})
		t.Run("pending posts", func(t *testing.T) {
			plan, err := s.ExplainIsPending(t.Context(), []feed.PostID{1, 2, 3})
			mustLookUp(t, plan, err, planSearch[b.name])
		})
	})
}

// A plan stays until the tables are analyzed. If it was made while nothing was open, it must not
// read everything that is open later.
func TestExplain_NamedRowsUsePrimaryKeys(t *testing.T) {
	fill := map[string]func(*testing.T, backend) *sqlstore.Store{
		"empty": func(t *testing.T, b backend) *sqlstore.Store { t.Helper(); return b.open(t) }, "nearly all done": openProgress,
	}
	onBoth(t, func(t *testing.T, b backend) {
		for state, open := range fill {
			t.Run("tables that are "+state, func(t *testing.T) {
				plans, err := open(t, b).ExplainNamed(t.Context())
				must(t, err)
				for statement, plan := range plans {
					if strings.Contains(plan, "idx_slices_due") || strings.Contains(plan, "idx_events_due") {
						t.Errorf("the plan for %s reads all open rows:\n%s", statement, plan)
					}
					if strings.HasPrefix(statement, "to claim") != strings.Contains(plan, "idx_slices_together") || strings.Contains(plan, "Seq Scan") {
						t.Errorf("%s does not use the primary key, or the index of followers for a joint claim:\n%s", statement, plan)
					}
					// It would read and sort everything that waits, to return a few.
					if strings.HasPrefix(statement, "to claim") && countSorts(plan) != 0 {
						t.Errorf("the plan for %s sorts waiting slices:\n%s", statement, plan)
					}
				}
			})
		}
	})
}

func TestExplain_FanoutsForOperatorsUseIndexes(t *testing.T) {
	// The last moments of the template, in which a few plans moved.
	since := map[string]int64{"sqlite": 39_900, "postgres": 79_900}
	onBoth(t, func(t *testing.T, b backend) {
		plans, err := openProgress(t, b).ExplainFanouts(t.Context(), 1000, since[b.name])
		must(t, err)
		for statement, plan := range plans {
			index := slicesByPost[b.name]
			if statement == "the slowest" {
				// The template has so few plans that PostgreSQL scans them for the join.
				index, plan = "idx_slices_moved", strings.ReplaceAll(plan, "Seq Scan on plans p", "")
			}
			if !strings.Contains(plan, index) || strings.Contains(plan, "Seq Scan") || strings.Contains(plan, "SCAN p") {
				t.Errorf("the plan for %s does not use %s, or reads a whole table:\n%s", statement, index, plan)
			}
		}
	})
}

func TestExplain_RerunUsesIndexes(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := openProgress(t, b)
		refs := make([]feed.SliceRef, sqlstore.RerunBatch)
		for i := range refs {
			refs[i].Post = feed.PostID(i + 1)
		}
		find, lock, err := s.ExplainRerun(t.Context(), refs, 1, 1<<40)
		mustLookUp(t, find, err, "idx_slices_moved")
		// Locking sorts the rows once.
		if sorts := countSorts(lock); !strings.Contains(lock, sliceSearch[b.name]) || sorts != 1 {
			t.Errorf("the plan has no step %q, or sorts %d times:\n%s", sliceSearch[b.name], sorts, lock)
		}
	})
}

// planSearch and sliceSearch are how each database prints that it looks up plans and slices by
// primary key.
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
