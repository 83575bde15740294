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

// PostgreSQL reads what pages are made of, the same few statements over and over, by
// connections of their own, on which each is planned once. On others it is planned anew
// whenever its values promise a cheaper plan than unknown ones would; a list of two ids
// always does, beside one of the ten that a list of unknown length is taken to have. Then
// planning takes several times as long as the rest.
//
// All of them look up a few rows by a key, for which an index is always right. A table that
// was empty when the plan was made, as all are when a program is started for the first time,
// costs nothing to read from end to end, and the plan would stay when it has filled.
const planOnce = "SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET enable_bitmapscan = off"

// pageConns is how many connections pages are read by: one for each batch in flight, and some
// for reads that are not batched.
const pageConns = pageBatches + 2

// plannedFor is how long plans are kept. The database makes new ones by itself when it has
// looked how large its tables are, which it does a minute after they have changed a lot, or
// never if it has been told so. Planning all statements takes some five milliseconds, so once
// a minute is a ten-thousandth of a connection's time.
const plannedFor = time.Minute

// statement is one statement to be run.
type statement struct {
	// ctx carries what belongs to whoever asked first, such as a trace, and never ends.
	ctx  context.Context
	text string
	args []any
	// row is called with each row in turn.
	row func(scanner) error
}

// together runs statements in one round trip, for batches on PostgreSQL. They are not a
// transaction that sees one moment: each sees what was committed when its turn came.
func (s *Store) together(ctx context.Context, statements []*statement, ended func(i int, err error)) {
	next := 0
	err := s.onConn(ctx, func(conn *pgx.Conn) error {
		var batch pgx.Batch
		ends := make([]func(error), 0, len(statements))
		for _, st := range statements {
			batch.Queue(st.text, st.args...)
			ends = append(ends, s.told(st))
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

// told tells of a statement and returns what is to be told of its end.
func (s *Store) told(st *statement) func(error) {
	if s.begin == nil {
		return func(error) {}
	}
	_, end := s.begin(st.ctx, st.text)
	return end
}

// connTries is how often work is begun on a connection before a new one must do.
const connTries = 3

// onConn does work on one of the connections for pages. Work that returns
// [driver.ErrBadConn], because the connection had ended before, is done again.
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
				return fmt.Errorf("a connection of type %T is none to PostgreSQL", driverConn)
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

// inTurn runs statements one after the other, for batches on SQLite, where nothing is won by
// doing otherwise.
func (s *Store) inTurn(ctx context.Context, statements []*statement, ended func(i int, err error)) {
	for i, st := range statements {
		_, err := query(ctx, s, st.text, st.args, func(rows scanner) (struct{}, error) {
			return struct{}{}, st.row(rows)
		})
		ended(i, err)
	}
}
