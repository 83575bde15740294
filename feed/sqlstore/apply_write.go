package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"maps"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/records/apply"
)

// writer stores the changes of a batch in its transaction.
type writer struct {
	s  *Store
	tx *sql.Tx
	// conn is the connection of tx.
	conn    *sql.Conn
	changes *apply.Changes
	// stored has the versions as they were loaded.
	stored map[feed.Object]feed.ObjectVersion
	lease  func(lastSeenAt int64) int64
	now    int64
	// live says that inboxes stay. Otherwise the generation rises, now or at the end of a bulk load,
	// which also resets the change log. bulk says that it rises later.
	live, bulk bool
	// unlogged are rows of the change log for [writer.logNumbered].
	unlogged []feed.Change
	// settled are posts that the arrival of their parents has changed.
	settled settled
}

func newWriter(s *Store, tx *sql.Tx, conn *sql.Conn, b *feed.Batch, changes *apply.Changes, now int64) *writer {
	return &writer{
		s: s, tx: tx, conn: conn, changes: changes, now: now, bulk: b.Bulk,
		lease: func(lastSeenAt int64) int64 { return b.LeaseUntil(lastSeenAt, now) },
	}
}

// writeAll stores versions, then the changes or only when users were seen, and counters of a source.
func (w *writer) writeAll(ctx context.Context) error {
	return inOrder(
		func() error { return w.writeVersions(ctx) },
		func() error {
			if !w.changes.Any() && len(w.changes.Renewed) == 0 {
				return w.raiseLeases(ctx)
			}
			return w.write(ctx)
		},
		func() error { return w.writeCounters(ctx) },
		func() error { return w.writeAwaited(ctx) },
	)
}

// write stores the changes and counts them, locking rows in the order of all changes: users, posts
// and what refers to them, counters.
func (w *writer) write(ctx context.Context) error {
	stored, added := w.userChanges()
	var versions map[feed.UserID]int64
	return inOrder(
		func() error { return w.freeUsers(ctx) },
		func() error { return w.addUsers(ctx, added) },
		func() error { return w.changeUsers(ctx, stored) },
		func() error { return w.hidePlaceholders(ctx) },
		func() error { return w.raiseLeases(ctx) },
		func() (err error) { versions, err = w.s.raise(ctx, w.tx, w.viewers()); return err },
		func() error { return w.writePosts(ctx) },
		func() error { return w.s.storeSanctions(ctx, w.tx, w.changes.Sanctions) },
		func() error { return w.settle(ctx) },
		func() error { return w.writeFollows(ctx, versions) },
		func() error { return writeEdges(ctx, w, requestEdges, w.changes.Requests) },
		func() error { return w.endBlockedRequests(ctx) },
		func() error { return writeEdges(ctx, w, reactionEdges, w.changes.Reactions) },
		func() error { return writeEdges(ctx, w, relationEdges, w.changes.Relations) },
		func() error { return w.writeLists(ctx) },
		func() error { return w.writeSessionChanges(ctx) },
		func() error { return w.rememberReposts(ctx) },
		func() error { return w.flip(ctx) },
		func() error { return w.storeCounts(ctx) },
	)
}

// viewers returns the users whose feeds change with their relations.
func (w *writer) viewers() []feed.UserID {
	changed := map[feed.UserID]bool{}
	for _, c := range w.changes.Follows {
		if c.Made() != 0 || c.Chosen() {
			changed[c.Key.Follower] = true
		}
	}
	for _, c := range w.changes.Relations {
		if c.Made() != 0 {
			for _, user := range c.Key.Changes() {
				changed[user] = true
			}
		}
	}
	for _, owner := range w.relisted() {
		changed[owner] = true
	}
	return sortedKeys(changed)
}

