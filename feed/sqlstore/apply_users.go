package sqlstore

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/records/apply"
	"github.com/tideline-feeds/tideline/feed/texts"
)

// userChanges returns the users that are stored already and those that are not.
func (w *writer) userChanges() (stored, added []apply.UserChange) {
	for _, c := range w.changes.Users {
		switch {
		case c.Before == nil:
			added = append(added, c)
		case !c.Deleted():
			stored = append(stored, c)
		}
	}
	return stored, added
}

// foldOfChange returns the unique form of a user's handle.
func foldOfChange(c apply.UserChange) string {
	switch {
	case c.After.DeletedAt != 0:
		return foldOfDeleted(c.After.ID)
	case c.Handle == "":
		return foldOfNone(c.After.ID)
	}
	return c.Handle
}

// foldOfNone returns the unique form for a user without a handle of their own. The slash makes it
// no valid handle.
func foldOfNone(user feed.UserID) string { return "none/" + user.String() }

func recordsOf(list []apply.UserChange) []*feed.UserRecord {
	return mapped(list, func(c apply.UserChange) *feed.UserRecord { return c.After })
}

func profilesOf(list []apply.UserChange) []*feed.User {
	return mapped(list, func(c apply.UserChange) *feed.User { return &c.After.User })
}

// freeUsers deletes accounts and frees the handles that users give up or lose. This comes before
// storing new handles, because the unique index checks row by row.
func (w *writer) freeUsers(ctx context.Context) error {
	var moving []feed.UserID
	for _, c := range w.changes.Users {
		switch {
		case c.Before != nil && c.Deleted():
			if err := w.s.deleteAccount(ctx, w.tx, c.After.ID, c.After.DeletedAt); err != nil {
				return err
			}
		case c.Renamed():
			moving = append(moving, c.After.ID)
		}
	}
	if len(moving) == 0 {
		return nil
	}
	return exec(ctx, w.tx, `UPDATE users SET handle_fold = 'none/' || id WHERE deleted_at = 0 AND `+w.s.d.in("id", 1), ids(w.s.d, moving))
}

func (w *writer) addUsers(ctx context.Context, list []apply.UserChange) error {
	records, users := recordsOf(list), profilesOf(list)
	columns := append(profileColumns.and(markColumn, lastSeenColumn, deletedAtColumn).take(records),
		textColumn("handle_fold", list, foldOfChange),
		intColumn("active_until", records, func(u *feed.UserRecord) int64 { return w.lease(u.LastSeenAt) }),
		intColumn("absent", records, func(u *feed.UserRecord) int { return flag(u.Absent) }),
		intColumn("awaited_at", records, func(u *feed.UserRecord) int64 { return u.AwaitedAt }))
	return inOrder(
		func() error { return w.insert(ctx, "users", columns) },
		func() error { return w.s.shareHandles(ctx, w.tx, users) },
		func() error { return w.s.writeWords(ctx, w.tx, users) },
	)
}

// changeUsers replaces stored users. Their rows are locked since load, so no other
// transaction changes their handles. A suspension since load must not be lost.
func (w *writer) changeUsers(ctx context.Context, list []apply.UserChange) error {
	columns := append(profileColumns.take(recordsOf(list)), textColumn("handle_fold", list, foldOfChange),
		intColumn("absent", list, func(c apply.UserChange) int { return flag(c.After.Absent) }),
		intColumn("awaited_at", list, func(c apply.UserChange) int64 { return c.After.AwaitedAt }))
	was := intColumn("was_suspended", list, func(c apply.UserChange) feed.HiddenFor { return c.Before.Suspended })
	was.fixed = true
	err := w.updateAll(ctx, "users", "users.id = r.id AND users.deleted_at = 0 AND users.suspended = r.was_suspended", append(columns, was))
	if uniqueViolation(err) {
		return errOvertaken
	}
	if err != nil {
		return err
	}
	if err := w.changeSkeletons(ctx, list); err != nil {
		return err
	}
	return w.s.rewriteWords(ctx, w.tx, profilesOf(list)...)
}

// changeSkeletons stores the skeletons of new handles, which may be similar to others like all imported
// handles, and frees those of old ones.
func (w *writer) changeSkeletons(ctx context.Context, list []apply.UserChange) error {
	release := w.s.freeSkeletons
	if w.changes.OwnsUsers {
		release = w.s.dropSkeletons
	}
	var claimed []userText
	for _, c := range list {
		if !c.Renamed() {
			continue
		}
		had, has := skeletonsOf(c.Before), skeletonsOf(c.After)
		if err := release(ctx, w.tx, c.After.ID, without(had, has)); err != nil {
			return err
		}
		claimed = append(claimed, textsOf(c.After.ID, has)...)
	}
	return w.s.storeSkeletons(ctx, w.tx, "(skeleton, user_id) DO UPDATE SET freed_at = 0", 0, claimed)
}

func skeletonsOf(u *feed.UserRecord) []string {
	if u.Handle == "" {
		return nil
	}
	return texts.Skeletons(u.Handle)
}

// flipped returns the stored users who become absent or present.
func (w *writer) flipped() []feed.UserID {
	var users []feed.UserID
	for _, c := range w.changes.Users {
		if c.Flips() {
			users = append(users, c.After.ID)
		}
	}
	return users
}

// flip does what becomes due when users go or return, or are suspended or not any more.
func (w *writer) flip(ctx context.Context) error {
	if users := w.flipped(); len(users) > 0 {
		if err := w.s.afterFlips(ctx, w.tx, users); err != nil {
			return err
		}
	}
	var sanctioned []feed.UserID
	for _, c := range w.changes.Users {
		if c.Sanctioned() {
			sanctioned = append(sanctioned, c.After.ID)
		}
	}
	return w.s.afterHides(ctx, w.tx, sanctioned)
}
