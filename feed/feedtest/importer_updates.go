package feedtest

import (
	"strings"

	"github.com/tideline-feeds/tideline/feed"
)

// importUpdates checks what [feed.Applier] does in a batch with [feed.Batch.Update].
func importUpdates(s storeSuite) {
	s.promise("an update sets all fields of a user", func(w *world) {
		r := named(bob, "other")
		r.User.Name, r.User.AvatarURL, r.User.Custom, r.User.CreatedAt = "Other Name", "https://tideline.example/other.png", custom, noon-5
		w.updated(r, "handle", "name", "avatarUrl", "custom", "createdAt")
		w.same("bob", w.usersOf(bob), []*feed.User{&r.User.User})
		w.handlesAre(map[feed.UserID]string{bob: "other"})
		w.same("the number of users found", len(must(w.Profiles.SearchUsers(w.ctx, []string{"other"}, all()))), 1)
		w.updated(named(bob, "OTHER"), "handle", "name", "avatarUrl", "custom", "createdAt")
	})
	// The test imports records of stored objects with one changed text field, first without and
	// then with an update.
	s.empty("each text of a user and of a post is compared and updated separately", func(w *world) {
		w.imports(sampleRecords())
		each := func(of func() (record feed.Record, texts any)) {
			_, texts := of()
			for i, f := range textsOf(texts) {
				r, texts := of()
				textsOf(texts)[i].value.SetString("en")
				d := w.imports(records(r)).Different
				w.failIf(len(d) != 1 || len(d[0].Fields) != 1,
					"importing a record with another %s: got differences %v, want exactly that field", f.name, d)
				d = w.updates(r).Updated
				w.failIf(len(d) != 1 || len(d[0].Fields) != 1, "updating with another %s: got updates %v, want exactly that field", f.name, d)
				w.same("the result of the same record", w.imports(records(r)), feed.Applied{Unchanged: 1})
				r, _ = of()
				w.same("the result of the first record", len(w.updates(r).Updated), 1)
			}
		}
		each(func() (feed.Record, any) { r := userRecord(bob); return r, r.User })
		each(func() (feed.Record, any) { r := feed.Record{Post: newPost(10, bob, noon)}; return r, r.Post })
		w.sampleRecordsAreStored()
	})
	s.promise("users may swap handles, in pairs and in rings", func(w *world) {
		a, b, c, d := newUser(ann).Handle, newUser(bob).Handle, newUser(cem).Handle, newUser(dee).Handle
		w.same("the number of users who swapped", len(w.updates(records(named(ann, b), named(bob, a))...).Updated), 2)
		w.handlesAre(map[feed.UserID]string{ann: b, bob: a})
		w.same("the number of users in the ring", len(w.updates(records(named(ann, c), named(bob, b), named(cem, d), named(dee, a))...).Updated), 4)
		w.handlesAre(map[feed.UserID]string{ann: c, bob: b, cem: d, dee: a})
	})
	s.promise("a handle that its owner keeps is refused, and so are records that depend on it", func(w *world) {
		a, b, c := newUser(ann).Handle, newUser(bob).Handle, newUser(cem).Handle
		result := w.updates(records(named(ann, strings.ToUpper(b)), named(bob, c), named(dee, "free"), named(50, "FREE"), named(51, a))...)
		w.same("the refused lines", lines(result.Bad), []int{1, 2, 4, 5})
		w.same("the number of updates", len(result.Updated), 1)
		w.handlesAre(map[feed.UserID]string{ann: a, bob: b, cem: c, dee: "free"})
		w.same("the new users", w.usersOf(50, 51), []*feed.User{nil, nil})
	})
	s.promise("a new user may take a handle that its owner gives up or loses", func(w *world) {
		deletedRecord := userRecord(bob)
		deletedRecord.User.DeletedAt = noon + 1
		result := w.updates(records(named(50, newUser(ann).Handle), named(51, newUser(bob).Handle), named(ann, "free"), deletedRecord)...)
		w.same("the number of stored records", result.Stored, 2)
		w.same("the number of updates", len(result.Updated), 2)
		w.handlesAre(map[feed.UserID]string{50: newUser(ann).Handle, 51: newUser(bob).Handle, ann: "free"})
	})
	s.promise("a handle that was given up stays reserved", func(w *world) {
		handle := newUser(ann).Handle
		w.updated(named(ann, "other"), "handle")
		take := func() error {
			return errorOf(w.Profiles.UpdateProfile(w.ctx, bob, feed.ProfileChange{Handle: &handle}))
		}
		w.mustHaveCode(feed.CodeConflict, take())
		w.updated(named(ann, handle), "handle")
		w.mustHaveCode(feed.CodeConflict, take())
	})
	s.empty("an account is deleted by its record, and stays deleted", func(w *world) {
		w.imports(sampleRecords())
		deletedRecord := userRecord(bob)
		deletedRecord.User.DeletedAt = noon + 1
		w.updated(deletedRecord, "deletedAt")
		w.purge(1)
		w.same("the users", w.usersOf(ann, bob), []*feed.User{newUser(ann), nil})
		w.same("the deletion time of the post", w.postsOf(10)[0].DeletedAt, noon+1)
		w.same("ann's counters", w.userCounters(ann), feed.UserCounters{Following: 1, Posts: 1})
		result := w.updates(records(userRecord(bob), followRecord(ann, bob), postRecord(10, bob))...)
		w.same("the refused lines", lines(result.Bad), []int{1, 2, 3})
		same := userRecord(cem)
		same.User.DeletedAt = noon + 1
		result = w.updates(records(postRecord(11, cem), same, postRecord(11, cem), relationRecord(feed.RelationHide, cem, bob))...)
		w.same("the refused lines after the deletion", lines(result.Bad), []int{3, 4})
	})
	s.empty("a post is edited, deleted and restored, and counted", func(w *world) {
		w.imports(sampleRecords())
		edited := postRecord(10, bob)
		edited.Post.Text, edited.Post.EditedAt, edited.Post.Media = "other", noon+1, []string{"https://tideline.example/o.png"}
		edited.Post.Custom, edited.Post.Language, edited.Post.OtherMedia = custom, "", feed.NoOtherMedia
		w.updated(edited, "text", "media", "hasMedia", "custom", "language", "editedAt")
		w.same("the post", w.postsOf(10), []*feed.Post{edited.Post})
		comment := commentRecord(9, cem, 10)
		comment.Post.DeletedAt = noon + 1
		w.updated(comment, "deletedAt")
		w.same("the comment", w.postsOf(9), []*feed.Post{comment.Post})
		w.same("the post's counters", w.postCounters(10), feed.PostCounters{Likes: 1, Reposts: 1})
		w.same("cem's counters", w.userCounters(cem), feed.UserCounters{Followers: 1, Posts: 1})
		w.updated(commentRecord(9, cem, 10), "deletedAt")
		w.updated(postRecord(10, bob), "text", "media", "hasMedia", "custom", "language", "editedAt")
		w.sampleRecordsAreStored()
	})
	s.empty("a post keeps its author, kind, publish time and references", func(w *world) {
		w.imports(sampleRecords())
		moved, other, parent := postRecord(10, bob), postRecord(10, ann), commentRecord(9, cem, 11)
		moved.Post.PublishedAt++
		kind := commentRecord(10, bob, 11)
		for field, r := range map[string]feed.Record{"publishedAt": moved, "by user": other, "replyTo": parent, "kind": kind} {
			result := w.updates(r)
			w.failIf(len(result.Bad) != 1 || !strings.Contains(result.Bad[0].Reason, field),
				"an update with another %s: got %+v, want one refusal that names the field", field, result)
		}
		w.sampleRecordsAreStored()
	})
	s.empty("undone edges are restored and counted", func(w *world) {
		w.imports(sampleRecords())
		before := w.relationsVersion(ann)
		w.unfollow(ann, bob)
		check(w.PostWriter.Unreact(w.ctx, feed.ReactionLike, ann, 10))
		check(w.Relater.Unrelate(w.ctx, feed.RelationMute, bob, ann))
		check(w.Relater.Unrelate(w.ctx, feed.RelationHide, cem, bob))
		check(w.Relater.Unrelate(w.ctx, feed.RelationBlock, bob, cem))
		undone := records(followRecord(ann, bob), reactionRecord(feed.ReactionLike, ann, 10),
			relationRecord(feed.RelationMute, bob, ann), relationRecord(feed.RelationHide, cem, bob), relationRecord(feed.RelationBlock, bob, cem))
		var want feed.Applied
		for _, r := range undone {
			want.AddUpdated(&r, feed.Difference{Undone: true})
		}
		w.same("the result", w.updates(undone...), want)
		w.sampleRecordsAreStored()
		w.pulledIs(ann, before, bob)
		w.same("the result of the same records", w.updates(undone...), feed.Applied{Unchanged: len(undone)})
	})
	s.empty("an edge gets the time of the record", func(w *world) {
		w.imports(sampleRecords())
		follow, like, mute := followRecord(ann, bob), reactionRecord(feed.ReactionLike, ann, 10), relationRecord(feed.RelationMute, bob, ann)
		follow.Follow.CreatedAt, like.Reaction.CreatedAt, mute.Relation.CreatedAt = noon+1, noon+1, noon+1
		for _, r := range []feed.Record{follow, like, mute} {
			w.updated(r, "createdAt")
		}
		w.same("ann's followees", w.following(ann), []feed.Key{{TS: noon + 1, ID: int64(bob)}, {TS: noon, ID: int64(cem)}})
		w.same("bob's mutes", w.related(feed.RelationMute, bob), []feed.Key{{TS: noon + 1, ID: int64(ann)}})
		w.same("ann's counters", w.userCounters(ann), feed.UserCounters{Followers: 1, Following: 2, Posts: 1})
		w.same("the post's counters", w.postCounters(10), feed.PostCounters{Likes: 1, Comments: 1, Reposts: 1})
	})
	s.empty("the last record of an object wins", func(w *world) {
		w.imports(sampleRecords())
		deletedRecord := postRecord(11, cem)
		deletedRecord.Post.DeletedAt = noon + 1
		late := named(ann, "third")
		result := w.updates(records(named(ann, "first"), deletedRecord, named(ann, "second"), postRecord(11, cem), late, named(60, "new"), named(60, "newer"))...)
		w.same("the number of updates", len(result.Updated), 6)
		w.same("the number of stored records", result.Stored, 1)
		w.handlesAre(map[feed.UserID]string{ann: "third", 60: "newer"})
		w.same("cem's counters", w.userCounters(cem), feed.UserCounters{Followers: 1, Posts: 2})
	})
	s.empty("an update raises the versions of changed users, and a repeated update none", func(w *world) {
		w.imports(sampleRecords())
		edited, renamed := postRecord(10, bob), named(bob, "other")
		edited.Post.Text = "other"
		for _, r := range []feed.Record{edited, renamed} {
			before := w.viewerVersion(bob)
			w.updates(r)
			after := w.viewerVersion(bob)
			w.failIf(after.Own <= before.Own || after.Generation <= before.Generation,
				"an update must raise the own number and the generation: version was %+v, is %+v", before, after)
			w.updates(r)
			w.same("the viewer version after the same record", w.viewerVersion(bob), after)
		}
	})
}

