package feedtest

import (
	"github.com/tideline-feeds/tideline/feed"
)

// deleteAccount checks the immediate effects of [feed.Profiles.DeleteAccount], before any purge.
func deleteAccount(s storeSuite) {
	s.promise("a deleted user is no longer stored, and their handle stays reserved", func(w *world) {
		w.deleteAccounts(bob)
		w.same("the users", w.usersOf(ann, bob), []*feed.User{newUser(ann), nil})
		w.same("the user with bob's handle", w.byHandle("u10"), (*feed.User)(nil))
		w.cannotTakeHandle(ann, "U10")
		w.releaseHandles(many)
		w.same("ann with bob's handle", w.update(ann, feed.ProfileChange{Handle: new("U10")}).Handle, "U10")
	})
	s.promise("neither sign-in nor import reuses the user's id", func(w *world) {
		w.deleteAccounts(bob)
		for range 2 {
			other := newUser(bob)
			other.Handle = "other"
			w.mustBe(feed.ErrAccountDeleted, errorOf(w.Users.EnsureUser(w.ctx, other)))
			w.refuseEach(bob.String(), userRecord(bob))
			w.same("the users", w.usersOf(bob), []*feed.User{nil})
			w.purge(many)
		}
	})
	s.promise("the user's posts count as deleted since the deletion of the account", func(w *world) {
		w.post(1, bob, noon)
		w.comment(2, bob, noon+1, 1)
		w.comment(3, ann, noon+2, 1)
		check(w.PostWriter.Delete(w.ctx, 1, noon+5))
		w.deleteAccounts(bob)
		for range 2 {
			var at []int64
			for _, p := range w.postsOf(1, 2, 3) {
				at = append(at, p.DeletedAt)
			}
			w.same("the deletion times of the posts", at, []int64{noon + 5, noon + hour, 0})
			check(w.PostWriter.Delete(w.ctx, 2, noon+9))
			w.mustHaveCode(feed.CodeNotFound, errorOf(w.PostWriter.Edit(w.ctx, 2, "new", noon+9)))
			w.mustHaveCode(feed.CodeNotFound, w.PostWriter.React(w.ctx, feed.ReactionLike, ann, 2, noon+9))
			check(w.Audience.RaiseFlag(w.ctx, bob, feed.FlagUnpushed, feed.FlagBacklog))
			_, flag := w.reach(bob)
			w.same("bob's coverage flag", flag, feed.FlagNone)
			w.purge(many)
		}
		w.same("the post", w.postsOf(2)[0].Text, "text 2")
	})
	s.promise("outboxes and comments omit the user's posts, which do not count towards the limit", func(w *world) {
		a := w.post(1, ann, noon)
		w.post(2, bob, noon+1)
		c := w.comment(3, cem, noon+2, 1)
		w.comment(4, bob, noon+3, 1)
		w.deleteAccounts(bob)
		for range 2 {
			w.same("the outboxes", w.outbox([]feed.UserID{ann, bob, cem}), []feed.Key{c, a})
			w.same("bob's outbox", w.outbox([]feed.UserID{bob}), []feed.Key(nil))
			w.same("the comments", w.comments(1), []feed.Key{c})
			top := must(w.readList(w.ctx, feed.CommentsRef(1), feed.Range{Below: feed.Top, Limit: 1}))
			w.same("the newest comment", top, []feed.Key{c})
			w.purge(many)
		}
	})
	s.promise("feeds and builds omit the user's posts and their reposts", func(w *world) {
		w.follow(ann, bob, cem)
		w.follow(bob, cem)
		a := w.post(1, ann, noon)
		w.post(2, bob, noon+1)
		w.post(3, dee, noon+2)
		w.repost(4, cem, noon+3, 2)
		other := w.repost(5, cem, noon+4, 3)
		w.repost(6, dee, noon+5, 4)
		w.repost(7, cem, noon+6, 6)
		w.deleteAccounts(bob)
		for range 2 {
			w.same("ann's feed", w.feedOf(ann), []feed.Key{other, a})
			top := must(w.Reference.Feed(w.ctx, ann, feed.Range{Below: feed.Top, Limit: 1}))
			w.same("the top of ann's feed", top, []feed.Key{other})
			// Readers filter reposts of a deleted post.
			w.same("the keys that ann's inbox must have", w.covered(ann), []feed.Key{{TS: noon + 6, ID: 7}, other, {TS: noon + 3, ID: 4}})
			w.purge(many)
		}
		w.same("bob's feed", w.feedOf(bob), []feed.Key(nil))
		w.same("the keys that bob's inbox must have", w.covered(bob), []feed.Key(nil))
	})
	s.promise("lists of users omit the user, who does not count towards the limit", func(w *world) {
		for i, id := range []feed.UserID{dee, bob} {
			at := noon + int64(i)
			check(w.Follows.Follow(w.ctx, id, ann, at, many))
			check(w.Follows.Follow(w.ctx, ann, id, at, many))
			w.relateAt(feed.RelationMute, ann, id, at)
		}
		w.follow(cem, dee, bob)
		w.deleteAccounts(bob)
		last := feed.Range{Below: feed.Top, Limit: 1}
		want := []feed.Key{{TS: noon, ID: int64(dee)}}
		for range 2 {
			for name, list := range map[string]func() ([]feed.Key, error){
				"followers": func() ([]feed.Key, error) { return w.Relations.Followers(w.ctx, ann, last) },
				"followees": func() ([]feed.Key, error) { return w.Relations.Following(w.ctx, ann, last) },
				"mutes":     func() ([]feed.Key, error) { return w.Relater.Related(w.ctx, feed.RelationMute, ann, last) },
			} {
				w.same("the newest of ann's "+name, must(list()), want)
			}
			w.pulledIs(cem, 0, dee)
			w.purge(many)
		}
	})
	s.promise("no search finds the user", func(w *world) {
		w.deleteAccounts(bob)
		for range 2 {
			w.finds(findings{"user": {dee, cem, ann}, "u10": {cem}, "deleted": nil})
			w.purge(many)
		}
	})
	s.promise("every action by and on the user is refused", func(w *world) {
		w.post(1, ann, noon)
		w.deleteAccounts(bob)
		for range 2 {
			w.allAre(feed.CodeNotFound, map[string]error{
				"publish":     errorOf(w.PostWriter.Publish(w.ctx, newPost(5, bob, noon), feed.Idempotency{Key: "k"}, eventAt(noon))),
				"react":       w.PostWriter.React(w.ctx, feed.ReactionLike, bob, 1, noon),
				"follow":      w.Follows.Follow(w.ctx, bob, ann, noon, many),
				"be followed": w.Follows.Follow(w.ctx, ann, bob, noon, many),
				"block":       w.Relater.Relate(w.ctx, feed.RelationRecord{Kind: feed.RelationBlock, User: bob, Target: ann, CreatedAt: noon}),
				"be blocked":  w.Relater.Relate(w.ctx, feed.RelationRecord{Kind: feed.RelationBlock, User: ann, Target: bob, CreatedAt: noon}),
				"rename":      errorOf(w.Profiles.UpdateProfile(w.ctx, bob, feed.ProfileChange{Name: new("Bob")})),
			})
			check(w.Follows.Unfollow(w.ctx, ann, bob))
			check(w.Relater.Unrelate(w.ctx, feed.RelationBlock, ann, bob))
			w.same("the post", w.postsOf(5), []*feed.Post{nil})
			w.purge(many)
		}
		w.graphIs(ann, 0, 0)
	})
	s.promise("deleting twice changes nothing, and deleting an unknown user is NOT_FOUND", func(w *world) {
		w.post(1, bob, noon)
		w.deleteAccounts(bob)
		check(w.Profiles.DeleteAccount(w.ctx, bob, noon+2*hour))
		w.purge(many)
		check(w.Profiles.DeleteAccount(w.ctx, bob, noon+3*hour))
		w.same("the deletion time of bob's post", w.postsOf(1)[0].DeletedAt, noon+hour)
		w.mustHaveCode(feed.CodeNotFound, w.Profiles.DeleteAccount(w.ctx, 12345, noon))
		must(w.Users.EnsureUser(w.ctx, newUser(12345)))
	})
	s.empty("an import recognises the user's posts, accepts other deleted ones, and refuses the rest", func(w *world) {
		w.imports(sampleRecords())
		w.deleteAccounts(bob)
		for i := range feed.PostID(2) {
			w.same("the result for a stored post", w.imports(records(postRecord(10, bob))),
				feed.Applied{Different: []feed.Difference{{Line: 1, Object: "post 10", Fields: []string{"deletedAt"}}}})
			w.refuseEach("no user "+bob.String(),
				postRecord(50, bob), followRecord(ann, bob), followRecord(bob, ann),
				reactionRecord(feed.ReactionLike, bob, 9),
				relationRecord(feed.RelationMute, ann, bob), relationRecord(feed.RelationMute, bob, ann),
			)
			deletedPost := postRecord(60+i, bob)
			deletedPost.Post.DeletedAt = noon + 1
			w.same("the result for a deleted post", w.imports(records(deletedPost, commentRecord(70+i, ann, 60+i))), feed.Applied{Stored: 2})
			w.same("the post", w.postsOf(60+i), []*feed.Post{deletedPost.Post})
			w.purge(many)
		}
	})
	s.empty("a deleted account can be imported", func(w *world) {
		deletedRecord := feed.Record{User: &feed.UserRecord{User: feed.User{ID: bob, CreatedAt: noon}, DeletedAt: noon + 1}}
		deletedPost := postRecord(1, bob)
		deletedPost.Post.DeletedAt = noon + 1
		batch := records(userRecord(ann), deletedRecord, deletedPost, commentRecord(2, ann, 1))
		w.same("the result", w.imports(batch), feed.Applied{Stored: 4})
		w.same("the second result", w.imports(batch), feed.Applied{Unchanged: 4})
		w.same("the users", w.usersOf(ann, bob), []*feed.User{newUser(ann), nil})
		w.mustBe(feed.ErrAccountDeleted, errorOf(w.Users.EnsureUser(w.ctx, newUser(bob))))
		w.refuseEach(bob.String(), userRecord(bob), followRecord(ann, bob), postRecord(3, bob))
		stored := userRecord(ann)
		stored.User.DeletedAt = noon + 1
		w.same("the result for a stored user", w.imports(records(stored)),
			feed.Applied{Different: []feed.Difference{{Line: 1, Object: "user " + ann.String(), Fields: []string{"deletedAt"}}}})
		w.same("ann", w.usersOf(ann), []*feed.User{newUser(ann)})
	})
}

// deleteAccounts deletes accounts an hour after noon.
func (w *world) deleteAccounts(ids ...feed.UserID) {
	for _, id := range ids {
		check(w.Profiles.DeleteAccount(w.ctx, id, noon+hour))
	}
}
