package sqlstore_test

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/eventually"
)

// fillForCleanup stores events of the same age for the posts 1 … 90, and plans of two slices each:
// those of 1 … 60 are done and old, of 61 … 70 old but not done, of 71 … 80 done but young; 81 … 90
// have none. The keys 1 … 60 are old, the others are not.
func fillForCleanup(t *testing.T, b backend, s *sqlstore.Store) {
	t.Helper()
	rows := numbers(b.name, "n", 160)
	for _, stmt := range []string{
		`INSERT INTO events (content_id, state, due_at, created_at)
SELECT n.i, CASE WHEN n.i <= 80 THEN 1 ELSE 0 END, 1, 1 FROM ` + rows + ` WHERE n.i <= 90`,
		`INSERT INTO plans (content_id, slices, open_slices, created_at)
SELECT n.i, 2, CASE WHEN n.i BETWEEN 61 AND 70 THEN 1 ELSE 0 END, CASE WHEN n.i <= 70 THEN 1 ELSE 9 END
FROM ` + rows + ` WHERE n.i <= 80`,
		`INSERT INTO plan_slices (content_id, task, first_id, last_id, progress, state, due_at)
SELECT 1 + n.i / 2, n.i % 2, 1, 2, 2, 2, 1 FROM ` + rows + ` WHERE n.i < 160`,
		`UPDATE plan_slices SET state = 0 WHERE content_id BETWEEN 61 AND 70 AND task = 0`,
		`INSERT INTO idempotency_keys (author_id, key, fingerprint, content_id, created_at)
SELECT n.i % 3, 'k' || n.i, '', n.i, CASE WHEN n.i <= 60 THEN 1 ELSE 9 END FROM ` + rows + ` WHERE n.i <= 70`,
	} {
		if err := s.Exec(t.Context(), stmt); err != nil {
			t.Fatal(err)
		}
	}
}

func TestCleanup_ConcurrentCallsDropOnlyOldRows(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		fillForCleanup(t, b, s)
		var calls errgroup.Group
		for range 4 {
			calls.Go(func() error {
				for more := true; more; {
					var err error
					if more, err = s.Cleanup(t.Context(), 9, 9, 7); err != nil {
						return err
					}
				}
				return nil
			})
		}
		if err := calls.Wait(); err != nil {
			t.Fatal(err)
		}
		wantRows(t, s, map[string]int{"plans": 20, "plan_slices": 40, "events": 30, "idempotency_keys": 10})
		wantPlans(t, s, map[feed.PostID]bool{60: false, 61: true, 70: true, 71: true, 80: true, 81: false})
		due, err := s.Due(t.Context(), feed.DueBy{Events: 9, Waiting: 9, Running: 9}, 100, func(int) int64 { return 100 })
		if err != nil || len(due.Events) != 10 || len(due.Slices) != 10 {
			t.Errorf("%d events and %d slices are due (%v), want those that were", len(due.Events), len(due.Slices), err)
		}
	})
}

// wantRows checks the number of rows left in tables.
func wantRows(t *testing.T, s *sqlstore.Store, want map[string]int) {
	t.Helper()
	for table, rows := range want {
		if n, err := s.Rows(t.Context(), table); n != rows || err != nil {
			t.Errorf("%s has %d rows left (%v), want %d", table, n, err, rows)
		}
	}
}

// SQLite has one writer at a time, so there are no locked rows to skip.
func TestCleanup_SkipsLockedRows(t *testing.T) {
	b := postgresBackend(t)
	s := b.open(t)
	fillForCleanup(t, b, s)
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
	if err != nil {
		t.Fatal(err)
	}
	// Rows that the first call took but did not drop can be taken again.
	if n, err := s.Rows(t.Context(), "plans"); n != 70 || err != nil {
		t.Errorf("%d plans are left (%v), want 70", n, err)
	}
}

func TestCleanup_BoundsSlicesPerTransaction(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		// Five plans with nearly half as many slices as one transaction drops, and one with more.
		small, big := sqlstore.SlicesPerCleanup/2-1, sqlstore.SlicesPerCleanup+1
		for content, slices := range []int{small, small, small, big, small, small} {
			for _, stmt := range []string{
				fmt.Sprintf(`INSERT INTO plans (content_id, slices, open_slices, created_at) VALUES (%d, %d, 0, 1)`, content+1, slices),
				fmt.Sprintf(`INSERT INTO plan_slices (content_id, task, first_id, last_id, progress, state, due_at)
SELECT %d, n.i, 1, 2, 2, 2, 1 FROM %s`, content+1, numbers(b.name, "n", slices)),
			} {
				if err := s.Exec(t.Context(), stmt); err != nil {
					t.Fatal(err)
				}
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
			wantRows(t, s, map[string]int{"plans": want.plans, "plan_slices": want.slices})
		}
	})
}

func TestLead_ElectsOneOfManyCandidates(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		now := time.UnixMilli(noon)
		s := b.open(t)
		s.Set(sqlstore.WithClock(func() time.Time { return now }))
		// First without a leader, then with one whose lease has ended.
		for range 3 {
			var leaders atomic.Int32
			var calls errgroup.Group
			for _, holder := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
				calls.Go(func() error {
					leads, err := s.Lead(t.Context(), "tide", holder, leaseDay)
					if leads {
						leaders.Add(1)
					}
					return err
				})
			}
			if err := calls.Wait(); err != nil {
				t.Fatal(err)
			}
			if n := leaders.Load(); n != 1 {
				t.Errorf("%d processes lead, want one", n)
			}
			now = now.Add(leaseDay)
		}
	})
}
