package sqlstore_test

import (
	"context"
	"database/sql"
	"errors"
	"sync"
	"testing"
	"time"

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
