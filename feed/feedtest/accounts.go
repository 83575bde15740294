package feedtest

import (
	"context"
	"errors"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

// deleteAccount checks the immediate effects of [feed.Profiles.DeleteAccount], before any purge.
func deleteAccount(t *testing.T, open func(t *testing.T) Stores) {
	keep(t, open, []promise{
		{"a deleted user is stored no more, and their handle is held back", deletedUser},
		{"sign-in and import never reuse the user's id", deletedID},
		{"the user's posts count as deleted since the deletion of the account", deletedContents},
		{"outboxes and comments omit the user's posts without losing room in the limit", deletedOutboxes},
		{"feeds and builds omit the user's posts and their reposts", deletedFeeds},
		{"lists of users omit the user without losing room in the limit", deletedLists},
		{"no search finds the user", deletedSearch},
		{"every action by and on the user is refused", deletedRefuses},
		{"deleting twice changes nothing, and a user who never was is NOT_FOUND", deletedTwice},
		{"an import knows the user's posts, accepts other deleted ones, and refuses the rest", deletedImport},
		{"a deleted account is imported as such", deletedImported},
		{"a context that is over is an error and changes nothing", deletedOver},
	})
}

// leave deletes an account an hour after noon.
func (w *world) leave(ids ...feed.UserID) {
	w.t.Helper()
	for _, id := range ids {
		w.must(w.Profiles.DeleteAccount(w.ctx, id, noon+hour))
	}
}

func deletedUser(w *world) {
	w.four()
	w.leave(bob)
	w.same("the users", w.usersOf(ann, bob), []*feed.User{newUser(ann), nil})
	w.same("the user with bob's handle", w.byHandle("u10"), (*feed.User)(nil))
	w.keptFrom(ann, "U10")
	w.drop(many)
	w.same("ann with bob's handle", w.update(ann, feed.ProfileChange{Handle: new("U10")}).Handle, "U10")
}

func deletedID(w *world) {
	w.four()
	w.leave(bob)
	for range 2 {
		other := newUser(bob)
		other.Handle = "other"
		_, err := w.Users.EnsureUser(w.ctx, other)
		if !errors.Is(err, feed.ErrAccountDeleted) {
			w.t.Errorf("got error %v, want %v", err, feed.ErrAccountDeleted)
		}
		w.refuseEach(bob.String(), userRecord(bob))
		w.same("the users", w.usersOf(bob), []*feed.User{nil})
		w.purge(many)
	}
}

func deletedContents(w *world) {
	w.four()
	w.post(1, bob, noon)
	w.comment(2, bob, noon+1, 1)
	w.comment(3, ann, noon+2, 1)
	w.must(w.PostWriter.Delete(w.ctx, 1, noon+5))
	w.leave(bob)
	for range 2 {
		var at []int64
		for _, p := range w.postsOf(1, 2, 3) {
			at = append(at, p.DeletedAt)
		}
		w.same("when they were deleted", at, []int64{noon + 5, noon + hour, 0})
		w.must(w.PostWriter.Delete(w.ctx, 2, noon+9))
		_, err := w.PostWriter.Edit(w.ctx, 2, "new", noon+9)
		w.mustBe(feed.CodeNotFound, err)
		w.mustBe(feed.CodeNotFound, w.PostWriter.React(w.ctx, feed.ReactionLike, ann, 2, noon+9))
		w.must(w.Audience.RaiseFlag(w.ctx, bob, feed.FlagUnpushed))
		_, mark := w.reach(bob)
		w.same("bob's mark", mark, feed.FlagNone)
		w.purge(many)
	}
	w.same("the content", w.postsOf(2)[0].Text, "text 2")
}

func deletedOutboxes(w *world) {
	w.four()
	a := w.post(1, ann, noon)
	w.post(2, bob, noon+1)
	c := w.comment(3, cem, noon+2, 1)
	w.comment(4, bob, noon+3, 1)
	w.leave(bob)
	for range 2 {
		w.same("the outboxes", w.outbox([]feed.UserID{ann, bob, cem}), []feed.Key{c, a})
		w.same("bob's outbox", w.outbox([]feed.UserID{bob}), []feed.Key(nil))
		w.same("the comments", w.comments(1), []feed.Key{c})
		top, err := w.readList(w.ctx, feed.CommentsRef(1), feed.Range{Below: feed.Top, Limit: 1})
		w.must(err)
		w.same("the newest comment", top, []feed.Key{c})
		w.purge(many)
	}
}

func deletedFeeds(w *world) {
	w.four()
	w.follow(ann, bob, cem)
	w.follow(bob, cem)
	a := w.post(1, ann, noon)
	w.post(2, bob, noon+1)
	w.post(3, dee, noon+2)
	w.repost(4, cem, noon+3, 2)
	other := w.repost(5, cem, noon+4, 3)
	w.repost(6, dee, noon+5, 4)
	w.repost(7, cem, noon+6, 6)
	w.leave(bob)
	for range 2 {
		w.same("ann's feed", w.feedOf(ann), []feed.Key{other, a})
		top, err := w.Reference.Feed(w.ctx, ann, feed.Range{Below: feed.Top, Limit: 1})
		w.must(err)
		w.same("the top of ann's feed", top, []feed.Key{other})
		// Readers filter reposts of a deleted post.
		w.same("what is covered for ann", w.covered(ann), []feed.Key{{TS: noon + 6, ID: 7}, other, {TS: noon + 3, ID: 4}})
		w.purge(many)
	}
	w.same("bob's feed", w.feedOf(bob), []feed.Key(nil))
	w.same("what is covered for bob", w.covered(bob), []feed.Key(nil))
}

func deletedLists(w *world) {
	w.four()
	for i, id := range []feed.UserID{dee, bob} {
		at := noon + int64(i)
		w.must(w.Follows.Follow(w.ctx, id, ann, at, many))
		w.must(w.Follows.Follow(w.ctx, ann, id, at, many))
		w.relateAt(feed.RelationMute, ann, id, at)
	}
	w.follow(cem, dee, bob)
	w.leave(bob)
	last := feed.Range{Below: feed.Top, Limit: 1}
	want := []feed.Key{{TS: noon, ID: int64(dee)}}
	for range 2 {
		for name, list := range map[string]func() ([]feed.Key, error){
			"followers": func() ([]feed.Key, error) { return w.Relations.Followers(w.ctx, ann, last) },
			"followees": func() ([]feed.Key, error) { return w.Relations.Following(w.ctx, ann, last) },
			"mutes":     func() ([]feed.Key, error) { return w.Relater.Related(w.ctx, feed.RelationMute, ann, last) },
		} {
			got, err := list()
			w.must(err)
			w.same("the last of ann's "+name, got, want)
		}
		w.pulledIs(cem, 0, dee)
		w.purge(many)
	}
}

func deletedSearch(w *world) {
	w.four()
	w.leave(bob)
	for range 2 {
		w.finds(findings{"user": {dee, cem, ann}, "u10": {cem}, "deleted": nil})
		w.purge(many)
	}
}

func deletedRefuses(w *world) {
	w.four()
	w.post(1, ann, noon)
	w.leave(bob)
	for range 2 {
		for name, call := range map[string]func() error{
			"publish": func() error {
				_, err := w.PostWriter.Publish(w.ctx, newPost(5, bob, noon), feed.Idempotency{Key: "k"}, noon)
				return err
			},
			"react":       func() error { return w.PostWriter.React(w.ctx, feed.ReactionLike, bob, 1, noon) },
			"follow":      func() error { return w.Follows.Follow(w.ctx, bob, ann, noon, many) },
			"be followed": func() error { return w.Follows.Follow(w.ctx, ann, bob, noon, many) },
			"block": func() error {
				return w.Relater.Relate(w.ctx, feed.RelationRecord{Kind: feed.RelationBlock, User: bob, Target: ann, CreatedAt: noon})
			},
			"be blocked": func() error {
				return w.Relater.Relate(w.ctx, feed.RelationRecord{Kind: feed.RelationBlock, User: ann, Target: bob, CreatedAt: noon})
			},
			"rename": func() error {
				_, err := w.Profiles.UpdateProfile(w.ctx, bob, feed.ProfileChange{Name: new("Bob")})
				return err
			},
		} {
			if err := call(); feed.CodeOf(err) != feed.CodeNotFound {
				w.t.Errorf("to %s: got error %v, want %s", name, err, feed.CodeNotFound)
			}
		}
		w.must(w.Follows.Unfollow(w.ctx, ann, bob))
		w.must(w.Relater.Unrelate(w.ctx, feed.RelationBlock, ann, bob))
		w.same("the content", w.postsOf(5), []*feed.Post{nil})
		w.purge(many)
	}
	w.graphIs(ann, 0, 0)
}

func deletedTwice(w *world) {
	w.four()
	w.post(1, bob, noon)
	w.leave(bob)
	w.must(w.Profiles.DeleteAccount(w.ctx, bob, noon+2*hour))
	w.purge(many)
	w.must(w.Profiles.DeleteAccount(w.ctx, bob, noon+3*hour))
	w.same("when bob's post was deleted", w.postsOf(1)[0].DeletedAt, noon+hour)
	w.mustBe(feed.CodeNotFound, w.Profiles.DeleteAccount(w.ctx, 12345, noon))
	_, err := w.Users.EnsureUser(w.ctx, newUser(12345))
	w.must(err)
}

func deletedImport(w *world) {
	w.imports(town())
	w.leave(bob)
	for i := range feed.PostID(2) {
		w.same("of a content that is stored", w.imports(records(postRecord(10, bob))),
			feed.Applied{Different: []feed.Difference{{Line: 1, Object: "post 10", Fields: []string{"deletedAt"}}}})
		w.refuseEach("no user "+bob.String(),
			postRecord(50, bob), followRecord(ann, bob), followRecord(bob, ann),
			reactionRecord(feed.ReactionLike, bob, 9),
			relationRecord(feed.RelationMute, ann, bob), relationRecord(feed.RelationMute, bob, ann),
		)
		place := postRecord(60+i, bob)
		place.Post.DeletedAt = noon + 1
		w.same("of a deleted content", w.imports(records(place, commentRecord(70+i, ann, 60+i))), feed.Applied{Stored: 2})
		w.same("the content", w.postsOf(60+i), []*feed.Post{place.Post})
		w.purge(many)
	}
}

func deletedImported(w *world) {
	gone := feed.Record{User: &feed.UserRecord{User: feed.User{ID: bob, CreatedAt: noon}, DeletedAt: noon + 1}}
	place := postRecord(1, bob)
	place.Post.DeletedAt = noon + 1
	batch := records(userRecord(ann), gone, place, commentRecord(2, ann, 1))
	w.same("the result", w.imports(batch), feed.Applied{Stored: 4})
	w.same("the second result", w.imports(batch), feed.Applied{Unchanged: 4})
	w.same("the users", w.usersOf(ann, bob), []*feed.User{newUser(ann), nil})
	_, err := w.Users.EnsureUser(w.ctx, newUser(bob))
	if !errors.Is(err, feed.ErrAccountDeleted) {
		w.t.Errorf("got error %v, want %v", err, feed.ErrAccountDeleted)
	}
	w.refuseEach(bob.String(), userRecord(bob), followRecord(ann, bob), postRecord(3, bob))
	leaver := userRecord(ann)
	leaver.User.DeletedAt = noon + 1
	w.same("of a stored user", w.imports(records(leaver)),
		feed.Applied{Different: []feed.Difference{{Line: 1, Object: "user " + ann.String(), Fields: []string{"deletedAt"}}}})
	w.same("ann", w.usersOf(ann), []*feed.User{newUser(ann)})
}

func deletedOver(w *world) {
	w.four()
	w.refuses(map[string]func(ctx context.Context) error{
		"DeleteAccount": func(ctx context.Context) error { return w.Profiles.DeleteAccount(ctx, bob, noon) },
		"PurgeDeleted": func(ctx context.Context) error {
			_, err := w.Profiles.PurgeDeleted(ctx, 1)
			return err
		},
	})
	w.same("the users", w.usersOf(bob), []*feed.User{newUser(bob)})
}
