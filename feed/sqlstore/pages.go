package sqlstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// planOnce makes PostgreSQL plan each statement of pages once per connection. Otherwise it plans
// again whenever the values promise a cheaper plan than unknown ones. A list of two ids always
// does, because PostgreSQL assumes ten for a list of unknown length. Planning then takes several
// times as long as the rest.
//
// All these statements look up a few rows by key, for which an index is always right. But all
// tables are empty at first. A plan from that time would scan them, and would stay when they have
// grown. Hence the other settings.
const planOnce = "SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET enable_bitmapscan = off"

// pageConns is the size of the pool for pages: one per batch in flight, and two for other reads.
const pageConns = pageBatches + 2

// plannedFor is how long a connection, and so its plans, may live. PostgreSQL replaces plans only
// after it has analyzed a table, a minute after a large change at the earliest. Planning all
// statements takes about five milliseconds, a ten-thousandth of a connection's minute.
const plannedFor = time.Minute

type statement struct {
	// ctx carries values of the first caller, such as a trace, and is never cancelled.
	ctx  context.Context
	text string
	args []any
	row  func(scanner) error
}

// together runs a batch in one round trip on PostgreSQL. It is not one snapshot: each statement
// sees what was committed when it began.
func (s *Store) together(ctx context.Context, statements []*statement, ended func(i int, err error)) {
	next := 0
	err := s.onConn(ctx, func(conn *pgx.Conn) error {
		var batch pgx.Batch
		ends := make([]func(error), 0, len(statements))
		for _, st := range statements {
			batch.Queue(st.text, st.args...)
			ends = append(ends, s.observed(st))
		}
		results := conn.SendBatch(ctx, &batch)
		for i, st := range statements {
			rows, err := results.Query()
			if err == nil {
				err = eachRow(rows, st.row)
			}
			ends[i](err)
			if pgconn.SafeToRetry(err) {
				return errors.Join(driver.ErrBadConn, err, results.Close())
			}
			ended(i, classify(ctx, err))
			next++
		}
		return results.Close()
	})
	for ; next < len(statements); next++ {
		ended(next, classify(ctx, err))
	}
}

// observed reports a statement to [Begin] and returns the function for its end.
func (s *Store) observed(st *statement) func(error) {
	if s.begin == nil {
		return func(error) {}
	}
	_, end := s.begin(st.ctx, st.text)
	return end
}

// connTries is how often onConn begins work on a connection that turns out to be closed.
const connTries = 3

// onConn runs work on a connection for pages. If work returns [driver.ErrBadConn], because the
// connection had ended, it runs again.
func (s *Store) onConn(ctx context.Context, work func(*pgx.Conn) error) error {
	var err error
	for range connTries {
		var conn *sql.Conn
		if conn, err = s.pages.Conn(ctx); err != nil {
			return err
		}
		err = conn.Raw(func(driverConn any) error {
			c, ok := driverConn.(*stdlib.Conn)
			if !ok {
				return fmt.Errorf("the connection is a %T, not one to PostgreSQL", driverConn)
			}
			return work(c.Conn())
		})
		_ = conn.Close()
		if !errors.Is(err, driver.ErrBadConn) {
			return err
		}
	}
	return err
}

// inTurn runs a batch one statement at a time: on SQLite, and for builds, which must not occupy the
// connections for pages.
func (s *Store) inTurn(ctx context.Context, statements []*statement, ended func(i int, err error)) {
	for i, st := range statements {
		_, err := query(ctx, s, st.text, st.args, func(rows scanner) (struct{}, error) {
			return struct{}{}, st.row(rows)
		})
		ended(i, err)
	}
}
