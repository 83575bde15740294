package sqlstore_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// leaseDay is the duration of the leases in these tests.
const leaseDay = 24 * time.Hour

// wantPlans checks which posts have a stored plan.
func wantPlans(t *testing.T, s *sqlstore.Store, want map[feed.PostID]bool) {
	t.Helper()
	for post, stored := range want {
		if plan, err := s.PlanOf(t.Context(), post); plan.Stored != stored || err != nil {
			t.Errorf("whether the plan of %d is stored: %v (%v), want %v", post, plan.Stored, err, stored)
		}
	}
}

// cleanUp drops everything that Cleanup may drop.
func cleanUp(t *testing.T, s *sqlstore.Store, plansBefore, keysBefore int64) {
	t.Helper()
	const enough = 1000
	if more, err := s.Cleanup(t.Context(), plansBefore, keysBefore, enough); more || err != nil {
		t.Fatalf("Cleanup returned %v, %v", more, err)
	}
}

// The databases of these tests run on this machine, so their clock is its own.
func TestLeases_UseDatabaseMilliseconds(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		importAll(t, s, []feed.Record{{User: townUser(1)}})
		before := time.Now().UnixMilli()
		version, err := s.ViewerVersion(t.Context(), 1)
		must(t, err)
		lease, err := s.Renew(t.Context(), 1, leaseDay)
		must(t, err)
		unknown, err := s.Renew(t.Context(), 2, leaseDay)
		must(t, err)
		after := time.Now().UnixMilli()
		if before > version.Now || version.Now > lease.Now || lease.Now > unknown.Now || unknown.Now > after {
			t.Errorf("between %d and %d it was %d, %d and %d", before, after, version.Now, lease.Now, unknown.Now)
		}
		if lease.Until != lease.Now+leaseDay.Milliseconds() || unknown.Until != 0 {
			t.Errorf("the leases of one day are %+v, and the one of an unknown user %+v", lease, unknown)
		}
	})
}

// On PostgreSQL the time comes from a function, which this database replaces by one that returns
// noon. A store that used the clock of the process would fail.
func TestLeases_UseAWrongDatabaseClock(t *testing.T) {
	url := emptyTemplate.url(t, "postgres")
	s := opened(t, url)
	importAll(t, s, []feed.Record{{User: townUser(1)}, {User: townUser(2)}, {Follow: &feed.FollowRecord{Follower: 1, Followee: 2}}})
	for _, stmt := range []string{
		"CREATE SCHEMA wrong",
		fmt.Sprintf(`CREATE FUNCTION wrong.statement_timestamp() RETURNS timestamptz LANGUAGE sql
RETURN to_timestamp(%d)`, noon/1000),
	} {
		must(t, s.Exec(t.Context(), stmt))
	}
	s = opened(t, url+"&search_path=wrong,pg_catalog,public")
	lease, err := s.Renew(t.Context(), 1, leaseDay)
	must(t, err)
	same(t, lease, feed.Lease{Until: noon + leaseDay.Milliseconds(), Now: noon})
	if version, err := s.ViewerVersion(t.Context(), 1); err != nil || version.Now != noon {
		t.Errorf("the time is %d (%v), want %d", version.Now, err, noon)
	}
	wantActive(t, s, 1)
}

// All times that the store sets come from one clock.
func TestWithClock_ReplacesTheDatabaseClock(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		now := time.UnixMilli(noon)
		clock := func() time.Time { return now }
		s := b.openWith(t, sqlstore.WithClock(clock))
		importAll(t, s, []feed.Record{{User: townUser(1)}, {User: townUser(2)}, {Follow: &feed.FollowRecord{Follower: 1, Followee: 2}}})
		onClock(t, s, &now)
	})
}

// onClock goes through a day on a clock that starts at noon.
func onClock(t *testing.T, s *sqlstore.Store, now *time.Time) {
	t.Helper()
	lease, err := s.Renew(t.Context(), 1, leaseDay)
	must(t, err)
	same(t, lease, feed.Lease{Until: noon + leaseDay.Milliseconds(), Now: noon})
	wantLead(t, s, "one", true)
	_, err = s.StorePlan(t.Context(), feed.Plan{Post: 5}, 1)
	must(t, err)
	*now = now.Add(leaseDay - time.Millisecond)
	wantActive(t, s, 1)
	wantLead(t, s, "two", false)
	*now = now.Add(time.Millisecond)
	wantActive(t, s)
	wantLead(t, s, "two", true)
	if version, err := s.ViewerVersion(t.Context(), 1); err != nil || version.Now != noon+leaseDay.Milliseconds() {
		t.Errorf("a day later it is %d (%v), want %d", version.Now, err, noon+leaseDay.Milliseconds())
	}
	cleanUp(t, s, noon, 0)
	wantPlans(t, s, map[feed.PostID]bool{5: true})
	cleanUp(t, s, noon+1, 0)
	wantPlans(t, s, map[feed.PostID]bool{5: false})
}

// wantLead lets a process ask for the lead for a day.
func wantLead(t *testing.T, s *sqlstore.Store, holder string, want bool) {
	t.Helper()
	if leads, err := s.Lead(t.Context(), "tide", holder, leaseDay); leads != want || err != nil {
		t.Errorf("Lead by %s returned %v (%v), want %v", holder, leads, err, want)
	}
}

// wantActive checks the active followers of user 2.
func wantActive(t *testing.T, s *sqlstore.Store, want ...feed.UserID) {
	t.Helper()
	got, err := s.FollowerIDs(t.Context(), 2, feed.FollowerRange{UpTo: 9, Limit: 9, Active: true})
	must(t, err)
	same(t, got, want)
	dormant, err := s.Dormant(t.Context(), []feed.UserID{1}, -time.Millisecond)
	if isDormant := len(dormant) > 0; err != nil || isDormant == (len(want) > 0) {
		t.Errorf("dormant are %v (%v), active %v", dormant, err, want)
	}
}

func TestDeleteAccount_EndsTheLease(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		importAll(t, s, []feed.Record{{User: townUser(1)}, {User: townUser(2)}, {Follow: &feed.FollowRecord{Follower: 1, Followee: 2}}})
		_, err := s.Renew(t.Context(), 1, leaseDay)
		must(t, err)
		wantActive(t, s, 1)
		must(t, s.DeleteAccount(t.Context(), 1, townStart))
		wantActive(t, s)
		lease, err := s.Renew(t.Context(), 1, leaseDay)
		if err != nil || lease.Until != 0 || lease.Now == 0 {
			t.Errorf("a deleted account got the lease %+v (%v)", lease, err)
		}
	})
}
