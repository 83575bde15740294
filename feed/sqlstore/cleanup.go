package sqlstore

import (
	"context"
	"database/sql"

	"github.com/tideline-feeds/tideline/feed"
)

// slicesPerCleanup limits the slices that one transaction drops, in some tens of milliseconds. The
// plan of an author with ten million followers has ten thousand.
const slicesPerCleanup = 5000

// Cleanup implements [feed.Cleaner] in a transaction each for plans, keys and revocations. It skips
// rows that another call is dropping.
func (s *Store) Cleanup(ctx context.Context, plansBefore, keysBefore int64, limit int) (more bool, err error) {
	morePlans, err := inTxOf(ctx, s, func(tx *sql.Tx) (bool, error) {
		_, more, err := s.dropOldPlans(ctx, tx, plansBefore, limit)
		return more, err
	})
	if err != nil {
		return false, err
	}
	keys, err := s.change(ctx, s.dropKeysQuery(), keysBefore, limit)
	if err != nil {
		return false, err
	}
	revocations, err := s.dropRevocations(ctx, limit)
	if err != nil {
		return false, err
	}
	moreArrived, err := s.dropArrived(ctx, limit)
	return morePlans || moreArrived || max(keys, revocations) == int64(limit), err
}

// dropOldPlans locks plans first, which separates concurrent calls, and drops them with their
// slices and events. Slices that are done and planned events are never due, so nothing reads them.
func (s *Store) dropOldPlans(
	ctx context.Context, tx *sql.Tx, before int64, limit int,
) (dropped []feed.PostID, more bool, err error) {
	old, err := collect(ctx, tx, s.oldPlansQuery(), []any{before, limit}, into((*oldPlan).columns))
	if err != nil || len(old) == 0 {
		return nil, false, err
	}
	dropped = fewSlices(old)
	return dropped, len(old) == limit || len(dropped) < len(old), s.dropFanOuts(ctx, tx, dropped, "plans", "plan_slices", "events")
}

func (s *Store) dropFanOuts(ctx context.Context, tx *sql.Tx, contents []feed.PostID, tables ...string) error {
	for _, table := range tables {
		if err := exec(ctx, tx, "DELETE FROM "+table+" WHERE "+s.d.in("content_id", 1), ids(s.d, contents)); err != nil {
			return err
		}
	}
	return nil
}

type oldPlan struct {
	content feed.PostID
	slices  int
}

func (p *oldPlan) columns() []any { return []any{&p.content, &p.slices} }

func (s *Store) oldPlansQuery() string {
	return `
SELECT content_id, slices FROM plans WHERE open_slices = 0 AND created_at < $1
ORDER BY created_at, content_id LIMIT $2` + s.d.skipLocked
}

// fewSlices returns the first plans, up to the one that reaches slicesPerCleanup.
func fewSlices(plans []oldPlan) []feed.PostID {
	var first []feed.PostID
	for total := 0; len(first) < len(plans) && total < slicesPerCleanup; {
		p := plans[len(first)]
		first = append(first, p.content)
		total += p.slices
	}
	return first
}

// dropKeysQuery drops idempotency keys. It selects the rows in a WITH, because PostgreSQL may run a
// subquery several times and lock other rows each time, but never a WITH.
func (s *Store) dropKeysQuery() string {
	return `
WITH old AS (
  SELECT author_id, key FROM idempotency_keys WHERE created_at < $1
  ORDER BY created_at LIMIT $2` + s.d.skipLocked + `
)
DELETE FROM idempotency_keys WHERE (author_id, key) IN (SELECT author_id, key FROM old)`
}

// DropEndedVersions implements [feed.Cleaner].
func (s *Store) DropEndedVersions(ctx context.Context, before int64, limit int) (more bool, err error) {
	dropped, err := s.change(ctx, s.dropEndedQuery(), before, limit)
	return dropped == int64(limit), err
}

// dropEndedQuery selects the rows in a WITH for the reason at dropKeysQuery.
func (s *Store) dropEndedQuery() string {
	return `
WITH old AS (
  SELECT type, a, b FROM object_versions WHERE ended_at > 0 AND ended_at < $1
  ORDER BY ended_at LIMIT $2` + s.d.skipLocked + `
)
DELETE FROM object_versions WHERE (type, a, b) IN (SELECT type, a, b FROM old)`
}
