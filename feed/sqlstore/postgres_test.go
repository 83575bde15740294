package sqlstore_test

import (
	"context"
	"database/sql"
	"errors"
	"net"
	"net/url"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
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

// reliedOn are the settings of every connection, for any defaults.
func reliedOn() map[string]string {
	return map[string]string{
		"transaction_isolation": "read committed", "transaction_read_only": "off",
		"client_encoding": "UTF8", "standard_conforming_strings": "on", "bytea_output": "hex",
		"TimeZone": "UTC", "DateStyle": "ISO, MDY", "IntervalStyle": "postgres",
		"statement_timeout": "30s", "lock_timeout": "5s", "idle_in_transaction_session_timeout": "10s",
		"idle_session_timeout": "0", "synchronous_commit": "on",
	}
}

func TestSession_SetsWhatTheStoreReliesOn(t *testing.T) {
	for name, c := range map[string]struct {
		defaults []string
		url      string
		want     map[string]string
	}{
		"whatever the database has":  {defaults: testenv.StrictDefaults(), want: reliedOn()},
		"except weaker commits":      {defaults: []string{"synchronous_commit = 'local'"}, want: map[string]string{"synchronous_commit": "local"}},
		"whatever level the URL has": {url: "&default_transaction_isolation=repeatable%20read", want: map[string]string{"transaction_isolation": "read committed"}},
		"except limits in the URL":   {url: "&lock_timeout=7s", want: map[string]string{"jit": "off", "statement_timeout": "30s", "lock_timeout": "7s"}},
	} {
		t.Run(name, func(t *testing.T) {
			database := testenv.Postgres(t)
			testenv.SetDefaults(t, database, c.defaults...)
			s := openedWith(t, database+c.url, sqlstore.DefaultPostgres())
			for setting, want := range c.want {
				if got, err := s.Setting(t.Context(), setting); got != want || err != nil {
					t.Errorf("%s is %q (%v), want %q", setting, got, err, want)
				}
			}
			for _, setting := range []string{"statement_timeout", "idle_in_transaction_session_timeout"} {
				if got, err := s.Unlimited(t.Context(), setting); got != "0" || err != nil {
					t.Errorf("while migrating, %s is %q (%v)", setting, got, err)
				}
			}
		})
	}
}

// There are more concurrent writers of one row than attempts at a higher level.
func TestSession_ManyWritersOfOneRowSucceed(t *testing.T) {
	database := testenv.Postgres(t)
	testenv.SetDefaults(t, database, "default_transaction_isolation = 'serializable'")
	s := opened(t, database)
	mustBe(t, "", s.Exec(t.Context(), "CREATE TABLE counted (n int); INSERT INTO counted VALUES (0)"))
	var all sync.WaitGroup
	const writers, changes = 16, 25
	for range writers {
		all.Go(func() {
			for range changes {
				mustBe(t, "", s.Change(t.Context(), func(tx *sql.Tx) error {
					_, err := tx.ExecContext(t.Context(), "UPDATE counted SET n = n + 1")
					return err
				}))
			}
		})
	}
	all.Wait()
	var n int
	mustBe(t, "", s.Change(t.Context(), func(tx *sql.Tx) error {
		return tx.QueryRowContext(t.Context(), "SELECT n FROM counted").Scan(&n)
	}))
	if n != writers*changes {
		t.Errorf("the row was changed %d times, want %d", n, writers*changes)
	}
}

// behind returns a URL with another host before its own.
func behind(t *testing.T, first, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	must(t, err)
	u.Host = first + "," + u.Host
	return u.String()
}

// together runs so many transactions at the same time, each on its own connection, and returns
// their errors.
func together(ctx context.Context, s *sqlstore.Store, n int) error {
	errs := make([]error, n)
	var all, met sync.WaitGroup
	met.Add(n)
	for i := range n {
		all.Go(func() {
			meet := sync.OnceFunc(met.Done)
			defer meet()
			errs[i] = s.Change(ctx, func(*sql.Tx) error { meet(); met.Wait(); return nil })
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

// A stuck machine, or one that is off, refuses no connection, so callers wait. They must still find
// the host that has taken over, and calls that wait for the first one must end.
func TestWatch_FindsTheNextHostOfTheURL(t *testing.T) {
	const conns = 4
	t.Parallel() // it waits for the most part
	url := emptyTemplate.url(t, "postgres")
	proxy := testenv.StartProxy(t, url)
	// Three seconds are enough to probe a healthy host on a busy machine.
	s := openedWith(t, behind(t, proxy.Addr(), url), sqlstore.Postgres{
		SilentFor: 200 * time.Millisecond, ConnectWithin: 3 * time.Second,
	})
	ctx := eventually.Context(t)
	eventually.Succeeds(t, "connecting to the first host", func() error { return together(ctx, s, conns) })
	proxy.Silence()
	mustBe(t, feed.CodeUnavailable, together(ctx, s, conns))
	if !s.Away(proxy.Addr()) {
		t.Error("the silent host still gets connections")
	}
	mustBe(t, "", together(ctx, s, conns))
	// By now the first host is probed repeatedly, which ends nothing on the second.
	mustBe(t, "", s.Change(ctx, func(tx *sql.Tx) error { _, err := tx.ExecContext(ctx, "SELECT pg_sleep(1.5)"); return err }))
}

// A connection that was never made receives nothing, so the attempt itself must reveal the host.
func TestWatch_RefusesAHostThatIsOff(t *testing.T) {
	const within = 500 * time.Millisecond
	s := openedWith(t, behind(t, unacceptedAddress(t), emptyTemplate.url(t, "postgres")), sqlstore.Postgres{
		SilentFor: 100 * time.Millisecond, ConnectWithin: within, LivesFor: time.Nanosecond,
	})
	eventually.True(t, "a new connection is made at once", func() bool {
		began := time.Now()
		err := s.RaiseGeneration(t.Context()) // which a busy machine may not connect in time
		return err == nil && time.Since(began) < within
	})
}

// unacceptedAddress returns an address that neither accepts nor refuses connections: its queue is
// full, and the kernel drops further attempts.
func unacceptedAddress(t *testing.T) string {
	t.Helper()
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	must(t, err)
	f := os.NewFile(uintptr(fd), "listener")
	t.Cleanup(func() { _ = f.Close() })
	must(t, errors.Join(syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}), syscall.Listen(fd, 0)))
	l, err := net.FileListener(f)
	must(t, err)
	t.Cleanup(func() { _ = l.Close() })
	for {
		conn, err := net.DialTimeout("tcp", l.Addr().String(), 200*time.Millisecond)
		if err != nil {
			return l.Addr().String()
		}
		t.Cleanup(func() { _ = conn.Close() })
	}
}

// With PgBouncer's defaults and a session pool. It refuses most settings when a connection starts.
func TestOpen_WorksBehindSessionPooler(t *testing.T) {
	s := openedWith(t, testenv.StartPgBouncer(t, testenv.Postgres(t), "pool_mode = session"), sqlstore.DefaultPostgres())
	if _, err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	importAll(t, s, []feed.Record{{User: townUser(1)}})
	if u, err := s.UserByHandle(t.Context(), "u1"); u == nil || err != nil {
		t.Errorf("the user is %v, %v", u, err)
	}
	for name, want := range reliedOn() {
		if got, err := s.Setting(t.Context(), name); got != want || err != nil {
			t.Errorf("%s is %q (%v), want %q", name, got, err, want)
		}
	}
}
