package feedtest

import (
	"strings"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// applierPromises checks the promises of [feed.Applier].
func applierPromises(s storeSuite) {
	s.empty("records of every type are stored as they are", func(w *world) {
		w.same("the result", w.imports(sampleRecords()), feed.Applied{Stored: len(sampleRecords())})
		w.sampleRecordsAreStored()
		edited := newPost(12, ann, noon)
		edited.EditedAt, edited.Media = noon+1, []string{"relative/a.png"}
		w.same("the result", w.imports(records(feed.Record{Post: edited})), feed.Applied{Stored: 1})
		w.same("the post", w.postsOf(12), []*feed.Post{edited})
	})
	s.empty("importing twice, in one batch or in two, is the same as importing once", func(w *world) {
		batch := records(append(sampleRecords(), sampleRecords()...)...)
		w.same("the result", w.imports(batch), feed.Applied{Stored: len(sampleRecords()), Unchanged: len(sampleRecords())})
		versions := []feed.ViewerVersion{w.viewerVersion(ann), w.viewerVersion(bob), w.viewerVersion(cem)}
		w.same("the second result", w.imports(sampleRecords()), feed.Applied{Unchanged: len(sampleRecords())})
		w.sampleRecordsAreStored()
		w.same("the viewer versions", []feed.ViewerVersion{w.viewerVersion(ann), w.viewerVersion(bob), w.viewerVersion(cem)}, versions)
	})
	s.empty("a stored user or post keeps its current state", func(w *world) {
		w.imports(sampleRecords())
		must(w.PostWriter.Edit(w.ctx, 10, feed.PostEdit{Text: new("new"), At: noon + 1}))
		w.delete(11)
		check(w.Audience.RaiseFlag(w.ctx, bob, feed.FlagUnpushed, feed.FlagBacklog))
		users, posts := w.usersOf(ann, bob), w.postsOf(10, 11)
		renamed := userRecord(ann)
		renamed.User.Name = "Other"
		again := records(renamed, userRecord(bob), postRecord(10, bob), postRecord(11, cem))
		w.same("the result", w.imports(again), feed.Applied{Unchanged: 1, Different: []feed.Difference{
			{Line: 1, Object: "user " + ann.String(), Fields: []string{"name"}},
			{Line: 3, Object: "post 10", Fields: []string{"text", "editedAt"}},
			{Line: 4, Object: "post 11", Fields: []string{"deletedAt"}},
		}})
		w.same("the users", w.usersOf(ann, bob), users)
		w.same("the posts", w.postsOf(10, 11), posts)
	})
	s.empty("a batch raises the generation only if it stores a record", func(w *world) {
		before := w.viewerVersion(0).Generation
		w.imports(sampleRecords())
		raised := w.viewerVersion(0).Generation
		w.rose("the generation by a batch that stored records", before, raised)
		for _, nothing := range [][]feed.Record{nil, sampleRecords(), records(followRecord(ann, 12345))} {
			w.imports(nothing)
			w.same("the generation after a batch that stores nothing", w.viewerVersion(ann).Generation, raised)
		}
		w.imports(records(postRecord(77, ann), followRecord(ann, 12345)))
		w.rose("the generation by another batch that stored a record", raised, w.viewerVersion(dee).Generation)
	})
	s.promise("the versions of affected viewers rise, and follows get an edge version", func(w *world) {
		w.follow(ann, dee)
		before := w.relationsVersion(ann)
		one := func(r feed.Record) func() { return func() { w.imports(records(r)) } }
		w.rises("an imported follow", one(followRecord(ann, bob)), true, false)
		w.rises("an imported mute", one(relationRecord(feed.RelationMute, ann, bob)), true, false)
		w.rises("an imported hide", one(relationRecord(feed.RelationHide, ann, bob)), false, true)
		w.rises("an imported block", one(relationRecord(feed.RelationBlock, ann, bob)), true, true)
		w.rises("an imported post", one(postRecord(1, ann)), false, false)
		w.rises("a batch of follows", func() { w.imports(records(followRecord(ann, cem), followRecord(bob, cem))) }, true, true)
		w.pulledIs(ann, before, cem)
		w.relate(feed.RelationMute, ann, bob, false)
		w.relate(feed.RelationBlock, ann, bob, false)
		w.pulledIs(ann, before, bob, cem)
		w.pulledIs(ann, w.relationsVersion(ann))
	})
	s.empty("counters stay exact", func(w *world) {
		w.imports(sampleRecords())
		w.delete(9)
		w.unfollow(ann, bob)
		w.imports(records(
			commentRecord(12, ann, 10), repostRecord(13, bob, 100), followRecord(cem, bob),
			reactionRecord(feed.ReactionLike, bob, 10), reactionRecord(feed.ReactionLike, ann, 10),
		))
		w.same("the post's counters", w.postCounters(10), feed.PostCounters{Likes: 2, Comments: 1, Reposts: 1})
		w.same("the repost's counters", w.postCounters(100), feed.PostCounters{Reposts: 1})
		w.same("ann's counters", w.userCounters(ann), feed.UserCounters{Followers: 1, Following: 1, Posts: 2})
		w.same("bob's counters", w.userCounters(bob), feed.UserCounters{Followers: 1, Following: 1, Posts: 2})
		w.same("cem's counters", w.userCounters(cem), feed.UserCounters{Followers: 1, Following: 1, Posts: 1})
	})
	s.empty("the follow limit does not apply to imports, but imported follows count", func(w *world) {
		w.imports(sampleRecords())
		w.user(dee)
		w.graphIs(ann, 1, 2)
		w.mustHaveCode(feed.CodeFollowLimit, w.Follows.Follow(w.ctx, ann, dee, noon, 2, feed.FollowChoice{}))
		check(w.Follows.Follow(w.ctx, ann, dee, noon, 3, feed.FollowChoice{}))
	})
	s.group("Differences", importDifferences)
	s.group("Updates", importUpdates)
	s.group("Leases", importLeases)
	s.group("Refusals", importRefusals)
}

// records numbers records as lines from 1.
func records(rs ...feed.Record) []feed.Record {
	for i := range rs {
		rs[i].Line = i + 1
	}
	return rs
}

func userRecord(id feed.UserID) feed.Record {
	return feed.Record{User: &feed.UserRecord{User: *newUser(id), LastSeenAt: noon}}
}

func followRecord(follower, followee feed.UserID) feed.Record {
	return feed.Record{Follow: &feed.FollowRecord{Follower: follower, Followee: followee, CreatedAt: noon}}
}

func postRecord(id feed.PostID, author feed.UserID) feed.Record {
	return feed.Record{Post: newPost(id, author, noon)}
}

func commentRecord(id feed.PostID, author feed.UserID, on feed.PostID) feed.Record {
	return feed.Record{Post: newComment(id, author, noon, on)}
}

func repostRecord(id feed.PostID, author feed.UserID, of feed.PostID) feed.Record {
	return feed.Record{Post: newRepost(id, author, noon, of)}
}

func reactionRecord(r feed.Reaction, user feed.UserID, post feed.PostID) feed.Record {
	return feed.Record{Reaction: &feed.ReactionRecord{Reaction: r, User: user, Post: post, CreatedAt: noon}}
}

func relationRecord(kind feed.RelationKind, user, target feed.UserID) feed.Record {
	return feed.Record{Relation: &feed.RelationRecord{Kind: kind, User: user, Target: target, CreatedAt: noon}}
}

// sampleRecords returns a batch with a record of every type. The records refer to one another.
func sampleRecords() []feed.Record {
	return records(
		userRecord(ann), userRecord(bob), userRecord(cem),
		followRecord(ann, bob), followRecord(ann, cem), followRecord(bob, ann),
		postRecord(10, bob), commentRecord(9, cem, 10), repostRecord(100, ann, 10), postRecord(11, cem),
		reactionRecord(feed.ReactionLike, ann, 10), reactionRecord(feed.ReactionFavorite, ann, 9),
		relationRecord(feed.RelationMute, bob, ann),
		relationRecord(feed.RelationHide, cem, bob),
		relationRecord(feed.RelationBlock, bob, cem),
	)
}

func (w *world) imports(batch []feed.Record) feed.Applied { return must(w.Import(w.ctx, batch)) }

// sampleRecordsAreStored compares all stored data with that of sampleRecords.
func (w *world) sampleRecordsAreStored() {
	comment, repost := commentRecord(9, cem, 10).Post, repostRecord(100, ann, 10).Post
	w.same("the users", w.usersOf(ann, bob, cem), []*feed.User{newUser(ann), newUser(bob), newUser(cem)})
	w.same("the posts", w.postsOf(9, 10, 100), []*feed.Post{comment, newPost(10, bob, noon), repost})
	w.same("ann's followees", w.following(ann), []feed.Key{{TS: noon, ID: int64(cem)}, {TS: noon, ID: int64(bob)}})
	w.same("ann's feed", w.feedOf(ann), []feed.Key{
		{TS: noon, ID: 100}, {TS: noon, ID: 11}, {TS: noon, ID: 10}, {TS: noon, ID: 9},
	})
	w.same("bob's edges", w.edges(bob, ann, cem),
		[]feed.Edge{{Follows: true, Mutes: true}, {Blocks: true, HiddenBy: true}})
	w.same("ann's reactions to the post", w.reactionsOf(ann, 10), feed.ViewerReactions{Liked: true})
	w.same("ann's reactions to the comment", w.reactionsOf(ann, 9), feed.ViewerReactions{Favorited: true})
	w.same("the post's counters", w.postCounters(10), feed.PostCounters{Likes: 1, Comments: 1, Reposts: 1})
	w.same("the comment's counters", w.postCounters(9), feed.PostCounters{Favorites: 1})
	w.same("ann's counters", w.userCounters(ann), feed.UserCounters{Followers: 1, Following: 2, Posts: 1})
	w.same("cem's counters", w.userCounters(cem), feed.UserCounters{Followers: 1, Posts: 2})
}

// chain returns a batch of a post and n reposts, each of the previous one. Ids begin at 1.
func chain(n int) []feed.Record {
	rs := []feed.Record{userRecord(ann), postRecord(1, ann)}
	for i := range n {
		rs = append(rs, repostRecord(feed.PostID(i+2), ann, feed.PostID(i+1)))
	}
	return records(rs...)
}

// importRefusals checks which records [feed.Applier] refuses.
func importRefusals(s storeSuite) {
	s.empty("a record that refers to an unknown object is refused, and the reason has the id", func(w *world) {
		w.imports(sampleRecords())
		w.refuseEach("no user "+feed.UserID(missing).String(),
			followRecord(ann, missing), followRecord(missing, ann),
			postRecord(50, missing),
			reactionRecord(feed.ReactionLike, missing, 10),
			relationRecord(feed.RelationMute, ann, missing), relationRecord(feed.RelationBlock, missing, ann),
		)
		w.refuseEach("no post "+feed.PostID(missing).String(),
			commentRecord(50, ann, missing), repostRecord(50, ann, missing),
			reactionRecord(feed.ReactionFavorite, ann, missing),
		)
	})
	s.empty("a record may refer to earlier records of its batch, but not to later ones", func(w *world) {
		batch := records(
			userRecord(ann), followRecord(ann, bob), userRecord(bob), followRecord(ann, bob),
			commentRecord(2, ann, 1), postRecord(1, ann), commentRecord(2, ann, 1),
		)
		got := w.imports(batch)
		w.same("the number of stored records", got.Stored, 5)
		w.same("the refused lines", lines(got.Bad), []int{2, 5})
		w.same("ann's counters", w.userCounters(ann), feed.UserCounters{Following: 1, Posts: 2})
	})
	s.empty("a record that contradicts the store or itself is refused", func(w *world) {
		w.imports(sampleRecords())
		noParent, noOriginal := commentRecord(50, ann, 0), repostRecord(50, ann, 0)
		withParent, withOriginal := postRecord(50, ann), postRecord(50, ann)
		withParent.Post.ReplyTo, withOriginal.Post.RepostOf = 10, 10
		both, mixed := commentRecord(50, ann, 10), repostRecord(50, ann, 10)
		both.Post.RepostOf, mixed.Post.ReplyTo = 10, 10
		unknownKind := postRecord(50, ann)
		unknownKind.Post.Kind = "VIDEO"
		w.refuseEach("",
			followRecord(ann, ann),
			relationRecord(feed.RelationMute, ann, ann),
			relationRecord("envy", ann, bob),
			reactionRecord("shrug", ann, 10),
			postRecord(10, ann), // It is bob's.
			noParent, noOriginal, withParent, withOriginal, both, mixed, unknownKind,
			commentRecord(50, ann, 50),
			repostRecord(50, ann, 50),
			feed.Record{},
		)
		w.sampleRecordsAreStored()
	})
	s.empty("the handle of another user, in any case, is refused", func(w *world) {
		w.user(ann)
		taken := userRecord(bob)
		taken.User.Handle = strings.ToUpper(newUser(ann).Handle)
		w.refuseEach("", taken)
		other := userRecord(dee)
		other.User.Handle = "U" + cem.String()
		got := w.imports(records(userRecord(cem), other))
		w.same("the refused lines", lines(got.Bad), []int{2})
		w.same("the users", w.usersOf(bob, cem, dee), []*feed.User{nil, newUser(cem), nil})
	})
	s.empty("a refused record does not stop the batch, and the result has its line", func(w *world) {
		batch := []feed.Record{postRecord(1, ann), userRecord(ann), followRecord(ann, missing), postRecord(1, ann), userRecord(ann)}
		for i := range batch {
			batch[i].Line = 1000 * (i + 1)
		}
		got := w.imports(batch)
		w.same("the refused lines", lines(got.Bad), []int{1000, 3000})
		w.same("the numbers of stored and unchanged records", []int{got.Stored, got.Unchanged}, []int{2, 1})
	})
	s.empty("a refused record changes nothing", func(w *world) {
		w.imports(sampleRecords())
		before := []feed.ViewerVersion{w.viewerVersion(ann), w.viewerVersion(bob), w.viewerVersion(cem)}
		result := w.imports(records(
			followRecord(ann, missing), followRecord(ann, ann), relationRecord(feed.RelationBlock, ann, ann),
			postRecord(10, ann), commentRecord(50, missing, 10), repostRecord(51, missing, 10),
			reactionRecord(feed.ReactionLike, missing, 10),
		))
		w.same("the number of refused records", len(result.Bad), 7)
		w.sampleRecordsAreStored()
		w.same("the refused posts", w.postsOf(50, 51), []*feed.Post{nil, nil})
		w.same("the viewer versions", []feed.ViewerVersion{w.viewerVersion(ann), w.viewerVersion(bob), w.viewerVersion(cem)}, before)
	})
	s.empty("a repost that makes a chain longer than the policy allows is refused", func(w *world) {
		depth := feed.DefaultPolicy().RepostDepth
		batch := chain(depth + 1)
		got := w.imports(batch)
		w.same("the number of stored records", got.Stored, len(batch)-1)
		w.same("the refused lines", lines(got.Bad), []int{len(batch)})
		tooDeep, wide := feed.PostID(depth+2), feed.PostID(depth+3)
		w.refuseEach("", repostRecord(tooDeep, ann, tooDeep-1))
		w.same("the result for another repost of the link before the last", w.imports(records(repostRecord(wide, ann, tooDeep-2))),
			feed.Applied{Stored: 1})
		w.same("the result for a comment on the last link", w.imports(records(commentRecord(77, ann, tooDeep-1))),
			feed.Applied{Stored: 1})
		w.same("the result for a repost of that comment", w.imports(records(repostRecord(78, ann, 77))),
			feed.Applied{Stored: 1})
	})
}

// missing is an id without a record.
const missing = 424242

// refuseEach imports each record alone and checks that the reason of its refusal contains reason.
func (w *world) refuseEach(reason string, rs ...feed.Record) {
	for i, r := range rs {
		r.Line = 700 + i
		got := w.imports([]feed.Record{r})
		if got.Stored != 0 || got.Unchanged != 0 || len(got.Bad) != 1 {
			w.t.Errorf("record %d: got %+v, want one refusal", i, got)
			continue
		}
		refused := got.Bad[0]
		w.same("the line", refused.Line, r.Line)
		w.failIf(refused.Reason == "" || !strings.Contains(refused.Reason, reason),
			"record %d: the reason is %q, want it to contain %q", i, refused.Reason, reason)
	}
}

// lines returns the line numbers of refused records.
func lines(refused []feed.BadRecord) []int {
	return each(refused, func(r feed.BadRecord) int { return r.Line })
}

// importLeases checks how user records change activity leases.
func importLeases(s storeSuite) {
	s.empty("the lease of a new user begins at lastSeenAt; without it there is no lease", func(w *world) {
		recent := w.now() - 10*hour
		w.imports(records(seenRecord(ann, recent), seenRecord(bob, noon), seenRecord(cem, 0)))
		w.imports(records(seenRecord(cem, 0)))
		w.dormantIs([]feed.UserID{ann, bob}, 0, bob)
		w.dormantIs([]feed.UserID{cem}, 365*24*time.Hour, cem)
		w.same("the times of the last activities", []int64{w.seen(ann), w.seen(cem)}, []int64{recent, 0})
		w.same("the ends of the leases", []int64{w.leaseEnd(ann), w.leaseEnd(bob), w.leaseEnd(cem)}, []int64{recent + importedFor(), noon + importedFor(), 0})
	})
	s.empty("the batch sets the duration of a lease", func(w *world) {
		recent := w.now() - hour
		for user, d := range map[feed.UserID]time.Duration{ann: 2 * time.Hour, bob: time.Minute, cem: 0} {
			must(w.Applier.Apply(w.ctx, feed.Batch{Records: records(seenRecord(user, recent)), ActiveFor: d}))
			w.same("the length of the lease", w.leaseEnd(user)-recent, d.Milliseconds())
		}
	})
	s.empty("a lastSeenAt in the future counts as now", func(w *world) {
		before := w.now()
		ahead := before + feed.RecordRules().ClockSkew.Milliseconds()
		w.imports(records(seenRecord(ann, ahead)))
		end := w.leaseEnd(ann)
		w.failIf(end < before+importedFor() || end > w.now()+importedFor(),
			"the lease ends %d ms after the import began, want about %d", end-before, importedFor())
	})
	s.empty("a later lastSeenAt raises the lease of a stored user", func(w *world) {
		recent := w.now() - hour
		w.user(bob)
		w.imports(records(seenRecord(ann, noon)))
		versions := []feed.ViewerVersion{w.viewerVersion(ann), w.viewerVersion(bob)}
		again := records(seenRecord(ann, recent), seenRecord(bob, recent))
		w.same("the result", w.imports(again), feed.Applied{Unchanged: len(again)})
		w.same("the viewer versions", []feed.ViewerVersion{w.viewerVersion(ann), w.viewerVersion(bob)}, versions)
		for _, user := range []feed.UserID{ann, bob} {
			w.same("the time of the user's last activity", w.seen(user), recent)
			w.same("the end of the lease", w.leaseEnd(user), recent+importedFor())
		}
	})
	s.empty("no lastSeenAt lowers a lease", func(w *world) {
		recent := w.now() - hour
		w.imports(records(seenRecord(ann, recent)))
		for _, lastSeenAt := range []int64{0, noon, recent - 1, recent} {
			w.imports(records(seenRecord(ann, lastSeenAt), postRecord(feed.PostID(lastSeenAt+1), ann)))
			w.same("the time of ann's last activity", w.seen(ann), recent)
		}
		must(w.Applier.Apply(w.ctx, feed.Batch{Records: records(seenRecord(ann, recent)), ActiveFor: time.Minute}))
		w.same("the end of the lease", w.leaseEnd(ann), recent+importedFor())
	})
	s.empty("the latest lastSeenAt of a batch wins", func(w *world) {
		recent := w.now() - hour
		w.user(bob)
		w.imports(records(
			seenRecord(ann, noon), seenRecord(ann, recent), seenRecord(ann, noon),
			seenRecord(bob, noon), seenRecord(bob, recent), seenRecord(bob, noon)))
		for _, user := range []feed.UserID{ann, bob} {
			w.same("the time of the user's last activity", w.seen(user), recent)
			w.same("the end of the lease", w.leaseEnd(user), recent+importedFor())
		}
	})
	s.promise("renewals and records raise the same lease", func(w *world) {
		renewed := w.renew(ann, time.Duration(2*importedFor())*time.Millisecond)
		w.imports(records(seenRecord(ann, renewed.Now-hour)))
		w.same("the time of ann's last activity", w.seen(ann), renewed.Now)
		w.same("the end of the lease", w.leaseEnd(ann), renewed.Until)
		w.imports(records(seenRecord(cem, renewed.Now-hour)))
		w.same("the end of the other lease", w.renew(cem, time.Hour).Until, renewed.Now-hour+importedFor())
	})
	s.promise("a deleted account gets no lease", func(w *world) {
		w.deleteAccounts(bob)
		recent := w.now() - hour
		deleted := func(id feed.UserID) feed.Record {
			r := seenRecord(id, recent)
			r.User.DeletedAt = recent
			return r
		}
		w.imports(records(deleted(ann), deleted(bob), seenRecord(bob, recent), deleted(5)))
		w.dormantIs([]feed.UserID{ann, bob, 5}, 0, ann, bob, 5)
		w.same("the time of ann's last activity", w.seen(ann), int64(0))
	})
}

// importedFor returns the duration in milliseconds of the leases that [Stores.Import] gives.
func importedFor() int64 { return feed.DefaultPolicy().ActiveFor.Milliseconds() }

// seenRecord is the record of a user who was last seen at a time.
func seenRecord(id feed.UserID, lastSeenAt int64) feed.Record {
	return feed.Record{User: &feed.UserRecord{User: *newUser(id), LastSeenAt: lastSeenAt}}
}

// leaseEnd returns the end of the user's lease, 0 for none. It uses a renewal that ends before
// 1970. Such a renewal records the user's activity but does not change the lease.
func (w *world) leaseEnd(user feed.UserID) int64 {
	return w.renew(user, -time.Duration(w.now()+hour)*time.Millisecond).Until
}
