package sqlstore

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/tideline-feeds/tideline/feed"
)

// Due implements [feed.Plans].
func (s *Store) Due(ctx context.Context, by feed.DueBy, limit int, nextDue func(dispatches int) int64) (feed.Due, error) {
	return inTxOf(ctx, s, func(tx *sql.Tx) (due feed.Due, err error) {
		due.Events, err = s.dueEvents(ctx, tx, by.Events, limit, nextDue)
		if err != nil {
			return due, err
		}
		for _, kind := range []dueKind{
			{sliceRunning, false, by.Running},
			{sliceRunning, true, by.Running},
			{sliceWaiting, false, by.Waiting},
			{sliceWaiting, true, by.WaitingLarge},
		} {
			more, err := s.dueSlices(ctx, tx, kind, limit-len(due.Slices), nextDue)
			if err != nil {
				return due, err
			}
			due.Slices = append(due.Slices, more...)
		}
		return due, nil
	})
}

// PostponeEvent implements [feed.Plans].
func (s *Store) PostponeEvent(ctx context.Context, content feed.PostID, dueAt int64) error {
	_, err := s.change(ctx, postponeQuery, content, dueAt)
	return err
}

// postponeQuery writes the state as [openSlices] does.
const postponeQuery = `UPDATE events SET due_at = $2 WHERE content_id = $1 AND state + 0 = 0 AND due_at < $2`

// dueEvents takes events. It skips locked rows, which are not due afterwards.
func (s *Store) dueEvents(
	ctx context.Context, tx *sql.Tx, by int64, limit int, nextDue func(int) int64,
) ([]feed.Dispatchable[feed.PostID], error) {
	return takeDue(ctx, s, tx, `
SELECT content_id, dispatches FROM events WHERE state = 0 AND due_at <= $1
ORDER BY due_at, content_id LIMIT $2`, []any{by, limit}, func(e *feed.Dispatchable[feed.PostID]) []any {
		return []any{&e.Ref, &e.Dispatches}
	}, `
UPDATE events SET dispatches = dispatches + 1, due_at = r.due_at FROM %s
WHERE events.content_id = r.content_id`, func(taken []feed.Dispatchable[feed.PostID]) []column {
		return []column{intColumn("content_id", taken, func(e feed.Dispatchable[feed.PostID]) feed.PostID { return e.Ref })}
	}, nextDue)
}

// dueKind are slices of one state, of large plans or of others, that are due by a time.
type dueKind struct {
	state int
	large bool
	by    int64
}

// dueSlices takes slices of a kind. A slice whose lease has ended becomes a waiting one.
func (s *Store) dueSlices(
	ctx context.Context, tx *sql.Tx, kind dueKind, limit int, nextDue func(int) int64,
) ([]feed.Dispatchable[feed.SliceRef], error) {
	if limit <= 0 {
		return nil, nil
	}
	args := []any{kind.state, flag(kind.large), kind.by, limit}
	return takeDue(ctx, s, tx, dueSlicesQuery, args, func(sl *feed.Dispatchable[feed.SliceRef]) []any {
		sl.Large = kind.large
		return []any{&sl.Ref.Post, &sl.Ref.Task, &sl.Dispatches}
	}, `
UPDATE plan_slices SET dispatches = dispatches + 1, state = 0, due_at = r.due_at FROM %s
WHERE plan_slices.content_id = r.content_id AND plan_slices.task = r.task`, func(taken []feed.Dispatchable[feed.SliceRef]) []column {
		return refColumns(taken, func(sl feed.Dispatchable[feed.SliceRef]) feed.SliceRef { return sl.Ref })
	}, nextDue)
}

// takeDue locks and returns what find selects, and increments the dispatches and sets the next due
// time by update. %s in update is the FROM item of the rows, whose keys are the columns of refs.
func takeDue[T any](
	ctx context.Context, s *Store, tx *sql.Tx, find string, args []any, columns func(*feed.Dispatchable[T]) []any,
	update string, refs func([]feed.Dispatchable[T]) []column, nextDue func(dispatches int) int64,
) ([]feed.Dispatchable[T], error) {
	taken, err := collect(ctx, tx, find+s.d.skipLocked, args, into(columns))
	if err != nil || len(taken) == 0 {
		return nil, err
	}
	for i := range taken {
		taken[i].Dispatches++
	}
	from, args := s.d.table(append(refs(taken),
		intColumn("due_at", taken, func(d feed.Dispatchable[T]) int64 { return nextDue(d.Dispatches) })))
	return taken, exec(ctx, tx, fmt.Sprintf(update, from), args...)
}

// dueSlicesQuery repeats the condition of the partial index, which the databases do not infer.
const dueSlicesQuery = `
SELECT content_id, task, dispatches FROM plan_slices WHERE state = $1 AND large = $2 AND state < 2 AND due_at <= $3
ORDER BY due_at, content_id, task LIMIT $4`

// Requeue implements [feed.Plans].
func (s *Store) Requeue(ctx context.Context, now int64) error {
	return s.inTx(ctx, func(tx *sql.Tx) error {
		if err := exec(ctx, tx, `UPDATE events SET due_at = $1 WHERE state = 0`, now); err != nil {
			return err
		}
		return exec(ctx, tx, `UPDATE plan_slices SET state = 0, due_at = $1 WHERE state < 2`, now)
	})
}
