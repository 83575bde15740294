package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/tideline-feeds/tideline/feed"
)

// leavers are the deleted accounts that are not purged yet. Reads exclude what they have left, at
// the cost of a lookup in a table that is nearly always empty.
const leavers = "(SELECT user_id FROM purges)"

// leaver is one of them.
type leaver struct {
	user      feed.UserID
	deletedAt int64
}

// PurgeDeleted implements [feed.Profiles]. It begins with the account that was deleted first. Each
// of several concurrent calls takes another account.
func (s *Store) PurgeDeleted(ctx context.Context, limit int) (more bool, err error) {
	// Nearly always there is none, and a transaction takes three statements.
	if any, err := rowOf[bool](ctx, s, `SELECT EXISTS (SELECT 1 FROM purges)`); !any || err != nil {
		return false, err
	}
	return inTxOf(ctx, s, func(tx *sql.Tx) (bool, error) {
		var gone leaver
		err := tx.QueryRowContext(ctx, `
SELECT user_id, deleted_at FROM purges ORDER BY deleted_at, user_id LIMIT 1`+s.d.skipLocked).Scan(&gone.user, &gone.deletedAt)
		if errors.Is(err, sql.ErrNoRows) {
			return false, nil
		} else if err != nil {
			return false, err
		}
		return true, s.purgeSlice(ctx, tx, gone, limit)
	})
}

// purgeSlice removes up to limit rows, and the account's own row after the last. No transaction
// adds rows of a deleted account, so fewer rows than limit are all. It locks rows in the order of
// all changes: users, posts and what refers to them, counters.
func (s *Store) purgeSlice(ctx context.Context, tx *sql.Tx, gone leaver, limit int) error {
	t := newTally()
	for _, purge := range []func(context.Context, *sql.Tx, leaver, int, tally) (int, error){
		s.purgeFollowers, s.purgeFollowees, purgeRows("follow_requests", "follower_id, followee_id", "follower_id = $1 OR followee_id = $1"),
		s.purgeListed, s.purgeLists, s.purgePosts, s.purgeReactions, s.purgeRelations, s.purgeAbsent, purgeRows("idempotency_keys", "author_id, key", "author_id = $1"),
		purgeRows("read_positions", "user_id, device", "user_id = $1"), s.purgeTransitions, s.purgeSessions, s.purgeCounters,
	} {
		found, err := purge(ctx, tx, gone, limit, t)
		if err != nil {
			return err
		}
		if limit -= found; limit == 0 {
			return t.store(ctx, s, tx)
		}
	}
	if err := t.store(ctx, s, tx); err != nil {
		return err
	}
	return exec(ctx, tx, `DELETE FROM purges WHERE user_id = $1`, gone.user)
}

// purgeFollowers ends the follows of the account, as the followers themselves would.
func (s *Store) purgeFollowers(ctx context.Context, tx *sql.Tx, gone leaver, limit int, t tally) (int, error) {
	followers, err := collect(ctx, tx, `
SELECT follower_id FROM follows WHERE followee_id = $1 AND active = 1 ORDER BY follower_id LIMIT $2`,
		[]any{gone.user, limit}, one[feed.UserID])
	if err != nil || len(followers) == 0 {
		return 0, err
	}
	versions, err := s.raise(ctx, tx, followers, followChanges(followers, gone.user, true)...)
	if err != nil {
		return 0, err
	}
	// A concurrent unfollow has counted itself.
	ended, err := s.endFollows(ctx, tx, followers, gone.user, func(id feed.UserID) int64 { return versions[id] })
	for _, follower := range ended {
		t.follow(follower, gone.user, -1)
	}
	return len(followers), err
}

// purgeFollowees removes the follows by the account, including undone ones, because its feed is
// never reconciled again.
func (s *Store) purgeFollowees(ctx context.Context, tx *sql.Tx, gone leaver, limit int, t tally) (int, error) {
	removed, err := collect(ctx, tx, `
DELETE FROM follows WHERE (follower_id, followee_id) IN (SELECT follower_id, followee_id FROM follows WHERE follower_id = $1 LIMIT $2)
RETURNING followee_id, active`, []any{gone.user, limit}, func(rows scanner) (followee feed.UserID, err error) {
		var active int64
		err = rows.Scan(&followee, &active)
		t.follow(gone.user, followee, -active)
		return followee, err
	})
	return len(removed), err
}

