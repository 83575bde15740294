package sqlstore

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
)

// IsAnyDue implements [feed.Progress].
func (s *Store) IsAnyDue(ctx context.Context, now int64) (bool, error) {
	return rowOf[bool](ctx, s, anyDueQuery, now)
}

// anyDueQuery names orders for the reason of backlogQuery.
const anyDueQuery = `
SELECT (SELECT due_at FROM events WHERE state = 0 AND due_at <= $1 ORDER BY due_at LIMIT 1) IS NOT NULL
    OR (SELECT due_at FROM plan_slices WHERE state = 0 AND large = 0 AND state < 2 AND due_at <= $1 ORDER BY due_at LIMIT 1) IS NOT NULL
    OR (SELECT due_at FROM plan_slices WHERE state = 0 AND large = 1 AND state < 2 AND due_at <= $1 ORDER BY due_at LIMIT 1) IS NOT NULL
    OR (SELECT due_at FROM plan_slices WHERE state = 1 AND large = 0 AND state < 2 AND due_at <= $1 ORDER BY due_at LIMIT 1) IS NOT NULL
    OR (SELECT due_at FROM plan_slices WHERE state = 1 AND large = 1 AND state < 2 AND due_at <= $1 ORDER BY due_at LIMIT 1) IS NOT NULL`

// Backlog implements [feed.Progress].
func (s *Store) Backlog(ctx context.Context, limit int) (int, error) {
	return rowOf[int](ctx, s, backlogQuery, limit)
}

// backlogQuery names an order so that PostgreSQL reads the partial index of open slices, whatever
// it estimates: the table is long and mostly done.
const backlogQuery = `
SELECT COUNT(*) FROM (SELECT 1 FROM plan_slices WHERE state < 2 ORDER BY state, large, due_at LIMIT $1) AS open_slices`

// overdueAfter is the delay, in milliseconds, after which untaken work is overdue.
const overdueAfter = 60_000

// Pending implements [feed.Progress], in one snapshot.
func (s *Store) Pending(ctx context.Context, now int64, by feed.DueBy) (feed.Pending, error) {
	var p feed.Pending
	var lateEvents, lateSlices int
	args := []any{now, by.Events - overdueAfter, by.Waiting - overdueAfter, by.WaitingLarge - overdueAfter, by.Running - overdueAfter}
	err := s.row(ctx, pendingCountsQuery, args, &p.Events, &lateEvents, &p.Slices, &lateSlices, &p.Running)
	if err != nil {
		return feed.Pending{}, err
	}
	p.Overdue = lateEvents + lateSlices
	return p, nil
}

const pendingCountsQuery = `
SELECT open_events.n, open_events.late, open_slices.n, open_slices.late, open_slices.running FROM
  (SELECT COUNT(*) AS n, COUNT(*) FILTER (WHERE due_at < $2) AS late FROM events WHERE state = 0) AS open_events,
  (SELECT COUNT(*) AS n, COUNT(*) FILTER (WHERE state = 0 AND large = 0 AND due_at < $3 OR state = 0 AND large = 1 AND due_at < $4
                             OR state = 1 AND due_at < $5) AS late,
          COUNT(*) FILTER (WHERE state = 1 AND due_at > $1) AS running
   FROM plan_slices WHERE state < 2) AS open_slices`

// IsPending implements [feed.Progress].
func (s *Store) IsPending(ctx context.Context, contents []feed.PostID) ([]bool, error) {
	if len(contents) == 0 {
		return nil, nil
	}
	open, err := query(ctx, s, s.pendingQuery(), []any{ids(s.d, contents)}, one[feed.PostID])
	if err != nil {
		return nil, err
	}
	isOpen := setOf(open)
	return mapped(contents, func(id feed.PostID) bool { return isOpen[id] }), nil
}

// pendingQuery is one statement, because two would see two snapshots and could miss an event that
// is planned in between. It writes the state as [openSlices] does.
func (s *Store) pendingQuery() string {
	return `
SELECT content_id FROM events WHERE state + 0 = 0 AND ` + s.d.in("content_id", 1) + `
UNION ALL
SELECT content_id FROM plans WHERE open_slices > 0 AND ` + s.d.in("content_id", 1)
}
