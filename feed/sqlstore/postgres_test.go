package sqlstore_test

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// ends fails the test unless do returns: what it waits for would last for hours.
func ends(t *testing.T, what string, do func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); do() }()
	eventually.Receive(t, "end of "+what, done)
}

// A statement that the database cancels may succeed later, so the error is unavailable and not
// internal.
func TestPostgres_CancelsSlowStatements(t *testing.T) {
	s := openedWith(t, emptyTemplate.url(t, "postgres"), sqlstore.Postgres{
		StatementWithin: 200 * time.Millisecond, LockWithin: 100 * time.Millisecond, IdleInTxWithin: 100 * time.Millisecond,
	})
	ctx := t.Context()
	t.Run("a statement", func(t *testing.T) {
		ends(t, "a sleep of a day", func() {
			mustBe(t, feed.CodeUnavailable, s.Change(ctx, func(tx *sql.Tx) error {
				_, err := tx.ExecContext(ctx, "SELECT pg_sleep(86400)")
				return err
			}))
		})
	})
	t.Run("one that waits for a lock", func(t *testing.T) {
		mustBe(t, "", s.Change(ctx, func(tx *sql.Tx) error {
			if _, err := tx.ExecContext(ctx, "SET LOCAL idle_in_transaction_session_timeout = 0; LOCK TABLE feed_state"); err != nil {
				return err
			}
			ends(t, "the wait for a lock", func() { mustBe(t, feed.CodeUnavailable, s.RaiseGeneration(ctx)) })
			return nil
		}))
	})
	t.Run("a transaction in which nothing happens", func(t *testing.T) {
		mustBe(t, feed.CodeUnavailable, s.Change(ctx, func(tx *sql.Tx) error {
			if _, err := tx.ExecContext(ctx, "LOCK TABLE feed_state"); err != nil {
				return err
			}
			// Another transaction gets the lock once the idle one has lost it.
			eventually.True(t, "the lock is free again", func() bool { return s.RaiseGeneration(ctx) == nil })
			return nil
		}))
	})
}

// PostgreSQL counts a transaction as idle while a statement is arriving.
func TestImport_TakesABatchThatArrivesSlowly(t *testing.T) {
	for name, p := range map[string]sqlstore.Postgres{
		"since a statement may take longer":          {IdleInTxWithin: 2 * time.Second},
		"since an idle transaction may, if no other": {IdleInTxWithin: time.Minute, StatementWithin: 2 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // it waits for the most part
			url := emptyTemplate.url(t, "postgres")
			proxy := testenv.StartProxy(t, url)
			s := openedWith(t, proxy.URL(url), p)
			batch := longTexts(200)
			proxy.NarrowRequests(400) // kilobytes a second, so it takes four seconds
			if got := mustImport(t, s, batch...); got.Stored != len(batch) {
				t.Errorf("%d records were stored, want %d", got.Stored, len(batch))
			}
		})
	}
}

func TestConnLimit_FailsInTimeWhenAllAreBusy(t *testing.T) {
	s := openedWith(t, emptyTemplate.url(t, "postgres"), sqlstore.Postgres{Conns: 1, WaitFor: 50 * time.Millisecond})
	ctx := t.Context()
	mustBe(t, "", s.Change(ctx, func(*sql.Tx) error {
		for what, try := range map[string]func(context.Context) error{
			"a read":          func(ctx context.Context) error { _, err := s.Following(ctx, 1, feed.Range{Limit: 1}); return err },
			"a read of a row": func(ctx context.Context) error { _, err := s.Empty(ctx); return err },
			"a change":        s.RaiseGeneration,
			"an export":       func(ctx context.Context) error { return s.Export(ctx, func(feed.Record) error { return nil }) },
		} {
			ends(t, what, func() {
				err := try(ctx)
				mustBe(t, feed.CodeUnavailable, err)
				if !strings.Contains(errors.Unwrap(err).Error(), "all 1 connections were busy for 50ms") {
					t.Errorf("%s is refused with %v", what, err)
				}
			})
		}
		over, cancel := context.WithCancel(ctx)
		cancel()
		if err := s.RaiseGeneration(over); !errors.Is(err, context.Canceled) {
			t.Errorf("a caller without time left gets %v", err)
		}
		return nil
	}))
	mustBe(t, "", s.RaiseGeneration(ctx))
}