// count returns the changes of counters, with the rows of the change log.
func (w *writer) count() tally {
	t := newTally()
	log := func(c feed.Change) {
		if w.live {
			t.log(c)
		}
	}
	// Caches may hold what was stored before.
	logStored := func(c feed.Change) {
		if w.live || w.bulk {
			t.log(c)
		}
	}
	for _, c := range w.changes.Users {
		countUser(t, c, logStored)
	}
	for _, c := range w.changes.Posts {
		if c.Before.Post == nil {
			countPost(t, c, log)
		} else {
			countPost(t, c, logStored)
		}
	}
	for _, c := range w.changes.Renewals() {
		log(c)
	}
	for _, c := range w.changes.Follows {
		if n := c.Made(); n != 0 {
			t.follow(c.Key.Follower, c.Key.Followee, n)
			log(feed.FollowChange(c.Key.Follower, c.Key.Followee, n < 0))
		} else if c.Chosen() {
			log(feed.OptionsChange(c.Key.Follower, c.Key.Followee, c.Before.Options, c.After.Options))
		}
	}
	for _, c := range w.changes.Relations {
		if n := c.Made(); n != 0 {
			for _, row := range c.Key.Logged(n > 0) {
				log(row)
			}
		}
	}
	for _, owner := range w.relisted() {
		log(listedChange(owner))
	}
	for _, c := range w.changes.Reactions {
		if n := c.Made(); n != 0 {
			t.reaction(c.Key.Reaction, c.Key.Post, n)
		}
	}
	return t
}

func countUser(t tally, c apply.UserChange, log func(feed.Change)) {
	switch {
	case c.Before == nil:
		t.user(c.After.ID)
	case !c.Deleted():
		t.user(c.After.ID).changes++
		for _, row := range c.Logged() {
			log(row)
		}
	}
}

func countPost(t tally, c apply.PostChange, log func(feed.Change)) {
	if n := c.Shown(); n != 0 {
		t.post(c.After.Post, n)
	} else if c.Before.Post != nil {
		t.user(c.After.Author).changes++
	}
	for _, row := range c.Logged() {
		log(row)
	}
}

// rememberReposts makes reposts of posts that appear and disappear pending, and what changed audiences
// concern. A post may arrive after its reposts.
func (w *writer) rememberReposts(ctx context.Context) error {
	if !w.live {
		return nil
	}
	var turned []feed.PostID
	audiences := newAudienceChanges()
	for _, c := range w.changes.Posts {
		switch was := c.Before.Post; {
		case c.Shown() != 0 || c.Sanctioned():
			turned = append(turned, c.After.ID)
		case was != nil:
			audiences.post(was, c.After.Post)
		}
	}
	for _, c := range w.changes.Users {
		if c.Before != nil {
			audiences.account(c.After.ID, c.Before.Private, c.After.Private)
		}
	}
	if err := w.s.remember(ctx, w.tx, turned, feed.Change{Kind: feed.ChangeDeleted}); err != nil {
		return err
	}
	return audiences.store(ctx, w.s, w.tx)
}

// touched returns what caches may hold of the posts and users that have changed.
func (w *writer) touched() (posts []feed.PostID, users []feed.UserID) {
	for _, c := range w.changes.Posts {
		posts = append(posts, c.After.ID)
	}
	posts = append(posts, w.settled.posts...)
	for _, c := range w.changes.Users {
		users = append(users, c.After.ID)
	}
	for _, c := range w.changes.Renewals() {
		if c.Post != 0 {
			posts = append(posts, c.Post)
		} else {
			users = append(users, c.User)
		}
	}
	return posts, users
}

