package sqlstore

import (
	"context"
	"database/sql"

	"github.com/tideline-feeds/tideline/feed"
)

// Cleanup implements [feed.Cleaner] in two transactions, one for plans and one for
// keys. Rows that another call is dropping are passed over.
func (s *Store) Cleanup(ctx context.Context, plansBefore, keysBefore int64, limit int) (more bool, err error) {
	plans, err := s.dropPlans(ctx, plansBefore, limit)
	if err != nil {
		return false, err
	}
	keys, err := s.dropKeys(ctx, keysBefore, limit)
	if err != nil {
		return false, err
	}
	return plans == limit || keys == int64(limit), nil
}

// dropPlans drops up to limit plans that are done and returns how many there were.
func (s *Store) dropPlans(ctx context.Context, before int64, limit int) (int, error) {
	var dropped []feed.ContentID
	err := s.inTx(ctx, func(tx *sql.Tx) error {
		var err error
		dropped, err = s.dropOldPlans(ctx, tx, before, limit)
		return err
	})
	return len(dropped), err
}

// dropOldPlans drops the plans first, which decides between calls at once, and then
// their slices and events, which nobody looks for any more: slices that are done and
// events with a plan are never due.
func (s *Store) dropOldPlans(ctx context.Context, tx *sql.Tx, before int64, limit int) ([]feed.ContentID, error) {
	dropped, err := collect(ctx, tx, s.dropPlansQuery(), []any{before, limit},
		func(rows *sql.Rows) (id feed.ContentID, err error) {
			err = rows.Scan(&id)
			return id, err
		})
	if err != nil || len(dropped) == 0 {
		return nil, err
	}
	for _, table := range []string{"plan_slices", "events"} {
		_, err := tx.ExecContext(ctx, "DELETE FROM "+table+" WHERE "+s.d.in("content_id", 1), ids(s.d, dropped))
		if err != nil {
			return nil, err
		}
	}
	return dropped, nil
}

// dropPlansQuery and dropKeysQuery choose the rows apart from the DELETE, because
// PostgreSQL may run a subquery several times, and would lock other rows each time,
// but never a WITH.
func (s *Store) dropPlansQuery() string {
	return `
WITH old AS (
  SELECT content_id FROM plans WHERE open_slices = 0 AND created_at < $1
  ORDER BY created_at, content_id LIMIT $2` + s.d.skipLocked + `
)
DELETE FROM plans WHERE content_id IN (SELECT content_id FROM old) RETURNING content_id`
}

// dropKeys drops up to limit idempotency keys and returns how many there were.
func (s *Store) dropKeys(ctx context.Context, before int64, limit int) (int64, error) {
	var dropped int64
	err := s.inTx(ctx, func(tx *sql.Tx) error {
		var err error
		dropped, err = exec(ctx, tx, s.dropKeysQuery(), before, limit)
		return err
	})
	return dropped, err
}

func (s *Store) dropKeysQuery() string {
	return `
WITH old AS (
  SELECT author_id, key FROM idempotency_keys WHERE created_at < $1
  ORDER BY created_at LIMIT $2` + s.d.skipLocked + `
)
DELETE FROM idempotency_keys WHERE (author_id, key) IN (SELECT author_id, key FROM old)`
}
