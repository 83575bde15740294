package feedtest

import (
	"github.com/tideline-feeds/tideline/feed"
)

// importDifferences checks how [feed.Applier] handles records that differ from their stored
// objects.
func importDifferences(s storeSuite) {
	s.promise("the result lists the different fields of a user, who stays unchanged", func(w *world) {
		change := func(do func(u *feed.UserRecord)) feed.Record {
			r := userRecord(bob)
			do(r.User)
			return r
		}
		w.differs(change(func(u *feed.UserRecord) { u.Handle = "other" }), "handle")
		w.differs(change(func(u *feed.UserRecord) { u.Handle = newUser(ann).Handle }), "handle")
		w.differs(change(func(u *feed.UserRecord) { u.Name = "Other" }), "name")
		w.differs(change(func(u *feed.UserRecord) { u.AvatarURL = "https://tideline.example/other.png" }), "avatarUrl")
		w.differs(change(func(u *feed.UserRecord) { u.Custom = custom }), "custom")
		w.differs(change(func(u *feed.UserRecord) { u.CreatedAt++ }), "createdAt")
		w.differs(change(func(u *feed.UserRecord) { u.DeletedAt = noon + 1 }), "deletedAt")
		w.differs(change(func(u *feed.UserRecord) { u.Handle, u.Name, u.AvatarURL = "other", "", "" }), "handle", "name", "avatarUrl")
		w.same("bob", w.usersOf(bob), []*feed.User{newUser(bob)})
	})
	s.empty("the result lists the different fields of a post, which stays unchanged", func(w *world) {
		w.imports(sampleRecords())
		change := func(p *feed.Post, do func(p *feed.Post)) feed.Record {
			do(p)
			return feed.Record{Post: p}
		}
		post := func(do func(p *feed.Post)) feed.Record { return change(newPost(10, bob, noon), do) }
		w.differs(post(func(p *feed.Post) { p.Text = "other" }), "text")
		w.differs(post(func(p *feed.Post) { p.Media = []string{"https://tideline.example/other.png"} }), "media")
		w.differs(post(func(p *feed.Post) { p.Custom = custom }), "custom")
		w.differs(post(func(p *feed.Post) { p.PublishedAt++ }), "publishedAt")
		w.differs(post(func(p *feed.Post) { p.EditedAt = noon + 1 }), "editedAt")
		w.differs(post(func(p *feed.Post) { p.Text, p.DeletedAt = "", noon+1 }), "deletedAt")
		w.differs(post(func(p *feed.Post) { p.Kind, p.ReplyTo = feed.KindComment, 11 }), "kind", "replyTo")
		w.differs(change(repostRecord(100, ann, 11).Post, func(*feed.Post) {}), "repostOf")
		w.sampleRecordsAreStored()
	})
	s.empty("an edge with another time is different and keeps its time", func(w *world) {
		w.imports(sampleRecords())
		follow := followRecord(ann, bob)
		follow.Follow.CreatedAt++
		like := reactionRecord(feed.ReactionLike, ann, 10)
		like.Reaction.CreatedAt++
		mute := relationRecord(feed.RelationMute, bob, ann)
		mute.Relation.CreatedAt++
		for _, r := range []feed.Record{follow, like, mute} {
			w.differs(r, "createdAt")
		}
		w.sampleRecordsAreStored()
	})
	s.empty("a follow that was undone stays undone", func(w *world) {
		w.imports(sampleRecords())
		w.unfollow(ann, bob)
		w.isUndone(followRecord(ann, bob))
		w.same("the follows of ann", w.following(ann), []feed.Key{{TS: noon, ID: int64(cem)}})
		w.same("ann's counters", w.userCounters(ann), feed.UserCounters{Followers: 1, Following: 1, Posts: 1})
	})
	s.empty("a reaction that was undone stays undone", func(w *world) {
		w.imports(sampleRecords())
		check(w.PostWriter.Unreact(w.ctx, feed.ReactionLike, ann, 10))
		check(w.PostWriter.Unreact(w.ctx, feed.ReactionFavorite, ann, 9))
		w.isUndone(reactionRecord(feed.ReactionLike, ann, 10))
		w.isUndone(reactionRecord(feed.ReactionFavorite, ann, 9))
		w.same("ann's reactions to the post", w.reactionsOf(ann, 10), feed.ViewerReactions{})
		w.same("the post's counters", w.postCounters(10), feed.PostCounters{Comments: 1, Reposts: 1})
		w.same("the comment's counters", w.postCounters(9), feed.PostCounters{})
	})
	s.promise("a mute, hide or block that was undone stays undone", func(w *world) {
		for _, kind := range relationKinds() {
			w.imports(records(relationRecord(kind, ann, bob)))
			check(w.Relater.Unrelate(w.ctx, kind, ann, bob))
			w.isUndone(relationRecord(kind, ann, bob))
			w.same("ann's list", w.related(kind, ann), []feed.Key(nil))
		}
	})
	s.empty("an edge that one user undid is new for another user", func(w *world) {
		w.imports(sampleRecords())
		check(w.PostWriter.Unreact(w.ctx, feed.ReactionLike, ann, 10))
		check(w.Relater.Unrelate(w.ctx, feed.RelationMute, bob, ann))
		w.unfollow(ann, bob)
		others := records(
			reactionRecord(feed.ReactionLike, bob, 10), reactionRecord(feed.ReactionFavorite, ann, 10),
			reactionRecord(feed.ReactionLike, ann, 9),
			relationRecord(feed.RelationMute, bob, cem), relationRecord(feed.RelationBlock, bob, ann),
			followRecord(cem, bob),
		)
		w.areNotUndone(others)
		w.same("the result", w.imports(others), feed.Applied{Stored: len(others)})
		w.areNotUndone(others)
	})
	s.empty("an edge that was undone and made again is stored", func(w *world) {
		w.imports(sampleRecords())
		check(w.PostWriter.Unreact(w.ctx, feed.ReactionLike, ann, 10))
		check(w.PostWriter.React(w.ctx, feed.ReactionLike, ann, 10, noon))
		check(w.Relater.Unrelate(w.ctx, feed.RelationMute, bob, ann))
		w.relateAt(feed.RelationMute, bob, ann, noon)
		w.unfollow(ann, bob)
		check(w.Follows.Follow(w.ctx, ann, bob, noon, 10))
		w.same("the result", w.imports(sampleRecords()), feed.Applied{Unchanged: len(sampleRecords())})
		w.sampleRecordsAreStored()
		check(w.PostWriter.Unreact(w.ctx, feed.ReactionLike, ann, 10))
		w.isUndone(reactionRecord(feed.ReactionLike, ann, 10))
	})
	s.empty("edges do not restore an account that was deleted since", func(w *world) {
		w.imports(sampleRecords())
		check(w.PostWriter.Unreact(w.ctx, feed.ReactionLike, ann, 10))
		check(w.Relater.Unrelate(w.ctx, feed.RelationMute, bob, ann))
		w.deleteAccounts(ann)
		w.purge(1)
		w.refuseEach("no user "+ann.String(),
			reactionRecord(feed.ReactionLike, ann, 10), relationRecord(feed.RelationMute, bob, ann), followRecord(ann, bob))
	})
}

