package sqlstore

import (
	"context"
	"database/sql"
	"errors"

	"github.com/tideline-feeds/tideline/feed"
)

// An import works on a whole batch at once, so that its statements are few however
// the types of records are mixed:
//
//  1. load reads what the batch names and the database knows (import_load.go),
//  2. judge goes through the records in order, in memory, and says of each whether
//     it is new, known, different or refused (import_judge.go),
//  3. write inserts what judge let through, one statement per table, and then
//     counters, versions and the generation (import_write.go). With [feed.Batch.Update]
//     it also changes what is stored (import_update.go).

// errOvertaken says that somebody else stored something between load and write
// that the batch was about to store.
var errOvertaken = errors.New("the import was overtaken by another change")

// Apply implements [feed.Applier]. It refuses chains of reposts longer than
// [feed.DefaultPolicy] allows.
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
			s.leases.forget(r.User.ID)
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
	return result, nil
}

// applyPart applies records that are judged together, and adds to the result what became of
// them.
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

// lockGeneration makes imports run one after the other. The row is read by
// everyone without a lock, so nothing else waits.
func (s *Store) lockGeneration(ctx context.Context, tx *sql.Tx) error {
	var generation int64
	return tx.QueryRowContext(ctx, `SELECT generation FROM feed_state WHERE id = 1`+s.d.forUpdate).Scan(&generation)
}

// importing tells PostgreSQL what a transaction is about to do. It is spared a row for each change
// of a stamp: the generation, which it raises, makes all of them another one. And it may take at
// least as long between two statements as over one, of which 0 is without end: PostgreSQL takes a
// transaction for idle while a statement with a batch of long texts, many megabytes of them, is
// still on its way.
func (s *Store) importing(ctx context.Context, tx *sql.Tx) error {
	if !s.d.isPostgres() {
		return nil
	}
	return exec(ctx, tx, `
SELECT set_config('tideline.importing', 'yes', TRUE),
       set_config('idle_in_transaction_session_timeout', (
         SELECT setting FROM pg_settings WHERE name IN ('idle_in_transaction_session_timeout', 'statement_timeout')
         ORDER BY setting = '0' DESC, setting::bigint DESC LIMIT 1
       ), TRUE)`)
}
