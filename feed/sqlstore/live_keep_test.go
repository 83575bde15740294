package sqlstore_test

import (
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// plannedReplay stores a replay by ann with a plan of so many slices, none of them done.
func plannedReplay(t *testing.T, s *sqlstore.Store, id live.ID, slices int) {
	t.Helper()
	mustReplay(t, sqlstore.NewLive(s), id)
	plan := feed.Plan{Post: feed.ReplayRef(int64(id))}
	for i := range slices {
		plan.Slices = append(plan.Slices, feed.Slice{SliceRef: feed.SliceRef{Post: plan.Post, Task: i}, First: bob, Last: bob})
	}
	_, err := s.StorePlan(t.Context(), plan, noon)
	must(t, err)
}

func TestPurge_EmptiesSessionsExceptIDs(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := withUsers(t, b)
		l := sqlstore.NewLive(s)
		bobs := upcoming(50)
		bobs.Host = bob
		mustSchedule(t, l, bobs)
		mustSchedule(t, l, upcoming(1))
		mustReplay(t, l, 2)
		plannedReplay(t, s, 3, 5)
		mustPublish(t, s, textBy(bob, 3))
		mustBe(t, "", s.DeleteAccount(t.Context(), ann, noon))
		wantGone(t, l, 1, 2, 3)
		for more, left := true, 100; more; left-- {
			var err error
			if more, err = s.PurgeDeleted(t.Context(), 2); err != nil || left == 0 {
				t.Fatalf("the purge does not end (%v)", err)
			}
			wantGone(t, l, 1, 2, 3)
		}
		for table, want := range map[string]int{
			"live_sessions": 4, "live_sessions WHERE number > 0": 1, "live_transitions": 1, "live_hosts": 1,
			"events": 1, "plans": 0, "plan_slices": 0,
		} {
			mustHave(t, s, table, want)
		}
		mine := upcoming(3)
		mine.Host = bob
		if _, err := l.Schedule(t.Context(), mine, 10); err == nil {
			t.Error("the id of a purged session is used again")
		}
	})
}

// wantGone checks that no read returns anything of ann's.
func wantGone(t *testing.T, l *sqlstore.Live, ids ...live.ID) {
	t.Helper()
	sessions, err := l.Sessions(t.Context(), ids)
	mustBe(t, "", err)
	same(t, sessions, make([]*live.Session, len(ids)))
	for asOf := range int64(10) {
		open, err := l.Open(t.Context(), []feed.UserID{ann}, asOf, live.Position{}, 9)
		mustBe(t, "", err)
		same(t, open, []live.Entry(nil))
	}
	sets, err := l.Sets(t.Context(), []feed.UserID{ann})
	mustBe(t, "", err)
	same(t, sets, []live.Set{{}})
	_, marks, err := l.Hosts(t.Context(), ann, 10, 0)
	mustBe(t, "", err)
	same(t, marks, []live.HostTransition(nil))
}

// A plan has many more slices than a purge otherwise removes at once, so they have a limit of their
// own.
func TestPurge_BoundsSlicesPerTransaction(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := withUsers(t, b)
		for id := range live.ID(3) {
			plannedReplay(t, s, id+1, sqlstore.SlicesPerCleanup)
		}
		mustBe(t, "", s.DeleteAccount(t.Context(), ann, noon))
		for left := 2; left >= 0; left-- {
			_, err := s.PurgeDeleted(t.Context(), 1000)
			must(t, err)
			mustHave(t, s, "plan_slices", left*sqlstore.SlicesPerCleanup)
		}
		mustHave(t, s, "plans", 0)
	})
}

// liveOf is a record of a session that has gone through all transitions with a time.
func liveOf(id int64, host feed.UserID, startedAt, endedAt, cancelledAt int64) feed.Record {
	return feed.Record{Live: &feed.LiveRecord{
		ID: id, Host: host, Title: "The tide", ScheduledAt: noon, StartedAt: startedAt, EndedAt: endedAt, CancelledAt: cancelledAt,
	}}
}