// A server that accepts connections and statements and never responds is detected, and then calls
// fail at once.
func TestWatch_RefusesASilentServer(t *testing.T) {
	url := emptyTemplate.url(t, "postgres")
	proxy := testenv.StartProxy(t, url)
	s := openedWith(t, proxy.URL(url), sqlstore.Postgres{SilentFor: 200 * time.Millisecond, ConnectWithin: 500 * time.Millisecond})
	ctx := eventually.Context(t)
	proxy.Silence()
	mustBe(t, feed.CodeUnavailable, s.RaiseGeneration(ctx))
	for range 5 {
		mustBeRefusedAtOnce(t, s.RaiseGeneration(ctx))
	}
	proxy.Heal()
	eventually.True(t, "it is asked again", func() bool { return s.RaiseGeneration(ctx) == nil })
}

// mustBeRefusedAtOnce checks that a call failed without trying to connect.
func mustBeRefusedAtOnce(t *testing.T, err error) {
	t.Helper()
	mustBe(t, feed.CodeUnavailable, err)
	if err != nil && !errors.Is(errors.Unwrap(err), sqlstore.ErrSilent) {
		t.Errorf("a connection is tried again: %v", errors.Unwrap(err))
	}
}

// As long as the server responds to any call, no connection is closed.
func TestWatch_ToleratesSlowStatements(t *testing.T) {
	s := openedWith(t, emptyTemplate.url(t, "postgres"), sqlstore.Postgres{SilentFor: 50 * time.Millisecond})
	mustBe(t, "", s.Change(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.ExecContext(t.Context(), "SELECT pg_sleep(0.6)")
		return err
	}))
}

// A server may become read-only while it has connections, and another one take the writes.
func TestPostgres_ClosesReadOnlyConnections(t *testing.T) {
	ctx := t.Context()
	// Of two connections one is for pages.
	s := openedWith(t, emptyTemplate.url(t, "postgres"), sqlstore.Postgres{Conns: 2})
	for what, write := range map[string]func() error{
		"a row":         func() error { return s.RaiseGeneration(ctx) },
		"a transaction": func() error { return s.MarkDemo(ctx) },
	} {
		t.Run(what, func(t *testing.T) {
			mustBe(t, "", s.Exec(ctx, "SET default_transaction_read_only = on"))
			mustBe(t, feed.CodeUnavailable, write())
			mustBe(t, "", write())
		})
	}
}

func TestPlace_NamesHostAndDatabaseOnly(t *testing.T) {
	t.Setenv("PGDATABASE", "")
	for url, want := range map[string]string{
		"sqlite:///var/lib/tideline.db":                                    "SQLite file /var/lib/tideline.db",
		"postgres://ann:hunter2@db/feeds":                                  "PostgreSQL at db:5432, database feeds",
		"postgresql://ann:hunter2@db:6000,other:6001/feeds?sslmode=prefer": "PostgreSQL at db:6000, other:6001, database feeds",
		"postgres:///feeds?host=/run/postgresql&user=ann&password=hunter2": "PostgreSQL at /run/postgresql, database feeds",
		"postgres://[2001:db8::1]:5433/feeds?user=ann&password=hunter2":    "PostgreSQL at [2001:db8::1]:5433, database feeds",
		"postgres://ann:hunter2@%zz/feeds":                                 "",
		"postgres://ann:hunter2@db:port/feeds":                             "",
	} {
		if got := sqlstore.Place(url); got != want {
			t.Errorf("%s: %q, want %q", url, got, want)
		}
	}
}
