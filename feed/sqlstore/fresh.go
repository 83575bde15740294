package sqlstore

import (
	"context"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

var (
	_ feed.PendingAuthors = (*Store)(nil)
	_ feed.Commits        = (*Store)(nil)
)

// pendingMax limits the events and slices that one read of pending authors looks at, in some ten
// milliseconds.
const pendingMax = 20_000

// PendingAuthors implements [feed.PendingAuthors].
func (s *Store) PendingAuthors(ctx context.Context, viewer feed.UserID) ([]feed.UserID, error) {
	return s.pendingAuthors(ctx, viewer, pendingMax)
}

func (s *Store) pendingAuthors(ctx context.Context, viewer feed.UserID, limit int) ([]feed.UserID, error) {
	authors, err := query(ctx, s, pendingAuthorsQuery, []any{viewer, limit}, one[feed.UserID])
	if err == nil && slices.Contains(authors, 0) {
		return nil, feed.ErrManyPending
	}
	return authors, err
}

// pendingAuthorsQuery returns author 0 if there are more events or slices than it looks at. It is
// one statement, because two would see two snapshots and could miss an event that is planned in
// between. It names orders for the reason of backlogQuery. It looks up the author of each post: a
// join might begin with all posts. Slices of older programs have no author.
const pendingAuthorsQuery = `
WITH open_events AS (SELECT content_id FROM events WHERE state = 0 ORDER BY due_at LIMIT $2),
open_slices AS (SELECT content_id, author_id FROM plan_slices WHERE state < 2 ORDER BY state, large, due_at LIMIT $2),
authors AS (
  SELECT (SELECT c.author_id FROM contents AS c WHERE c.id = e.content_id) AS id FROM open_events AS e
  UNION
  SELECT CASE WHEN o.author_id > 0 THEN o.author_id ELSE (SELECT c.author_id FROM contents AS c WHERE c.id = o.content_id) END
  FROM open_slices AS o)
SELECT authors.id FROM authors
WHERE EXISTS (SELECT 1 FROM follows AS f WHERE f.follower_id = $1 AND f.followee_id = authors.id AND f.active = 1)
UNION ALL
SELECT 0 WHERE (SELECT COUNT(*) FROM open_events) = $2 OR (SELECT COUNT(*) FROM open_slices) = $2`

// LastCommit implements [feed.Commits]. On PostgreSQL the number is the next transaction id, with
// the epoch of ids, which needs no rights. On SQLite changes are numbered in their transactions.
func (s *Store) LastCommit(ctx context.Context) (p feed.CommitPlace, err error) {
	err = s.row(ctx, "SELECT state.epoch, "+s.d.lastCommit+" FROM change_state AS state WHERE state.id = 1", nil, &p.Epoch, &p.Number)
	return p, err
}
