package sqlstore

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/tideline-feeds/tideline/feed"
)

// write stores the changes and counts them, locking rows in the order of all changes: users, posts
// and what refers to them, counters. It writes no events and no changes: [Store.applyIn] raises the
// generation, which makes all inboxes rebuild, and resets the change log.
func (s *Store) write(ctx context.Context, tx *sql.Tx, n news, lease func(lastSeenAt int64) int64) error {
	var versions map[feed.UserID]int64
	return inOrder(
		func() error { return s.freeChanged(ctx, tx, &n.changed) },
		func() error { return s.writeUsers(ctx, tx, n.users, lease) },
		func() error { return s.changeUsers(ctx, tx, n.changed.users) },
		func() error { return s.raiseLeases(ctx, tx, n.seen, lease) },
		func() (err error) { versions, err = s.raiseVersions(ctx, tx, n); return err },
		func() error { return s.writePosts(ctx, tx, n.posts) },
		func() error { return s.writeFollows(ctx, tx, n, versions) },
		func() error { return insertEdges(ctx, s.d, tx, reactionEdges, n.reactions.made) },
		func() error { return insertEdges(ctx, s.d, tx, relationEdges, n.relations.made) },
		func() error { return s.importLive(ctx, tx, n.sessions) },
		func() error { return s.writeChanged(ctx, tx, &n) },
		func() error { return n.count().store(ctx, s, tx) },
	)
}

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
	for _, f := range n.follows.made {
		t.follow(f.Follower, f.Followee, +1)
	}
	for _, r := range n.reactions.made {
		t.reaction(r.Reaction, r.Post, +1)
	}
	n.changed.count(t)
	return t
}

// raiseVersions raises the versions of users whose feeds change, and returns them.
func (s *Store) raiseVersions(ctx context.Context, tx *sql.Tx, n news) (map[feed.UserID]int64, error) {
	changed := map[feed.UserID]bool{}
	for _, f := range n.follows.made {
		changed[f.Follower] = true
	}
	for _, r := range n.relations.made {
		for _, user := range r.Changes() {
			changed[user] = true
		}
	}
	return s.raise(ctx, tx, sortedKeys(changed))
}

func (s *Store) writeUsers(ctx context.Context, tx *sql.Tx, list []*feed.UserRecord, lease func(lastSeenAt int64) int64) error {
	users := mapped(list, func(u *feed.UserRecord) *feed.User { return &u.User })
	columns := append(newUserColumns.and(lastSeenColumn, deletedAtColumn).take(list),
		intColumn("active_until", list, func(u *feed.UserRecord) int64 { return lease(u.LastSeenAt) }))
	return inOrder(
		func() error { return insertAll(ctx, s.d, tx, "users", "DO NOTHING", columns) },
		func() error { return s.shareHandles(ctx, tx, users) },
		func() error { return s.writeWords(ctx, tx, users) },
	)
}

// raiseLeases raises the times at which users were last seen, and their leases, where they are
// higher than the stored ones. It compares again after locking a row, because a read may have
// renewed the lease meanwhile.
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
	// CROSS JOIN makes SQLite look up each user instead of scanning the table.
	return exec(ctx, tx, fmt.Sprintf(`
WITH risen AS (
  SELECT u.id, r.last_seen_at, r.active_until FROM %[2]s CROSS JOIN users AS u
  WHERE u.id = r.id AND u.deleted_at = 0 AND (u.last_seen_at < r.last_seen_at OR u.active_until < r.active_until)
  ORDER BY u.id%[3]s)
UPDATE users SET last_seen_at = %[1]s(users.last_seen_at, risen.last_seen_at),
                 active_until = %[1]s(users.active_until, risen.active_until)
FROM risen WHERE users.id = risen.id`, s.d.greatest, from, s.d.forUpdate), args...)
}

func (s *Store) writePosts(ctx context.Context, tx *sql.Tx, list []newPost) error {
	rows := mapped(list, func(p newPost) *feed.Post { return p.Post })
	depth := intColumn("repost_depth", list, func(p newPost) int { return p.repostDepth })
	return insertAll(ctx, s.d, tx, "contents", "DO NOTHING", append(postColumns.take(rows), depth))
}

// writeFollows stores new follows. With updates it also restores follows that were undone.
func (s *Store) writeFollows(ctx context.Context, tx *sql.Tx, n news, versions map[feed.UserID]int64) error {
	list, onConflict := n.follows.made, "DO NOTHING"
	if n.update {
		onConflict = `(follower_id, followee_id) DO UPDATE
SET created_at = excluded.created_at, version = excluded.version, active = 1 WHERE follows.active = 0`
	}
	return insertAll(ctx, s.d, tx, "follows", onConflict, append(followEdges.fields().take(list),
		intColumn("version", list, func(f *feed.FollowRecord) int64 { return versions[f.Follower] }),
		intColumn("active", list, func(*feed.FollowRecord) int { return 1 })))
}

func insertEdges[R comparable](ctx context.Context, d dialect, tx *sql.Tx, e edges[R], list []*R) error {
	return insertAll(ctx, d, tx, e.table, "DO NOTHING", e.fields().take(list))
}

// insertAll inserts rows, and returns errOvertaken if one exists that did not before.
func insertAll(ctx context.Context, d dialect, tx *sql.Tx, table, onConflict string, columns []column) error {
	stored, err := d.insertRows(ctx, tx, table, onConflict, columns...)
	if err == nil && stored != int64(columns[0].rows()) {
		err = errOvertaken
	}
	return err
}
