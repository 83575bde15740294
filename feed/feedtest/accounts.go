package feedtest

import (
	"slices"
	"sync"

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
			at := each(w.postsOf(1, 2, 3), func(p *feed.Post) int64 { return p.DeletedAt })
			w.same("the deletion times of the posts", at, []int64{noon + 5, noon + hour, 0})
			check(w.PostWriter.Delete(w.ctx, 2, noon+9))
			w.mustHaveCode(feed.CodeNotFound, errorOf(w.PostWriter.Edit(w.ctx, 2, feed.PostEdit{Text: new("new"), At: noon + 9})))
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
			top := must(w.Reference.Feed(w.ctx, ann, feed.HomeAuthors, feed.Range{Below: feed.Top, Limit: 1}))
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
			check(w.Follows.Follow(w.ctx, id, ann, at, many, feed.FollowChoice{}))
			check(w.Follows.Follow(w.ctx, ann, id, at, many, feed.FollowChoice{}))
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
				"follow":      w.Follows.Follow(w.ctx, bob, ann, noon, many, feed.FollowChoice{}),
				"be followed": w.Follows.Follow(w.ctx, ann, bob, noon, many, feed.FollowChoice{}),
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

// purge checks [feed.Profiles.PurgeDeleted].
func purge(s storeSuite) {
	s.promise("reads return the same throughout a purge, and counters no longer include the deleted user", func(w *world) {
		more := must(w.Profiles.PurgeDeleted(w.ctx, 1))
		w.same("whether more remains", more, false)
		w.storeBobsData()
		w.deleteAccounts(bob)
		want := w.readings()
		for more := true; more; {
			more = must(w.Profiles.PurgeDeleted(w.ctx, 1))
			w.same("the readable data", w.readings(), want)
		}
		w.bobIsPurged()
	})
	s.promise("a purge raises the versions of the deleted user's followers only", func(w *world) {
		w.storeBobsData()
		before := map[feed.UserID]int64{}
		for _, id := range []feed.UserID{ann, cem, dee} {
			before[id] = w.relationsVersion(id)
		}
		w.deleteAccounts(bob)
		w.purge(2)
		for id, rises := range map[feed.UserID]bool{ann: true, cem: true, dee: false} {
			w.same("whether the version rises of user "+id.String(), w.relationsVersion(id) > before[id], rises)
		}
	})
	s.promise("related accounts can be purged together", func(w *world) {
		w.storeBobsData()
		w.deleteAccounts(ann, bob)
		w.purge(1)
		w.same("cem's counters", w.userCounters(cem), feed.UserCounters{Posts: 2})
		w.same("ann's counters", w.userCounters(ann), feed.UserCounters{})
		w.same("bob's counters", w.userCounters(bob), feed.UserCounters{})
		w.same("the counters of cem's comment", w.postCounters(4), feed.PostCounters{Likes: 1, Favorites: 1})
		w.same("cem's feed", w.feedOf(cem), []feed.Key{{TS: noon + 4, ID: 5}, {TS: noon + 3, ID: 4}})
	})
	s.promise("changes during a purge are counted once", func(w *world) {
		w.storeBobsData()
		w.deleteAccounts(bob)
		for i := range 3 {
			must(w.Profiles.PurgeDeleted(w.ctx, 1))
			w.unfollow([]feed.UserID{ann, cem, dee}[i], bob)
			w.delete(2, 3, 6)
			check(w.Relater.Unrelate(w.ctx, relationKinds()[i], dee, bob))
		}
		w.purge(1)
		w.bobIsPurged()
	})
	s.promise("concurrent purges count everything once", func(w *world) {
		w.storeBobsData()
		users := w.makeUsers(6)
		for i, id := range users {
			w.follow(id, ann, bob)
			w.comment(feed.PostID(200+i), id, noon, 1)
			check(w.PostWriter.React(w.ctx, feed.ReactionLike, id, 1, noon))
		}
		w.deleteAccounts(append(users, bob)...)
		together(4, func(int) error {
			for {
				if more, err := w.Profiles.PurgeDeleted(w.ctx, 3); err != nil || !more {
					return err
				}
			}
		})
		w.purge(many)
		w.bobIsPurged()
	})
	// The test deletes and purges a user while all users act as and on that user. The stores must
	// refuse late actions and leave no data.
	s.promise("a change that races with a deletion is refused or purged", func(w *world) {
		w.post(1, ann, noon)
		users := w.makeUsers(3)
		racing := []func(i int) error{
			func(i int) error {
				p := newComment(feed.PostID(100+i), bob, noon, 1)
				return errorOf(w.PostWriter.Publish(w.ctx, p, feed.Idempotency{}, eventAt(noon)))
			},
			func(i int) error { return w.Follows.Follow(w.ctx, users[i], bob, noon, many, feed.FollowChoice{}) },
			func(i int) error { return w.Follows.Follow(w.ctx, bob, users[i], noon, many, feed.FollowChoice{}) },
			func(int) error { return w.PostWriter.React(w.ctx, feed.ReactionLike, bob, 1, noon) },
			func(i int) error {
				return w.Relater.Relate(w.ctx, feed.RelationRecord{Kind: feed.RelationBlock, User: users[i], Target: bob, CreatedAt: noon})
			},
			func(int) error { return importOne(w, reactionRecord(feed.ReactionFavorite, bob, 1)) },
			func(i int) error { return importOne(w, postRecord(feed.PostID(300+i), bob)) },
		}
		var purges sync.WaitGroup
		for n, err := range concurrently(len(racing)*len(users)+1, func(n int) error {
			if n == 0 {
				err := w.Profiles.DeleteAccount(w.ctx, bob, noon+hour)
				purges.Go(func() { w.purge(1) })
				return err
			}
			return racing[n%len(racing)]((n - 1) / len(racing))
		}) {
			w.failIf(err != nil && (n == 0 || feed.CodeOf(err) != feed.CodeNotFound),
				"concurrent change %d: got error %v, want none or NOT_FOUND", n, err)
		}
		purges.Wait()
		w.purge(1)
		w.same("ann's counters", w.userCounters(ann), feed.UserCounters{Posts: 1})
		w.same("bob's counters", w.userCounters(bob), feed.UserCounters{})
		w.same("the counters of ann's post", w.postCounters(1), feed.PostCounters{})
		w.same("bob's outbox", w.outbox([]feed.UserID{bob}), []feed.Key(nil))
		w.same("bob's reactions", w.reactionsOf(bob, 1), feed.ViewerReactions{})
		for _, id := range users {
			w.graphIs(id, 0, 0)
			w.same("the edge to bob", w.edges(id, bob), []feed.Edge{{}})
		}
	})
}

// purge purges the data of all deleted accounts, one slice at a time.
func (w *world) purge(limit int) {
	for more, slices := true, 0; more; slices++ {
		more = must(w.Profiles.PurgeDeleted(w.ctx, limit))
		if slices > 10_000 {
			w.t.Fatal("PurgeDeleted still reports more data after 10000 calls")
		}
	}
}

// storeBobsData stores posts, reactions and relations of every kind between bob and the others, and
// some without bob.
func (w *world) storeBobsData() {
	w.follow(ann, bob, cem)
	w.follow(bob, ann, dee)
	w.follow(cem, bob, ann)
	w.follow(dee, bob)
	w.unfollow(dee, bob)
	w.post(1, ann, noon)
	w.post(2, bob, noon+1)
	w.comment(3, bob, noon+2, 1)
	w.comment(4, cem, noon+3, 1)
	w.comment(5, cem, noon+4, 2)
	w.repost(6, bob, noon+5, 1)
	w.repost(7, ann, noon+6, 2)
	w.comment(8, bob, noon+7, 1)
	w.delete(8)
	for _, user := range []feed.UserID{bob, cem} {
		for _, id := range []feed.PostID{1, 2, 4} {
			check(w.PostWriter.React(w.ctx, feed.ReactionLike, user, id, noon))
			check(w.PostWriter.React(w.ctx, feed.ReactionFavorite, user, id, noon))
		}
	}
	for _, kind := range relationKinds() {
		w.relateAt(kind, dee, cem, noon)
		w.relateAt(kind, dee, bob, noon+1)
		w.relateAt(kind, bob, dee, noon+2)
	}
	for i, key := range []string{"a", "b", "c"} {
		must(w.PostWriter.Publish(w.ctx, newPost(feed.PostID(20+i), bob, noon), feed.Idempotency{Key: key}, eventAt(noon)))
	}
}

// bobIsPurged compares counters and relations with those that remain without bob.
func (w *world) bobIsPurged() {
	w.same("ann's counters", w.userCounters(ann), feed.UserCounters{Followers: 1, Following: 1, Posts: 2})
	w.same("bob's counters", w.userCounters(bob), feed.UserCounters{})
	w.same("cem's counters", w.userCounters(cem), feed.UserCounters{Followers: 1, Following: 1, Posts: 2})
	w.same("dee's counters", w.userCounters(dee), feed.UserCounters{})
	w.same("the counters of ann's post", w.postCounters(1), feed.PostCounters{Likes: 1, Favorites: 1, Comments: 1})
	w.same("the counters of cem's comment", w.postCounters(4), feed.PostCounters{Likes: 1, Favorites: 1})
	w.same("bob's reactions", w.reactionsOf(bob, 1), feed.ViewerReactions{})
	w.same("cem's reactions", w.reactionsOf(cem, 1), feed.ViewerReactions{Liked: true, Favorited: true})
	w.same("dee's edges", w.edges(dee, bob, cem), []feed.Edge{{}, {Mutes: true, HidesFrom: true, Blocks: true}})
	w.same("bob's edges", w.edges(bob, dee, ann), []feed.Edge{{}, {}})
	w.same("bob's followers", w.followersBetween(bob, 0, 1<<62, many), []feed.UserID(nil))
}

// readings is all data that any user may read.
type readings struct {
	Feeds, Lists map[feed.UserID][]feed.Key
	Outboxes     []feed.Key
	Comments     []feed.Key
	Posts        []*feed.Post
	Users        []*feed.User
}

func (w *world) readings() readings {
	s := readings{Feeds: map[feed.UserID][]feed.Key{}, Lists: map[feed.UserID][]feed.Key{}}
	for _, id := range []feed.UserID{ann, cem, dee} {
		s.Feeds[id] = w.feedOf(id)
		followers := must(w.Relations.Followers(w.ctx, id, all()))
		s.Lists[id] = slices.Concat(followers, w.following(id), w.related(feed.RelationBlock, id))
	}
	s.Outboxes = w.outbox([]feed.UserID{ann, bob, cem, dee})
	s.Comments = slices.Concat(w.comments(1), w.comments(2))
	s.Posts = w.postsOf(1, 2, 3, 4, 5, 6, 7, 8)
	s.Users = w.usersOf(ann, bob, cem, dee)
	return s
}

// importOne imports a record. The store may refuse it.
func importOne(w *world, r feed.Record) error { return errorOf(w.Import(w.ctx, records(r))) }