// raiseLeases raises the times at which users were last seen, and their leases, where they are
// higher than the stored ones. It compares again after locking a row, because a read may have
// renewed the lease meanwhile.
func (w *writer) raiseLeases(ctx context.Context) error {
	s, seen := w.s, maps.Clone(w.changes.Seen)
	for _, c := range w.changes.Users {
		if c.Before == nil && c.After.LastSeenAt == seen[c.After.ID] {
			delete(seen, c.After.ID)
		}
	}
	if len(seen) == 0 {
		return nil
	}
	users := sortedKeys(seen)
	from, args := s.d.table([]column{
		intColumn("id", users, func(id feed.UserID) feed.UserID { return id }),
		intColumn("last_seen_at", users, func(id feed.UserID) int64 { return seen[id] }),
		intColumn("active_until", users, func(id feed.UserID) int64 { return w.lease(seen[id]) }),
	})
	// CROSS JOIN makes SQLite look up each user instead of scanning the table.
	return exec(ctx, w.tx, fmt.Sprintf(`
WITH risen AS (
  SELECT u.id, r.last_seen_at, r.active_until FROM %[2]s CROSS JOIN users AS u
  WHERE u.id = r.id AND u.deleted_at = 0 AND (u.last_seen_at < r.last_seen_at OR u.active_until < r.active_until)
  ORDER BY u.id%[3]s)
UPDATE users SET last_seen_at = %[1]s(users.last_seen_at, risen.last_seen_at),
                 active_until = %[1]s(users.active_until, risen.active_until)
FROM risen WHERE users.id = risen.id`, s.d.greatest, from, s.d.forUpdate), args...)
}

// writePosts stores new posts and replaces changed ones. A post that was deleted, restored or taken down since
// load is not replaced: that transaction has counted it, and its sanction must not be lost.
func (w *writer) writePosts(ctx context.Context) error {
	var added, changed []apply.PostChange
	for _, c := range w.changes.Posts {
		if c.Before.Post == nil {
			added = append(added, c)
		} else {
			changed = append(changed, c)
		}
	}
	after := func(c apply.PostChange) *feed.Post { return c.After.Post }
	depth := intColumn("repost_depth", added, func(c apply.PostChange) int { return c.After.RepostDepth })
	if err := w.insert(ctx, "contents", append(postColumns.take(mapped(added, after)), depth)); err != nil || len(changed) == 0 {
		return err
	}
	deleted := intColumn("was_deleted_at", changed, func(c apply.PostChange) int64 { return c.Before.DeletedAt })
	takenDown := intColumn("was_taken_down", changed, func(c apply.PostChange) feed.HiddenFor { return c.Before.TakenDown })
	deleted.fixed, takenDown.fixed = true, true
	return w.updateAll(ctx, "contents", "contents.id = r.id AND contents.deleted_at = r.was_deleted_at AND contents.taken_down = r.was_taken_down",
		append(postColumns.take(mapped(changed, after)), deleted, takenDown))
}

// writeFollows stores follows. A follow that ended keeps its row.
func (w *writer) writeFollows(ctx context.Context, versions map[feed.UserID]int64) error {
	made, turned, dated := []*feed.FollowRecord{}, []*feed.FollowRecord{}, []*feed.FollowRecord{}
	active := map[*feed.FollowRecord]int{}
	for _, c := range w.changes.Follows {
		r := followEdges.with(c.Key, c.After)
		active[&r] = int(max(c.Made(), 0))
		switch {
		case !c.Stored:
			made = append(made, &r)
		case c.Made() != 0:
			turned = append(turned, &r)
		default:
			dated = append(dated, &r)
		}
	}
	columns := func(list []*feed.FollowRecord) []column {
		return append(followEdges.fields().take(list),
			intColumn("version", list, func(f *feed.FollowRecord) int64 { return versions[f.Follower] }),
			intColumn("followed", list, func(*feed.FollowRecord) int64 { return 0 }),
			intColumn("active", list, func(f *feed.FollowRecord) int { return active[f] }))
	}
	same := followEdges.same(followEdges.key, "follows")
	return inOrder(
		func() error { return w.insert(ctx, "follows", columns(made)) },
		func() error {
			return w.updateAll(ctx, "follows", same+" AND follows.active = 1 - r.active", columns(turned))
		},
		func() error {
			return w.updateAll(ctx, "follows", same+" AND follows.active = 1", followEdges.fields().take(dated))
		},
	)
}

