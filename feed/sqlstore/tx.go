package sqlstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"net/url"
	"slices"

	"github.com/jackc/pgx/v5/pgconn"
	sqlitedriver "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/tideline-feeds/tideline/feed"
)

// txAttempts is how often a transaction is tried that the database broke off in
// favour of another one. Rows are locked in one order, so a second try nearly
// always gets through; the fifth failure is news worth reporting.
const txAttempts = 5

// inTx runs change in one write transaction and commits it. It is tried again when
// the database asks for that, so change must not have effects outside of the
// transaction, other than to variables it sets anew each time.
func (s *Store) inTx(ctx context.Context, change func(tx *sql.Tx) error) error {
	return retrying(ctx, func() error { return s.tryTx(ctx, change) })
}

// retrying does what is one transaction, and does it again when the database asks for that.
func retrying(ctx context.Context, transaction func() error) error {
	var err error
	for range txAttempts {
		if err = transaction(); !retryable(err) {
			break
		}
	}
	return classify(ctx, err)
}

func (s *Store) tryTx(ctx context.Context, change func(tx *sql.Tx) error) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := change(tx); err != nil {
		_ = tx.Rollback()
		return err
	}
	return tx.Commit()
}

// retryable says whether err is PostgreSQL's deadlock or serialisation failure.
func retryable(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == "40P01" || pg.Code == "40001")
}

// classify gives an error of the database a code: what may work later is
// unavailable, the rest is left as it is and so becomes internal. An end of the
// caller's own context stays recognisable.
func classify(ctx context.Context, err error) error {
	var e *feed.Error
	switch {
	case err == nil, errors.As(err, &e):
		return err
	case ctx.Err() != nil:
		return ctx.Err()
	case passing(err):
		return feed.Unavailable("the database", err)
	}
	return err
}

// passing says whether err tells of the connection or the server rather than of
// the statement.
func passing(err error) bool {
	var connect *pgconn.ConnectError
	var pg *pgconn.PgError
	var lite *sqlitedriver.Error
	switch {
	case errors.As(err, &connect):
		return true
	case errors.As(err, &pg):
		// 08 connection, 40 rolled back for another transaction's sake, 53 resources,
		// 57 operator intervention, 58 system.
		class := pg.Code[:min(2, len(pg.Code))]
		return slices.Contains([]string{"08", "40", "53", "57", "58"}, class)
	case errors.As(err, &lite):
		switch lite.Code() & 0xff {
		case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN:
			return true
		}
		return false
	}
	return cut(err)
}

// cut says whether err tells of a connection that ended.
func cut(err error) bool {
	var netErr net.Error
	return errors.As(err, &netErr) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone)
}

// uniqueViolation says whether err is a row that stands already.
func uniqueViolation(err error) bool {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return pg.Code == "23505"
	}
	var lite *sqlitedriver.Error
	return errors.As(err, &lite) &&
		(lite.Code() == sqlite3.SQLITE_CONSTRAINT_UNIQUE || lite.Code() == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY)
}

// redactURL drops the URL, which may hold a password, from a parse error.
func redactURL(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

// query runs a read and scans every row with scan.
func query[T any](ctx context.Context, s *Store, stmt string, args []any, scan func(rows *sql.Rows) (T, error)) ([]T, error) {
	rows, err := s.ro.QueryContext(ctx, stmt, args...)
	if err != nil {
		return nil, classify(ctx, err)
	}
	defer func() { _ = rows.Close() }()
	var out []T
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, classify(ctx, err)
		}
		out = append(out, v)
	}
	return out, classify(ctx, rows.Err())
}
