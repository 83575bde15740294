package sqlstore

import (
	"context"
	"database/sql"
	"errors"

	"github.com/tideline-feeds/tideline/feed"
)

// UpdateProfile implements [feed.Profiles].
func (s *Store) UpdateProfile(ctx context.Context, user feed.UserID, c feed.ProfileChange) (*feed.User, error) {
	var fold *string
	if c.Handle != nil {
		fold = new(feed.FoldHandle(*c.Handle))
	}
	var changed *feed.User
	err := s.inShownTx(ctx, func(tx *sql.Tx) error {
		// The row stays locked while the words are written again, so that the words of
		// two changes at once do not mix.
		u, err := scanUser(tx.QueryRowContext(ctx, `
UPDATE users SET handle = COALESCE($2, handle), handle_fold = COALESCE($3, handle_fold),
       name = COALESCE($4, name), avatar_url = COALESCE($5, avatar_url)
WHERE id = $1 AND deleted_at = 0
RETURNING `+userColumns, user, c.Handle, fold, c.Name, c.AvatarURL))
		if errors.Is(err, sql.ErrNoRows) {
			return errNoUser()
		} else if err != nil {
			return err
		}
		changed = u
		if c.Handle != nil {
			if err := s.claimHandle(ctx, tx, user, *c.Handle); err != nil {
				return err
			}
		}
		if err := dropWords(ctx, tx, user); err != nil {
			return err
		}
		if err := s.writeWords(ctx, tx, []*feed.User{u}); err != nil {
			return err
		}
		t := newTally()
		t.user(user).changes++
		return t.store(ctx, s.d, tx)
	})
	switch {
	case err != nil && (uniqueViolation(err) || feed.CodeOf(err) == feed.CodeConflict):
		return nil, feed.HandleTaken(*c.Handle).At("handle")
	case err != nil:
		return nil, err
	}
	return changed, nil
}

// DeleteAccount implements [feed.Profiles].
func (s *Store) DeleteAccount(ctx context.Context, user feed.UserID, at int64) error {
	defer s.leases.forget(user)
	return s.inShownTx(ctx, func(tx *sql.Tx) error { return s.deleteAccount(ctx, tx, user, at) })
}

// deleteAccount has the user's row to itself, while whatever a user does, or has done
// to him, holds it. So a deletion comes after all of that, and the purge finds it, or
// before, and it is refused.
func (s *Store) deleteAccount(ctx context.Context, tx *sql.Tx, user feed.UserID, at int64) error {
	var deletedAt int64
	err := tx.QueryRowContext(ctx, `SELECT deleted_at FROM users WHERE id = $1`+s.d.forDeletion, user).Scan(&deletedAt)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return errNoUser()
	case err != nil || deletedAt != 0:
		return err
	}
	_, err = tx.ExecContext(ctx, `
UPDATE users SET deleted_at = $2, handle = '', handle_fold = $3, name = '', avatar_url = '',
       last_seen_at = 0, active_until = 0, mark = 0
WHERE id = $1`, user, at, foldOfDeleted(user))
	if err != nil {
		return err
	}
	if _, err = tx.ExecContext(ctx, `INSERT INTO purges (user_id, deleted_at) VALUES ($1, $2)`, user, at); err != nil {
		return err
	}
	if err := s.revoke(ctx, tx, feed.Revocation{User: user}, feed.RevocationKeptFor); err != nil {
		return err
	}
	if err := s.freeHandle(ctx, tx, user); err != nil {
		return err
	}
	return dropWords(ctx, tx, user)
}

// foldOf returns what makes the handle of an imported user unique.
func foldOf(u *feed.UserRecord) string {
	if u.DeletedAt != 0 {
		return foldOfDeleted(u.ID)
	}
	return feed.FoldHandle(u.Handle)
}

// foldOfDeleted returns what stands for the handle of a deleted account, which must
// be unique and nobody's handle: handles have no slash.
func foldOfDeleted(user feed.UserID) string { return "deleted/" + user.String() }
