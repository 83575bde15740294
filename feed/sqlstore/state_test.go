package sqlstore_test

import (
	"database/sql"
	"testing"
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