// differs imports one record and compares the names of its different fields.
func (w *world) differs(r feed.Record, fields ...string) {
	r.Line = 5
	w.same("the result", w.imports([]feed.Record{r}),
		feed.Applied{Different: []feed.Difference{{Line: 5, Object: r.Object().String(), Fields: fields}}})
}

// isUndone imports one record. It checks that the result lists it as undone and that nothing
// changes.
func (w *world) isUndone(r feed.Record) {
	r.Line = 6
	undone, err := w.Undone.Undone(w.ctx, r)
	w.failIf(err != nil || !undone, "Undone does not report %s as undone, error %v", r.Object().String(), err)
	before := []feed.ViewerVersion{w.viewerVersion(ann), w.viewerVersion(bob)}
	w.same("the result", w.imports([]feed.Record{r}),
		feed.Applied{Different: []feed.Difference{{Line: 6, Object: r.Object().String(), Undone: true}}})
	w.same("the viewer versions", []feed.ViewerVersion{w.viewerVersion(ann), w.viewerVersion(bob)}, before)
}

// areNotUndone checks that the store considers none of the records undone.
func (w *world) areNotUndone(list []feed.Record) {
	for _, r := range list {
		undone, err := w.Undone.Undone(w.ctx, r)
		w.failIf(err != nil || undone, "Undone of %s: got %v, error %v, want false and no error", r.Object().String(), undone, err)
	}
}
