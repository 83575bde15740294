package sqlstore

import (
	"context"
	"database/sql"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/texts"
)

// changed are stored users, posts and sessions that are replaced by their records, each once.
type changed struct {
	users []userChange
	// deleted are the records of deleted accounts.
	deleted []*feed.UserRecord
	posts   []postChange
	// sessions are those without a new transition.
	sessions []live.Session
}

type userChange struct{ before, after *feed.UserRecord }

// moves reports whether the user gets another handle.
func (c userChange) moves() bool { return foldOf(c.before) != foldOf(c.after) }

type postChange struct{ before, after *feed.Post }

func (j *judgement) updateUser(have, u *feed.UserRecord) error {
	if u.DeletedAt != 0 {
		j.news.changed.deleted = append(j.news.changed.deleted, u)
		j.users[u.ID] = u
		for id, p := range j.posts {
			if p.Author == u.ID && p.DeletedAt == 0 {
				gone := *p.Post
				gone.DeletedAt = u.DeletedAt
				j.posts[id] = newPost{&gone, p.repostDepth}
			}
		}
		return nil
	}
	if owner := j.conflicts[u]; owner != 0 {
		return feed.Errorf(feed.CodeConflict, "the handle %q belongs to user %d", u.Handle, owner)
	}
	j.news.changed.users = append(j.news.changed.users, userChange{have, u})
	return nil
}

// updatePost adds the change of a stored post, which differs from its record in d.
func (j *judgement) updatePost(have, p *feed.Post, d feed.Difference) error {
	if !j.isUser(have.Author) {
		return feed.Errorf(feed.CodeInvalid, "user %d has been deleted", have.Author)
	}
	after, err := feed.UpdatedPost(have, p, d)
	if err == nil {
		j.news.changed.posts = append(j.news.changed.posts, postChange{have, after})
	}
	return err
}

// count adds the changes of users and posts to t.
func (c *changed) count(t tally) {
	for _, u := range c.users {
		t.user(u.after.ID).changes++
	}
	for _, p := range c.posts {
		switch {
		case p.before.DeletedAt == 0 && p.after.DeletedAt != 0:
			t.post(p.after, -1)
		case p.before.DeletedAt != 0 && p.after.DeletedAt == 0:
			t.post(p.after, +1)
		default:
			t.user(p.after.Author).changes++
		}
	}
}

// freeChanged deletes accounts and frees the handles that users give up. This comes before storing
// new handles, because the unique index checks row by row.
func (s *Store) freeChanged(ctx context.Context, tx *sql.Tx, c *changed) error {
	for _, u := range c.deleted {
		if err := s.deleteAccount(ctx, tx, u.ID, u.DeletedAt); err != nil {
			return err
		}
	}
	var moving []feed.UserID
	for _, u := range c.users {
		if u.moves() {
			moving = append(moving, u.after.ID)
		}
	}
	if len(moving) == 0 {
		return nil
	}
	// The slash makes it no valid handle.
	return exec(ctx, tx, `UPDATE users SET handle_fold = 'moving/' || id WHERE deleted_at = 0 AND `+s.d.in("id", 1), ids(s.d, moving))
}

// changeUsers replaces stored users by their records. Their rows are locked since load, so no other
// transaction changes their handles.
func (s *Store) changeUsers(ctx context.Context, tx *sql.Tx, list []userChange) error {
	records := mapped(list, func(c userChange) *feed.UserRecord { return c.after })
	users := mapped(records, func(u *feed.UserRecord) *feed.User { return &u.User })
	err := updateAll(ctx, s.d, tx, "users", "users.id = r.id AND users.deleted_at = 0", changedUserColumns.take(records))
	if uniqueViolation(err) {
		return errOvertaken
	}
	if err != nil {
		return err
	}
	for _, c := range list {
		if err := s.changeSkeletons(ctx, tx, c); err != nil {
			return err
		}
	}
	return s.rewriteWords(ctx, tx, users...)
}

// changeSkeletons frees the skeletons of the old handle and stores those of the new one, which may
// be similar to others like all imported handles.
func (s *Store) changeSkeletons(ctx context.Context, tx *sql.Tx, c userChange) error {
	had, has := texts.Skeletons(c.before.Handle), texts.Skeletons(c.after.Handle)
	if err := s.freeSkeletons(ctx, tx, c.after.ID, without(had, has)); err != nil {
		return err
	}
	return s.storeSkeletons(ctx, tx, "(skeleton, user_id) DO UPDATE SET freed_at = 0", 0, textsOf(c.after.ID, has))
}

func (s *Store) writeChanged(ctx context.Context, tx *sql.Tx, n *news) error {
	return inOrder(
		func() error { return s.changePosts(ctx, tx, n.changed.posts) },
		func() error { return followEdges.date(ctx, s.d, tx, n.follows.dated) },
		func() error { return reactionEdges.date(ctx, s.d, tx, n.reactions.dated) },
		func() error { return relationEdges.date(ctx, s.d, tx, n.relations.dated) },
		func() error { return s.writeSessions(ctx, tx, n.changed.sessions) },
	)
}

// changePosts replaces stored posts. A post that was deleted or restored since load is not updated,
// because that transaction has counted it.
func (s *Store) changePosts(ctx context.Context, tx *sql.Tx, list []postChange) error {
	after := mapped(list, func(c postChange) *feed.Post { return c.after })
	was := intColumn("was_deleted_at", list, func(c postChange) int64 { return c.before.DeletedAt })
	was.fixed = true
	return updateAll(ctx, s.d, tx, "contents", "contents.id = r.id AND contents.deleted_at = r.was_deleted_at",
		append(postColumns.take(after), was))
}

// updateAll sets the columns that are not fixed in the rows of a table that on matches with the
// rows r. If a row is no longer as it was judged, it returns errOvertaken.
func updateAll(ctx context.Context, d dialect, tx *sql.Tx, table, on string, columns []column) error {
	n := columns[0].rows()
	if n == 0 {
		return nil
	}
	from, args := d.table(columns)
	updated, err := execRows(ctx, tx, "UPDATE "+table+" "+setFrom("r", columns)+" FROM "+from+" WHERE "+on, args...)
	if err == nil && updated != int64(n) {
		err = errOvertaken
	}
	return err
}
