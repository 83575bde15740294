package sqlstore_test

import (
	"fmt"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/eventually"
)

// SQLite has one writer at a time, so there are no locked rows to skip.
func TestCleanup_SkipsLockedRows(t *testing.T) {
	s := postgresBackend(t).open(t)
	// The plans 1 … 60 are done and old, 61 … 70 old but not done, 71 … 80 done but young.
	must(t, s.Exec(t.Context(), `INSERT INTO plans (content_id, slices, open_slices, created_at)
SELECT i, 2, CASE WHEN i BETWEEN 61 AND 70 THEN 1 ELSE 0 END, CASE WHEN i <= 70 THEN 1 ELSE 9 END FROM generate_series(1, 80) AS n (i)`))
	err := s.CleanupWhile(t.Context(), 9, 50, func(taken []feed.PostID) error {
		if len(taken) != 50 {
			t.Errorf("the first took %d plans, want 50", len(taken))
		}
		// Waiting for the locks would never end.
		ctx := eventually.Context(t)
		more, err := s.Cleanup(ctx, 9, 0, 50)
		if more {
			t.Error("ten plans remained, and the second call returned more after 50")
		}
		return err
	})
	must(t, err)
	// Rows that the first call took but did not drop can be taken again.
	mustHave(t, s, "plans", 70)
}

func TestCleanup_BoundsSlicesPerTransaction(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		// Five plans with nearly half as many slices as one transaction drops, and one with more. All
		// have an event.
		small, big := sqlstore.SlicesPerCleanup/2-1, sqlstore.SlicesPerCleanup+1
		for content, slices := range []int{small, small, small, big, small, small} {
			for _, stmt := range []string{
				fmt.Sprintf(`INSERT INTO plans (content_id, slices, open_slices, created_at) VALUES (%d, %d, 0, 1)`, content+1, slices),
				fmt.Sprintf(`INSERT INTO events (content_id, state, due_at, created_at) VALUES (%d, 1, 1, 1)`, content+1),
				fmt.Sprintf(`INSERT INTO plan_slices (content_id, task, first_id, last_id, progress, state, due_at)
SELECT %d, n.i, 1, 2, 2, 2, 1 FROM %s`, content+1, numbers(b.name, "n", slices)),
			} {
				must(t, s.Exec(t.Context(), stmt))
			}
		}
		for _, want := range []struct {
			plans, slices int
			more          bool
		}{{3, 2*small + big, true}, {2, 2 * small, true}, {0, 0, false}} {
			more, err := s.Cleanup(t.Context(), 9, 0, 50)
			if err != nil || more != want.more {
				t.Errorf("more is %t (%v), want %t", more, err, want.more)
			}
			mustHave(t, s, "plans", want.plans)
			mustHave(t, s, "events", want.plans)
			mustHave(t, s, "plan_slices", want.slices)
		}
	})
}
