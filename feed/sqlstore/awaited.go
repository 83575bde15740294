package sqlstore

import (
	"context"
	"database/sql"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// writeAwaited notes since when posts that are not stored have been referred to. A post that was taken
// back keeps a row, so that later references do not make it awaited.
func (w *writer) writeAwaited(ctx context.Context) error {
	if arrived := w.changes.Arrived(); len(arrived) > 0 {
		if err := exec(ctx, w.tx, "DELETE FROM awaited_posts WHERE "+w.s.d.in("id", 1), ids(w.s.d, arrived)); err != nil {
			return err
		}
	}
	return inOrder(
		func() error {
			return w.s.await(ctx, w.tx, w.changes.TakenPosts, 0, "(id) DO UPDATE SET awaited_at = 0")
		},
		func() error {
			return w.s.await(ctx, w.tx, slices.Concat(w.changes.AwaitedPosts, w.settled.later), w.now, "(id) DO NOTHING")
		},
	)
}

func (s *Store) await(ctx context.Context, tx *sql.Tx, posts []feed.PostID, since int64, conflict string) error {
	if len(posts) == 0 {
		return nil
	}
	_, err := s.d.insertRows(ctx, tx, "awaited_posts", conflict,
		intColumn("id", posts, func(id feed.PostID) feed.PostID { return id }),
		intColumn("awaited_at", posts, func(feed.PostID) int64 { return since }))
	return err
}

func countAbsent(ctx context.Context, tx *sql.Tx) (a feed.AbsentUsers, err error) {
	if err = tx.QueryRowContext(ctx, absentQuery).Scan(&a.Awaited, &a.TakenBack); err == nil {
		a.Oldest, err = oldestAwaited[feed.UserID](ctx, tx, "users")
	}
	return a, err
}

func countAwaitedPosts(ctx context.Context, tx *sql.Tx) (a feed.AwaitedPosts, err error) {
	if err = tx.QueryRowContext(ctx, awaitedPostsQuery).Scan(&a.Awaited); err == nil {
		a.Oldest, err = oldestAwaited[feed.PostID](ctx, tx, "awaited_posts")
	}
	return a, err
}

// Each number is that of the entries of an index. Deleted accounts are not awaited.
const (
	absentQuery = `
SELECT (SELECT COUNT(*) FROM users WHERE awaited_at > 0),
  (SELECT COUNT(*) FROM users WHERE absent > 0 AND awaited_at = 0 AND deleted_at = 0)`
	awaitedPostsQuery = `SELECT COUNT(*) FROM awaited_posts WHERE awaited_at > 0`
)

// oldestAwaited returns the objects of a table that have been awaited the longest.
func oldestAwaited[K any](ctx context.Context, tx *sql.Tx, table string) ([]feed.Awaited[K], error) {
	return collect(ctx, tx, oldestQuery(table), []any{feed.OldestAwaited}, into(func(a *feed.Awaited[K]) []any { return []any{&a.ID, &a.Since} }))
}

func oldestQuery(table string) string {
	return "SELECT id, awaited_at FROM " + table + " WHERE awaited_at > 0 ORDER BY awaited_at, id LIMIT $1"
}

// recentlyAwaited is the age in milliseconds below which rows are checked by dropArrived. No
// transaction takes that long.
const recentlyAwaited = 60 * 60 * 1000

// dropArrived removes rows of posts that are stored, and settles their children, up to limit of each. A batch
// that refers to a post may commit after another batch, which it did not see, has stored the post; and a post
// may arrive after more children than one transaction settles.
func (s *Store) dropArrived(ctx context.Context, limit int) (more bool, err error) {
	now, args := s.now(recentlyAwaited, limit)
	return inTxOf(ctx, s, func(tx *sql.Tx) (bool, error) {
		arrived, err := collect(ctx, tx, `
DELETE FROM awaited_posts WHERE id IN (
  SELECT a.id FROM awaited_posts AS a JOIN contents AS c ON c.id = a.id WHERE a.awaited_at > `+now+` - $1 ORDER BY a.id LIMIT $2)
RETURNING id`, args, one[feed.PostID])
		if err != nil || len(arrived) == 0 {
			return false, err
		}
		done, err := s.settle(ctx, tx, arrived, limit)
		if err != nil || len(done.rows) == 0 {
			return len(arrived) == limit, err
		}
		if err := s.log(ctx, tx, done.rows...); err != nil {
			return false, err
		}
		since, err := s.readClock(ctx, tx)
		if err != nil {
			return false, err
		}
		return len(arrived) == limit || len(done.later) > 0, s.await(ctx, tx, done.later, since, "(id) DO NOTHING")
	})
}
