package sqlstore

import (
	"context"
	"database/sql"
	"errors"

	"github.com/tideline-feeds/tideline/feed"
)

// FollowerIDs implements [feed.Audience].
func (s *Store) FollowerIDs(ctx context.Context, author feed.UserID, r feed.FollowerRange) ([]feed.UserID, error) {
	stmt, args := s.followersQuery(author, r)
	return query(ctx, s, stmt, args, scanUserID)
}

// followersQuery looks at the lease of each follower by itself: a join would leave it to
// the database to begin with the active among all users.
func (s *Store) followersQuery(author feed.UserID, r feed.FollowerRange) (stmt string, args []any) {
	args = []any{author, r.After, r.UpTo, r.Limit}
	active := ""
	if r.Active {
		var now string
		now, args = s.now(append(args, r.Grace.Milliseconds())...)
		active = " AND (SELECT u.active_until FROM users AS u WHERE u.id = follower_id) > " + now + " - $5"
	}
	return `
SELECT follower_id FROM follows
WHERE followee_id = $1 AND active = 1 AND follower_id > $2 AND follower_id <= $3` + active + `
ORDER BY follower_id LIMIT $4`, args
}

// FollowerCount implements [feed.Audience].
func (s *Store) FollowerCount(ctx context.Context, author feed.UserID) (int64, error) {
	var n int64
	err := s.row(ctx, `SELECT followers FROM user_counters WHERE user_id = $1`, []any{author}, &n)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return n, err
}

// Mark implements [feed.Audience].
func (s *Store) Mark(ctx context.Context, author feed.UserID, m feed.Mark) error {
	return s.inTx(ctx, func(tx *sql.Tx) error {
		// Without the condition every publish of a big-V would write the rows again. The
		// one that all marks share comes before the author's, as in an import.
		const lower = `id = $1 AND mark < $2 AND deleted_at = 0`
		raised, err := exec(ctx, tx, `UPDATE feed_state SET marks = marks + 1 WHERE EXISTS (SELECT 1 FROM users WHERE `+lower+`)`, author, m)
		if err != nil || raised == 0 {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE users SET mark = $2 WHERE `+lower, author, m)
		return err
	})
}
