package sqlstore

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/tideline-feeds/tideline/feed"
)

// write stores what is new, and counts it, in the order in which every change
// locks rows: users, contents and what names them, counters. No events are
// written: under the raised generation every inbox is built anew.
func (s *Store) write(ctx context.Context, tx *sql.Tx, n news, lease func(lastSeenAt int64) int64) error {
	if err := s.freeChanged(ctx, tx, &n.changed); err != nil {
		return err
	}
	if err := s.writeUsers(ctx, tx, n.users, lease); err != nil {
		return err
	}
	if err := s.changeUsers(ctx, tx, n.changed.users); err != nil {
		return err
	}
	if err := s.raiseLeases(ctx, tx, n.seen, lease); err != nil {
		return err
	}
	versions, err := s.raiseVersions(ctx, tx, n)
	if err != nil {
		return err
	}
	if err := s.writePosts(ctx, tx, n.posts); err != nil {
		return err
	}
	if err := s.writeFollows(ctx, tx, n, versions); err != nil {
		return err
	}
	if err := s.writeReactions(ctx, tx, n.reactions); err != nil {
		return err
	}
	if err := s.writeRelations(ctx, tx, n.relations); err != nil {
		return err
	}
	if err := s.writeLive(ctx, tx, n.sessions); err != nil {
		return err
	}
	if err := s.writeChanged(ctx, tx, &n.changed); err != nil {
		return err
	}
	if err := n.count().store(ctx, s.d, tx); err != nil {
		return err
	}
	return s.raiseGeneration(ctx, tx)
}

// count counts what is new.
func (n news) count() tally {
	t := newTally()
	for _, u := range n.users {
		t.user(u.ID)
	}
	for _, p := range n.posts {
		if p.DeletedAt == 0 {
			t.post(p.Post, +1)
		}
	}
	for _, f := range n.follows {
		t.follow(f.Follower, f.Followee, +1)
	}
	for _, r := range n.reactions {
		t.reaction(r.Reaction, r.Post, +1)
	}
	n.changed.count(t)
	return t
}

// raiseVersions raises, by one, the version of everyone whose feed the new follows
// and relations change, and returns the raised ones.
func (s *Store) raiseVersions(ctx context.Context, tx *sql.Tx, n news) (map[feed.UserID]int64, error) {
	changed := map[feed.UserID]bool{}
	for _, f := range n.follows {
		changed[f.Follower] = true
	}
	for _, r := range n.relations {
		if r.Kind != feed.RelationHide {
			changed[r.User] = true
		}
		if r.Kind != feed.RelationMute {
			changed[r.Target] = true
		}
	}
	return s.raise(ctx, tx, sortedKeys(changed))
}

func (s *Store) writeUsers(ctx context.Context, tx *sql.Tx, list []*feed.UserRecord, lease func(lastSeenAt int64) int64) error {
	users := make([]*feed.User, len(list))
	for i, u := range list {
		users[i] = &u.User
	}
	err := insertAll(ctx, s.d, tx, "users", "DO NOTHING", list,
		intColumn("id", list, func(u *feed.UserRecord) feed.UserID { return u.ID }),
		textColumn("handle", list, func(u *feed.UserRecord) string { return u.Handle }),
		textColumn("handle_fold", list, foldOf),
		textColumn("name", list, func(u *feed.UserRecord) string { return u.Name }),
		textColumn("avatar_url", list, func(u *feed.UserRecord) string { return u.AvatarURL }),
		intColumn("created_at", list, func(u *feed.UserRecord) int64 { return u.CreatedAt }),
		intColumn("last_seen_at", list, func(u *feed.UserRecord) int64 { return u.LastSeenAt }),
		intColumn("active_until", list, func(u *feed.UserRecord) int64 { return lease(u.LastSeenAt) }),
		intColumn("mark", list, func(u *feed.UserRecord) feed.Mark { return u.Mark }),
		intColumn("deleted_at", list, func(u *feed.UserRecord) int64 { return u.DeletedAt }))
	if err != nil {
		return err
	}
	if err := s.shareHandles(ctx, tx, users); err != nil {
		return err
	}
	return s.writeWords(ctx, tx, users)
}

