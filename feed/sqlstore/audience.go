package sqlstore

import (
	"context"
	"database/sql"
	"errors"

	"github.com/tideline-feeds/tideline/feed"
)

// FollowerIDs implements [feed.Audience].
func (s *Store) FollowerIDs(ctx context.Context, author, after, upTo feed.UserID, limit int) ([]feed.UserID, error) {
	return query(ctx, s, `
SELECT follower_id FROM follows
WHERE followee_id = $1 AND active = 1 AND follower_id > $2 AND follower_id <= $3
ORDER BY follower_id LIMIT $4`, []any{author, after, upTo, limit},
		func(rows *sql.Rows) (feed.UserID, error) {
			var id feed.UserID
			err := rows.Scan(&id)
			return id, err
		})
}

// FollowerCount implements [feed.Audience].
func (s *Store) FollowerCount(ctx context.Context, author feed.UserID) (int64, error) {
	var n int64
	err := s.ro.QueryRowContext(ctx, `SELECT followers FROM user_counters WHERE user_id = $1`, author).Scan(&n)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return n, classify(ctx, err)
}

// MarkPulled implements [feed.Audience]. Marking an author who is not stored
// changes nothing.
func (s *Store) MarkPulled(ctx context.Context, author feed.UserID) error {
	return s.inTx(ctx, func(tx *sql.Tx) error {
		// Without the condition every publish of a big-V would write the row again.
		_, err := tx.ExecContext(ctx, `UPDATE users SET pulled = 1 WHERE id = $1 AND pulled = 0 AND deleted_at = 0`, author)
		return err
	})
}
