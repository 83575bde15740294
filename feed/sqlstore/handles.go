package sqlstore

import (
	"context"
	"database/sql"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/texts"
)

// claimHandle stores the skeletons of a user's new handle and frees those of the old one. It fails
// with [feed.HandleTaken] if another user has, or recently gave up, a skeleton that this user does
// not have yet. The caller has locked the user's row.
func (s *Store) claimHandle(ctx context.Context, tx *sql.Tx, user feed.UserID, handle string) error {
	skeletons := texts.Skeletons(handle)
	// Sorted, so that concurrent claims do not deadlock.
	slices.Sort(skeletons)
	had, err := collect(ctx, tx, `SELECT skeleton FROM handle_skeletons WHERE user_id = $1 AND freed_at = 0`, []any{user}, one[string])
	if err != nil {
		return err
	}
	if err := s.freeSkeletons(ctx, tx, user, without(had, skeletons)); err != nil {
		return err
	}
	wanted := without(skeletons, had)
	if len(wanted) == 0 {
		return nil
	}
	taken, err := one[bool](tx.QueryRowContext(ctx, `
SELECT EXISTS (SELECT 1 FROM handle_skeletons WHERE user_id <> $1 AND skeleton IN (SELECT w.text FROM `+s.d.texts(2, "w")+`))`,
		user, textList(s.d, wanted)))
	switch {
	case err != nil:
		return err
	case taken:
		return feed.HandleTaken(handle)
	}
	return s.storeSkeletons(ctx, tx, `(skeleton, user_id) DO UPDATE SET exclusive = 1, freed_at = 0`, 1, textsOf(user, wanted))
}

func without(list, others []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(text string) bool { return slices.Contains(others, text) })
}

// freeSkeletons frees skeletons of the user, which stay reserved for a while.
func (s *Store) freeSkeletons(ctx context.Context, tx *sql.Tx, user feed.UserID, skeletons []string) error {
	if len(skeletons) == 0 {
		return nil
	}
	now, args := s.now(user, textList(s.d, skeletons))
	return exec(ctx, tx, `
UPDATE handle_skeletons SET freed_at = `+now+`
WHERE user_id = $1 AND skeleton IN (SELECT f.text FROM `+s.d.texts(2, "f")+`)`, args...)
}

// dropSkeletons removes skeletons of the user, so that they are not reserved.
func (s *Store) dropSkeletons(ctx context.Context, tx *sql.Tx, user feed.UserID, skeletons []string) error {
	if len(skeletons) == 0 {
		return nil
	}
	return exec(ctx, tx, `DELETE FROM handle_skeletons WHERE user_id = $1 AND skeleton IN (SELECT f.text FROM `+s.d.texts(2, "f")+`)`,
		user, textList(s.d, skeletons))
}

// freeHandle frees all skeletons of a user whose account is being deleted.
func (s *Store) freeHandle(ctx context.Context, tx *sql.Tx, user feed.UserID) error {
	now, args := s.now(user)
	return exec(ctx, tx, `UPDATE handle_skeletons SET freed_at = `+now+` WHERE user_id = $1 AND freed_at = 0`, args...)
}

// storeSkeletons stores skeletons of handles in use. onConflict is the clause for those that the
// user has already, and exclusive, 0 or 1, says whether other users may not have the same.
func (s *Store) storeSkeletons(ctx context.Context, tx *sql.Tx, onConflict string, exclusive int, list []userText) error {
	_, err := s.d.insertRows(ctx, tx, "handle_skeletons", onConflict,
		textColumn("skeleton", list, func(o userText) string { return o.text }),
		intColumn("user_id", list, func(o userText) feed.UserID { return o.user }),
		intColumn("exclusive", list, func(userText) int { return exclusive }))
	return err
}

// shareHandles stores skeletons that several users may have.
func (s *Store) shareHandles(ctx context.Context, tx *sql.Tx, users []*feed.User) error {
	var list []userText
	for _, u := range users {
		if u.Handle != "" {
			list = append(list, textsOf(u.ID, texts.Skeletons(u.Handle))...)
		}
	}
	return s.storeSkeletons(ctx, tx, "DO NOTHING", 0, list)
}

// DropFreedHandles implements [feed.Cleaner].
func (s *Store) DropFreedHandles(ctx context.Context, before int64, limit int) (more bool, err error) {
	dropped, err := s.change(ctx, s.dropFreedQuery(), before, limit)
	return dropped == int64(limit), err
}

// dropFreedQuery selects the rows in a WITH for the reason at dropKeysQuery.
func (s *Store) dropFreedQuery() string {
	return `
WITH old AS (
  SELECT skeleton, user_id FROM handle_skeletons WHERE freed_at > 0 AND freed_at < $1
  ORDER BY freed_at LIMIT $2` + s.d.skipLocked + `
)
DELETE FROM handle_skeletons WHERE (skeleton, user_id) IN (SELECT skeleton, user_id FROM old)`
}

// HandleOwner is a user with their handle.
type HandleOwner struct {
	User   feed.UserID
	Handle string
}

// Lookalikes returns groups of users whose handles have a skeleton in common, each group once, by
// id, in the order of the skeletons. It returns the groups of at most limit skeletons; more says
// whether there are others. It scans the skeletons of all users, about a second for a few million.
func (s *Store) Lookalikes(ctx context.Context, limit int) (groups [][]HandleOwner, more bool, err error) {
	type row struct {
		skeleton string
		HandleOwner
	}
	rows, err := query(ctx, s, `
SELECT h.skeleton, u.id, u.handle FROM handle_skeletons AS h JOIN users AS u ON u.id = h.user_id
WHERE h.freed_at = 0 AND h.skeleton IN (
  SELECT skeleton FROM handle_skeletons WHERE freed_at = 0
  GROUP BY skeleton HAVING COUNT(*) > 1 ORDER BY skeleton LIMIT $1)
ORDER BY h.skeleton, u.id`, []any{limit + 1}, into(func(r *row) []any { return []any{&r.skeleton, &r.User, &r.Handle} }))
	if err != nil {
		return nil, false, err
	}
	for i, r := range rows {
		if i == 0 || r.skeleton != rows[i-1].skeleton {
			groups = append(groups, nil)
		}
		last := len(groups) - 1
		groups[last] = append(groups[last], r.HandleOwner)
	}
	return distinct(groups[:min(len(groups), limit)]), len(groups) > limit, nil
}

// distinct removes duplicate groups: two handles may have two skeletons in common.
func distinct(groups [][]HandleOwner) [][]HandleOwner {
	var once [][]HandleOwner
	for _, g := range groups {
		if !slices.ContainsFunc(once, func(o []HandleOwner) bool { return slices.Equal(o, g) }) {
			once = append(once, g)
		}
	}
	return once
}
