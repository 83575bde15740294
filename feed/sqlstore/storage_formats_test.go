package sqlstore_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed/inbox"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

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
