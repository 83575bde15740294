package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/tideline-feeds/tideline/feed"
)

// errNoUser is the refusal of a change that names a user who is not stored.
func errNoUser() error { return feed.Errorf(feed.CodeNotFound, "there is no such user") }

// Follow implements [feed.Follows].
func (s *Store) Follow(ctx context.Context, follower, followee feed.UserID, at int64, limit int) error {
	return s.inShownTx(ctx, func(tx *sql.Tx) error {
		version, err := s.lockVersion(ctx, tx, follower)
		if err != nil {
			return err
		}
		edge, err := s.readFollow(ctx, tx, follower, followee)
		switch {
		case err != nil:
			return err
		case !edge.followeeStored:
			return errNoUser()
		case edge.active:
			return nil
		case edge.following >= int64(limit):
			return feed.Errorf(feed.CodeFollowLimit, "nobody may follow more than %d users", limit)
		}
		if err := setVersion(ctx, tx, follower, version+1); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `
INSERT INTO follows (follower_id, followee_id, created_at, version, active) VALUES ($1, $2, $3, $4, 1)
ON CONFLICT (follower_id, followee_id) DO UPDATE
SET created_at = excluded.created_at, version = excluded.version, active = 1`, follower, followee, at, version+1)
		if err != nil {
			return err
		}
		return s.countFollow(ctx, tx, follower, followee, +1)
	})
}

// Unfollow implements [feed.Follows].
func (s *Store) Unfollow(ctx context.Context, follower, followee feed.UserID) error {
	return s.inShownTx(ctx, func(tx *sql.Tx) error { return s.unfollow(ctx, tx, follower, followee) })
}

func (s *Store) unfollow(ctx context.Context, tx *sql.Tx, follower, followee feed.UserID) error {
	version, err := s.lockVersion(ctx, tx, follower)
	if feed.CodeOf(err) == feed.CodeNotFound {
		return nil
	}
	if err != nil {
		return err
	}
	ended, err := exec(ctx, tx, `
UPDATE follows SET active = 0, version = $3
WHERE follower_id = $1 AND followee_id = $2 AND active = 1`, follower, followee, version+1)
	if err != nil || ended == 0 {
		return err
	}
	if err := setVersion(ctx, tx, follower, version+1); err != nil {
		return err
	}
	return s.countFollow(ctx, tx, follower, followee, -1)
}

// lockVersion locks a user's row against other changes of his relations, and
// against its deletion, and returns his version. The lock comes before whatever the change looks at, so that
// it sees what those before it did.
func (s *Store) lockVersion(ctx context.Context, tx *sql.Tx, user feed.UserID) (int64, error) {
	var version int64
	err := tx.QueryRowContext(ctx, `SELECT version FROM users WHERE id = $1 AND deleted_at = 0`+s.d.forUpdate, user).Scan(&version)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, errNoUser()
	}
	return version, err
}

// raise raises, by one, the versions of several users, and returns the raised ones.
// The rows are locked in ascending order first, as everywhere, which an UPDATE alone
// does not promise.
func (s *Store) raise(ctx context.Context, tx *sql.Tx, users []feed.UserID) (map[feed.UserID]int64, error) {
	versions := make(map[feed.UserID]int64, len(users))
	if len(users) == 0 {
		return versions, nil
	}
	_, err := collect(ctx, tx, fmt.Sprintf(`
WITH touched AS (SELECT id AS user_id FROM users WHERE %s ORDER BY id%s)
UPDATE users SET version = version + 1 FROM touched WHERE users.id = touched.user_id
RETURNING id, version`, s.d.in("id", 1), s.d.forUpdate), []any{ids(s.d, users)},
		func(rows *sql.Rows) (id feed.UserID, err error) {
			var version int64
			err = rows.Scan(&id, &version)
			versions[id] = version
			return id, err
		})
	return versions, err
}

func setVersion(ctx context.Context, tx *sql.Tx, user feed.UserID, version int64) error {
	_, err := tx.ExecContext(ctx, `UPDATE users SET version = $2 WHERE id = $1`, user, version)
	return err
}

// followState is what a follow depends on.
type followState struct {
	followeeStored, active bool
	following              int64
}

// readFollow also keeps the followee from being deleted: an edge to him that a purge
// did not find would stay for ever.
func (s *Store) readFollow(ctx context.Context, tx *sql.Tx, follower, followee feed.UserID) (followState, error) {
	var st followState
	err := tx.QueryRowContext(ctx, `
SELECT COALESCE((SELECT 1 FROM users AS u WHERE u.id = $2 AND u.deleted_at = 0`+s.d.holding()+`), 0),
       (SELECT COUNT(*) FROM follows WHERE follower_id = $1 AND followee_id = $2 AND active = 1),
       COALESCE((SELECT following FROM user_counters WHERE user_id = $1), 0)`, follower, followee).
		Scan(&st.followeeStored, &st.active, &st.following)
	return st, err
}

func (s *Store) countFollow(ctx context.Context, tx *sql.Tx, follower, followee feed.UserID, n int64) error {
	t := newTally()
	t.follow(follower, followee, n)
	return t.store(ctx, s.d, tx)
}
