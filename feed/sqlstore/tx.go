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

const theDatabase = "the database"

// PostgreSQL's codes for a lock timeout, an idle transaction timeout, and a read-only server.
const (
	lockNotAvailable  = "55P03"
	idleInTransaction = "25P03"
	readOnly          = "25006"
)

// classify gives an error of the database a code: unavailable if a retry may succeed. Others stay
// as they are and count as internal. If ctx has ended, it returns the error of ctx.
func classify(ctx context.Context, err error) error {
	var e *feed.Error
	switch {
	case err == nil, errors.As(err, &e):
		return err
	case ctx.Err() != nil:
		return ctx.Err()
	}
	if reason := reasonOf(err); reason != "" {
		return feed.CannotServe(theDatabase, reason, err)
	}
	if transient(err) {
		return feed.Unavailable(theDatabase, notTheCallers(err))
	}
	return err
}

// notTheCallers hides that err is a timeout, because it is not one of the caller's context.
func notTheCallers(err error) error {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return errors.New(err.Error())
	}
	return err
}

// transient reports whether err is about the connection or the server, not the statement, apart
// from what [reasonOf] knows.
func transient(err error) bool {
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		return true
	}
	if code := postgresCode(err); code != "" {
		// 08 connection, 53 resources, 57 operator intervention.
		return slices.Contains([]string{"08", "53", "57"}, class(code)) || code == idleInTransaction
	}
	return connectionLost(err)
}

// connectionLost reports whether err is a connection that ended, possibly before anything was sent.
func connectionLost(err error) bool {
	var netErr net.Error
	return errors.As(err, &netErr) || pgconn.SafeToRetry(err) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone) || errors.Is(err, pgconn.ErrConnClosed)
}

// uniqueViolation reports whether err is a row that exists already.
func uniqueViolation(err error) bool {
	code := sqliteCode(err)
	return postgresCode(err) == "23505" || code == sqlite3.SQLITE_CONSTRAINT_UNIQUE || code == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY
}

// postgresCode returns the code of an error of PostgreSQL, and "" for any other error.
func postgresCode(err error) string {
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		return pg.Code
	}
	return ""
}

// violated returns the constraint of PostgreSQL that err violates, and "" for any other error.
func violated(err error) string {
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		return pg.ConstraintName
	}
	return ""
}

// sqliteCode returns the extended code of an error of SQLite, and 0 for any other error.
func sqliteCode(err error) int {
	if lite, ok := errors.AsType[*sqlitedriver.Error](err); ok {
		return lite.Code()
	}
	return 0
}

// redactURL removes the URL, which may contain a password, from a parse error.
func redactURL(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		return u.Err
	}
	return err
}

// query runs a read and scans every row with scan.
func query[T any](ctx context.Context, s *Store, stmt string, args []any, scan func(scanner) (T, error)) ([]T, error) {
	var out []T
	err := s.conns.run(ctx, func() (err error) {
		out, err = collect(ctx, s.ro, stmt, args, scan)
		return err
	})
	return out, classify(ctx, err)
}

// row runs a read of one row into dest. If there is no row, it returns sql.ErrNoRows.
func (s *Store) row(ctx context.Context, stmt string, args []any, dest ...any) error {
	return classify(ctx, s.conns.run(ctx, func() error { return s.ro.QueryRowContext(ctx, stmt, args...).Scan(dest...) }))
}

// rowOf is [Store.row] for one column.
func rowOf[T any](ctx context.Context, s *Store, stmt string, args ...any) (v T, err error) {
	err = s.row(ctx, stmt, args, &v)
	return v, err
}
