package sqlstore

import (
	"context"
	"database/sql"

	"github.com/tideline-feeds/tideline/feed"
)

// Ping returns nil when the database answers, and else an error of code
// [feed.CodeUnavailable].
func (s *Store) Ping(ctx context.Context) error {
	if err := s.ro.PingContext(ctx); err != nil {
		return feed.Unavailable(theDatabase, err)
	}
	return nil
}

// Empty says whether no user is stored.
func (s *Store) Empty(ctx context.Context) (bool, error) {
	return rowOf[bool](ctx, s, "SELECT NOT EXISTS (SELECT 1 FROM users)")
}

// MarkDemo notes that the users stored are made up, which is what lets anybody on
// this machine sign in as one of them.
func (s *Store) MarkDemo(ctx context.Context) error {
	_, err := s.change(ctx, "UPDATE feed_state SET demo = 1 WHERE id = 1")
	return err
}

// IsDemo says whether [Store.MarkDemo] was called on this database.
func (s *Store) IsDemo(ctx context.Context) (bool, error) {
	return rowOf[bool](ctx, s, "SELECT demo = 1 FROM feed_state WHERE id = 1")
}

// Analyze has the database look at how much it holds and of what kind, from which it
// chooses how to run statements. Whoever has stored much at once calls it: until then an
// empty table's plans may be in use, and those read a grown one from its beginning to its
// end. It takes about a second, however large the database is, and stands in nobody's way.
// Where the disk is busy it may take any time, so PostgreSQL does not break it off; and a
// table that something else is at work on, such as a vacuum, is passed over.
func (s *Store) Analyze(ctx context.Context) error {
	db := s.db
	if s.d.isPostgres() {
		db = s.patientDB()
		defer func() { _ = db.Close() }()
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return classify(ctx, err)
	}
	defer func() { _ = conn.Close() }()
	statements := sqliteAnalyze()
	if s.d.isPostgres() {
		if statements, err = postgresAnalyze(ctx, conn); err != nil {
			return classify(ctx, err)
		}
	}
	for _, statement := range statements {
		if err := exec(ctx, conn, statement); err != nil {
			return classify(ctx, err)
		}
	}
	return nil
}

// postgresAnalyze returns PostgreSQL's statement for [Store.Analyze]. It names the tables
// of the schema that the store is in: others of the database are not the store's, and may
// be large.
func postgresAnalyze(ctx context.Context, conn *sql.Conn) ([]string, error) {
	var tables string
	err := conn.QueryRowContext(ctx, `
SELECT string_agg(format('%I.%I', schemaname, tablename), ', ' ORDER BY tablename)
FROM pg_tables WHERE schemaname = current_schema()`).Scan(&tables)
	return []string{"ANALYZE (SKIP_LOCKED) " + tables}, err
}

// sqliteAnalyze are SQLite's statements for [Store.Analyze]. SQLite reads all indexes,
// unless it is told how many entries of each are enough. It does not look at itself again
// as it grows, so what is empty now must not count as small for ever: that is forgotten,
// and the last statement has the rest read.
func sqliteAnalyze() []string {
	return []string{
		"PRAGMA analysis_limit = 1000", "ANALYZE",
		"DELETE FROM sqlite_stat1 WHERE CAST(stat AS INTEGER) = 0", "ANALYZE sqlite_schema",
	}
}
