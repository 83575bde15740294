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

// StorePlan implements [feed.Plans]. A post without an event may also have a plan.
func (s *Store) StorePlan(ctx context.Context, plan feed.Plan, dueAt int64) ([]feed.Dispatchable[feed.SliceRef], error) {
	return inTxOf(ctx, s, func(tx *sql.Tx) ([]feed.Dispatchable[feed.SliceRef], error) {
		first, err := s.storeFirst(ctx, tx, plan)
		if err == nil && first {
			err = s.storeSlices(ctx, tx, plan, dueAt)
		}
		if err != nil {
			return nil, err
		}
		return collect(ctx, tx, openSlices, []any{plan.Post}, scanOpen)
	})
}

// storeFirst stores a plan without its slices, unless there is one or the event has another attempt.
// Of two concurrent plans the second waits for the first at the event's row, or that of the plan, and
// then stores nothing. A transaction that ends the fan-out to begin another deletes the event first,
// so a plan waits for it, or it finds the plan.
func (s *Store) storeFirst(ctx context.Context, tx *sql.Tx, plan feed.Plan) (bool, error) {
	now, args := s.now(plan.Post, len(plan.Slices), flag(plan.Selective), plan.Attempt)
	n, err := execRows(ctx, tx, `
INSERT INTO plans (content_id, slices, open_slices, selective, created_at)
SELECT $1, $2, $2, $3, `+now+` FROM (
    SELECT * FROM (SELECT 1 FROM events WHERE content_id = $1 AND state + 0 = 0 AND attempt = $4`+s.d.forUpdate+`) AS open
    UNION ALL SELECT 1 WHERE $4 = 0 AND NOT EXISTS (SELECT 1 FROM events WHERE content_id = $1)
) AS event WHERE TRUE
ON CONFLICT DO NOTHING`, args...)
	return n == 1, err
}

// storeSlices stores the slices of a new plan and marks its event as planned. A plan without slices
// is the end of its fan-out.
func (s *Store) storeSlices(ctx context.Context, tx *sql.Tx, plan feed.Plan, dueAt int64) error {
	_, err := s.d.insertRows(ctx, tx, "plan_slices", "DO NOTHING",
		intColumn("content_id", plan.Slices, func(feed.Slice) feed.PostID { return plan.Post }),
		intColumn("task", plan.Slices, func(sl feed.Slice) int { return sl.Task }),
		intColumn("author_id", plan.Slices, func(feed.Slice) feed.UserID { return plan.Author }),
		intColumn("first_id", plan.Slices, func(sl feed.Slice) feed.UserID { return sl.First }),
		intColumn("last_id", plan.Slices, func(sl feed.Slice) feed.UserID { return sl.Last }),
		intColumn("progress", plan.Slices, func(sl feed.Slice) feed.UserID { return sl.First - 1 }),
		intColumn("attempt", plan.Slices, func(feed.Slice) int64 { return plan.Attempt }),
		intColumn("due_at", plan.Slices, func(feed.Slice) int64 { return dueAt }),
		intColumn("large", plan.Slices, func(feed.Slice) int { return flag(plan.Large) }))
	if err != nil {
		return err
	}
	const planned = `UPDATE events SET state = 1 WHERE content_id = $1`
	if len(plan.Slices) > 0 {
		return exec(ctx, tx, planned, plan.Post)
	}
	return s.execLoggingRows(ctx, tx, arrivalRows(), planned, plan.Post)
}

