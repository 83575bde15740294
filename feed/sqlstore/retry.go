package sqlstore

import (
	"context"
	"database/sql"
	"time"
)

// txAttempts is how often a transaction is tried that the database broke off in
// favour of another one. Rows are locked in one order, so a second try nearly
// always gets through; the fifth failure is news worth reporting.
const txAttempts = 5

// retryAfter is how long the second try waits, give or take half of it, and each further
// one waits twice as long: about the time a transaction takes, so that the one that won is
// over. All waits together are under a quarter of a second.
const retryAfter = 10 * time.Millisecond

// inTx runs change in one write transaction and commits it. It is tried again when
// the database asks for that, so change must not have effects outside of the
// transaction, other than to variables it sets anew each time.
func (s *Store) inTx(ctx context.Context, change func(tx *sql.Tx) error) error {
	return s.retrying(ctx, func() error {
		tx, err := s.db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		if err := change(tx); err != nil {
			_ = tx.Rollback()
			return err
		}
		return tx.Commit()
	})
}

// inTxOf is [Store.inTx] for a change that returns a value. With an error it returns the zero
// value.
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

// inOrder runs steps one after the other, until one fails.
func inOrder(steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// changeRow runs one statement that changes one row and returns of it what dest takes. It
// is a transaction by itself, which makes do with one round trip. A row that is not there
// is sql.ErrNoRows.
func (s *Store) changeRow(ctx context.Context, stmt string, args []any, dest ...any) error {
	return s.retrying(ctx, func() error { return s.db.QueryRowContext(ctx, stmt, args...).Scan(dest...) })
}

// change runs one statement, as changeRow does, and returns how many rows it stored, changed or
// removed.
func (s *Store) change(ctx context.Context, stmt string, args ...any) (rows int64, err error) {
	err = s.retrying(ctx, func() (err error) {
		rows, err = execRows(ctx, s.db, stmt, args...)
		return err
	})
	return rows, err
}

// exec runs a statement.
func exec(ctx context.Context, on execer, stmt string, args ...any) error {
	_, err := on.ExecContext(ctx, stmt, args...)
	return err
}

// execRows runs a statement and returns how many rows it stored, changed or removed.
func execRows(ctx context.Context, on execer, stmt string, args ...any) (int64, error) {
	result, err := on.ExecContext(ctx, stmt, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// execer is a *sql.Tx, or a *sql.DB for a statement that is a transaction by itself.
type execer interface {
	ExecContext(ctx context.Context, stmt string, args ...any) (sql.Result, error)
}

// retrying runs what is one transaction when there is a connection for it, and runs it again when the database says that it
// has undone it for the sake of another. Nothing else is tried again: when a connection
// ends, what was on it may have been committed, and only the caller knows whether doing it
// twice does harm.
func (s *Store) retrying(ctx context.Context, transaction func() error) error {
	err := s.turns.run(ctx, transaction)
	for wait := retryAfter; retryable(err); wait *= 2 {
		spread := time.Duration((0.5 + s.spread()) * float64(wait))
		if wait == retryAfter<<(txAttempts-1) || !waited(ctx, spread) {
			break
		}
		err = s.turns.run(ctx, transaction)
	}
	err = classify(ctx, err)
	s.refusal.note(err)
	return err
}

// waited waits for d and says whether ctx lasted so long.
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

// retryable says whether err is PostgreSQL's deadlock or serialisation failure.
func retryable(err error) bool {
	code := postgresCode(err)
	return code == "40P01" || code == "40001"
}