// raiseLeases raises the time at which users were last seen, and the lease that lease
// returns for it. It writes only the rows in which one of the two rises. Both
// are compared again when the row is locked: a read may have renewed the lease meanwhile.
func (s *Store) raiseLeases(
	ctx context.Context, tx *sql.Tx, seen map[feed.UserID]int64, lease func(lastSeenAt int64) int64,
) error {
	if len(seen) == 0 {
		return nil
	}
	users := sortedKeys(seen)
	from, args := s.d.table([]column{
		intColumn("id", users, func(id feed.UserID) feed.UserID { return id }),
		intColumn("last_seen_at", users, func(id feed.UserID) int64 { return seen[id] }),
		intColumn("active_until", users, func(id feed.UserID) int64 { return lease(seen[id]) }),
	})
	// CROSS JOIN makes SQLite look up each user rather than walk the table.
	_, err := tx.ExecContext(ctx, fmt.Sprintf(`
WITH risen AS (
  SELECT u.id, r.last_seen_at, r.active_until FROM %[2]s CROSS JOIN users AS u
  WHERE u.id = r.id AND u.deleted_at = 0 AND (u.last_seen_at < r.last_seen_at OR u.active_until < r.active_until)
  ORDER BY u.id%[3]s)
UPDATE users SET last_seen_at = %[1]s(users.last_seen_at, risen.last_seen_at),
                 active_until = %[1]s(users.active_until, risen.active_until)
FROM risen WHERE users.id = risen.id`, s.d.greatest, from, s.d.forUpdate), args...)
	return err
}

func (s *Store) writePosts(ctx context.Context, tx *sql.Tx, list []newPost) error {
	media := make([]string, len(list))
	for i, p := range list {
		var err error
		if media[i], err = encodeMedia(p.Media); err != nil {
			return err
		}
	}
	return insertAll(ctx, s.d, tx, "contents", "DO NOTHING", list,
		intColumn("id", list, func(p newPost) feed.ContentID { return p.ID }),
		intColumn("author_id", list, func(p newPost) feed.UserID { return p.Author }),
		textColumn("kind", list, func(p newPost) feed.Kind { return p.Kind }),
		textColumn("text", list, func(p newPost) string { return p.Text }),
		textColumn("media", media, func(text string) string { return text }),
		intColumn("reply_to", list, func(p newPost) feed.ContentID { return p.ReplyTo }),
		intColumn("repost_of", list, func(p newPost) feed.ContentID { return p.RepostOf }),
		intColumn("repost_depth", list, func(p newPost) int { return p.repostDepth }),
		intColumn("published_at", list, func(p newPost) int64 { return p.PublishedAt }),
		intColumn("edited_at", list, func(p newPost) int64 { return p.EditedAt }),
		intColumn("deleted_at", list, func(p newPost) int64 { return p.DeletedAt }))
}

// writeFollows stores new edges. With updates some of them were taken back, and are made
// again.
func (s *Store) writeFollows(
	ctx context.Context, tx *sql.Tx, n news, versions map[feed.UserID]int64,
) error {
	list, onConflict := n.follows, "DO NOTHING"
	if n.update {
		onConflict = `(follower_id, followee_id) DO UPDATE
SET created_at = excluded.created_at, version = excluded.version, active = 1 WHERE follows.active = 0`
	}
	return insertAll(ctx, s.d, tx, "follows", onConflict, list,
		intColumn("follower_id", list, func(f *feed.FollowRecord) feed.UserID { return f.Follower }),
		intColumn("followee_id", list, func(f *feed.FollowRecord) feed.UserID { return f.Followee }),
		intColumn("created_at", list, func(f *feed.FollowRecord) int64 { return f.CreatedAt }),
		intColumn("version", list, func(f *feed.FollowRecord) int64 { return versions[f.Follower] }),
		intColumn("active", list, func(*feed.FollowRecord) int { return 1 }))
}

func (s *Store) writeReactions(ctx context.Context, tx *sql.Tx, list []*feed.ReactionRecord) error {
	return insertAll(ctx, s.d, tx, "reactions", "DO NOTHING", list,
		intColumn("content_id", list, func(r *feed.ReactionRecord) feed.ContentID { return r.Post }),
		textColumn("kind", list, func(r *feed.ReactionRecord) feed.Reaction { return r.Reaction }),
		intColumn("user_id", list, func(r *feed.ReactionRecord) feed.UserID { return r.User }),
		intColumn("created_at", list, func(r *feed.ReactionRecord) int64 { return r.CreatedAt }))
}

func (s *Store) writeRelations(ctx context.Context, tx *sql.Tx, list []*feed.RelationRecord) error {
	return insertAll(ctx, s.d, tx, "relations", "DO NOTHING", list,
		intColumn("user_id", list, func(r *feed.RelationRecord) feed.UserID { return r.User }),
		textColumn("kind", list, func(r *feed.RelationRecord) feed.RelationKind { return r.Kind }),
		intColumn("target_id", list, func(r *feed.RelationRecord) feed.UserID { return r.Target }),
		intColumn("created_at", list, func(r *feed.RelationRecord) int64 { return r.CreatedAt }))
}

// insertAll inserts the rows, or fails with errOvertaken when one of them is there
// that was not when the batch was judged.
func insertAll[R any](
	ctx context.Context, d dialect, tx *sql.Tx, table, onConflict string, list []R, columns ...column,
) error {
	if len(list) == 0 {
		return nil
	}
	n, err := d.insertRows(ctx, tx, table, onConflict, columns...)
	if err == nil && n != int64(len(list)) {
		err = errOvertaken
	}
	return err
}
