package bench_test

import (
	"bytes"
	"context"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// imports compare an import with COPY of the same rows into the same empty tables.
type imports struct {
	*writes
	// records is the file to load, and load loads it by a program, which has ended.
	records string
	load    func(context.Context) (*exec.Cmd, error)
	// empty are the tables that are not empty before.
	empty []string
	// tables are the imported tables in an order that satisfies foreign keys, with their rows in the
	// format of COPY.
	tables []string
	rows   map[string][]byte
}

// The databases of imports. The empty one has all tables.
const (
	emptyDatabase  = "bench_empty"
	importDatabase = "bench_import"
)

// newImports writes the records, and imports them once.
func (w *writes) newImports() *imports {
	w.b.Helper()
	i := &imports{writes: w, records: filepath.Join(w.b.TempDir(), "network.ndjson"), rows: map[string][]byte{}}
	file, err := os.Create(i.records)
	must(w.b, err)
	must(w.b, importSize.Write(file, time.Now().Add(-time.Hour)))
	must(w.b, file.Close())
	ctx := w.b.Context()
	w.other.execOutside(ctx, `CREATE DATABASE `+emptyDatabase)
	store, err := sqlstore.Open(ctx, w.other.databaseURL(emptyDatabase))
	must(w.b, err)
	_, err = store.Migrate(ctx)
	must(w.b, err)
	must(w.b, store.Close())
	i.empty, i.load = i.nonEmpty(emptyDatabase), i.importRecords
	i.learn()
	return i
}

// learn loads the records once to know the rows.
func (i *imports) learn() {
	i.b.Helper()
	_, err := i.run(i.b.Context())
	must(i.b, err)
	i.tables = slices.DeleteFunc(i.nonEmpty(importDatabase), func(name string) bool { return slices.Contains(i.empty, name) })
	slices.SortStableFunc(i.tables, func(a, b string) int { return tableOrder(a) - tableOrder(b) })
	must(i.b, i.dump(i.b.Context()))
}

// importRecords runs the command import.
func (i *imports) importRecords(ctx context.Context) (*exec.Cmd, error) {
	cmd := exec.CommandContext(ctx, i.program, "import", i.records)
	cmd.Env = append(os.Environ(), "TIDELINE_DATABASE_URL="+i.other.databaseURL(importDatabase), "TIDELINE_DATA_DIR="+i.b.TempDir())
	return cmd, runCommand(cmd)
}

// tableOrder returns the place of a table in the order of foreign keys.
func tableOrder(table string) int {
	order := importedTables()
	if i := slices.Index(order, table); i >= 0 {
		return i
	}
	return len(order)
}

// databaseURL returns the URL of another database of the server.
func (n *network) databaseURL(name string) string {
	n.b.Helper()
	u, err := url.Parse(n.url)
	must(n.b, err)
	return u.ResolveReference(&url.URL{Path: "/" + name, RawQuery: u.RawQuery}).String()
}

// nonEmpty returns the tables of a database that have rows.
func (i *imports) nonEmpty(database string) (names []string) {
	i.b.Helper()
	conn, err := pgx.Connect(i.b.Context(), i.other.databaseURL(database))
	must(i.b, err)
	defer func() { _ = conn.Close(i.b.Context()) }()
	rows, err := conn.Query(i.b.Context(), `SELECT relname FROM pg_stat_user_tables WHERE pg_relation_size(relid) > 0 ORDER BY relname`)
	must(i.b, err)
	names, err = pgx.CollectRows(rows, pgx.RowTo[string])
	must(i.b, err)
	return names
}

// renew makes an empty database to import into.
func (i *imports) renew(ctx context.Context) {
	i.other.execOutside(ctx, `DROP DATABASE IF EXISTS `+importDatabase)
	i.other.execOutside(ctx, `CREATE DATABASE `+importDatabase+` TEMPLATE `+emptyDatabase)
}

// run loads the records by the program.
func (i *imports) run(ctx context.Context) (map[string]float64, error) {
	i.renew(ctx)
	var cmd *exec.Cmd
	got, err := i.sql.each(ctx, func() (n float64, err error) {
		cmd, err = i.load(ctx)
		return 1, err
	})
	if err != nil {
		return nil, err
	}
	got[" programs"] = commandTime(cmd)
	got[""] += got[" programs"]
	return got, nil
}

// dump reads the imported rows.
func (i *imports) dump(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, i.other.databaseURL(importDatabase))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	for _, table := range i.tables {
		var rows bytes.Buffer
		if _, err := conn.PgConn().CopyTo(ctx, &rows, `COPY `+table+` TO STDOUT`); err != nil {
			return err
		}
		i.rows[table] = rows.Bytes()
	}
	return nil
}

// copy inserts the same rows by COPY, one statement per table, with all indexes and foreign keys.
func (i *imports) copy(ctx context.Context) (map[string]float64, error) {
	i.renew(ctx)
	conn, err := pgx.Connect(ctx, i.other.databaseURL(importDatabase))
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close(ctx) }()
	for _, table := range i.tables {
		if _, err := conn.Exec(ctx, `ALTER TABLE `+table+` DISABLE TRIGGER USER`); err != nil {
			return nil, err
		}
	}
	return i.sql.each(ctx, func() (float64, error) {
		for _, table := range i.tables {
			if _, err := conn.PgConn().CopyFrom(ctx, bytes.NewReader(i.rows[table]), `COPY `+table+` FROM STDIN`); err != nil {
				return 1, err
			}
		}
		return 1, nil
	})
}
