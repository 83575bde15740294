package sqlstore

import (
	"context"
	"database/sql"
)

// Exec runs a statement.
func (s *Store) Exec(ctx context.Context, stmt string) error {
	_, err := s.db.ExecContext(ctx, stmt)
	return err
}

// Tables returns the names of the tables.
func (s *Store) Tables(ctx context.Context) ([]string, error) { return s.tables(ctx) }

// Wipe empties a migrated PostgreSQL database.
func (s *Store) Wipe(ctx context.Context) error {
	tables, err := query(ctx, s, `
SELECT string_agg(tablename, ', ') FROM pg_tables
WHERE schemaname = 'public' AND tablename <> 'schema_versions'`, nil, scanText)
	if err != nil {
		return err
	}
	return s.Exec(ctx, "TRUNCATE "+tables[0]+` RESTART IDENTITY;
INSERT INTO feed_state (id, generation) VALUES (1, 1);
INSERT INTO live_clock (id, number) VALUES (1, 0);
INSERT INTO change_state (id) VALUES (1)`)
}

// Afresh returns a store with empty caches on the connections of s. It closes with s.
func (s *Store) Afresh() *Store {
	again := &Store{
		d: s.d, db: s.db, ro: s.ro, pages: s.pages, spread: s.spread, epochs: s.epochs,
		newID: s.newID, textIDs: s.textIDs, postgres: s.postgres, config: s.config, conns: s.conns, watch: s.watch,
	}
	return again.withLookups().withGroupCommits()
}

// KnownRows returns the planner's estimate of the rows of a table.
func (s *Store) KnownRows(ctx context.Context, table string) (n int64, err error) {
	// SQLite's text begins with the number of rows. Some indexes are partial.
	known := `SELECT COALESCE(MAX(CAST(stat AS INTEGER)), 0) FROM sqlite_stat1 WHERE tbl = $1`
	if s.d.isPostgres() {
		known = `SELECT CAST(reltuples AS BIGINT) FROM pg_class WHERE relname = $1`
	}
	err = s.ro.QueryRowContext(ctx, known, table).Scan(&n)
	return n, err
}

// Empties returns how many tables and indexes SQLite considers empty.
func (s *Store) Empties(ctx context.Context) (n int, err error) {
	err = s.ro.QueryRowContext(ctx, `SELECT COUNT(*) FROM sqlite_stat1 WHERE CAST(stat AS INTEGER) = 0`).Scan(&n)
	return n, err
}

// Begin begins a transaction, which the test ends.
func (s *Store) Begin(ctx context.Context) (*sql.Tx, error) { return s.db.BeginTx(ctx, nil) }
