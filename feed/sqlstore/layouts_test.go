package sqlstore_test

import (
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// generation returns the present one.
func generation(t *testing.T, s *sqlstore.Store) int64 {
	t.Helper()
	stamp, err := s.Stamp(t.Context(), 0)
	mustBe(t, "", err)
	return stamp.Generation
}

// holds has a worker of a layout call and compares the layout in use, as it is told and as
// everybody may read.
func holds(t *testing.T, s *sqlstore.Store, layout int64, d time.Duration, want int64) {
	t.Helper()
	told, err := s.Hold(t.Context(), layout, d)
	mustBe(t, "", err)
	read, err := s.InUse(t.Context())
	mustBe(t, "", err)
	if told != want || read != want {
		t.Errorf("a worker of layout %d is told that %d is in use, and others %d, want %d", layout, told, read, want)
	}
}

func TestALayoutIsInUseUntilNobodyHoldsIt(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		before := generation(t, s)
		holds(t, s, 1, time.Hour, 1)
		holds(t, s, 2, time.Hour, 1)
		// A shorter hold shortens nothing.
		holds(t, s, 1, -time.Hour, 1)
		holds(t, s, 2, time.Hour, 1)
		if generation(t, s) != before {
			t.Error("the generation rose though nothing has changed")
		}
		if err := s.Exec(t.Context(), "UPDATE inbox_layouts SET until = 0 WHERE layout = 1"); err != nil {
			t.Fatal(err)
		}
		holds(t, s, 2, time.Hour, 2)
		raised := generation(t, s)
		if raised <= before {
			t.Error("inboxes from before the change are still good")
		}
		holds(t, s, 1, time.Hour, 2)
		if generation(t, s) != raised {
			t.Error("the generation rose again")
		}
	})
}

// What is in use is not asked for all the time, so a process trusts an answer for as long
// as others wait for it, and no longer.
func TestAProcessTrustsItsInboxesWhileItsLayoutIsInUse(t *testing.T) {
	s := sqliteBackend(t).open(t)
	one, two, reader := feed.NewLayout(s, 1, true), feed.NewLayout(s, 2, true), feed.NewLayout(s, 2, false)
	if one.Usable() {
		t.Error("it does before it has asked")
	}
	for _, l := range []*feed.Layout{one, two, reader} {
		mustBe(t, "", l.Renew(t.Context()))
	}
	if !one.Usable() || two.Usable() || reader.Usable() {
		t.Error("the first layout is not the one in use")
	}
	if err := s.Exec(t.Context(), "UPDATE inbox_layouts SET until = 0 WHERE layout = 1"); err != nil {
		t.Fatal(err)
	}
	for _, l := range []*feed.Layout{reader, two, reader, one} {
		mustBe(t, "", l.Renew(t.Context()))
	}
	if one.Usable() || !two.Usable() || !reader.Usable() {
		t.Error("the second layout is not in use")
	}
}
