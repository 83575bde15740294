package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/records/apply"
)

var _ feed.Presence = (*Store)(nil)

// userFlag is a column of users that is set for few of them. Those have an index.
type userFlag struct {
	// set is the condition of the index, on a user flagged.
	set string
	// by makes a FROM item of users use the index, where the database would prefer the table.
	by string
}

// The conditions of the indexes.
const (
	isAbsent    = "flagged.absent > 0"
	isPrivate   = "flagged.private = 1"
	isSuspended = "flagged.suspended > 0"
)

// any is the condition that the flag is set for some user. It is evaluated once per statement, and saves the
// look-ups if there is none. An EXISTS might scan the table of users.
func (f userFlag) any() string {
	return "(SELECT MIN(flagged.id) FROM users AS flagged" + f.by + " WHERE " + f.set + ") IS NOT NULL"
}

// lacks is the condition that the flag is not set for a user, where it may be for some. Like lacksRelation it
// compares a scalar subquery, which looks up one user in the index. PostgreSQL might hash all of them for NOT
// EXISTS, and SQLite prefers the table of users to the index. PostgreSQL expects IS DISTINCT FROM to be true
// nearly always, and IS NULL nearly never.
func (f userFlag) lacks(user string) string {
	return "(SELECT 1 FROM users AS flagged" + f.by + " WHERE flagged.id = " + user + " AND " + f.set + ") IS DISTINCT FROM 1"
}

// without is the condition that the flag is not set for a user.
func (f userFlag) without(user string) string {
	return "(NOT " + f.any() + " OR " + f.lacks(user) + ")"
}

// arrived is the condition that a user is not absent.
func (d dialect) arrived(user string) string { return d.absent.without(user) }

// present is the condition that a user is not absent and their account is not deleted.
func (d dialect) present(user string) string {
	return user + " NOT IN " + leavers + " AND " + d.arrived(user)
}

// shown is the condition that a user is not suspended, or is the viewer.
func (d dialect) shown(user, viewer string) string {
	return "(" + user + " = " + viewer + " OR " + d.suspended.without(user) + ")"
}

// SetAbsent implements [feed.Presence].
func (s *Store) SetAbsent(ctx context.Context, users []feed.UserID, absent bool) error {
	if len(users) == 0 {
		return nil
	}
	users = slices.Compact(slices.Sorted(slices.Values(users)))
	return s.inTx(ctx, func(tx *sql.Tx) error { return s.setAbsent(ctx, tx, users, absent) })
}

// setAbsent locks rows in the order of all changes: users, posts and what refers to them, counters.
func (s *Store) setAbsent(ctx context.Context, tx *sql.Tx, users []feed.UserID, absent bool) error {
	value := 0
	if absent {
		value = 1
		now, err := s.readClock(ctx, tx)
		if err != nil {
			return err
		}
		placeholders := mapped(users, func(id feed.UserID) *feed.UserRecord { return &feed.UserRecord{User: feed.User{ID: id}} })
		if err := s.insertPlaceholders(ctx, tx, placeholders, now); err != nil {
			return err
		}
	}
	changed, err := collect(ctx, tx, fmt.Sprintf(`
WITH touched AS (SELECT id AS user_id FROM users WHERE %s AND deleted_at = 0 AND absent <> $2 ORDER BY id%s)
UPDATE users SET absent = $2, awaited_at = 0 FROM touched WHERE users.id = touched.user_id RETURNING id`, s.d.in("id", 1), s.d.forUpdate),
		[]any{ids(s.d, users), value}, one[feed.UserID])
	if err != nil || len(changed) == 0 {
		return err
	}
	t := newTally()
	for _, id := range changed {
		t.user(id).changes++
		t.log(feed.AbsenceChange(id, absent))
	}
	return inOrder(
		func() error { return s.afterFlips(ctx, tx, changed) },
		func() error { return t.store(ctx, s, tx) },
	)
}

// afterFlips does what becomes due when users become absent or present, besides the change of their
// rows.
func (s *Store) afterFlips(ctx context.Context, tx *sql.Tx, users []feed.UserID) error {
	if err := s.afterHides(ctx, tx, users); err != nil {
		return err
	}
	return s.rememberAudiences(ctx, tx, users, feed.ChangeDeleted)
}

// afterHides is afterFlips for users whose posts and live sessions are hidden or shown again: live feeds notice
// if one of them has live sessions or followers, and reposts of their posts are logged. A cached live feed has
// no hidden followees among its sources, so it would miss the sessions of one who has returned.
func (s *Store) afterHides(ctx context.Context, tx *sql.Tx, users []feed.UserID) error {
	if len(users) == 0 {
		return nil
	}
	err := exec(ctx, tx, "UPDATE live_clock SET absences = absences + 1 WHERE id = 1 AND (EXISTS (SELECT 1 FROM live_hosts WHERE "+
		s.d.in("host_id", 1)+") OR EXISTS (SELECT 1 FROM follows WHERE "+s.d.in("followee_id", 1)+" AND active = 1))", ids(s.d, users))
	if err != nil {
		return err
	}
	return s.rememberAll(ctx, tx, users)
}

