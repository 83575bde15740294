package sqlstore

import (
	"context"
	"database/sql"
	"errors"

	"github.com/tideline-feeds/tideline/feed"
)

// An import processes a whole batch at once, so that it takes few statements for any mix of record
// types:
//
//   1. load reads what is stored of the objects in the batch (import_load.go),
//   2. judge decides about the records in order, in memory: new, unchanged,
//      different or refused (import_judge.go),
//   3. write inserts the new rows, one statement per table, and then changes
//      counters and versions (import_write.go). With [feed.Batch.Update] it
//      also updates stored rows (import_update.go).

// errOvertaken says that another transaction has changed rows of the batch between load and write.
var errOvertaken = errors.New("the import was overtaken by another change")

// Apply implements [feed.Applier]. [feed.DefaultPolicy] limits chains of reposts.
func (s *Store) Apply(ctx context.Context, batch feed.Batch) (feed.Applied, error) {
	var result feed.Applied
	var err error
	for range txAttempts {
		result, err = inTxOf(ctx, s, func(tx *sql.Tx) (feed.Applied, error) { return s.applyIn(ctx, tx, batch) })
		if !errors.Is(err, errOvertaken) {
			break
		}
	}
	if errors.Is(err, errOvertaken) {
		err = feed.Unavailable("what the import stores", err)
	}
	if err != nil {
		return feed.Applied{}, err
	}
	for _, r := range batch.Records {
		if r.User != nil && r.User.DeletedAt != 0 {
			s.leases.drop(r.User.ID)
		}
	}
	return result, nil
}

func (s *Store) applyIn(ctx context.Context, tx *sql.Tx, batch feed.Batch) (feed.Applied, error) {
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
	fit, bad := feed.RecordRules().Sort(batch.Records, now)
	var result feed.Applied
	lease := func(lastSeenAt int64) int64 { return batch.LeaseUntil(lastSeenAt, now) }
	for _, part := range batch.Parts(fit) {
		if err := s.applyPart(ctx, tx, part, batch.Update, &result, lease); err != nil {
			return feed.Applied{}, err
		}
	}
	result.AddBad(bad...)
	if result.Stored+len(result.Updated) > 0 {
		err = s.raiseGeneration(ctx, tx)
	}
	return result, err
}

// applyPart applies records that are judged together, and adds the results to result.
func (s *Store) applyPart(
	ctx context.Context, tx *sql.Tx, part []feed.Record, update bool, result *feed.Applied, lease func(lastSeenAt int64) int64,
) error {
	k, err := s.load(ctx, tx, part)
	if err != nil {
		return err
	}
	before := result.Stored + len(result.Updated)
	news := judge(part, k, update, result)
	if result.Stored+len(result.Updated) == before {
		return s.raiseLeases(ctx, tx, news.seen, lease)
	}
	return s.write(ctx, tx, news, lease)
}

// lockGeneration serializes imports. All others read the row without a lock, so nothing else waits.
func (s *Store) lockGeneration(ctx context.Context, tx *sql.Tx) error {
	var generation int64
	return tx.QueryRowContext(ctx, `SELECT generation FROM feed_state WHERE id = 1`+s.d.forUpdate).Scan(&generation)
}

// importing prepares PostgreSQL for an import. It raises the limit for an idle transaction to that
// for a statement, where 0 is no limit: PostgreSQL counts a transaction as idle while a statement
// with megabytes of texts is still arriving.
func (s *Store) importing(ctx context.Context, tx *sql.Tx) error {
	if !s.d.isPostgres() {
		return nil
	}
	return exec(ctx, tx, `
SELECT set_config('idle_in_transaction_session_timeout', (
  SELECT setting FROM pg_settings WHERE name IN ('idle_in_transaction_session_timeout', 'statement_timeout')
  ORDER BY setting = '0' DESC, setting::bigint DESC LIMIT 1
), TRUE)`)
}
