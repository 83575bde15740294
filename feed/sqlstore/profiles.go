package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
)

// UpdateProfile implements [feed.Profiles].
func (s *Store) UpdateProfile(ctx context.Context, user feed.UserID, c feed.ProfileChange) (*feed.User, error) {
	changed, err := inTxOf(ctx, s, func(tx *sql.Tx) (*feed.User, error) {
		// The row stays locked while the words are written again, so that the words of
		// two changes at once do not mix.
		set, args := changeOf(user, &c)
		u, err := scanUsers()(tx.QueryRowContext(ctx, "UPDATE users SET "+set+
			" WHERE id = $1 AND deleted_at = 0 RETURNING "+userColumns.names(""), args...))
		if errors.Is(err, sql.ErrNoRows) {
			return nil, errNoUser()
		} else if err != nil {
			return nil, err
		}
		if c.Handle != nil {
			if err := s.claimHandle(ctx, tx, user, *c.Handle); err != nil {
				return nil, err
			}
		}
		if err := s.rewriteWords(ctx, tx, u); err != nil {
			return nil, err
		}
		return u, s.countChange(ctx, tx, user)
	})
	if err != nil && (uniqueViolation(err) || feed.CodeOf(err) == feed.CodeConflict) {
		return nil, feed.HandleTaken(*c.Handle).At("handle")
	}
	return changed, err
}

// changeOf returns the assignments that change a profile, and the arguments of a statement
// whose $1 is the user. The text does not depend on what is changed, so it stays prepared.
func changeOf(user feed.UserID, c *feed.ProfileChange) (set string, args []any) {
	var sets []string
	args = []any{user}
	for _, f := range changedUserColumns {
		if f.change != nil {
			args = append(args, f.change(c))
			sets = append(sets, fmt.Sprintf("%[1]s = COALESCE($%[2]d, %[1]s)", f.name, len(args)))
		}
	}
	return strings.Join(sets, ", "), args
}

// DeleteAccount implements [feed.Profiles].
func (s *Store) DeleteAccount(ctx context.Context, user feed.UserID, at int64) error {
	defer s.leases.forget(user)
	return s.inTx(ctx, func(tx *sql.Tx) error { return s.deleteAccount(ctx, tx, user, at) })
}

// deleteAccount has the user's row to itself, while whatever a user does, or has done
// to him, holds it. So a deletion comes after all of that, and the purge finds it, or
// before, and it is refused.
func (s *Store) deleteAccount(ctx context.Context, tx *sql.Tx, user feed.UserID, at int64) error {
	deletedAt, err := one[int64](tx.QueryRowContext(ctx, `SELECT deleted_at FROM users WHERE id = $1`+s.d.forDeletion, user))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return errNoUser()
	case err != nil || deletedAt != 0:
		return err
	}
	emptied := profileColumns.cleared(func(f field[feed.UserRecord]) bool { return f.text })
	return inOrder(
		func() error {
			return exec(ctx, tx, `
UPDATE users SET deleted_at = $2, handle_fold = $3, last_seen_at = 0, active_until = 0, mark = 0, `+emptied+`
WHERE id = $1`, user, at, foldOfDeleted(user))
		},
		func() error {
			return exec(ctx, tx, `INSERT INTO purges (user_id, deleted_at) VALUES ($1, $2)`, user, at)
		},
		func() error { return s.revoke(ctx, tx, feed.Revocation{User: user}, feed.RevocationKeptFor) },
		func() error { return s.freeHandle(ctx, tx, user) },
		func() error { return dropWords(ctx, tx, user) },
	)
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
