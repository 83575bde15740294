package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/texts"
	"github.com/tideline-feeds/tideline/internal/kit/batch"
)

func scanUsers() func(scanner) (*feed.User, error) {
	return scanAs(userColumns, func(u feed.UserRecord) *feed.User { return &u.User })
}

// Users implements [feed.Users].
func (s *Store) Users(ctx context.Context, list []feed.UserID) ([]*feed.User, error) {
	return s.lookups.users.All(ctx, list)
}

func (s *Store) askUsers(list batch.Keys[feed.UserID]) reading[*feed.User] {
	text := selectUsers + "WHERE deleted_at = 0 AND absent = 0 AND " + s.d.in("id", 1)
	return eachFound(s.d, list, text, scanUsers(), func(u *feed.User) feed.UserID { return u.ID })
}

// UserByHandle implements [feed.Users]. Handles that are the same have the first of their skeletons in
// common.
func (s *Store) UserByHandle(ctx context.Context, handle string) (*feed.User, error) {
	// PostgreSQL refuses such text in a condition, and cannot have stored it.
	if strings.ContainsRune(handle, 0) || !utf8.ValidString(handle) || handle == "" || len(handle) > texts.HandleBytes {
		return nil, nil
	}
	alike, err := query(ctx, s, selectUsers+`WHERE deleted_at = 0 AND absent = 0
AND id IN (SELECT user_id FROM handle_skeletons WHERE skeleton = $1 AND freed_at = 0)`, []any{texts.Skeletons(handle)[0]}, scanUsers())
	return feed.FirstWithHandle(slices.Values(alike), handle), err
}

// oneUser returns the user of a unique condition, or nil.
func (s *Store) oneUser(ctx context.Context, condition string, arg any) (*feed.User, error) {
	found, err := query(ctx, s, selectUsers+"WHERE deleted_at = 0 AND "+condition, []any{arg}, scanUsers())
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return found[0], nil
}

// EnsureUser implements [feed.Users].
func (s *Store) EnsureUser(ctx context.Context, u *feed.User) (*feed.User, error) {
	const byID = "id = $1"
	stored, err := s.oneUser(ctx, byID, u.ID)
	switch {
	case err != nil:
		return nil, err
	case stored != nil && (stored.HasProfile() || !u.HasProfile()):
		return stored, nil
	}
	insertErr := s.inTx(ctx, func(tx *sql.Tx) error {
		switch {
		case !u.HasProfile():
			return s.insertPlaceholder(ctx, tx, u)
		case stored != nil:
			return s.arrive(ctx, tx, u)
		}
		return s.insertUser(ctx, tx, u)
	})
	if insertErr != nil && !uniqueViolation(insertErr) {
		return nil, insertErr
	}
	isNew := stored == nil
	// Of two concurrent inserts one fails because the id exists, which is a success here. If the id
	// is still free, the handle was taken.
	stored, err = s.oneUser(ctx, byID, u.ID)
	switch {
	case err != nil:
		return nil, err
	case isNew && stored != nil && !stored.HasProfile() && u.HasProfile():
		return s.EnsureUser(ctx, u) // a record has stored a placeholder meanwhile
	case stored == nil, insertErr != nil && !stored.HasProfile():
		return nil, s.whyNoUser(ctx, u)
	}
	return stored, nil
}

func (s *Store) insertPlaceholder(ctx context.Context, tx *sql.Tx, u *feed.User) error {
	now, err := s.readClock(ctx, tx)
	if err != nil {
		return err
	}
	return s.insertPlaceholders(ctx, tx, []*feed.UserRecord{{User: *u}}, now)
}

// arrive makes a placeholder a present user. It changes nothing if another transaction did so.
func (s *Store) arrive(ctx context.Context, tx *sql.Tx, u *feed.User) error {
	wasShown, err := one[bool](tx.QueryRowContext(ctx, `SELECT absent = 0 FROM users WHERE id = $1`+s.d.forUpdate, u.ID))
	if err != nil {
		return err
	}
	set, args := changeOf(u.ID, &feed.ProfileChange{Handle: &u.Handle, Name: &u.Name, AvatarURL: &u.AvatarURL})
	arrived, err := execRows(ctx, tx, fmt.Sprintf(`
UPDATE users SET %s, created_at = $%d, external_id = COALESCE(NULLIF($%d, ''), external_id), absent = 1, awaited_at = 0
WHERE id = $1 AND deleted_at = 0 AND awaited_at > 0`,
		set, len(args)+1, len(args)+2), append(args, u.CreatedAt, string(u.External))...)
	if err != nil || arrived == 0 {
		return err
	}
	// A placeholder that was shown counts as absent here, so that all caches notice the profile.
	return inOrder(
		func() error {
			if !wasShown {
				return nil
			}
			return s.log(ctx, tx, feed.AbsenceChange(u.ID, true))
		},
		func() error {
			return exec(ctx, tx, `INSERT INTO user_counters (user_id) VALUES ($1) ON CONFLICT DO NOTHING`, u.ID)
		},
		func() error { return s.claimHandle(ctx, tx, u.ID, u.Handle) },
		func() error { return s.rewriteWords(ctx, tx, u) },
		func() error { return s.setAbsent(ctx, tx, []feed.UserID{u.ID}, false) },
	)
}

// whyNoUser returns why a user could not be stored.
func (s *Store) whyNoUser(ctx context.Context, u *feed.User) error {
	gone, err := rowOf[bool](ctx, s, `SELECT EXISTS (SELECT 1 FROM users WHERE id = $1 AND deleted_at > 0)`, u.ID)
	switch {
	case err != nil:
		return err
	case gone:
		return feed.ErrAccountDeleted
	}
	return feed.HandleTaken(u.Handle)
}

// insertUser stores a new user with counters, words and skeletons.
func (s *Store) insertUser(ctx context.Context, tx *sql.Tx, u *feed.User) error {
	stmt := fmt.Sprintf("INSERT INTO users (%s) VALUES (%s)", newUserColumns.names(""), strings.Join(parameters(1, len(newUserColumns)), ", "))
	return inOrder(
		func() error { return exec(ctx, tx, stmt, newUserColumns.args(&feed.UserRecord{User: *u})...) },
		func() error { return exec(ctx, tx, `INSERT INTO user_counters (user_id) VALUES ($1)`, u.ID) },
		func() error { return s.claimHandle(ctx, tx, u.ID, u.Handle) },
		func() error { return s.writeWords(ctx, tx, []*feed.User{u}) },
	)
}
