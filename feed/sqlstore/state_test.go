package sqlstore_test

import (
	"database/sql"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

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

// On a busy disk it may take longer than the statement timeout.
func TestAnalyze_HasNoTimeLimit(t *testing.T) {
	const within = 500 * time.Millisecond
	url, ctx := emptyTemplate.url(t, "postgres"), t.Context()
	others := opened(t, url)
	for _, stmt := range []string{
		"CREATE FUNCTION slowly(n bigint) RETURNS bigint IMMUTABLE LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(1); RETURN n; END'",
		"CREATE TABLE slow (n bigint)", "CREATE INDEX ON slow (slowly(n))", "INSERT INTO slow VALUES (1), (2)",
	} {
		mustBe(t, "", others.Exec(ctx, stmt))
	}
	s := openedWith(t, url, sqlstore.Postgres{StatementWithin: within})
	began := time.Now()
	mustBe(t, "", s.Analyze(ctx))
	if known, err := s.KnownRows(ctx, "slow"); err != nil || known != 2 || time.Since(began) < within {
		t.Errorf("after %v the estimate is %d rows (error %v), of 2", time.Since(began), known, err)
	}
}
