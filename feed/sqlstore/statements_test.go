package sqlstore_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	sqlitedriver "modernc.org/sqlite"

	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// keeping opens a SQLite database through one connection that keeps its statements. It has a table
// t with a unique column n.
func keeping(t *testing.T) (*sql.DB, *counter) {
	t.Helper()
	connector, err := sqlitedriver.NewConnector("file:" + filepath.Join(testenv.Dir(t), "test.db"))
	must(t, err)
	plain := sql.OpenDB(connector)
	run(t, plain, "CREATE TABLE t (n INTEGER UNIQUE)")
	must(t, plain.Close())
	count := &counter{Connector: connector}
	db := sqlstore.OpenKeeping(count)
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = db.Close() })
	return db, count
}

func run(t *testing.T, db *sql.DB, stmt string, args ...any) {
	t.Helper()
	_, err := db.ExecContext(t.Context(), stmt, args...)
	must(t, err)
}

// firstColumn runs a statement and returns its first column.
func firstColumn(t *testing.T, db *sql.DB, stmt string) []int {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), stmt)
	must(t, err)
	defer func() { _ = rows.Close() }()
	columns, err := rows.Columns()
	must(t, err)
	dest := make([]any, len(columns))
	for i := range dest {
		dest[i] = new(any)
	}
	var out []int
	for rows.Next() {
		var n int
		dest[0] = &n
		must(t, rows.Scan(dest...))
		out = append(out, n)
	}
	must(t, rows.Err())
	return out
}

const (
	insertNumber  = "INSERT INTO t (n) VALUES ($1)"
	selectNumbers = "SELECT n FROM t ORDER BY n"
)

func TestStatements_ArePreparedOnce(t *testing.T) {
	db, count := keeping(t)
	for n := range 5 {
		run(t, db, insertNumber, n)
		if got := firstColumn(t, db, selectNumbers); len(got) != n+1 {
			t.Errorf("got %v after inserting %d", got, n+1)
		}
	}
	if count.prepared != 2 || count.closed != 0 {
		t.Errorf("%d statements were prepared and %d closed, want 2 and none", count.prepared, count.closed)
	}
}

// SQLite prepares a statement again for every call if a parameter alone is its limit.
func TestStatements_HideLimitsFromThePlanner(t *testing.T) {
	db, count := keeping(t)
	run(t, db, "INSERT INTO t (n) VALUES (1), (2), (3)")
	for n := range 3 {
		var sum int
		err := db.QueryRowContext(t.Context(), "SELECT SUM(n) FROM (SELECT n FROM t ORDER BY n LIMIT $1)", n+1).Scan(&sum)
		if want := (n + 1) * (n + 2) / 2; err != nil || sum != want {
			t.Errorf("the sum of the first %d is %d, %v; want %d", n+1, sum, err, want)
		}
	}
	if want := "SELECT SUM(n) FROM (SELECT n FROM t ORDER BY n LIMIT +$1)"; count.text != want {
		t.Errorf("SQLite got %q, want %q", count.text, want)
	}
}

func TestStatements_AllowNestedUse(t *testing.T) {
	db, count := keeping(t)
	run(t, db, "INSERT INTO t (n) VALUES (1), (2), (3)")
	tx, err := db.BeginTx(t.Context(), nil)
	must(t, err)
	rows, err := tx.QueryContext(t.Context(), selectNumbers)
	must(t, err)
	defer func() { _ = rows.Close() }()
	var outer, inner []int
	for rows.Next() {
		var n, first int
		must(t, errors.Join(rows.Scan(&n), tx.QueryRowContext(t.Context(), selectNumbers).Scan(&first)))
		outer, inner = append(outer, n), append(inner, first)
	}
	must(t, errors.Join(rows.Err(), tx.Commit()))
	if !slices.Equal(outer, []int{1, 2, 3}) || !slices.Equal(inner, []int{1, 1, 1}) {
		t.Errorf("read %v, and %v meanwhile, want 1 to 3, and 1 each time", outer, inner)
	}
	if count.prepared != 3 || count.closed != 1 {
		t.Errorf("%d statements were prepared and %d closed, want 3 and the twin", count.prepared, count.closed)
	}
}

