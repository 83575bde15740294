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

// PendingAuthorsUpTo is [Store.PendingAuthors] with another limit of events and slices.
func (s *Store) PendingAuthorsUpTo(ctx context.Context, viewer feed.UserID, limit int) ([]feed.UserID, error) {
	return s.pendingAuthors(ctx, viewer, limit)
}
