package sqlstore_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/inbox"
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

// generation returns the current generation.
func generation(t *testing.T, s *sqlstore.Store) int64 {
	t.Helper()
	version, err := s.ViewerVersion(t.Context(), 0)
	mustBe(t, "", err)
	return version.Generation
}

// holds reserves a format as its worker does, and compares the format in use, as returned and as
// read.
func holds(t *testing.T, s *sqlstore.Store, format int64, d time.Duration, want int64) {
	t.Helper()
	inUse, err := s.UseFormat(t.Context(), format, d)
	mustBe(t, "", err)
	read, err := s.InUse(t.Context())
	mustBe(t, "", err)
	if inUse != want || read != want {
		t.Errorf("for a worker of format %d UseFormat returned %d, and InUse %d, want %d", format, inUse, read, want)
	}
}

func TestFormats_InUseUntilNoProcessHoldsIt(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		before := generation(t, s)
		holds(t, s, 1, time.Hour, 1)
		holds(t, s, 2, time.Hour, 1)
		// A shorter hold shortens nothing.
		holds(t, s, 1, -time.Hour, 1)
		holds(t, s, 2, time.Hour, 1)
		if generation(t, s) != before {
			t.Error("the generation rose without a change")
		}
		unheld(t, s, 1)
		holds(t, s, 2, time.Hour, 2)
		raised := generation(t, s)
		if raised <= before {
			t.Error("inboxes from before the change are still ready")
		}
		holds(t, s, 1, time.Hour, 2)
		if generation(t, s) != raised {
			t.Error("the generation rose again")
		}
	})
}

// always is a format that does not change.
func always(format int64) func(context.Context) (int64, error) {
	return func(context.Context) (int64, error) { return format, nil }
}

// unheld ends the reservations of a format, as if its processes were gone.
func unheld(t *testing.T, s *sqlstore.Store, format int64) {
	t.Helper()
	mustBe(t, "", s.Exec(t.Context(), fmt.Sprint("UPDATE inbox_layouts SET until = 0 WHERE layout = ", format)))
}

// The location of inboxes is part of the format. Inboxes that were not in use lack pushes, and must
// be absent when they are used again.
func TestFormats_ReturnMakesInboxesAbsent(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		const one, other = 1<<52 + 1, -1
		holds(t, s, one, time.Hour, one)
		for _, step := range []struct{ from, to int64 }{{one, other}, {other, one}} {
			before := generation(t, s)
			holds(t, s, step.from, time.Hour, step.from)
			unheld(t, s, step.from)
			// A start with the same settings, however late.
			holds(t, s, step.from, time.Hour, step.from)
			if generation(t, s) != before {
				t.Error("the generation rose for the same inboxes")
			}
			unheld(t, s, step.from)
			holds(t, s, step.to, time.Hour, step.to)
			if generation(t, s) <= before {
				t.Errorf("inboxes from before the change from %d to %d are still ready", step.from, step.to)
			}
		}
	})
}

// Reads of a new network have inboxes from the start, whichever process begins first.
func TestFormats_FirstProcessHasInboxes(t *testing.T) {
	s := sqliteBackend(t).open(t)
	first, second := inbox.NewStorageFormat(s, always(7), false), inbox.NewStorageFormat(s, always(8), false)
	for _, l := range []*inbox.StorageFormat{first, second} {
		mustBe(t, "", l.Renew(t.Context()))
	}
	if !first.Usable() || second.Usable() {
		t.Error("the inboxes of the first are not the ones in use")
	}
	// It is no worker, so no process waits for it, and it changes nothing.
	unheld(t, s, 7)
	for _, l := range []*inbox.StorageFormat{first, second} {
		mustBe(t, "", l.Renew(t.Context()))
	}
	holds(t, s, 9, time.Hour, 9)
}

// Redis may be replaced by another server behind the same address.
func TestFormats_RejectReplacedRedis(t *testing.T) {
	s := sqliteBackend(t).open(t)
	var mine int64 = 7
	var unknown error
	l := inbox.NewStorageFormat(s, func(context.Context) (int64, error) { return mine, unknown }, true)
	unknown = errors.New("not known yet")
	if err := l.Renew(t.Context()); !errors.Is(err, unknown) || l.Usable() {
		t.Errorf("inboxes are usable before the own format is known: %v, %v", l.Usable(), err)
	}
	unknown = nil
	mustBe(t, "", l.Renew(t.Context()))
	before := generation(t, s)
	mine = 8
	mustBe(t, "", l.Renew(t.Context()))
	if l.Usable() || generation(t, s) != before {
		t.Error("inboxes of another server are usable while the former ones may be in use")
	}
	unheld(t, s, 7)
	mustBe(t, "", l.Renew(t.Context()))
	if !l.Usable() || generation(t, s) <= before {
		t.Error("the other inboxes are not in use, or were not rebuilt")
	}
}

