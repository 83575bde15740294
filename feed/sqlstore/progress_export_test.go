package sqlstore

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
)

// RerunBatch and SlicesPerCleanup limit the slices that one transaction resets, and drops.
const (
	RerunBatch       = rerunBatch
	SlicesPerCleanup = slicesPerCleanup
)

// RerunPart is [Store.Rerun] that dies after resetting some slices.
func (s *Store) RerunPart(ctx context.Context, part []feed.SliceRef, since, dueAt int64) (int, error) {
	p := pass{since: since, dueAt: dueAt}
	if err := s.fenceAll(ctx, &p); err != nil {
		return 0, err
	}
	return s.rerun(ctx, part, p)
}

// Miscounted returns the number of plans whose number of open slices is wrong.
func (s *Store) Miscounted(ctx context.Context) (n int, err error) {
	err = s.ro.QueryRowContext(ctx, `
SELECT COUNT(*) FROM plans AS p WHERE p.open_slices <> (
  SELECT COUNT(*) FROM plan_slices AS s WHERE s.content_id = p.content_id AND s.state < 2)`).Scan(&n)
	return n, err
}

// Writers returns how many transactions have written the rows of a table on PostgreSQL.
func (s *Store) Writers(ctx context.Context, table string) (n int, err error) {
	err = s.ro.QueryRowContext(ctx, `SELECT COUNT(DISTINCT CAST(xmin AS TEXT)) FROM `+table).Scan(&n)
	return n, err
}

// ExplainRerun returns the plans by which [Store.Rerun] finds and locks moved slices.
func (s *Store) ExplainRerun(ctx context.Context, moved []feed.SliceRef, since, began int64) (find, lock string, err error) {
	if find, err = s.explain(ctx, movedQuery, []any{since, began, rerunBatch}); err != nil {
		return "", "", err
	}
	stmt, args := s.lockMovedQuery(moved, pass{since: since, began: began})
	lock, err = s.explain(ctx, stmt, args)
	return find, lock, err
}

// ExplainAnyDue returns the database's plan for [Store.IsAnyDue].
func (s *Store) ExplainAnyDue(ctx context.Context, now int64) (string, error) {
	return s.explain(ctx, anyDueQuery, []any{now})
}

// ExplainBacklog returns the database's plan for [Store.Backlog].
func (s *Store) ExplainBacklog(ctx context.Context, limit int) (string, error) {
	return s.explain(ctx, backlogQuery, []any{limit})
}

// ExplainPending returns the database's plan for [Store.Pending].
func (s *Store) ExplainPending(ctx context.Context, now int64) (string, error) {
	return s.explain(ctx, pendingCountsQuery, []any{now, now, now, now, now})
}

// ExplainDue returns the plans by which [Store.Due] finds waiting and running slices.
func (s *Store) ExplainDue(ctx context.Context, now int64, limit int) (waiting, running string, err error) {
	if waiting, err = s.explain(ctx, dueSlicesQuery, []any{sliceWaiting, 0, now, limit}); err != nil {
		return "", "", err
	}
	running, err = s.explain(ctx, dueSlicesQuery, []any{sliceRunning, 1, now, limit})
	return waiting, running, err
}

// ExplainIsPending returns the database's plan for [Store.IsPending].
func (s *Store) ExplainIsPending(ctx context.Context, posts []feed.PostID) (string, error) {
	return s.explain(ctx, s.pendingQuery(), []any{ids(s.d, posts)})
}

// ExplainNamed returns the plans of the statements of a fan-out that look up plans, slices and
// events by key.
func (s *Store) ExplainNamed(ctx context.Context) (map[string]string, error) {
	now, args := s.now(1, 2, 3, 4, sliceRunning, 6)
	plans := map[string]string{}
	for name, q := range map[string]struct {
		stmt string
		args []any
	}{
		"the slices of a plan that are open": {openSlices, []any{1}},
		"a plan":                             {planQuery, []any{1}},
		"to claim a slice":                   {claimQuery, []any{1, 2, 3, 4}},
		"to claim slices together":           {s.togetherQuery(), []any{1, 2, 3, 4, 0, 5, 6, 7}},
		"to advance a slice":                 {advance(now), args},
		"to put an event off":                {postponeQuery, []any{1, 2}},
		"which events are pending":           {s.pendingQuery(), []any{ids(s.d, []feed.PostID{1, 2})}},
	} {
		plan, err := s.explain(ctx, q.stmt, q.args)
		if err != nil {
			return nil, err
		}
		plans[name] = plan
	}
	return plans, nil
}

// ExplainFanouts returns the plans of the statements that read fan-outs for operators: one fan-out,
// its open slices, the slice of a follower, and the slowest since a time.
func (s *Store) ExplainFanouts(ctx context.Context, post feed.PostID, since int64) (map[string]string, error) {
	plans := map[string]string{}
	for name, q := range map[string]struct {
		stmt string
		args []any
	}{
		"a fan-out":               {fanoutQuery, []any{post}},
		"its open slices":         {openSlicesQuery, []any{post, 20}},
		"the slice of a follower": {pushedAtQuery, []any{post, 2}},
		"the slowest":             {slowestQuery, []any{since, movedMax, 20}},
	} {
		plan, err := s.explain(ctx, q.stmt, q.args)
		if err != nil {
			return nil, err
		}
		plans[name] = plan
	}
	return plans, nil
}

// PendingAuthorsUpTo is [Store.PendingAuthors] with another limit of events and slices.
func (s *Store) PendingAuthorsUpTo(ctx context.Context, viewer feed.UserID, limit int) ([]feed.UserID, error) {
	return s.pendingAuthors(ctx, viewer, limit)
}

// ExplainPendingAuthors returns the database's plan for [Store.PendingAuthors].
func (s *Store) ExplainPendingAuthors(ctx context.Context, viewer feed.UserID) (string, error) {
	return s.explain(ctx, pendingAuthorsQuery, []any{viewer, pendingMax})
}