// writeEdges stores reactions or relations. One that ends has no row.
func writeEdges[R comparable](ctx context.Context, w *writer, e edges[R], list []apply.EdgeChange[R]) error {
	var made, ended, dated []*R
	for _, c := range list {
		r := e.with(c.Key, c.After)
		switch c.Made() {
		case +1:
			made = append(made, &r)
		case -1:
			ended = append(ended, &r)
		default:
			dated = append(dated, &r)
		}
	}
	return inOrder(
		func() error { return w.insert(ctx, e.table, e.fields().take(made)) },
		func() error { return w.updateAll(ctx, e.table, e.same(e.key, e.table), e.fields().take(dated)) },
		func() error { return w.deleteAll(ctx, e.table, e.key.take(ended)) },
	)
}

// copyFrom is the number of rows from which COPY is cheaper: it takes a further round trip.
const copyFrom = 20

// insert inserts rows, and returns errOvertaken if one exists that did not before.
func (w *writer) insert(ctx context.Context, table string, columns []column) error {
	n := columns[0].rows()
	if w.s.d.isPostgres() && n >= copyFrom {
		err := w.copyRows(ctx, table, columns)
		if uniqueViolation(err) {
			err = errOvertaken
		}
		return err
	}
	return insertAll(ctx, w.s.d, w.tx, table, "DO NOTHING", columns)
}

// insertAll inserts rows, and returns errOvertaken if onConflict leaves out one.
func insertAll(ctx context.Context, d dialect, tx *sql.Tx, table, onConflict string, columns []column) error {
	stored, err := d.insertRows(ctx, tx, table, onConflict, columns...)
	return ifAll(stored, columns[0].rows(), err)
}

// copyRows inserts rows by COPY, on the connection of the transaction.
func (w *writer) copyRows(ctx context.Context, table string, columns []column) error {
	names := mapped(columns, func(c column) string { return c.name })
	return w.conn.Raw(func(driverConn any) error {
		c, ok := driverConn.(*stdlib.Conn)
		if !ok {
			return fmt.Errorf("the connection is a %T, not one to PostgreSQL", driverConn)
		}
		row := make([]any, len(columns))
		_, err := c.Conn().CopyFrom(ctx, pgx.Identifier{table}, names, pgx.CopyFromSlice(columns[0].rows(), func(i int) ([]any, error) {
			for n, c := range columns {
				row[n] = c.at(i)
			}
			return row, nil
		}))
		return err
	})
}

// updateAll sets the columns that are not fixed in the rows of a table that on matches with the
// rows r. If a row is no longer as it was loaded, it returns errOvertaken.
func (w *writer) updateAll(ctx context.Context, table, on string, columns []column) error {
	n := columns[0].rows()
	if n == 0 {
		return nil
	}
	from, args := w.s.d.table(columns)
	updated, err := execRows(ctx, w.tx, "UPDATE "+table+" "+setFrom("r", columns)+" FROM "+from+" WHERE "+on, args...)
	return ifAll(updated, n, err)
}

// deleteAll deletes the rows with the given keys, and returns errOvertaken if one is gone already.
func (w *writer) deleteAll(ctx context.Context, table string, key []column) error {
	n := key[0].rows()
	if n == 0 {
		return nil
	}
	from, args := w.s.d.table(key)
	deleted, err := execRows(ctx, w.tx, fmt.Sprintf("DELETE FROM %s WHERE (%s) IN (SELECT %s FROM %s)",
		table, columnNames(key, ""), columnNames(key, "r."), from), args...)
	return ifAll(deleted, n, err)
}

// ifAll returns errOvertaken if a statement affected other than n rows.
func ifAll(affected int64, n int, err error) error {
	if err == nil && affected != int64(n) {
		err = errOvertaken
	}
	return err
}
