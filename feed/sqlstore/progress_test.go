package sqlstore_test

import (
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
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

// planned opens a store with a plan of two slices for post 1, which has no event.
func planned(t *testing.T, b backend) *sqlstore.Store {
	t.Helper()
	s := b.open(t)
	plan := feed.Plan{Post: 1, Slices: []feed.Slice{
		{SliceRef: feed.SliceRef{Post: 1, Task: 0}, First: 1, Last: 9},
		{SliceRef: feed.SliceRef{Post: 1, Task: 1}, First: 10, Last: 19},
	}}
	open, err := s.StorePlan(t.Context(), plan, noon)
	if err != nil || len(open) != 2 {
		t.Fatal(open, err)
	}
	return s
}

func TestAdvanceSlice_LateReportResumesTheSlice(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := planned(t, b)
		ref := feed.SliceRef{Post: 1, Task: 0}
		sl, err := s.ClaimSlice(t.Context(), ref, noon, noon+10)
		must(t, err)
		next := func(int) int64 { return noon + 1000 }
		if due, err := s.Due(t.Context(), feed.Waits{}.DueBy(noon+10), 9, next); err != nil || len(due.Slices) != 2 {
			t.Fatal(due, err)
		}
		sl.Progress = 5
		if result, err := s.AdvanceSlice(t.Context(), *sl, false, noon+30); err != nil || result == feed.AdvanceFenced {
			t.Fatal(result, err)
		}
		if again, err := s.ClaimSlice(t.Context(), ref, noon+20, noon+40); err != nil || again != nil {
			t.Errorf("claimed %+v (error %v) from an active holder", again, err)
		}
		if again, err := s.ClaimSlice(t.Context(), ref, noon+30, noon+40); err != nil || again == nil || again.Progress != 5 {
			t.Errorf("claimed %+v (error %v), want the slice from id 5 on", again, err)
		}
	})
}

// SQLite has one writer at a time, so there are no locked rows to skip.
func TestDue_SkipsLockedRows(t *testing.T) {
	s := withUsers(t, postgresBackend(t))
	for id := range feed.PostID(5) {
		mustPublish(t, s, textBy(ann, 1+id))
	}
	// Waiting for the other call would never end, because it waits for this one.
	ctx := eventually.Context(t)
	var taken []feed.PostID
	err := s.DueEventsWhile(ctx, noon, 3, func(first []feed.Dispatchable[feed.PostID]) error {
		return s.DueEventsWhile(ctx, noon, 3, func(second []feed.Dispatchable[feed.PostID]) error {
			for _, d := range slices.Concat(first, second) {
				taken = append(taken, d.Ref)
			}
			return nil
		})
	})
	must(t, err)
	same(t, taken, []feed.PostID{1, 2, 3, 4, 5})
}

// fans opens a store in which the users from 2 on follow user 1. Every tenth of them has a lease of
// a day.
func fans(t testing.TB, b backend, followers int, options ...sqlstore.Option) *sqlstore.Store {
	t.Helper()
	s := b.openWith(t, options...)
	records := []feed.Record{{User: townUser(1)}}
	for id := feed.UserID(2); id < feed.UserID(2+followers); id++ {
		records = append(records, feed.Record{User: townUser(id)}, feed.Record{Follow: &feed.FollowRecord{Follower: id, Followee: 1}})
	}
	importAll(t, s, records)
	for id := feed.UserID(10); id < feed.UserID(2+followers); id += 10 {
		_, err := s.Renew(t.Context(), id, leaseDay)
		must(t, err)
	}
	return s
}

// activeOnes returns the active followers of user 1 with ids above after.
func activeOnes(t testing.TB, s *sqlstore.Store, after feed.UserID, limit int) []feed.UserID {
	t.Helper()
	ids, err := s.FollowerIDs(t.Context(), 1, feed.FollowerRange{After: after, UpTo: math.MaxInt64, Limit: limit, Active: true})
	must(t, err)
	return ids
}

// Hardly any follower is active here, so each call takes several statements.
func TestFollowerIDs_FindsSparseActiveFollowers(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := fans(t, b, 2500)
		same(t, activeOnes(t, s, 0, 1), []feed.UserID{10})
		same(t, activeOnes(t, s, 10, 3), []feed.UserID{20, 30, 40})
		same(t, activeOnes(t, s, 2470, 3), []feed.UserID{2480, 2490, 2500})
		same(t, activeOnes(t, s, 2490, 3), []feed.UserID{2500})
		same(t, activeOnes(t, s, 2500, 3), []feed.UserID(nil))
		if n := len(activeOnes(t, s, 0, 1000)); n != 250 {
			t.Errorf("%d of 250 active followers are found", n)
		}
	})
}

// Each call takes several statements, of which the last one could read beyond the range.
func TestFollowerIDs_ReadsLongRanges(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := fans(t, b, 2500)
		for _, r := range []feed.FollowerRange{
			{UpTo: math.MaxInt64, Limit: 4000},
			{After: 100, UpTo: 2400, Limit: 4000},
			{After: 100, UpTo: 1100, Limit: 4000},
			{After: 100, UpTo: 1101, Limit: 4000},
			{After: 100, UpTo: 2400, Limit: 1500},
		} {
			ids, err := s.FollowerIDs(t.Context(), 1, r)
			mustBe(t, "", err)
			var want []feed.UserID
			for id := max(2, r.After+1); id <= min(r.UpTo, 2501) && len(want) < r.Limit; id++ {
				want = append(want, id)
			}
			same(t, ids, want)
		}
	})
}

func TestFollowerIDs_CachesLeases(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		now := time.UnixMilli(noon)
		var o observed
		s := fans(t, b, 50, sqlstore.WithBegin(o.begin), sqlstore.WithClock(func() time.Time { return now }))
		for id := feed.UserID(2); id < 52; id++ {
			_, err := s.Renew(t.Context(), id, leaseDay)
			must(t, err)
		}
		statements := func() int {
			t.Helper()
			before := o.count()
			activeOnes(t, s, 0, 100)
			return o.count() - before
		}
		if n := statements(); n != 2 {
			t.Errorf("the first time takes %d statements, want one for the followers and one for their leases", n)
		}
		if n := statements(); n != 1 {
			t.Errorf("the second time takes %d statements, want one for the followers", n)
		}
		if n := len(activeOnes(t, s, 0, 100)); n != 50 {
			t.Errorf("got %d active followers, want 50", n)
		}
		now = now.Add(leaseDay)
		if n := statements(); n != 2 {
			t.Errorf("after the leases have ended the call takes %d statements, want another lookup", n)
		}
		if ids := activeOnes(t, s, 0, 100); len(ids) != 0 {
			t.Errorf("%v are active although their leases have ended", ids)
		}
	})
}
