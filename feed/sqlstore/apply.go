package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/records/apply"
)

// A batch of records takes few statements for any mix of types: load reads what is stored of the
// objects that the batch names, [apply.Checked] decides in memory what changes, write stores it.

// errOvertaken says that another transaction has changed rows of the batch between load and write.
var errOvertaken = errors.New("the batch was overtaken by another change")

// Apply implements [feed.Applier].
func (s *Store) Apply(ctx context.Context, batch feed.Batch) (feed.Applied, error) {
	var result feed.Applied
	err := s.applying(ctx, func(tx *sql.Tx, conn *sql.Conn) (err error) {
		result, err = s.applyIn(ctx, tx, conn, batch)
		return err
	})
	if err != nil {
		return feed.Applied{}, err
	}
	s.dropLeases(batch.Records)
	return result, nil
}

func (s *Store) applyIn(ctx context.Context, tx *sql.Tx, conn *sql.Conn, batch feed.Batch) (feed.Applied, error) {
	if err := s.importing(ctx, tx); err != nil {
		return feed.Applied{}, err
	}
	if err := s.lockGeneration(ctx, tx); err != nil {
		return feed.Applied{}, err
	}
	now, err := s.readClock(ctx, tx)
	if err != nil {
		return feed.Applied{}, err
	}
	w, result, err := s.fold(ctx, tx, conn, &batch, now)
	if err != nil {
		return feed.Applied{}, err
	}
	if err := w.writeAll(ctx); err != nil {
		return feed.Applied{}, err
	}
	switch {
	case !w.changes.Any():
	case batch.Bulk:
		err = s.markLoad(ctx, tx)
	default:
		err = s.raiseGeneration(ctx, tx)
	}
	return result, err
}

// applying runs the transaction of a batch. Batches run at the same time. One that was overtaken, was
// aborted by a deadlock or has waited too long for a lock runs again while no other batch does, so it
// ends however many writers send the same objects.
func (s *Store) applying(ctx context.Context, change func(*sql.Tx, *sql.Conn) error) error {
	var err error
	alone := false
	for range txAttempts {
		err = s.inConnTx(ctx, func(tx *sql.Tx, conn *sql.Conn) error {
			err := s.lockBatches(ctx, tx, alone)
			if err == nil {
				err = change(tx, conn)
			}
			alone = true
			if postgresCode(err) == lockNotAvailable {
				return fmt.Errorf("%w: %w", errOvertaken, err)
			}
			return err
		})
		if !errors.Is(err, errOvertaken) {
			return err
		}
	}
	return feed.Unavailable("the rows of the batch", err)
}

// batchLock is the key of PostgreSQL's advisory lock of all batches.
const batchLock = 0x74696465_6c696e65

// lockBatches waits until a batch may run, until the end of its transaction: alone, or next to others.
func (s *Store) lockBatches(ctx context.Context, tx *sql.Tx, alone bool) error {
	switch {
	case !s.d.isPostgres():
		return nil // has one writer at a time
	case alone:
		return exec(ctx, tx, `SELECT pg_advisory_xact_lock($1)`, int64(batchLock))
	}
	return exec(ctx, tx, `SELECT pg_advisory_xact_lock_shared($1)`, int64(batchLock))
}

// fold loads the objects of a batch and folds its records over them. The writer stores the changes.
func (s *Store) fold(ctx context.Context, tx *sql.Tx, conn *sql.Conn, batch *feed.Batch, now int64) (*writer, feed.Applied, error) {
	checked := apply.Check(batch, now)
	have, err := s.load(ctx, tx, checked.Names())
	if err != nil {
		return nil, feed.Applied{}, err
	}
	changes, result := checked.Fold(have)
	w := newWriter(s, tx, conn, batch, &changes, now)
	w.stored = have.Versions
	return w, result, nil
}

// ImportSize is the number of records that an import should give to [Store.Apply] at once. With more,
// fewer counters are written twice. On SQLite they would keep other writers waiting.
func (s *Store) ImportSize() int {
	if s.d.isPostgres() {
		return 20_000
	}
	return 5000
}

// inConnTx is [Store.inTx] for a change that also uses the connection of the transaction.
func (s *Store) inConnTx(ctx context.Context, change func(*sql.Tx, *sql.Conn) error) error {
	return s.retrying(ctx, func() error {
		conn, err := s.db.Conn(ctx)
		if err != nil {
			return err
		}
		defer conn.Close()
		tx, err := conn.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		return s.end(tx, change(tx, conn))
	})
}

// lockGeneration serializes imports. All others read the row without a lock, so nothing else waits.
func (s *Store) lockGeneration(ctx context.Context, tx *sql.Tx) error {
	var generation int64
	return tx.QueryRowContext(ctx, `SELECT generation FROM feed_state WHERE id = 1`+s.d.forUpdate).Scan(&generation)
}

// importing prepares PostgreSQL for a batch: it raises the limits for a statement and for an idle
// transaction to the higher of the two, where 0 is no limit. While megabytes of texts are arriving,
// PostgreSQL counts a transaction as idle, or counts the time of COPY.
//
// A batch looks up its records by their whole keys. Where one user has most rows, PostgreSQL would
// merge by parts of the keys, and compare each record with all rows of the user. In tables of up to
// some hundred thousand rows, each statement would read all of them.
func (s *Store) importing(ctx context.Context, tx *sql.Tx) error {
	if !s.d.isPostgres() {
		return nil
	}
	return exec(ctx, tx, `
WITH limits AS (SELECT name, setting FROM pg_settings WHERE name IN ('idle_in_transaction_session_timeout', 'statement_timeout'))
SELECT set_config(name, (SELECT setting FROM limits ORDER BY setting = '0' DESC, setting::bigint DESC LIMIT 1), TRUE),
  set_config('enable_mergejoin', 'off', TRUE), set_config('enable_seqscan', 'off', TRUE) FROM limits`)
}
