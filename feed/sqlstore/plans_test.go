package sqlstore_test

import (
	"slices"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/eventually"
)

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

func TestPlans_CountOpenSlices(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := planned(t, b)
		sl, err := s.ClaimSlice(t.Context(), feed.SliceRef{Post: 1, Task: 1}, noon, noon+10)
		must(t, err)
		for _, want := range []struct {
			done bool
			open int
		}{{false, 2}, {true, 1}, {true, 1}, {false, 1}} {
			// If a response is lost, the holder may report the end twice, and progress after it:
			// the attempt is still the latest.
			result, err := s.AdvanceSlice(t.Context(), *sl, want.done, noon+20)
			if err != nil || result != feed.AdvanceStored {
				t.Fatal(result, err)
			}
			if open, err := s.OpenSlices(t.Context(), 1); err != nil || open != want.open {
				t.Errorf("%d slices are open (error %v), want %d", open, err, want.open)
			}
		}
	})
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