func (s *Store) purgePosts(ctx context.Context, tx *sql.Tx, gone leaver, limit int, t tally) (int, error) {
	list, err := collect(ctx, tx, `
SELECT id FROM contents WHERE author_id = $1 AND deleted_at = 0 ORDER BY published_at, id LIMIT $2`,
		[]any{gone.user, limit}, one[feed.PostID])
	if err != nil || len(list) == 0 {
		return 0, err
	}
	if err := s.remember(ctx, tx, list, feed.Change{Kind: feed.ChangeDeleted}); err != nil {
		return 0, err
	}
	_, err = collect(ctx, tx, `UPDATE contents SET deleted_at = $1 WHERE deleted_at = 0 AND `+s.d.in("id", 2)+` RETURNING reply_to, repost_of`,
		[]any{gone.deletedAt, ids(s.d, list)}, func(rows scanner) (struct{}, error) {
			p := feed.Post{Author: gone.user}
			err := rows.Scan(&p.ReplyTo, &p.RepostOf)
			t.post(&p, -1)
			return struct{}{}, err
		})
	return len(list), err
}

func (s *Store) purgeReactions(ctx context.Context, tx *sql.Tx, gone leaver, limit int, t tally) (int, error) {
	scan := into(func(r *feed.ReactionRecord) []any { return []any{&r.Post, &r.Reaction} })
	list, err := collect(ctx, tx, `SELECT content_id, kind FROM reactions WHERE user_id = $1 LIMIT $2`,
		[]any{gone.user, limit}, scan)
	if err != nil || len(list) == 0 {
		return 0, err
	}
	from, args := s.d.table([]column{
		intColumn("content_id", list, func(r feed.ReactionRecord) feed.PostID { return r.Post }),
		textColumn("kind", list, func(r feed.ReactionRecord) feed.Reaction { return r.Reaction }),
		intColumn("user_id", list, func(feed.ReactionRecord) feed.UserID { return gone.user }),
	})
	removed, err := collect(ctx, tx, `
DELETE FROM reactions WHERE (content_id, kind, user_id) IN (SELECT r.content_id, r.kind, r.user_id FROM `+from+`)
RETURNING content_id, kind`, args, scan)
	for _, r := range removed {
		t.reaction(r.Reaction, r.Post, -1)
	}
	return len(list), err
}

// purgeRelations removes mutes, hides and blocks by and of the account. It raises no versions,
// because the deletion itself has changed those feeds.
func (s *Store) purgeRelations(ctx context.Context, tx *sql.Tx, gone leaver, limit int, _ tally) (int, error) {
	removed, err := collect(ctx, tx, `
DELETE FROM relations WHERE (user_id, kind, target_id) IN (
  SELECT user_id, kind, target_id FROM relations WHERE user_id = $1 OR target_id = $1 LIMIT $2)
RETURNING user_id, kind, target_id`, []any{gone.user, limit},
		into(func(r *feed.RelationRecord) []any { return []any{&r.User, &r.Kind, &r.Target} }))
	if err != nil {
		return 0, err
	}
	var rows []feed.Change
	for _, r := range removed {
		rows = append(rows, r.Purged(gone.user)...)
	}
	if len(rows) > 0 {
		err = s.log(ctx, tx, rows...)
	}
	return len(removed), err
}

// purgeRows returns a function that removes the rows of the account under a condition from a table with a
// primary key.
func purgeRows(table, key, condition string) func(context.Context, *sql.Tx, leaver, int, tally) (int, error) {
	stmt := fmt.Sprintf(`DELETE FROM %[1]s WHERE (%[2]s) IN (SELECT %[2]s FROM %[1]s WHERE %[3]s LIMIT $2)`, table, key, condition)
	return func(ctx context.Context, tx *sql.Tx, gone leaver, limit int, _ tally) (int, error) {
		removed, err := execRows(ctx, tx, stmt, gone.user, limit)
		return int(removed), err
	}
}
