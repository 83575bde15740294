// Package sqlitetest opens empty SQLite databases for tests. Opening one takes less than a
// millisecond, because tests use a database and its prepared statements again.
package sqlitetest

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// Database is a migrated SQLite database of one test. Use it from one goroutine only.
type Database struct {
	t testing.TB
	// store owns the connections of all stores on the database.
	store *sqlstore.Store
	// raw has one connection. It changes rows that no store may change.
	raw *sql.DB
	// clear is the statements that restore the rows of a migrated database.
	clear string
}

// New returns an empty store for the duration of a test.
func New(t testing.TB, clock feed.Clock) *sqlstore.Store {
	t.Helper()
	return Open(t).Empty(clock)
}

// Open returns a database for the duration of a test.
func Open(t testing.TB) *Database {
	t.Helper()
	d, err := take()
	if err != nil {
		t.Fatal(err)
	}
	d.t = t
	t.Cleanup(func() { put(d) })
	return d
}

// Of returns the database of a test, always the same.
func Of(t testing.TB) *Database {
	t.Helper()
	if d, ok := databases.Load(t); ok {
		return d.(*Database) //nolint:forcetypeassert // Of stores only such
	}
	d := Open(t)
	databases.Store(t, d)
	t.Cleanup(func() { databases.Delete(t) })
	return d
}

// databases are those of [Of], by test.
var databases sync.Map

// Empty removes all data and returns a store with empty caches. It ends earlier stores of the
// database.
func (d *Database) Empty(clock feed.Clock) *sqlstore.Store {
	d.t.Helper()
	d.exec(d.clear)
	return d.store.Afresh(clock)
}

// exec runs statements in one transaction.
func (d *Database) exec(statements string) {
	d.t.Helper()
	if _, err := d.raw.ExecContext(context.Background(), "BEGIN IMMEDIATE; "+statements+"; COMMIT"); err != nil {
		_, _ = d.raw.ExecContext(context.Background(), "ROLLBACK")
		d.t.Fatal(err)
	}
}

// unused are the databases that no test uses.
var unused struct {
	sync.Mutex
	databases []*Database
}

func take() (*Database, error) {
	unused.Lock()
	defer unused.Unlock()
	if last := len(unused.databases) - 1; last >= 0 {
		d := unused.databases[last]
		unused.databases = unused.databases[:last]
		return d, nil
	}
	wanted <- struct{}{}
	made := <-opened
	return made.database, made.err
}

func put(d *Database) {
	unused.Lock()
	defer unused.Unlock()
	unused.databases = append(unused.databases, d)
}

// A goroutine of its own opens the databases. Otherwise, those that a test opens in a bubble of
// testing/synctest would belong to the bubble.
var wanted, opened = startOpening()

type result struct {
	database *Database
	err      error
}

func startOpening() (chan<- struct{}, <-chan result) {
	wanted, opened := make(chan struct{}), make(chan result)
	go openAll(wanted, opened)
	return wanted, opened
}

func openAll(wanted <-chan struct{}, opened chan<- result) {
	for range wanted {
		d, err := open()
		opened <- result{d, err}
	}
}

// migrated returns the path of a migrated database, which [open] copies.
var migrated = sync.OnceValues(func() (string, error) {
	dir, err := testenv.SharedDir()
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "migrated.db")
	s, err := sqlstore.Open(context.Background(), "sqlite://"+path)
	if err != nil {
		return "", err
	}
	_, err = s.Migrate(context.Background())
	return path, errors.Join(err, s.Close())
})

// open makes a database.
func open() (*Database, error) {
	template, err := migrated()
	if err != nil {
		return nil, err
	}
	file, err := os.ReadFile(template)
	if err != nil {
		return nil, err
	}
	dir, err := testenv.SharedDir()
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, "tideline.db")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		return nil, err
	}
	d := &Database{}
	if d.store, err = sqlstore.Open(context.Background(), "sqlite://"+path); err != nil {
		return nil, err
	}
	if d.raw, err = sql.Open("sqlite", "file:"+path+"?_pragma=busy_timeout(10000)&_pragma=temp_store(MEMORY)"); err != nil {
		return nil, err
	}
	d.raw.SetMaxOpenConns(1)
	return d, d.prepare(template)
}

// prepare finds the statements of d.clear, and makes the tables of [Server].
func (d *Database) prepare(template string) error {
	ctx := context.Background()
	if _, err := d.raw.ExecContext(ctx, "ATTACH $1 AS migrated", template); err != nil {
		return err
	}
	tables, err := d.texts(`
SELECT name FROM main.sqlite_schema
WHERE type = 'table' AND (name NOT LIKE 'sqlite_%' OR name = 'sqlite_sequence') AND name <> 'schema_versions'`)
	if err != nil {
		return err
	}
	var clear []string
	for _, table := range tables {
		// Without a condition, SQLite would write the pages of all tables, also of empty ones.
		clear = append(clear, "DELETE FROM main."+table+" WHERE true")
		rows, err := d.texts("SELECT 1 FROM migrated." + table)
		if err != nil {
			return err
		}
		if len(rows) > 0 {
			clear = append(clear, "INSERT INTO main."+table+" SELECT * FROM migrated."+table)
		}
	}
	for _, table := range inboxTables {
		clear = append(clear, "DELETE FROM temp."+table)
		if _, err := d.raw.ExecContext(ctx, "CREATE TEMP TABLE "+table+" AS SELECT * FROM migrated."+table); err != nil {
			return err
		}
	}
	d.clear = strings.Join(clear, "; ")
	return nil
}

// texts returns the only column of a query.
func (d *Database) texts(query string) (texts []string, err error) {
	rows, err := d.raw.QueryContext(context.Background(), query)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	return texts, rows.Err()
}
