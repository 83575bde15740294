package sqlstore

import (
	"context"
	"database/sql"

	"github.com/tideline-feeds/tideline/feed"
)

// React implements [feed.Contents]. A user who is not stored is
// [feed.CodeNotFound] as well.
//
// The content's row is not locked against a deletion at the same moment: a
// reaction that saw it undeleted counts as having come before, and deleting a
// content keeps its reactions.
func (s *Store) React(ctx context.Context, r feed.Reaction, user feed.UserID, post feed.ContentID, at int64) error {
	return s.inTx(ctx, func(tx *sql.Tx) error {
		stored, err := exec(ctx, tx, `
INSERT INTO reactions (content_id, kind, user_id, created_at)
SELECT c.id, $2, u.id, $4 FROM contents AS c CROSS JOIN users AS u
WHERE c.id = $1 AND c.deleted_at = 0 AND c.author_id NOT IN `+leavers+` AND u.id = $3 AND u.deleted_at = 0`+s.d.holding()+`
ON CONFLICT DO NOTHING`, post, r, user, at)
		if err != nil {
			return err
		}
		if stored == 0 {
			return whyNoReaction(ctx, tx, user, post)
		}
		return s.countReaction(ctx, tx, r, post, +1)
	})
}

// whyNoReaction returns nil when there was nothing to store because the reaction
// stands.
func whyNoReaction(ctx context.Context, tx *sql.Tx, user feed.UserID, post feed.ContentID) error {
	var userStored, postStands bool
	err := tx.QueryRowContext(ctx, `
SELECT EXISTS (SELECT 1 FROM users WHERE id = $1 AND deleted_at = 0),
       EXISTS (SELECT 1 FROM contents WHERE id = $2 AND deleted_at = 0 AND author_id NOT IN `+leavers+`)`, user, post).
		Scan(&userStored, &postStands)
	switch {
	case err != nil:
		return err
	case !postStands:
		return errNoContent()
	case !userStored:
		return errNoUser()
	}
	return nil
}

// Unreact implements [feed.Contents]. A reaction to a content that has been
// deleted since can still be taken back.
func (s *Store) Unreact(ctx context.Context, r feed.Reaction, user feed.UserID, post feed.ContentID) error {
	return s.inTx(ctx, func(tx *sql.Tx) error {
		removed, err := exec(ctx, tx, `
DELETE FROM reactions WHERE content_id = $1 AND kind = $2 AND user_id = $3`, post, r, user)
		if err != nil || removed == 0 {
			return err
		}
		return s.countReaction(ctx, tx, r, post, -1)
	})
}

func (s *Store) countReaction(ctx context.Context, tx *sql.Tx, r feed.Reaction, post feed.ContentID, n int64) error {
	t := newTally()
	t.reaction(r, post, n)
	return t.store(ctx, s.d, tx)
}
