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
	return inTxOf(ctx, s, func(tx *sql.Tx) (*feed.User, error) {
		narrowed, err := s.changePrivacy(ctx, tx, user, c.Private)
		if err != nil {
			return nil, err
		}
		u, err := s.changeProfile(ctx, tx, user, c)
		if err != nil && (uniqueViolation(err) || feed.CodeOf(err) == feed.CodeConflict) {
			return nil, feed.HandleTaken(*c.Handle).At("handle")
		}
		if err != nil {
			return nil, err
		}
		if err := s.rewriteWords(ctx, tx, u); err != nil {
			return nil, err
		}
		return u, s.countChange(ctx, tx, feed.Change{Kind: feed.ChangeProfile, User: user, Other: narrowed})
	})
}

// changeProfile changes the texts of a profile. The row stays locked, so that concurrent changes do not
// mix their words.
func (s *Store) changeProfile(ctx context.Context, tx *sql.Tx, user feed.UserID, c feed.ProfileChange) (*feed.User, error) {
	set, args := changeOf(user, &c)
	u, err := scanUsers()(tx.QueryRowContext(ctx, "UPDATE users SET "+set+
		" WHERE id = $1 AND deleted_at = 0 AND absent = 0 RETURNING "+userColumns.names(""), args...))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, errNoUser()
	}
	if err == nil && c.Handle != nil {
		err = s.claimHandle(ctx, tx, user, *c.Handle)
	}
	return u, err
}

// changePrivacy makes an account private or public, at most twice within [feed.PrivacyChangesIn], and
// returns the result of [feed.NarrowedFor]. It takes the strongest lock on the user's row, so that a
// transaction that holds the row sees one state.
func (s *Store) changePrivacy(ctx context.Context, tx *sql.Tx, user feed.UserID, private *bool) (narrowed feed.UserID, err error) {
	if private == nil {
		return 0, nil
	}
	now, err := s.readClock(ctx, tx)
	if err != nil {
		return 0, err
	}
	var was bool
	var before int64
	err = tx.QueryRowContext(ctx, `
SELECT private > 0, privacy_changed_before FROM users WHERE id = $1 AND deleted_at = 0 AND absent = 0`+s.d.forDeletion, user).Scan(&was, &before)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return 0, errNoUser()
	case err != nil || was == *private:
		return 0, err
	case before > now-feed.PrivacyChangesIn.Milliseconds():
		return 0, feed.Errorf(feed.CodeConflict, "an account may become private or public twice a day").At("isPrivate")
	}
	err = exec(ctx, tx, `
UPDATE users SET private = $2, privacy_changed_at = $3, privacy_changed_before = privacy_changed_at WHERE id = $1`, user, flag(*private), now)
	if err != nil {
		return 0, err
	}
	changed := newAudienceChanges()
	changed.account(user, was, *private)
	return feed.NarrowedFor(user, *private, !*private), changed.store(ctx, s, tx)
}

// changeOf returns the assignments of a profile change, and the arguments, of which $1 is the user.
// The text is the same for all changes, so the statement stays prepared.
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
	defer s.leases.drop(user)
	return s.inTx(ctx, func(tx *sql.Tx) error { return s.deleteAccount(ctx, tx, user, at) })
}

// deleteAccount locks the user's row, which every change by or about a user also locks. So such a
// change either commits before the deletion, and the purge finds its rows, or it is refused.
func (s *Store) deleteAccount(ctx context.Context, tx *sql.Tx, user feed.UserID, at int64) error {
	var deletedAt int64
	var absent bool
	err := tx.QueryRowContext(ctx, `SELECT deleted_at, absent > 0 FROM users WHERE id = $1`+s.d.forDeletion, user).Scan(&deletedAt, &absent)
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
UPDATE users SET deleted_at = $2, handle_fold = $3, last_seen_at = 0, active_until = 0, mark = 0, awaited_at = 0, `+emptied+`
WHERE id = $1`, user, at, foldOfDeleted(user))
		},
		func() error { return s.rememberAudiences(ctx, tx, []feed.UserID{user}, feed.ChangeDeleted) },
		func() error {
			gone := feed.DeletionChange(user, at, absent)
			return s.execLogging(ctx, tx, []feed.Change{gone}, `INSERT INTO purges (user_id, deleted_at) VALUES ($1, $2)`, user, at)
		},
		func() error {
			_, err := s.revoke(ctx, tx, feed.Revocation{User: user}, feed.RevocationKeptFor)
			return err
		},
		func() error { return s.freeHandle(ctx, tx, user) },
		func() error { return dropWords(ctx, tx, user) },
	)
}

// foldOf returns the unique form of an imported user's handle.
func foldOf(u *feed.UserRecord) string {
	if u.DeletedAt != 0 {
		return foldOfDeleted(u.ID)
	}
	return feed.FoldHandle(u.Handle)
}

// foldOfDeleted returns the unique form for a deleted account. It cannot be a handle, because it
// contains a slash.
func foldOfDeleted(user feed.UserID) string { return "deleted/" + user.String() }
