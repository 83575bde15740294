package sqlstore_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// crossing runs two transactions with two steps each, both first steps before either second one in
// the first attempt, and returns the total number of attempts.
func crossing(t *testing.T, s *sqlstore.Store, level string, first, second [2]string) (tries int) {
	t.Helper()
	var met sync.WaitGroup
	met.Add(2)
	var mu sync.Mutex
	var both sync.WaitGroup
	for i := range 2 {
		meet := sync.OnceFunc(func() { met.Done(); met.Wait() })
		both.Go(func() {
			err := s.Change(t.Context(), func(tx *sql.Tx) error {
				mu.Lock()
				tries++
				mu.Unlock()
				if _, err := tx.ExecContext(t.Context(), "SET TRANSACTION ISOLATION LEVEL "+level); err != nil {
					return err
				}
				if _, err := tx.ExecContext(t.Context(), first[i]); err != nil {
					return err
				}
				meet()
				_, err := tx.ExecContext(t.Context(), second[i])
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	both.Wait()
	return tries
}

// fallTable makes a table of two rows that are unrelated to feeds.
func fallTable(t *testing.T) *sqlstore.Store {
	t.Helper()
	// How long PostgreSQL waits before it checks for a deadlock; it needs a superuser.
	s := opened(t, testenv.Postgres(t)+"&deadlock_timeout=20ms")
	for _, stmt := range []string{"CREATE TABLE pair (id int PRIMARY KEY, n int)", "INSERT INTO pair VALUES (1, 0), (2, 0)"} {
		must(t, s.Exec(t.Context(), stmt))
	}
	return s
}

func TestRetry_RepeatsAbortedTransactions(t *testing.T) {
	for name, c := range map[string]struct {
		level         string
		first, second [2]string
	}{
		"each has the row that the other wants": {
			"READ COMMITTED",
			[2]string{"UPDATE pair SET n = n + 1 WHERE id = 1", "UPDATE pair SET n = n + 1 WHERE id = 2"},
			[2]string{"UPDATE pair SET n = n + 1 WHERE id = 2", "UPDATE pair SET n = n + 1 WHERE id = 1"},
		},
		"each has read what the other writes": {
			"SERIALIZABLE",
			[2]string{"SELECT sum(n) FROM pair", "SELECT sum(n) FROM pair"},
			[2]string{"UPDATE pair SET n = n + 2 WHERE id = 1", "UPDATE pair SET n = n + 2 WHERE id = 2"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := fallTable(t)
			if tries := crossing(t, s, c.level, c.first, c.second); tries < 3 {
				t.Errorf("the transactions took %d attempts, so they never conflicted", tries)
			}
			var sum int
			err := s.Change(t.Context(), func(tx *sql.Tx) error {
				return tx.QueryRowContext(t.Context(), "SELECT sum(n) FROM pair").Scan(&sum)
			})
			if sum != 4 || err != nil {
				t.Errorf("the sum is %d (%v), want each change once: 4", sum, err)
			}
		})
	}
}

func TestRetry_LimitsAttemptsAndWaits(t *testing.T) {
	tries, waited, err := sqlstore.Waits(t.Context(), 0)
	mustBe(t, feed.CodeUnavailable, err)
	if tries != 5 || waited < 75*time.Millisecond {
		t.Errorf("%d tries within %v, want 5 that wait for 5, 10, 20 and 40 ms in between", tries, waited)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if tries, _, err := sqlstore.Waits(over, 0); tries != 1 || !errors.Is(err, context.Canceled) {
		t.Errorf("without time left there are %d attempts, and the error is %v", tries, err)
	}
}

// A commit without a response may have taken place, so only the caller may repeat it: a publish has
// an idempotency key for that.
func TestRetry_NeverRepeatsALostCommit(t *testing.T) {
	url := emptyTemplate.url(t, "postgres")
	proxy := testenv.StartProxy(t, url)
	s := opened(t, proxy.URL(url))
	tries := 0
	err := s.Change(t.Context(), func(*sql.Tx) error {
		tries++
		proxy.Cut()
		return nil
	})
	mustBe(t, feed.CodeUnavailable, err)
	if tries != 1 {
		t.Errorf("got %d attempts", tries)
	}
}

// mustSay checks that an error is UNAVAILABLE with a message for clients.
func mustSay(t *testing.T, err error, message string) {
	t.Helper()
	var known *feed.Error
	if !errors.As(err, &known) || known.Code != feed.CodeUnavailable || known.Message != message {
		t.Errorf("got error %v, want the message %q", err, message)
	}
}

func TestUnavailable_NamesTheCause(t *testing.T) {
	s := opened(t, "sqlite://"+filepath.Join(testenv.Dir(t), "tideline.db"))
	for code, message := range map[string]string{
		"53100": "the database has no room left",
		"58030": "the database cannot read or write its files",
		"25006": "the database takes no writes at the moment",
		"53200": "the database has no memory left",
		"53300": "the database has no connection left",
		"40001": "the database is too busy: other requests change the same",
		"40P01": "the database is too busy: other requests change the same",
		"55P03": "the database is too busy: other requests change the same",
		"57014": "the database took too long",
		"57P01": "the database cannot be reached",
		"08006": "the database cannot be reached",
	} {
		mustSay(t, s.Change(t.Context(), func(*sql.Tx) error {
			return fmt.Errorf("a statement: %w", &pgconn.PgError{Code: code})
		}), message)
	}
}

// fill makes a statement fail because there is no room.
func fill(t *testing.T, s *sqlstore.Store) error {
	t.Helper()
	return s.Change(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.ExecContext(t.Context(), "INSERT INTO filler VALUES (zeroblob(10000000))")
		return err
	})
}

func TestFullSQLite_NamesTheCause(t *testing.T) {
	s := opened(t, emptyTemplate.url(t, "sqlite"))
	mustBe(t, "", s.Exec(t.Context(), "CREATE TABLE filler (bytes BLOB)"))
	mustBe(t, "", s.CheckWrites(t.Context()))
	mustBe(t, "", s.Refused())
	mustBe(t, "", s.Exec(t.Context(), "PRAGMA max_page_count = 1"))
	const full = "the database has no room left"
	mustSay(t, fill(t, s), full)
	mustSay(t, s.Refused(), full)
	mustSay(t, s.CheckWrites(t.Context()), full)
}

func TestReadOnlySQLite_NamesTheCause(t *testing.T) {
	s := opened(t, emptyTemplate.url(t, "sqlite"))
	mustBe(t, "", s.Exec(t.Context(), "CREATE TABLE filler (bytes BLOB)"))
	mustBe(t, "", s.Exec(t.Context(), "PRAGMA query_only = ON"))
	const readOnly = "the database takes no writes at the moment"
	mustSay(t, fill(t, s), readOnly)
	mustSay(t, s.Refused(), readOnly)
	mustSay(t, s.CheckWrites(t.Context()), readOnly)
}

// observed records which statements began, and how many succeeded and failed. It leaves out those that
// set up a connection: a connection may be opened whenever the others are still busy.
type observed struct {
	mu         sync.Mutex
	statements []string
	well, bad  int
}

func (o *observed) begin(ctx context.Context, statement string) (context.Context, func(error)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !strings.HasPrefix(statement, "SET ") {
		o.statements = append(o.statements, statement)
	}
	return ctx, func(err error) {
		o.mu.Lock()
		defer o.mu.Unlock()
		if err != nil {
			o.bad++
			return
		}
		o.well++
	}
}

// count returns how many statements have begun.
func (o *observed) count() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.statements)
}

// openObserved opens a migrated database and returns the observer of its statements.
func openObserved(t *testing.T, b backend) (*sqlstore.Store, *observed) {
	t.Helper()
	o := &observed{}
	return b.openWith(t, sqlstore.WithBegin(o.begin)), o
}

func TestWithBegin_SeesStatementsWithoutValues(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s, o := openObserved(t, b)
		o.statements = nil
		for range 2 { // also of a statement that was kept
			_, err := s.UserByHandle(t.Context(), "somebody")
			must(t, err)
		}
		o.mu.Lock()
		defer o.mu.Unlock()
		if len(o.statements) != 2 || o.well < 2 || o.bad != 0 {
			t.Errorf("of two statements %d were reported, %d as succeeded and %d as failed", len(o.statements), o.well, o.bad)
		}
		for _, text := range o.statements {
			if !strings.Contains(text, "users") || strings.Contains(text, "somebody") {
				t.Errorf("the statement is reported as %s", text)
			}
		}
	})
}