func TestStatements_CacheIsBounded(t *testing.T) {
	db, count := keeping(t)
	for n := range sqlstore.StatementsKept + 10 {
		firstColumn(t, db, fmt.Sprintf("SELECT %d", n))
	}
	if open := count.prepared - count.closed; open != sqlstore.StatementsKept {
		t.Errorf("%d statements are kept, want %d", open, sqlstore.StatementsKept)
	}
}

func TestStatements_CloseWithTheConnection(t *testing.T) {
	db, count := keeping(t)
	firstColumn(t, db, selectNumbers)
	inUse, err := db.PrepareContext(t.Context(), insertNumber)
	must(t, err)
	defer func() { _ = inUse.Close() }()
	must(t, db.Close())
	if count.prepared != 2 || count.closed != 2 {
		t.Errorf("%d statements were prepared and %d closed, want 2 and both", count.prepared, count.closed)
	}
}

func TestStatements_SurviveFailureAndSchemaChange(t *testing.T) {
	db, _ := keeping(t)
	run(t, db, insertNumber, 1)
	if _, err := db.ExecContext(t.Context(), insertNumber, 1); err == nil {
		t.Error("a number occurs twice")
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := db.ExecContext(gone, insertNumber, 2); !errors.Is(err, context.Canceled) {
		t.Errorf("the cancelled caller got %v", err)
	}
	const all = "SELECT * FROM t ORDER BY 1"
	before := firstColumn(t, db, all)
	run(t, db, "ALTER TABLE t ADD COLUMN m INTEGER")
	run(t, db, insertNumber, 3)
	if after := firstColumn(t, db, all); !slices.Equal(before, []int{1}) || !slices.Equal(after, []int{1, 3}) {
		t.Errorf("read %v and then %v, want 1, and then 1 and 3", before, after)
	}
}

func TestStatements_RefuseIncapableDrivers(t *testing.T) {
	for want, conn := range map[string]driver.Conn{
		"cannot keep statements": lesserConn{},
		"cannot be kept":         lesserStmts{},
	} {
		db := sqlstore.OpenKeeping(lesser{conn: conn})
		_, err := db.ExecContext(t.Context(), insertNumber, 1)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want an error that says %q", err, want)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}

// counter counts the calls of the driver by the connections under test.
type counter struct {
	driver.Connector
	prepared, closed int
	// text is that of the last prepared statement.
	text string
}

func (c *counter) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &countedConn{fullConn: conn.(fullConn), to: c}, nil
}

type fullConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

type countedConn struct {
	fullConn
	to *counter
}

func (c *countedConn) PrepareContext(ctx context.Context, text string) (driver.Stmt, error) {
	stmt, err := c.fullConn.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	c.to.prepared++
	c.to.text = text
	return &countedStmt{fullStmt: stmt.(fullStmt), to: c.to}, nil
}

type fullStmt interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

type countedStmt struct {
	fullStmt
	to *counter
}

func (s *countedStmt) Close() error {
	s.to.closed++
	return s.fullStmt.Close()
}

// lesser is a driver with only the required methods.
type lesser struct {
	driver.Connector
	conn driver.Conn
}

func (l lesser) Connect(context.Context) (driver.Conn, error) { return l.conn, nil }

type lesserConn struct{ driver.Conn }

func (lesserConn) Close() error { return nil }

// lesserStmts is a connection whose statements have only the required methods.
type lesserStmts struct{ fullConn }

func (lesserStmts) PrepareContext(context.Context, string) (driver.Stmt, error) {
	return lesserStmt{}, nil
}
func (lesserStmts) Close() error  { return nil }
func (lesserStmts) IsValid() bool { return true }

type lesserStmt struct{ driver.Stmt }

func (lesserStmt) Close() error { return nil }
