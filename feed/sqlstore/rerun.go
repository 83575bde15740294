package sqlstore

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/tideline-feeds/tideline/feed"
)

// rerunBatch is how many slices one transaction of a rerun resets: about ten milliseconds, during
// which progress of these slices waits.
const rerunBatch = 1000

// pass is one rerun: slices that moved since then start again, due at dueAt. began is the unique
// start time of the rerun. A slice that it has reset stores began, which distinguishes it from one
// that still continues from its old progress.
type pass struct{ since, began, dueAt int64 }

// Rerun implements [feed.Progress], in as many transactions as it takes. After an error the next
// call does the rest; concurrent calls only do some of it twice. Slices may be claimed and ended
// meanwhile. A slice that continued from its old progress is reset, however late it moved; one that
// has started again is left alone.
func (s *Store) Rerun(ctx context.Context, since, dueAt int64) (int, error) {
	p := pass{since: since, dueAt: dueAt}
	if err := s.fenceAll(ctx, &p); err != nil {
		return 0, err
	}
	for total := 0; ; {
		moved, err := query(ctx, s, movedQuery, []any{p.since, p.began, rerunBatch}, scanSliceRef)
		if err != nil || len(moved) == 0 {
			return total, err
		}
		n, err := s.rerun(ctx, moved, p)
		if err != nil {
			return total, err
		}
		total += n
	}
}

// fenceAll takes every open slice from its holder: progress that was pushed before the inbox server
// lost data, and is stored later, is refused. It also stores when the rerun began.
func (s *Store) fenceAll(ctx context.Context, p *pass) error {
	return s.inTx(ctx, func(tx *sql.Tx) (err error) {
		now, args := s.now()
		if err := tx.QueryRowContext(ctx, `
UPDATE feed_state SET rerun_at = CASE WHEN rerun_at < `+now+` THEN `+now+` ELSE rerun_at + 1 END WHERE id = 1
RETURNING rerun_at`, args...).Scan(&p.began); err != nil {
			return err
		}
		return exec(ctx, tx, `
WITH taken AS (
    SELECT content_id, task FROM plan_slices WHERE state < 2 AND attempt > 0 ORDER BY content_id, task`+s.d.forUpdate+`
)
UPDATE plan_slices SET attempt = attempt + 1, state = 0, due_at = $1 FROM taken
WHERE plan_slices.content_id = taken.content_id AND plan_slices.task = taken.task`, p.dueAt)
	})
}

// movedQuery locks no rows: a locking query leaves out rows that no longer match after waiting, and
// could return fewer than the limit although there are more.
const movedQuery = `
SELECT content_id, task FROM plan_slices
WHERE moved_at > 0 AND moved_at >= $1 AND begun_at < $2 ORDER BY moved_at LIMIT $3`

// rerun resets the slices that still need it and returns how many they are. It locks slices before
// their plans, like the end of a slice, and both in order.
func (s *Store) rerun(ctx context.Context, moved []feed.SliceRef, p pass) (int, error) {
	return inTxOf(ctx, s, func(tx *sql.Tx) (int, error) {
		stmt, args := s.lockMovedQuery(moved, p)
		slices, err := collect(ctx, tx, stmt, args, into(func(sl *movedSlice) []any { return []any{&sl.Post, &sl.Task, &sl.done} }))
		if err != nil || len(slices) == 0 {
			return 0, err
		}
		if err := s.resetSlices(ctx, tx, slices, p); err != nil {
			return 0, err
		}
		return len(slices), s.reopenPlans(ctx, tx, slices)
	})
}

type movedSlice struct {
	feed.SliceRef
	done bool
}

func (s *Store) lockMovedQuery(moved []feed.SliceRef, p pass) (stmt string, args []any) {
	from, args := s.d.table(refColumns(moved, func(ref feed.SliceRef) feed.SliceRef { return ref }))
	args = append(args, p.since, p.began)
	return fmt.Sprintf(`
SELECT content_id, task, state = 2 FROM plan_slices
WHERE (content_id, task) IN (SELECT r.content_id, r.task FROM %s) AND moved_at > 0 AND moved_at >= $%d AND begun_at < $%d
ORDER BY content_id, task`, from, len(args)-1, len(args)) + s.d.forUpdate, args
}

// refColumns makes the columns that identify the slices of rows.
func refColumns[R any](rows []R, ref func(R) feed.SliceRef) []column {
	return []column{
		intColumn("content_id", rows, func(r R) feed.PostID { return ref(r).Post }),
		intColumn("task", rows, func(r R) int { return ref(r).Task }),
	}
}

// resetSlices makes locked slices wait again, and fences off their holders by a new attempt.
func (s *Store) resetSlices(ctx context.Context, tx *sql.Tx, slices []movedSlice, p pass) error {
	from, args := s.d.table(refColumns(slices, func(sl movedSlice) feed.SliceRef { return sl.SliceRef }))
	args = append(args, p.dueAt, p.began)
	return exec(ctx, tx, fmt.Sprintf(`
UPDATE plan_slices SET attempt = attempt + 1, progress = first_id - 1, state = 0, due_at = $%d, begun_at = $%d, moved_at = 0 FROM %s
WHERE plan_slices.content_id = r.content_id AND plan_slices.task = r.task`, len(args)-1, len(args), from), args...)
}

// reopenPlans adds the slices that were done to the open ones of their plans.
func (s *Store) reopenPlans(ctx context.Context, tx *sql.Tx, slices []movedSlice) error {
	reopened := map[feed.PostID]int64{}
	for _, sl := range slices {
		if sl.done {
			reopened[sl.Post]++
		}
	}
	if len(reopened) == 0 {
		return nil
	}
	plans := sortedKeys(reopened)
	lock := `SELECT content_id FROM plans WHERE ` + s.d.in("content_id", 1) + ` ORDER BY content_id` + s.d.forUpdate
	if _, err := collect(ctx, tx, lock, []any{ids(s.d, plans)}, one[feed.PostID]); err != nil {
		return err
	}
	from, args := s.d.table([]column{
		intColumn("content_id", plans, func(id feed.PostID) feed.PostID { return id }),
		intColumn("reopened", plans, func(id feed.PostID) int64 { return reopened[id] }),
	})
	return exec(ctx, tx, `
UPDATE plans SET open_slices = open_slices + r.reopened FROM `+from+`
WHERE plans.content_id = r.content_id`, args...)
}
