package sqlstore

import (
	"context"
	"database/sql"
	"errors"

	"github.com/tideline-feeds/tideline/feed"
)

var _ feed.Fanouts = (*Store)(nil)

// fanoutQuery aggregates the slices of one plan. It writes the state as [openSlices] does.
const fanoutQuery = `
SELECT p.content_id IS NOT NULL, COALESCE(p.created_at, 0), COALESCE(p.selective, 0), COALESCE(p.slices, 0), COALESCE(p.slices - p.open_slices, 0),
       CASE WHEN e.state = 0 THEN e.due_at ELSE 0 END, CASE WHEN e.state = 0 THEN e.dispatches ELSE 0 END,
       COALESCE(s.running, 0), COALESCE(s.reached, s.last_id, 0), COALESCE(s.last_id, 0),
       COALESCE(s.attempts, 0), COALESCE(s.dispatches, 0), COALESCE(s.moved_at, 0), COALESCE(s.large, 0)
FROM (SELECT 1) AS q
LEFT JOIN plans AS p ON p.content_id = $1
LEFT JOIN events AS e ON e.content_id = $1
LEFT JOIN (SELECT content_id, COUNT(*) FILTER (WHERE state + 0 = 1) AS running, MIN(progress) FILTER (WHERE state + 0 < 2) AS reached,
             MAX(last_id) AS last_id, CAST(SUM(attempt) AS BIGINT) AS attempts, SUM(dispatches) AS dispatches, MAX(moved_at) AS moved_at, MAX(large) AS large
           FROM plan_slices WHERE content_id = $1 GROUP BY content_id) AS s ON s.content_id = $1
WHERE p.content_id IS NOT NULL OR e.state = 0`

const openSlicesQuery = `
SELECT task, first_id, last_id, progress, state, due_at, attempt, dispatches
FROM plan_slices WHERE content_id = $1 AND state + 0 < 2 ORDER BY task LIMIT $2`

// FanoutOf implements [feed.Fanouts].
func (s *Store) FanoutOf(ctx context.Context, post feed.PostID, limit int) (*feed.FanoutState, error) {
	f := feed.FanoutState{Post: post}
	var selective, large int
	err := s.row(ctx, fanoutQuery, []any{post}, &f.Planned, &f.PlannedAt, &selective, &f.Slices, &f.Done,
		&f.Event.DueAt, &f.Event.Dispatches, &f.Running, &f.Reached, &f.Last, &f.Attempts, &f.Dispatches, &f.MovedAt, &large)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	f.Selective, f.Large = selective != 0, large != 0
	if f.Done < f.Slices && limit > 0 {
		f.Open, err = query(ctx, s, openSlicesQuery, []any{post, limit}, scanOpenSlice)
	}
	return &f, err
}

func scanOpenSlice(row scanner) (o feed.OpenSlice, err error) {
	var state int
	err = row.Scan(&o.Task, &o.First, &o.Last, &o.Progress, &state, &o.DueAt, &o.Attempt, &o.Dispatches)
	o.Running = state == sliceRunning
	return o, err
}

// movedMax bounds the slices that slowestQuery reads: an hour of three dozen a second.
const movedMax = 100_000

const slowestQuery = `
WITH recent AS (SELECT content_id, moved_at FROM plan_slices WHERE moved_at > 0 AND moved_at >= $1 ORDER BY moved_at DESC LIMIT $2),
moved AS (SELECT content_id, MAX(moved_at) AS moved_at FROM recent GROUP BY content_id)
SELECT p.content_id, p.created_at, m.moved_at, p.slices, p.slices - p.open_slices
FROM moved AS m JOIN plans AS p ON p.content_id = m.content_id
ORDER BY m.moved_at - p.created_at DESC, p.content_id DESC LIMIT $3`

// SlowestFanouts implements [feed.Fanouts].
func (s *Store) SlowestFanouts(ctx context.Context, since int64, limit int) ([]feed.SlowFanout, error) {
	return query(ctx, s, slowestQuery, []any{since, movedMax, limit}, func(row scanner) (f feed.SlowFanout, err error) {
		err = row.Scan(&f.Post, &f.BeganAt, &f.MovedAt, &f.Slices, &f.Done)
		return f, err
	})
}

const pushedAtQuery = `
SELECT COALESCE(MAX(moved_at), 0) FROM plan_slices
WHERE content_id = $1 AND first_id <= $2 AND last_id >= $2 AND (state + 0 = 2 OR progress >= $2)`

// PushedAt implements [feed.Fanouts].
func (s *Store) PushedAt(ctx context.Context, post feed.PostID, follower feed.UserID) (int64, error) {
	return rowOf[int64](ctx, s, pushedAtQuery, post, follower)
}