// placeholders returns how users without a record are shown: the mode, and whether they are private. Both
// stay until the transaction ends.
func (s *Store) placeholders(ctx context.Context, tx *sql.Tx) (mode feed.UserMode, private bool, err error) {
	err = tx.QueryRowContext(ctx, "SELECT u.users, u.private_placeholders = 1 FROM feed_state AS u WHERE u.id = 1"+s.d.holding).Scan(&mode, &private)
	return mode, private, err
}

// UseUsers implements [feed.Presence]. With a standby, a change fails.
func (s *Store) UseUsers(ctx context.Context, c feed.UserModeChange) (mode feed.UserMode, changed bool, err error) {
	if mode, err = rowOf[feed.UserMode](ctx, s, "SELECT users FROM feed_state WHERE id = 1"); err != nil {
		return "", false, err
	}
	if changed, err = c.Applies(mode); err != nil || !changed {
		return mode, false, err
	}
	err = s.inTx(ctx, func(tx *sql.Tx) error {
		mode, changed, err = s.useUsers(ctx, tx, c)
		return err
	})
	return mode, changed && err == nil, err
}

// useUsers changes the mode. Its lock waits for transactions that add placeholders by the stored mode
// (placeholders), and makes later ones wait.
func (s *Store) useUsers(ctx context.Context, tx *sql.Tx, c feed.UserModeChange) (feed.UserMode, bool, error) {
	if err := s.importing(ctx, tx); err != nil {
		return "", false, err
	}
	stored, err := one[feed.UserMode](tx.QueryRowContext(ctx, "SELECT users FROM feed_state WHERE id = 1"+s.d.forDeletion))
	if err != nil {
		return "", false, err
	}
	if applies, err := c.Applies(stored); err != nil || !applies {
		return stored, false, err
	}
	return c.Want, true, inOrder(
		func() error { return exec(ctx, tx, "UPDATE feed_state SET users = $1 WHERE id = 1", c.Want) },
		func() error {
			return exec(ctx, tx, "UPDATE users SET absent = $1 WHERE awaited_at > 0 AND deleted_at = 0", flag(c.Want != feed.UsersImplicit))
		},
		func() error { return exec(ctx, tx, "UPDATE live_clock SET absences = absences + 1 WHERE id = 1") },
		func() error { return s.raiseGeneration(ctx, tx) },
	)
}

// insertPlaceholders stores placeholders for users who are not stored yet. now is when they began to
// be awaited.
func (s *Store) insertPlaceholders(ctx context.Context, tx *sql.Tx, users []*feed.UserRecord, now int64) error {
	mode, private, err := s.placeholders(ctx, tx)
	if err != nil {
		return err
	}
	for _, u := range users {
		u.Private = private
	}
	columns := append(profileColumns.take(users),
		textColumn("handle_fold", users, func(u *feed.UserRecord) string { return foldOfNone(u.ID) }),
		intColumn("absent", users, func(*feed.UserRecord) int { return flag(mode != feed.UsersImplicit) }),
		intColumn("awaited_at", users, func(*feed.UserRecord) int64 { return now }))
	_, err = s.d.insertRows(ctx, tx, "users", "(id) DO NOTHING", columns...)
	return err
}

// hidePlaceholders makes the users without a record private, as soon as a record has said that some user is:
// from then on the source knows private accounts, and the next record of a placeholder may be of one. Until
// then a source has none. Later placeholders are private from the beginning.
func (w *writer) hidePlaceholders(ctx context.Context) error {
	says := func(c apply.UserChange) bool { return c.After.Private && !c.After.Awaited() }
	if !w.changes.OwnsUsers || !slices.ContainsFunc(w.changes.Users, says) {
		return nil
	}
	// Nearly always a read says enough. The lock waits for transactions that add placeholders.
	for _, lock := range []string{"", w.s.d.forDeletion} {
		private, err := one[bool](w.tx.QueryRowContext(ctx, "SELECT private_placeholders = 1 FROM feed_state WHERE id = 1"+lock))
		if err != nil || private {
			return err
		}
	}
	if err := exec(ctx, w.tx, "UPDATE feed_state SET private_placeholders = 1 WHERE id = 1"); err != nil {
		return err
	}
	hidden, err := execRows(ctx, w.tx, "UPDATE users SET private = 1 WHERE awaited_at > 0 AND deleted_at = 0")
	if err != nil || hidden == 0 {
		return err
	}
	return w.s.log(ctx, w.tx, feed.Change{Kind: feed.ChangeReset})
}
