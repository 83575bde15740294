package sqlstore

import (
	"context"
	"database/sql"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/texts"
)

// changed are stored objects that get the content of their records, by type. Each is in it
// once. Edges get another time; those that are made again are among the new ones.
type changed struct {
	users []userChange
	// deleted are the records of users whose accounts are deleted.
	deleted   []*feed.UserRecord
	posts     []postChange
	follows   []*feed.FollowRecord
	reactions []*feed.ReactionRecord
	relations []*feed.RelationRecord
	// sessions are those that go through no transition.
	sessions []live.Session
}

// userChange is a stored user and the record that replaces it.
type userChange struct{ before, after *feed.UserRecord }

// moves reports whether the user gets a handle that others may have had.
func (c userChange) moves() bool { return foldOf(c.before) != foldOf(c.after) }

// postChange is a stored post and what becomes of it.
type postChange struct{ before, after *feed.Post }

// updateUser notes the change of a stored user.
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

// updatePost notes the change of a stored post, which differs from its record in d.
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

// count counts what the changes of users and posts add.
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

// freeChanged deletes accounts and frees the handles that users give up, before others get
// them: the index of handles is checked row by row.
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
	// Like that of a deleted account, the text has a slash and so is no handle.
	_, err := tx.ExecContext(ctx, `UPDATE users SET handle_fold = 'moving/' || id WHERE deleted_at = 0 AND `+s.d.in("id", 1), ids(s.d, moving))
	return err
}

// changeUsers stores the records of users over what was stored of them. Their rows have been
// held since the batch was judged, which keeps others from changing their handles.
func (s *Store) changeUsers(ctx context.Context, tx *sql.Tx, list []userChange) error {
	err := s.updateAll(ctx, tx, "users", len(list), "users.id = r.id AND users.deleted_at = 0",
		[]string{"handle", "handle_fold", "name", "avatar_url", "created_at"},
		intColumn("id", list, func(c userChange) feed.UserID { return c.after.ID }),
		textColumn("handle", list, func(c userChange) string { return c.after.Handle }),
		textColumn("handle_fold", list, func(c userChange) string { return foldOf(c.after) }),
		textColumn("name", list, func(c userChange) string { return c.after.Name }),
		textColumn("avatar_url", list, func(c userChange) string { return c.after.AvatarURL }),
		intColumn("created_at", list, func(c userChange) int64 { return c.after.CreatedAt }))
	if uniqueViolation(err) {
		return errOvertaken
	}
	if err != nil {
		return err
	}
	users := make([]*feed.User, len(list))
	for i, c := range list {
		users[i] = &c.after.User
		if err := s.changeSkeletons(ctx, tx, c); err != nil {
			return err
		}
		if err := dropWords(ctx, tx, c.after.ID); err != nil {
			return err
		}
	}
	return s.writeWords(ctx, tx, users)
}

// changeSkeletons holds back the skeletons that a user gives up and stores those of the new
// handle, which may look like another one as that of any imported user may.
func (s *Store) changeSkeletons(ctx context.Context, tx *sql.Tx, c userChange) error {
	had, has := texts.Skeletons(c.before.Handle), texts.Skeletons(c.after.Handle)
	if err := s.freeSkeletons(ctx, tx, c.after.ID, without(had, has)); err != nil {
		return err
	}
	return s.storeSkeletons(ctx, tx, "(skeleton, user_id) DO UPDATE SET freed_at = 0", 0, ownedBy(c.after.ID, has))
}

// writeChanged stores the changes of everything but users.
func (s *Store) writeChanged(ctx context.Context, tx *sql.Tx, c *changed) error {
	for _, write := range []func() error{
		func() error { return s.changePosts(ctx, tx, c.posts) },
		func() error { return s.dateFollows(ctx, tx, c.follows) },
		func() error { return s.dateReactions(ctx, tx, c.reactions) },
		func() error { return s.dateRelations(ctx, tx, c.relations) },
		func() error { return s.writeSessions(ctx, tx, c.sessions) },
	} {
		if err := write(); err != nil {
			return err
		}
	}
	return nil
}

