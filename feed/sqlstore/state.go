package sqlstore

import (
	"context"
	"database/sql"

	"github.com/tideline-feeds/tideline/feed"
)

// Ping returns nil if the database responds, and otherwise an error of code [feed.CodeUnavailable].
func (s *Store) Ping(ctx context.Context) error {
	if err := s.ro.PingContext(ctx); err != nil {
		return feed.Unavailable(theDatabase, err)
	}
	return nil
}

// Empty reports whether no user is stored.
func (s *Store) Empty(ctx context.Context) (bool, error) {
	return rowOf[bool](ctx, s, "SELECT NOT EXISTS (SELECT 1 FROM users)")
}

// MarkDemo marks the users as made up: any client on this machine may sign in as one of them.
func (s *Store) MarkDemo(ctx context.Context) error {
	_, err := s.change(ctx, "UPDATE feed_state SET demo = 1 WHERE id = 1")
	return err
}

// IsDemo reports whether [Store.MarkDemo] was called on this database.
func (s *Store) IsDemo(ctx context.Context) (bool, error) {
	return rowOf[bool](ctx, s, "SELECT demo = 1 FROM feed_state WHERE id = 1")
}

// Analyze updates the statistics of the query planner. Call it after storing many rows: until then
// the plans of empty tables may scan large ones. It takes about a second at any size of the
// database and blocks nothing. On a busy disk it may take longer, so PostgreSQL has no time limit
// for it. It skips tables that another maintenance command is working on.
func (s *Store) Analyze(ctx context.Context) error {
	db := s.db
	if s.d.isPostgres() {
		db = s.unlimitedDB()
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

// postgresAnalyze returns PostgreSQL's statement for [Store.Analyze]. It names the tables of the
// current schema, because other tables may be large and are not the store's.
func postgresAnalyze(ctx context.Context, conn *sql.Conn) ([]string, error) {
	var tables string
	err := conn.QueryRowContext(ctx, `
SELECT string_agg(format('%I.%I', schemaname, tablename), ', ' ORDER BY tablename)
FROM pg_tables WHERE schemaname = current_schema()`).Scan(&tables)
	return []string{"ANALYZE (SKIP_LOCKED) " + tables}, err
}

// sqliteAnalyze returns SQLite's statements for [Store.Analyze]. The limit keeps SQLite from
// reading whole indexes. SQLite does not repeat the analysis as tables grow, so the statements
// delete the statistics of empty tables and reload the rest.
func sqliteAnalyze() []string {
	return []string{
		"PRAGMA analysis_limit = 1000", "ANALYZE",
		"DELETE FROM sqlite_stat1 WHERE CAST(stat AS INTEGER) = 0", "ANALYZE sqlite_schema",
	}
}
