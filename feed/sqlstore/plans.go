package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// The states of a slice, in plan_slices.state.
const (
	sliceWaiting = iota
	sliceRunning
	sliceDone
)

// StorePlan implements [feed.Plans]. A content without an event, such as one that
// was imported, may have a plan as well.
func (s *Store) StorePlan(ctx context.Context, plan feed.Plan, dueAt int64) ([]feed.SliceRef, error) {
	return inTxOf(ctx, s, func(tx *sql.Tx) ([]feed.SliceRef, error) {
		now, args := s.now(plan.Post, len(plan.Slices), flag(plan.Selective))
		// Of two plans at once the second waits here until the first is committed,
		// and then stores nothing.
		first, err := execRows(ctx, tx, `
INSERT INTO plans (content_id, slices, open_slices, selective, created_at) VALUES ($1, $2, $2, $3, `+now+`)
ON CONFLICT DO NOTHING`, args...)
		if err == nil && first == 1 {
			err = s.storeSlices(ctx, tx, plan, dueAt)
		}
		if err != nil {
			return nil, err
		}
		return collect(ctx, tx, openSlices, []any{plan.Post}, scanSliceRef)
	})
}

// storeSlices stores the slices of a plan that is new and ends its event's
// planning.
func (s *Store) storeSlices(ctx context.Context, tx *sql.Tx, plan feed.Plan, dueAt int64) error {
	_, err := s.d.insertRows(ctx, tx, "plan_slices", "DO NOTHING",
		intColumn("content_id", plan.Slices, func(feed.Slice) feed.PostID { return plan.Post }),
		intColumn("task", plan.Slices, func(sl feed.Slice) int { return sl.Task }),
		intColumn("author_id", plan.Slices, func(feed.Slice) feed.UserID { return plan.Author }),
		intColumn("first_id", plan.Slices, func(sl feed.Slice) feed.UserID { return sl.First }),
		intColumn("last_id", plan.Slices, func(sl feed.Slice) feed.UserID { return sl.Last }),
		intColumn("progress", plan.Slices, func(sl feed.Slice) feed.UserID { return sl.First - 1 }),
		intColumn("due_at", plan.Slices, func(feed.Slice) int64 { return dueAt }))
	if err != nil {
		return err
	}
	return exec(ctx, tx, `UPDATE events SET state = 1 WHERE content_id = $1`, plan.Post)
}

// The statements on what has a name write the state as a sum, which keeps PostgreSQL from
// taking the index of what is not done. That has next to nothing in it most of the time, so
// to read all of it looks cheaper than to look up the name; and the plan stays while a
// million followers are pushed to and there are thousands.
const (
	openSlices = `SELECT content_id, task FROM plan_slices WHERE content_id = $1 AND state + 0 < 2 ORDER BY task`

	planQuery = `
SELECT p.content_id, COALESCE(s.task, -1)
FROM plans AS p LEFT JOIN plan_slices AS s ON s.content_id = p.content_id AND s.state + 0 < 2
WHERE p.content_id = $1 ORDER BY s.task`

	// selective and otherSelective are what the plans of a slice and of another one, o, say.
	selective      = `(SELECT selective FROM plans WHERE plans.content_id = plan_slices.content_id)`
	otherSelective = `(SELECT selective FROM plans WHERE plans.content_id = o.content_id)`

	// waits is the condition of the index on slices that wait, by author and followers.
	waits = `o.state + 0 = 0`

	claimQuery = `
UPDATE plan_slices SET attempt = attempt + 1, state = 1, due_at = $4
WHERE content_id = $1 AND task = $2 AND (state + 0 = 0 OR state + 0 = 1 AND due_at <= $3)
RETURNING first_id, last_id, progress, attempt, ` + selective + `, author_id,
          EXISTS (SELECT 1 FROM plan_slices AS o WHERE ` + waits + ` AND o.author_id > 0
                  AND o.author_id = plan_slices.author_id AND o.content_id <> plan_slices.content_id
                  AND o.first_id = plan_slices.first_id AND o.last_id = plan_slices.last_id
                  AND o.progress = plan_slices.progress
                  AND ` + otherSelective + ` = ` + selective + `)`
)

func scanSliceRef(row scanner) (ref feed.SliceRef, err error) {
	err = row.Scan(&ref.Post, &ref.Task)
	return ref, err
}

// PlanOf implements [feed.Plans].
func (s *Store) PlanOf(ctx context.Context, content feed.PostID) (open []feed.SliceRef, stored bool, err error) {
	// One statement, because two would see two moments: a stored plan yields a row
	// for every open slice, and one without a task when there is none.
	rows, err := query(ctx, s, planQuery, []any{content}, scanSliceRef)
	if err != nil || len(rows) == 0 {
		return nil, false, err
	}
	if rows[0].Task < 0 {
		return nil, true, nil
	}
	return rows, true, nil
}

// ClaimSlice implements [feed.Plans].
func (s *Store) ClaimSlice(ctx context.Context, ref feed.SliceRef, now, leaseUntil int64) (*feed.Slice, error) {
	sl := feed.Slice{SliceRef: ref}
	// One statement is a transaction by itself, and makes do with one round trip.
	err := s.changeRow(ctx, claimQuery, []any{ref.Post, ref.Task, now, leaseUntil},
		&sl.First, &sl.Last, &sl.Progress, &sl.Attempt, &sl.Selective, &sl.Author, &sl.Others)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return &sl, nil
}