// changePosts stores posts over what was stored of them. A post that was deleted meanwhile,
// or is there again, has been counted by whoever did that.
func (s *Store) changePosts(ctx context.Context, tx *sql.Tx, list []postChange) error {
	media := make([]string, len(list))
	for i, c := range list {
		var err error
		if media[i], err = encodeMedia(c.after.Media); err != nil {
			return err
		}
	}
	return s.updateAll(ctx, tx, "contents", len(list), "contents.id = r.id AND contents.deleted_at = r.was_deleted_at",
		[]string{"text", "media", "edited_at", "deleted_at"},
		intColumn("id", list, func(c postChange) feed.ContentID { return c.after.ID }),
		intColumn("was_deleted_at", list, func(c postChange) int64 { return c.before.DeletedAt }),
		textColumn("text", list, func(c postChange) string { return c.after.Text }),
		textColumn("media", media, func(text string) string { return text }),
		intColumn("edited_at", list, func(c postChange) int64 { return c.after.EditedAt }),
		intColumn("deleted_at", list, func(c postChange) int64 { return c.after.DeletedAt }))
}

func (s *Store) dateFollows(ctx context.Context, tx *sql.Tx, list []*feed.FollowRecord) error {
	return s.updateAll(ctx, tx, "follows", len(list),
		"follows.follower_id = r.follower_id AND follows.followee_id = r.followee_id AND follows.active = 1", []string{"created_at"},
		intColumn("follower_id", list, func(f *feed.FollowRecord) feed.UserID { return f.Follower }),
		intColumn("followee_id", list, func(f *feed.FollowRecord) feed.UserID { return f.Followee }),
		intColumn("created_at", list, func(f *feed.FollowRecord) int64 { return f.CreatedAt }))
}

func (s *Store) dateReactions(ctx context.Context, tx *sql.Tx, list []*feed.ReactionRecord) error {
	return s.updateAll(ctx, tx, "reactions", len(list),
		"reactions.content_id = r.content_id AND reactions.kind = r.kind AND reactions.user_id = r.user_id", []string{"created_at"},
		intColumn("content_id", list, func(r *feed.ReactionRecord) feed.ContentID { return r.Post }),
		textColumn("kind", list, func(r *feed.ReactionRecord) feed.Reaction { return r.Reaction }),
		intColumn("user_id", list, func(r *feed.ReactionRecord) feed.UserID { return r.User }),
		intColumn("created_at", list, func(r *feed.ReactionRecord) int64 { return r.CreatedAt }))
}

func (s *Store) dateRelations(ctx context.Context, tx *sql.Tx, list []*feed.RelationRecord) error {
	return s.updateAll(ctx, tx, "relations", len(list),
		"relations.user_id = r.user_id AND relations.kind = r.kind AND relations.target_id = r.target_id", []string{"created_at"},
		intColumn("user_id", list, func(r *feed.RelationRecord) feed.UserID { return r.User }),
		textColumn("kind", list, func(r *feed.RelationRecord) feed.RelationKind { return r.Kind }),
		intColumn("target_id", list, func(r *feed.RelationRecord) feed.UserID { return r.Target }),
		intColumn("created_at", list, func(r *feed.RelationRecord) int64 { return r.CreatedAt }))
}

// updateAll sets columns of n rows of a table, which on finds by the rows r that are given,
// or fails with errOvertaken when one of them is not as it was judged to be.
func (s *Store) updateAll(
	ctx context.Context, tx *sql.Tx, table string, n int, on string, set []string, columns ...column,
) error {
	if n == 0 {
		return nil
	}
	for i, name := range set {
		set[i] = name + " = r." + name
	}
	from, args := s.d.table(columns)
	updated, err := exec(ctx, tx, "UPDATE "+table+" SET "+strings.Join(set, ", ")+" FROM "+from+" WHERE "+on, args...)
	if err == nil && updated != int64(n) {
		err = errOvertaken
	}
	return err
}