// updates imports records with [feed.Batch.Update].
func (w *world) updates(rs ...feed.Record) feed.Applied {
	return must(w.Applier.Apply(w.ctx, feed.Batch{Records: rs, Update: true, ActiveFor: feed.DefaultPolicy().ActiveFor}))
}

// updated imports one record and checks that it changed exactly these fields of its object.
func (w *world) updated(r feed.Record, fields ...string) {
	r.Line = 5
	w.same("the result", w.updates(r), feed.Applied{Updated: []feed.Difference{{Line: 5, Object: r.Object().String(), Fields: fields}}})
	w.same("the result of the same record", w.updates(r), feed.Applied{Unchanged: 1})
}

// named returns the record of a user with another handle.
func named(id feed.UserID, handle string) feed.Record {
	r := userRecord(id)
	r.User.Handle = handle
	return r
}

// handlesAre compares users' handles and looks the users up by them.
func (w *world) handlesAre(handles map[feed.UserID]string) {
	for id, handle := range handles {
		w.same("the handle", w.usersOf(id)[0].Handle, handle)
		found := must(w.Users.UserByHandle(w.ctx, handle))
		w.failIf(found == nil || found.ID != id, "the handle %s belongs to %+v, want user %d", handle, found, id)
	}
}

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
		w.differs(post(func(p *feed.Post) { p.OtherMedia = feed.NoOtherMedia }), "hasMedia")
		w.differs(post(func(p *feed.Post) { p.Custom = custom }), "custom")
		w.differs(post(func(p *feed.Post) { p.Language = "en" }), "language")
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
	s.empty("follows and reactions that were undone stay undone", func(w *world) {
		w.imports(sampleRecords())
		w.unfollow(ann, bob)
		check(w.PostWriter.Unreact(w.ctx, feed.ReactionLike, ann, 10))
		check(w.PostWriter.Unreact(w.ctx, feed.ReactionFavorite, ann, 9))
		w.isUndone(followRecord(ann, bob))
		w.isUndone(reactionRecord(feed.ReactionLike, ann, 10))
		w.isUndone(reactionRecord(feed.ReactionFavorite, ann, 9))
		w.same("the follows of ann", w.following(ann), []feed.Key{{TS: noon, ID: int64(cem)}})
		w.same("ann's counters", w.userCounters(ann), feed.UserCounters{Followers: 1, Following: 1, Posts: 1})
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
		check(w.Follows.Follow(w.ctx, ann, bob, noon, 10, feed.FollowChoice{}))
		w.areNotUndone(records(reactionRecord(feed.ReactionLike, ann, 10), relationRecord(feed.RelationMute, bob, ann), followRecord(ann, bob)))
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