// ClaimTogether implements [feed.Plans].
func (s *Store) ClaimTogether(ctx context.Context, held feed.Slice, leaseUntil int64, limit int) ([]feed.Slice, error) {
	if held.Author == 0 {
		return nil, nil
	}
	claimed, err := inTxOf(ctx, s, func(tx *sql.Tx) ([]feed.Slice, error) {
		return collect(ctx, tx, s.togetherQuery(), []any{
			held.Author, held.First, held.Last, held.Progress, flag(held.Selective), held.Post, leaseUntil, limit,
		}, func(rows scanner) (feed.Slice, error) {
			sl := held
			sl.Others = false
			err := rows.Scan(&sl.Post, &sl.Task, &sl.Attempt)
			return sl, err
		})
	})
	slices.SortFunc(claimed, func(a, b feed.Slice) int { return cmp.Compare(a.Post, b.Post) })
	return claimed, err
}

// togetherQuery looks into plans by a query of its own for each, so that only slices are
// locked: their plans are what all who end a slice write.
func (s *Store) togetherQuery() string {
	return `
WITH alike AS (
  SELECT o.content_id, o.task FROM plan_slices AS o
  WHERE ` + waits + ` AND o.author_id = $1 AND o.first_id = $2 AND o.last_id = $3 AND o.progress = $4
    AND ` + otherSelective + ` = $5 AND o.content_id <> $6
  ORDER BY o.content_id LIMIT $8` + s.d.skipLocked + `)
UPDATE plan_slices SET attempt = attempt + 1, state = 1, due_at = $7 FROM alike
WHERE plan_slices.content_id = alike.content_id AND plan_slices.task = alike.task
RETURNING plan_slices.content_id, plan_slices.task, plan_slices.attempt`
}

// AdvanceSlice implements [feed.Plans]. A slice that is done stays done: the holder
// of its last attempt is told that he has it and changes nothing.
func (s *Store) AdvanceSlice(ctx context.Context, sl feed.Slice, done bool, leaseUntil int64) (feed.Advance, error) {
	state := sliceRunning
	if done {
		state = sliceDone
	}
	now, args := s.now(sl.Post, sl.Task, sl.Attempt, sl.Progress, state, leaseUntil)
	if s.d.isPostgres() {
		return s.advanceAtOnce(ctx, sl, now, args)
	}
	hold, err := inTxOf(ctx, s, func(tx *sql.Tx) (feed.Advance, error) {
		moved, err := execRows(ctx, tx, advance(now), args...)
		switch {
		case err != nil || moved == 0:
			return feed.AdvanceFenced, err
		case done:
			return endSlice(ctx, tx, sl.Post)
		}
		return feed.AdvanceStored, nil
	})
	if err == nil && hold == feed.AdvanceFenced {
		return s.latest(ctx, sl)
	}
	return hold, err
}

// advance is the statement that moves a slice which its holder still has.
func advance(now string) string {
	return `
UPDATE plan_slices SET progress = $4, state = $5, due_at = $6, moved_at = ` + now + `
WHERE content_id = $1 AND task = $2 AND attempt = $3 AND state + 0 < 2`
}

// advanceAtOnce does in one statement, which is a transaction by itself, what takes four
// round trips otherwise: all slices of a content end in the one row of its plan, and wait
// for each other in it. For the same reason the commit does not wait for the disk. Should
// PostgreSQL crash and lose it, the slice is pushed again, which is harmless; what is
// committed later, such as that the content was announced, is never kept without it.
func (s *Store) advanceAtOnce(ctx context.Context, sl feed.Slice, now string, args []any) (hold feed.Advance, err error) {
	var moved bool
	var open sql.NullInt64
	err = s.changeRow(ctx, `
WITH moved AS (`+advance(now)+` RETURNING state),
ended AS (
  UPDATE plans SET open_slices = open_slices - 1 WHERE content_id = $1 AND EXISTS (SELECT 1 FROM moved WHERE state = 2)
  RETURNING open_slices)
SELECT EXISTS (SELECT 1 FROM moved), (SELECT open_slices FROM ended)
FROM set_config('synchronous_commit', 'off', true)`, args, &moved, &open)
	switch {
	case err != nil:
		return feed.AdvanceFenced, err
	case !moved:
		return s.latest(ctx, sl)
	case open.Valid && open.Int64 == 0:
		return feed.AdvanceLast, nil
	}
	return feed.AdvanceStored, nil
}

// endSlice counts a slice out of its plan. One without a plan is not the last of any.
func endSlice(ctx context.Context, tx *sql.Tx, content feed.PostID) (feed.Advance, error) {
	open, err := one[int](tx.QueryRowContext(ctx,
		`UPDATE plans SET open_slices = open_slices - 1 WHERE content_id = $1 RETURNING open_slices`, content))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return feed.AdvanceStored, nil
	case err == nil && open == 0:
		return feed.AdvanceLast, nil
	}
	return feed.AdvanceStored, err
}

// latest returns [feed.AdvanceStored] when the slice is stored and its latest attempt is sl's.
func (s *Store) latest(ctx context.Context, sl feed.Slice) (feed.Advance, error) {
	latest, err := rowOf[bool](ctx, s, `
SELECT EXISTS (SELECT 1 FROM plan_slices WHERE content_id = $1 AND task = $2 AND attempt = $3)`, sl.Post, sl.Task, sl.Attempt)
	if latest {
		return feed.AdvanceStored, err
	}
	return feed.AdvanceFenced, err
}
