package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
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
	return s.retrying(ctx, func() error { return s.tryTx(ctx, change) })
}

func (s *Store) tryTx(ctx context.Context, change func(tx *sql.Tx) error) error {
	if err := s.turns.take(ctx); err != nil {
		return err
	}
	defer s.turns.giveBack()
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

// changeRow runs one statement that changes one row and returns of it what dest takes. It
// is a transaction by itself, which makes do with one round trip. A row that is not there
// is sql.ErrNoRows.
func (s *Store) changeRow(ctx context.Context, stmt string, args []any, dest ...any) error {
	return s.retrying(ctx, func() error {
		if err := s.turns.take(ctx); err != nil {
			return err
		}
		defer s.turns.giveBack()
		return s.db.QueryRowContext(ctx, stmt, args...).Scan(dest...)
	})
}

// change runs one statement, as changeRow does, and returns how many rows it stored, changed or
// removed.
func (s *Store) change(ctx context.Context, stmt string, args ...any) (rows int64, err error) {
	err = s.retrying(ctx, func() error {
		if err := s.turns.take(ctx); err != nil {
			return err
		}
		defer s.turns.giveBack()
		result, err := s.db.ExecContext(ctx, stmt, args...)
		if err == nil {
			rows, err = result.RowsAffected()
		}
		return err
	})
	return rows, err
}

// retrying runs what is one transaction, and runs it again when the database says that it
// has undone it for the sake of another. Nothing else is tried again: when a connection
// ends, what was on it may have been committed, and only the caller knows whether doing it
// twice does harm.
func (s *Store) retrying(ctx context.Context, transaction func() error) error {
	err := transaction()
	for wait := retryAfter; retryable(err); wait *= 2 {
		if wait == retryAfter<<(txAttempts-1) || !s.pause(ctx, wait) {
			break
		}
		err = transaction()
	}
	err = classify(ctx, err)
	s.refusal.note(err)
	return err
}

// pause waits for d, give or take half of it, and says whether ctx lasted so long.
func (s *Store) pause(ctx context.Context, d time.Duration) bool {
	return waited(ctx, time.Duration((0.5+s.spread())*float64(d)))
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
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == "40P01" || pg.Code == "40001")
}
