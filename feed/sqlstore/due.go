package sqlstore

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/tideline-feeds/tideline/feed"
)

// dispatch is something to put on the queue and when it is due again.
type dispatch[T any] struct {
	feed.Dispatchable[T]
	due int64
}

// Due implements [feed.Plans].
func (s *Store) Due(ctx context.Context, by feed.DueBy, limit int, nextDue func(dispatches int) int64) (feed.Due, error) {
	var due feed.Due
	err := s.inTx(ctx, func(tx *sql.Tx) error {
		var err error
		due.Events, err = s.dueEvents(ctx, tx, by.Events, limit, nextDue)
		if err != nil {
			return err
		}
		due.Slices, err = s.dueSlices(ctx, tx, sliceRunning, by.Running, limit, nextDue)
		if err != nil {
			return err
		}
		waiting, err := s.dueSlices(ctx, tx, sliceWaiting, by.Waiting, limit-len(due.Slices), nextDue)
		due.Slices = append(due.Slices, waiting...)
		return err
	})
	if err != nil {
		return feed.Due{}, err
	}
	return due, nil
}

// PostponeEvent implements [feed.Plans].
func (s *Store) PostponeEvent(ctx context.Context, content feed.PostID, dueAt int64) error {
	_, err := s.change(ctx, postponeQuery, content, dueAt)
	return err
}

// postponeQuery writes the state as [openSlices] does.
const postponeQuery = `UPDATE events SET due_at = $2 WHERE content_id = $1 AND state + 0 = 0 AND due_at < $2`

// dueEvents takes events. Rows that another process is taking are passed over
// rather than waited for: by then they would not be due any more.
func (s *Store) dueEvents(
	ctx context.Context, tx *sql.Tx, by int64, limit int, nextDue func(int) int64,
) ([]feed.Dispatchable[feed.PostID], error) {
	taken, err := collect(ctx, tx, `
SELECT content_id, dispatches FROM events WHERE state = 0 AND due_at <= $1
ORDER BY due_at, content_id LIMIT $2`+s.d.skipLocked, []any{by, limit},
		func(rows scanner) (dispatch[feed.PostID], error) {
			var e dispatch[feed.PostID]
			err := rows.Scan(&e.Ref, &e.Dispatches)
			return e.again(nextDue), err
		})
	if err != nil || len(taken) == 0 {
		return nil, err
	}
	from, args := s.d.table([]column{
		intColumn("content_id", taken, func(e dispatch[feed.PostID]) feed.PostID { return e.Ref }),
		intColumn("due_at", taken, func(e dispatch[feed.PostID]) int64 { return e.due }),
	})
	_, err = tx.ExecContext(ctx, fmt.Sprintf(`
UPDATE events SET dispatches = dispatches + 1, due_at = r.due_at FROM %s
WHERE events.content_id = r.content_id`, from), args...)
	return dispatchables(taken), err
}

// dueSlices takes slices in a state. One whose lease has ended waits like every other
// from then on.
func (s *Store) dueSlices(
	ctx context.Context, tx *sql.Tx, state int, by int64, limit int, nextDue func(int) int64,
) ([]feed.Dispatchable[feed.SliceRef], error) {
	taken, err := collect(ctx, tx, dueSlicesQuery+s.d.skipLocked, []any{state, by, limit},
		func(rows scanner) (dispatch[feed.SliceRef], error) {
			var sl dispatch[feed.SliceRef]
			err := rows.Scan(&sl.Ref.Post, &sl.Ref.Task, &sl.Dispatches)
			return sl.again(nextDue), err
		})
	if err != nil || len(taken) == 0 {
		return nil, err
	}
	from, args := s.d.table([]column{
		intColumn("content_id", taken, func(sl dispatch[feed.SliceRef]) feed.PostID { return sl.Ref.Post }),
		intColumn("task", taken, func(sl dispatch[feed.SliceRef]) int { return sl.Ref.Task }),
		intColumn("due_at", taken, func(sl dispatch[feed.SliceRef]) int64 { return sl.due }),
	})
	_, err = tx.ExecContext(ctx, fmt.Sprintf(`
UPDATE plan_slices SET dispatches = dispatches + 1, state = 0, due_at = r.due_at FROM %s
WHERE plan_slices.content_id = r.content_id AND plan_slices.task = r.task`, from), args...)
	return dispatchables(taken), err
}

// dueSlicesQuery says twice that the state is one of those in the index of what is not
// done: the databases do not conclude it.
const dueSlicesQuery = `
SELECT content_id, task, dispatches FROM plan_slices WHERE state = $1 AND state < 2 AND due_at <= $2
ORDER BY due_at, content_id, task LIMIT $3`

// again counts one more dispatch and sets when the next is due.
func (d dispatch[T]) again(nextDue func(dispatches int) int64) dispatch[T] {
	d.Dispatches++
	d.due = nextDue(d.Dispatches)
	return d
}

func dispatchables[T any](taken []dispatch[T]) []feed.Dispatchable[T] {
	return mapped(taken, func(d dispatch[T]) feed.Dispatchable[T] { return d.Dispatchable })
}

// Requeue implements [feed.Plans].
func (s *Store) Requeue(ctx context.Context, now int64) error {
	return s.inTx(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `UPDATE events SET due_at = $1 WHERE state = 0`, now); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `UPDATE plan_slices SET state = 0, due_at = $1 WHERE state < 2`, now)
		return err
	})
}