// Statements that look up a plan or slice by its key write the state as a sum. So PostgreSQL does
// not use the partial index of open ones. That index is nearly empty most of the time, so a plan
// that reads all of it looks cheap. But during the fan-out of a million followers it has thousands
// of entries, and the plan stays.
const (
	openSlices = `SELECT content_id, task, large FROM plan_slices WHERE content_id = $1 AND state + 0 < 2 ORDER BY task`

	planQuery = `
SELECT p.content_id IS NOT NULL, COALESCE(e.attempt, 0), COALESCE(s.task, -1), COALESCE(s.large, 0)
FROM (SELECT 1) AS q LEFT JOIN plans AS p ON p.content_id = $1 LEFT JOIN events AS e ON e.content_id = $1
LEFT JOIN plan_slices AS s ON s.content_id = p.content_id AND s.state + 0 < 2
ORDER BY s.task`

	// selective and otherSelective are the flags of the plans of a slice and of another slice o.
	selective      = `(SELECT selective FROM plans WHERE plans.content_id = plan_slices.content_id)`
	otherSelective = `(SELECT selective FROM plans WHERE plans.content_id = o.content_id)`

	// waits is the condition of the index on waiting slices by author and followers.
	waits = `o.state + 0 = 0`

	// slicePost has the columns of a [feed.SlicePost], in a clause where SQLite allows no join.
	slicePost = `COALESCE((SELECT c.author_id FROM contents AS c WHERE c.id = plan_slices.content_id), 0),
          COALESCE((SELECT c.published_at FROM contents AS c WHERE c.id = plan_slices.content_id), 0),
          COALESCE((SELECT c.deleted_at <> 0 OR EXISTS (SELECT 1 FROM purges AS g WHERE g.user_id = c.author_id)
                    FROM contents AS c WHERE c.id = plan_slices.content_id), FALSE)`

	claimQuery = `
UPDATE plan_slices SET attempt = attempt + 1, state = 1, due_at = $4
WHERE content_id = $1 AND task = $2 AND (state + 0 = 0 OR state + 0 = 1 AND due_at <= $3)
RETURNING attempt, ` + slicePost + `, first_id, last_id, progress, ` + selective + `, author_id,
          (SELECT state.bulk_since > 0 FROM feed_state AS state WHERE state.id = 1),
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

// scanOpen scans an open slice for its first dispatch.
func scanOpen(row scanner) (d feed.Dispatchable[feed.SliceRef], err error) {
	var large int
	err = row.Scan(&d.Ref.Post, &d.Ref.Task, &large)
	d.Large = large != 0
	return d, err
}

// PlanOf implements [feed.Plans].
func (s *Store) PlanOf(ctx context.Context, content feed.PostID) (state feed.PlanState, err error) {
	// One statement, because two would see two snapshots. It has a row for each open slice, or one row
	// without a task.
	open, err := query(ctx, s, planQuery, []any{content}, func(row scanner) (d feed.Dispatchable[feed.SliceRef], err error) {
		var large int
		err = row.Scan(&state.Stored, &state.Attempt, &d.Ref.Task, &large)
		d.Ref.Post, d.Large = content, large != 0
		return d, err
	})
	if err != nil || open[0].Ref.Task < 0 {
		return state, err
	}
	state.Open = open
	return state, nil
}

// ClaimSlice implements [feed.Slices].
func (s *Store) ClaimSlice(ctx context.Context, ref feed.SliceRef, now, leaseUntil int64) (*feed.Slice, error) {
	sl := feed.Slice{SliceRef: ref}
	err := s.changeRow(ctx, claimQuery, []any{ref.Post, ref.Task, now, leaseUntil},
		append(claimColumns(&sl), &sl.First, &sl.Last, &sl.Progress, &sl.Selective, &sl.Author, &sl.Dropped, &sl.Others)...)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return claimed(&sl), nil
}

// claimColumns are the targets of a slice's attempt and its slicePost.
func claimColumns(sl *feed.Slice) []any {
	return []any{&sl.Attempt, &sl.Stored.Author, &sl.Stored.Key.TS, &sl.Stored.Deleted}
}

// claimed completes a slice whose columns have been scanned.
func claimed(sl *feed.Slice) *feed.Slice {
	if sl.Stored.Author != 0 {
		sl.Stored.Key.ID = int64(sl.Post)
	}
	return sl
}

// ClaimTogether implements [feed.Slices].
func (s *Store) ClaimTogether(ctx context.Context, held feed.Slice, leaseUntil int64, limit int) ([]feed.Slice, error) {
	if held.Author == 0 {
		return nil, nil
	}
	together, err := inTxOf(ctx, s, func(tx *sql.Tx) ([]feed.Slice, error) {
		return collect(ctx, tx, s.togetherQuery(), []any{
			held.Author, held.First, held.Last, held.Progress, flag(held.Selective), held.Post, leaseUntil, limit,
		}, func(rows scanner) (feed.Slice, error) {
			sl := held
			sl.Others, sl.Stored = false, feed.SlicePost{}
			err := rows.Scan(append([]any{&sl.Post, &sl.Task}, claimColumns(&sl)...)...)
			return *claimed(&sl), err
		})
	})
	slices.SortFunc(together, func(a, b feed.Slice) int { return cmp.Compare(a.Post, b.Post) })
	return together, err
}

// togetherQuery reads plans in subqueries, so that only slices are locked: every transaction that
// ends a slice updates its plan.
func (s *Store) togetherQuery() string {
	return `
WITH alike AS (
  SELECT o.content_id, o.task FROM plan_slices AS o
  WHERE ` + waits + ` AND o.author_id = $1 AND o.first_id = $2 AND o.last_id = $3 AND o.progress = $4
    AND ` + otherSelective + ` = $5 AND o.content_id <> $6
  ORDER BY o.content_id LIMIT $8` + s.d.skipLocked + `)
UPDATE plan_slices SET attempt = attempt + 1, state = 1, due_at = $7 FROM alike
WHERE plan_slices.content_id = alike.content_id AND plan_slices.task = alike.task
RETURNING plan_slices.content_id, plan_slices.task, plan_slices.attempt, ` + slicePost
}

// AdvanceSlice implements [feed.Slices]. A slice that is done stays done: for the holder of its last
// attempt the result is [feed.AdvanceStored] without a change.
func (s *Store) AdvanceSlice(ctx context.Context, sl feed.Slice, done bool, leaseUntil int64) (feed.Advance, error) {
	state := sliceRunning
	if done {
		state = sliceDone
	}
	now, args := s.now(sl.Post, sl.Task, sl.Attempt, sl.Progress, state, leaseUntil)
	if s.d.isPostgres() {
		result, err := s.advanceAtOnce(ctx, sl, now, args)
		if done && err == nil {
			// The slice may have ended the plan.
			s.changed()
		}
		return result, err
	}
	result, err := inTxOf(ctx, s, func(tx *sql.Tx) (feed.Advance, error) {
		moved, err := execRows(ctx, tx, advance(now), args...)
		switch {
		case err != nil || moved == 0:
			return feed.AdvanceFenced, err
		case done:
			return s.endSlice(ctx, tx, sl.Post)
		}
		return feed.AdvanceStored, nil
	})
	if err == nil && result == feed.AdvanceFenced {
		return s.latest(ctx, sl)
	}
	return result, err
}

// advance is the statement that moves a slice whose attempt is the latest.
func advance(now string) string {
	return `
UPDATE plan_slices SET progress = $4, state = $5, due_at = $6, moved_at = ` + now + `
WHERE content_id = $1 AND task = $2 AND attempt = $3 AND state + 0 < 2`
}

// endQuery counts a slice out of its plan, and returns whether it was the first to end the plan.
// announced counts those who did: the row has no other trace of the value before the update.
const endQuery = `
UPDATE plans SET open_slices = open_slices - 1, announced = CASE WHEN open_slices = 1 THEN announced + 1 ELSE announced END
WHERE content_id = $1`

const endedFirst = `open_slices = 0 AND announced = 1`

// advanceAtOnce is one statement, and so one transaction, instead of four round trips: all slices
// of a post end in the row of its plan and wait for each other there. For the same reason the
// commit does not wait for the disk. If PostgreSQL crashes and loses it, the slice is pushed again,
// which is harmless. Later commits, such as that of its number in the change log, never survive
// without it. Only a commit that allows an announcement waits, because a second one is not harmless.
func (s *Store) advanceAtOnce(ctx context.Context, sl feed.Slice, now string, args []any) (feed.Advance, error) {
	var moved, last bool
	err := s.changeRow(ctx, `
WITH moved AS (`+advance(now)+` RETURNING state),
ended AS (`+endQuery+` AND EXISTS (SELECT 1 FROM moved WHERE state = 2) RETURNING open_slices, `+endedFirst+` AS last),
logged AS (`+queueChanges+arrivalRows()+` AND EXISTS (SELECT 1 FROM ended WHERE open_slices = 0)),
result AS (SELECT EXISTS (SELECT 1 FROM moved) AS moved, COALESCE((SELECT last FROM ended), FALSE) AS last)
SELECT moved, last, CASE WHEN NOT last THEN set_config('synchronous_commit', 'off', true) END FROM result`,
		args, &moved, &last, new(sql.NullString))
	switch {
	case err != nil:
		return feed.AdvanceFenced, err
	case !moved:
		return s.latest(ctx, sl)
	case last:
		return feed.AdvanceLast, nil
	}
	return feed.AdvanceStored, nil
}

// endSlice counts a slice out of its plan, on SQLite. A slice without a plan is never the last.
func (s *Store) endSlice(ctx context.Context, tx *sql.Tx, content feed.PostID) (feed.Advance, error) {
	var open int
	var last bool
	err := tx.QueryRowContext(ctx, endQuery+` RETURNING open_slices, `+endedFirst, content).Scan(&open, &last)
	if err == nil && open == 0 {
		err = s.logRows(ctx, tx, arrivalRows(), content)
	}
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return feed.AdvanceStored, nil
	case err == nil && last:
		return feed.AdvanceLast, nil
	}
	return feed.AdvanceStored, err
}

// latest returns [feed.AdvanceStored] if the slice is stored and its latest attempt is sl's.
func (s *Store) latest(ctx context.Context, sl feed.Slice) (feed.Advance, error) {
	latest, err := rowOf[bool](ctx, s, `
SELECT EXISTS (SELECT 1 FROM plan_slices WHERE content_id = $1 AND task = $2 AND attempt = $3)`, sl.Post, sl.Task, sl.Attempt)
	if latest {
		return feed.AdvanceStored, err
	}
	return feed.AdvanceFenced, err
}
