package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// template is a database that is migrated and filled once per test binary, at its first use, and
// then copied for every test. Migrating takes longer than most tests, and filling even longer.
// Unrelated tests share it, so templates are package variables.
type template struct {
	// sqlite returns the bytes of the database's file.
	sqlite   func() ([]byte, error)
	postgres func() (*testenv.PostgresTemplate, error)
}

// newTemplate returns the template of what fill stores in a new, migrated database. fill must close
// its connections.
func newTemplate(fill func(ctx context.Context, url string) error) template {
	make := func(url string) error {
		if err := migrate(url); err != nil {
			return err
		}
		return fill(context.Background(), url)
	}
	return template{
		sqlite: sync.OnceValues(func() ([]byte, error) {
			dir, err := os.MkdirTemp("", "tideline-template-")
			if err != nil {
				return nil, err
			}
			path := filepath.Join(dir, "template.db")
			file, err := []byte(nil), make("sqlite://"+path)
			if err == nil {
				// Closing the database has moved its log into the file.
				file, err = os.ReadFile(path)
			}
			return file, errors.Join(err, os.RemoveAll(dir))
		}),
		postgres: sync.OnceValues(func() (*testenv.PostgresTemplate, error) {
			return testenv.NewPostgresTemplate(context.Background(), make)
		}),
	}
}

// url returns the URL of a copy that is removed when the test ends.
func (f template) url(t testing.TB, database string) string {
	t.Helper()
	if database == "postgres" {
		copied, err := f.postgres()
		if err != nil {
			t.Fatal(err)
		}
		return copied.Copy(t)
	}
	file, err := f.sqlite()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(testenv.Dir(t), "tideline.db")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	return "sqlite://" + path
}

// open opens a copy for the duration of a test.
func (f template) open(t testing.TB, b backend) *sqlstore.Store {
	t.Helper()
	return opened(t, f.url(t, b.name))
}

// emptyTemplate is a database with only the rows of the migrations.
var emptyTemplate = newTemplate(func(context.Context, string) error { return nil })

// bulk fills a template with many rows.
type bulk struct {
	// rows are the numbers of rows of the FROM items %n% and %t% per database, whose columns n.i
	// and t.i are the numbers from 1 on. PostgreSQL's plans depend on the size of tables, SQLite's
	// hardly do.
	rows map[string][2]int
	// statements are INSERT INTO table (columns) SELECT …, or anything else.
	statements []string
	// last runs for each database when the tables are filled.
	last map[string]string
}

// template returns the template of a database with these rows.
func (f bulk) template() template {
	return newTemplate(func(ctx context.Context, url string) error {
		if strings.HasPrefix(url, "sqlite") {
			return f.insert(ctx, url)
		}
		return f.copy(ctx, url)
	})
}

// of returns the statements for a database.
func (f bulk) of(database string) []string {
	rows := f.rows[database]
	items := strings.NewReplacer("%n%", numbers(database, "n", rows[0]), "%t%", numbers(database, "t", rows[1]))
	var all []string
	for _, statement := range append(f.statements[:len(f.statements):len(f.statements)], f.last[database]) {
		if statement != "" {
			all = append(all, items.Replace(statement))
		}
	}
	return all
}

func (f bulk) insert(ctx context.Context, url string) error {
	s, err := sqlstore.Open(ctx, url)
	if err != nil {
		return err
	}
	for _, statement := range f.of("sqlite") {
		if err := s.Exec(ctx, statement); err != nil {
			return errors.Join(fmt.Errorf("%s: %w", statement, err), s.Close())
		}
	}
	return s.Close()
}

// copy fills PostgreSQL by COPY, without checking references, on connections without the store's
// limits.
func (f bulk) copy(ctx context.Context, url string) error {
	from, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer func() { _ = from.Close(ctx) }()
	to, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer func() { _ = to.Close(ctx) }()
	// VACUUM marks no rows as visible to all whose commit has not been written yet.
	if _, err := to.Exec(ctx, "SET session_replication_role = replica; SET synchronous_commit = on"); err != nil {
		return err
	}
	for _, statement := range f.of("postgres") {
		if err := copyRows(ctx, from, to, statement); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	return nil
}

// copyRows runs an INSERT INTO table (columns) SELECT … as a COPY of what it selects.
// Other statements run as they are.
func copyRows(ctx context.Context, from, to *pgx.Conn, statement string) error {
	insert, isInsert := strings.CutPrefix(statement, "INSERT INTO ")
	if !isInsert {
		_, err := to.Exec(ctx, statement, pgx.QueryExecModeSimpleProtocol)
		return err
	}
	into, rows, _ := strings.Cut(insert, "SELECT ")
	r, w := io.Pipe()
	go func() {
		_, err := from.PgConn().CopyTo(ctx, w, "COPY (SELECT "+rows+") TO STDOUT")
		w.CloseWithError(err)
	}()
	_, err := to.PgConn().CopyFrom(ctx, r, "COPY "+into+" FROM STDIN")
	return err
}

// numbers returns a FROM item whose rows are the numbers i from 1 to last.
func numbers(database, name string, last int) string {
	if database == "sqlite" {
		return fmt.Sprintf("(WITH RECURSIVE c (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < %d) SELECT i FROM c) AS %s", last, name)
	}
	return fmt.Sprintf("generate_series(1, %d) AS %s (i)", last, name)
}