// A process checks the format periodically. It trusts the last result exactly as long as others wait
// for it.
func TestFormats_TrustLastsWhileInUse(t *testing.T) {
	s := sqliteBackend(t).open(t)
	one, two, reader := inbox.NewStorageFormat(s, always(1), true), inbox.NewStorageFormat(s, always(2), true), inbox.NewStorageFormat(s, always(2), false)
	if one.Usable() {
		t.Error("inboxes are usable before the format in use is known")
	}
	for _, l := range []*inbox.StorageFormat{one, two, reader} {
		mustBe(t, "", l.Renew(t.Context()))
	}
	if !one.Usable() || two.Usable() || reader.Usable() {
		t.Error("the first format is not the one in use")
	}
	unheld(t, s, 1)
	for _, l := range []*inbox.StorageFormat{reader, two, reader, one} {
		mustBe(t, "", l.Renew(t.Context()))
	}
	if one.Usable() || !two.Usable() || !reader.Usable() {
		t.Error("the second format is not in use")
	}
}

// Without it a database keeps the statistics of its empty tables.
func TestAnalyze_UpdatesTableSizes(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := withUsers(t, b)
		must(t, s.Analyze(t.Context()))
		if known, err := s.KnownRows(t.Context(), "users"); err != nil || known != 2 {
			t.Errorf("the estimate is %d users (error %v), of 2", known, err)
		}
	})
}

// SQLite does not analyze by itself, so it must not treat an empty table as small for good.
func TestAnalyze_SQLiteForgetsEmptyTables(t *testing.T) {
	s := withUsers(t, sqliteBackend(t))
	must(t, s.Analyze(t.Context()))
	if n, err := s.Empties(t.Context()); err != nil || n != 0 {
		t.Errorf("%d tables and indexes count as empty (error %v)", n, err)
	}
}

// A vacuum holds such a lock, and so does a concurrent index build, for as long as they take.
func TestAnalyze_PostgresSkipsLockedTables(t *testing.T) {
	s, ctx := withUsers(t, postgresBackend(t)), t.Context()
	mustBe(t, "", s.Change(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "SET LOCAL idle_in_transaction_session_timeout = 0; LOCK TABLE contents IN SHARE UPDATE EXCLUSIVE MODE")
		ends(t, "an analysis during a lock", func() { mustBe(t, "", s.Analyze(ctx)) })
		return err
	}))
	if known, err := s.KnownRows(ctx, "users"); err != nil || known != 2 {
		t.Errorf("the estimate is %d users (error %v), of 2", known, err)
	}
}

func TestObservations_LastUntilOldOrDropped(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		now := time.UnixMilli(1_777_896_000_000)
		s := b.open(t)
		s.Set(sqlstore.WithClock(func() time.Time { return now }))
		first := sqlstore.Observation{Name: "untrusted_proxy", Subject: "192.0.2.7"}
		second := sqlstore.Observation{Name: "untrusted_proxy", Subject: "192.0.2.8"}
		silent := sqlstore.Observation{Name: "silent_proxy", Subject: "192.0.2.7"}
		observe := func(o sqlstore.Observation) { mustBe(t, "", s.Observe(t.Context(), o)) }
		holds := func(when string, want ...sqlstore.Observation) {
			t.Helper()
			got, err := s.ObservedWithin(t.Context(), time.Hour)
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%s got %v, %v, want %v", when, got, err, want)
			}
		}
		holds("at first")
		observe(first)
		observe(silent)
		holds("after one of each", silent, first)
		observe(second)
		holds("after another subject", silent, second)
		drop := func(o sqlstore.Observation, unseenFor time.Duration, want bool) {
			t.Helper()
			if dropped, err := s.DropObservation(t.Context(), o, unseenFor); err != nil || dropped != want {
				t.Errorf("%v, unseen for %v: dropped %v, %v, want %v", o, unseenFor, dropped, err, want)
			}
		}
		drop(first, 0, false)
		now = now.Add(time.Minute)
		drop(second, time.Minute+time.Millisecond, false)
		holds("while they are too young or of another subject", silent, second)
		drop(second, time.Minute, true)
		holds("after the drop", silent)
		now = now.Add(time.Hour - time.Minute)
		holds("at the end of the window", silent)
		now = now.Add(time.Millisecond)
		holds("past the window")
		observe(silent)
		holds("when it was seen again", silent)
	})
}

func TestRevocations_AreFoundUntilTheyEnd(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		signedOut := feed.Revocation{User: 7, Token: "hash"}
		for range 2 {
			must(t, s.Revoke(t.Context(), signedOut, time.Hour))
		}
		for r, want := range map[feed.Revocation]bool{signedOut: true, {User: 7, Token: "other"}: false, {User: 8, Token: "hash"}: false} {
			if got, err := s.IsRevoked(t.Context(), r); got != want || err != nil {
				t.Errorf("%+v is revoked: %v, %v", r, got, err)
			}
		}
		got, err := s.RevokedWithin(t.Context(), time.Minute)
		if err != nil || !slices.Equal(got, []feed.Revocation{signedOut}) {
			t.Errorf("RevokedWithin returned %v, %v", got, err)
		}
		ended := feed.Revocation{User: 7, Token: "ended"}
		must(t, s.Revoke(t.Context(), ended, -time.Second))
		_, err = s.Cleanup(t.Context(), 0, 0, 10)
		must(t, err)
		for r, want := range map[feed.Revocation]bool{signedOut: true, ended: false} {
			if kept, err := s.IsRevoked(t.Context(), r); kept != want || err != nil {
				t.Errorf("after the cleanup %+v is stored: %v, %v", r, kept, err)
			}
		}
	})
}
