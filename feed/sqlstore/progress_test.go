package sqlstore_test

import (
	"errors"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

const (
	// bigPlans and bigSlices make more slices than two transactions reset.
	bigPlans  = 13
	bigSlices = 200
	bigMoved  = bigPlans * bigSlices
)

// fillBig stores plans whose slices have all moved at 5. They are done, except that every seventh
// is running and due at noon.
func fillBig(t *testing.T, b backend) *sqlstore.Store {
	t.Helper()
	s, rows := b.open(t), numbers(b.name, "n", bigMoved)
	for _, stmt := range []string{
		`INSERT INTO plan_slices (content_id, task, first_id, last_id, progress, attempt, state, due_at, moved_at)
SELECT 1 + n.i % 13, n.i / 13, 11, 20, 20, 3, CASE WHEN n.i % 7 = 0 THEN 1 ELSE 2 END, 1700000000000, 5 FROM ` + rows,
		`INSERT INTO plans (content_id, slices, open_slices, created_at)
SELECT content_id, COUNT(*), SUM(CASE WHEN state < 2 THEN 1 ELSE 0 END), 1 FROM plan_slices GROUP BY content_id`,
	} {
		must(t, s.Exec(t.Context(), stmt))
	}
	return s
}

// wantAllOpen checks that every slice of fillBig is open and counted as such.
func wantAllOpen(t *testing.T, s *sqlstore.Store) {
	t.Helper()
	wantWellCounted(t, s)
	if n, err := s.Backlog(t.Context(), 2*bigMoved); n != bigMoved || err != nil {
		t.Errorf("%d slices are open (%v), want %d", n, err, bigMoved)
	}
}

func wantWellCounted(t *testing.T, s *sqlstore.Store) {
	t.Helper()
	if n, err := s.Miscounted(t.Context()); n != 0 || err != nil {
		t.Errorf("%d plans have a wrong number of open slices (%v)", n, err)
	}
}

func TestRerun_TakesSeveralTransactions(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := fillBig(t, b)
		if n, err := s.Rerun(t.Context(), 5, noon); n != bigMoved || err != nil {
			t.Errorf("%d slices run again (%v), want %d", n, err, bigMoved)
		}
		wantAllOpen(t, s)
		if b.name == "postgres" {
			if n, err := s.Writers(t.Context(), "plan_slices"); n != 3 || err != nil {
				t.Errorf("%d transactions reset the slices (%v), want 3", n, err)
			}
		}
	})
}

func TestRerun_NextCallFinishesAnInterruptedOne(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := fillBig(t, b)
		part := make([]feed.SliceRef, bigSlices/2)
		for i := range part {
			part[i] = feed.SliceRef{Post: 2, Task: 1 + i}
		}
		if n, err := s.RerunPart(t.Context(), part, 5, noon); n != len(part) || err != nil {
			t.Fatalf("the first part had %d slices (%v), want %d", n, err, len(part))
		}
		wantWellCounted(t, s)
		again, err := s.ClaimSlice(t.Context(), part[0], noon, noon+10)
		if err != nil || again == nil || again.Progress != 10 {
			t.Fatalf("claimed %+v (%v), want the whole slice", again, err)
		}
		if n, err := s.Rerun(t.Context(), 5, noon); n != bigMoved-len(part) || err != nil {
			t.Errorf("afterwards %d slices run again (%v), want %d", n, err, bigMoved-len(part))
		}
		wantAllOpen(t, s)
	})
}

func TestAdvanceSlice_UsesTheStoreClock(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := planned(t, b)
		s.Set(sqlstore.WithClock(func() time.Time { return time.UnixMilli(noon + 7) }))
		sl, err := s.ClaimSlice(t.Context(), feed.SliceRef{Post: 1, Task: 1}, noon, noon+10)
		must(t, err)
		if result, err := s.AdvanceSlice(t.Context(), *sl, true, noon+20); err != nil || result == feed.AdvanceFenced {
			t.Fatal(result, err)
		}
		for _, r := range []struct {
			since int64
			want  int
		}{{noon + 8, 0}, {noon + 7, 1}, {noon + 7, 0}} {
			if n, err := s.Rerun(t.Context(), r.since, noon); n != r.want || err != nil {
				t.Errorf("from %d ms after noon on %d slices run again (%v), want %d", r.since-noon, n, err, r.want)
			}
		}
		if open, err := s.OpenSlices(t.Context(), 1); err != nil || open != 2 {
			t.Errorf("%d slices are open (%v), want both", open, err)
		}
	})
}

func TestPendingAuthors_SaysWhenTooMany(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := fillBig(t, b)
		for limit, want := range map[int]error{100: feed.ErrManyPending, 2 * bigMoved: nil} {
			if authors, err := s.PendingAuthorsUpTo(t.Context(), 1, limit); !errors.Is(err, want) || len(authors) > 0 {
				t.Errorf("with a limit of %d: %v, %v; want %v", limit, authors, err, want)
			}
		}
	})
}
