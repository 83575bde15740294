package sqlstore_test

import (
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

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
