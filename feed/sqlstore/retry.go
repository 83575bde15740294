package sqlstore

import (
	"context"
	"database/sql"
	"time"
)

// txAttempts is how often a transaction runs that the database aborts in favour of another. Rows
// are locked in one order, so the second attempt nearly always succeeds, and a fifth failure is
// worth reporting.
const txAttempts = 5

// retryAfter is the wait before the second attempt, give or take half; it doubles with each
// attempt. It is about the duration of the transaction that won. All waits together take less than
// a quarter of a second.
const retryAfter = 10 * time.Millisecond

// inTx runs change in one write transaction and commits it. It runs change again if the database
// aborted it, so change must have no effects outside of the transaction except on variables that it
// sets each time.
func (s *Store) inTx(ctx context.Context, change func(tx *sql.Tx) error) error {
	return s.retrying(ctx, func() error {
		tx, err := s.db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		return s.end(tx, change(tx))
	})
}

// end commits a transaction, or rolls it back if err is not nil.
func (s *Store) end(tx *sql.Tx, err error) error {
	_, logged := s.loggers.LoadAndDelete(tx)
	if err != nil {
		_ = tx.Rollback()
		return err
	}
	if err = tx.Commit(); err == nil && logged {
		s.changed()
	}
	return err
}

// inTxOf is [Store.inTx] for a change with a value. With an error it returns the zero value.
func inTxOf[T any](ctx context.Context, s *Store, change func(tx *sql.Tx) (T, error)) (T, error) {
	var value, none T
	err := s.inTx(ctx, func(tx *sql.Tx) (err error) {
		value, err = change(tx)
		return err
	})
	if err != nil {
		return none, err
	}
	return value, nil
}

// inOrder runs steps until one fails.
func inOrder(steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// changeRow runs one statement that changes one row, as a transaction in one round trip, and scans
// what it returns into dest. If there is no such row, it returns sql.ErrNoRows.
func (s *Store) changeRow(ctx context.Context, stmt string, args []any, dest ...any) error {
	return s.retrying(ctx, func() error { return s.db.QueryRowContext(ctx, stmt, args...).Scan(dest...) })
}

// change runs one statement as changeRow does and returns the number of rows it affected.
func (s *Store) change(ctx context.Context, stmt string, args ...any) (rows int64, err error) {
	err = s.retrying(ctx, func() (err error) {
		rows, err = execRows(ctx, s.db, stmt, args...)
		return err
	})
	return rows, err
}

func exec(ctx context.Context, on execer, stmt string, args ...any) error {
	_, err := on.ExecContext(ctx, stmt, args...)
	return err
}

func execRows(ctx context.Context, on execer, stmt string, args ...any) (int64, error) {
	result, err := on.ExecContext(ctx, stmt, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// execer is a *sql.Tx, or a *sql.DB or *sql.Conn for a single statement.
type execer interface {
	ExecContext(ctx context.Context, stmt string, args ...any) (sql.Result, error)
}

// retrying runs a transaction when a connection is free, and runs it again if the database aborted
// it in favour of another. It retries nothing else: if a connection breaks, the transaction may
// have been committed, and only the caller knows whether running it twice does harm.
func (s *Store) retrying(ctx context.Context, transaction func() error) error {
	err := s.conns.run(ctx, transaction)
	for wait := retryAfter; retryable(err); wait *= 2 {
		spread := time.Duration((0.5 + s.spread()) * float64(wait))
		if wait == retryAfter<<(txAttempts-1) || !waited(ctx, spread) {
			break
		}
		err = s.conns.run(ctx, transaction)
	}
	err = classify(ctx, err)
	s.refusal.note(err)
	return err
}

// waited waits for d and reports whether ctx lasted that long.
func waited(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// retryable reports whether err is a deadlock or a serialization failure of PostgreSQL.
func retryable(err error) bool {
	code := postgresCode(err)
	return code == "40P01" || code == "40001"
}
