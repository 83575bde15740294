package feedtest

import (
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
	s.empty("importing twice is the same as importing once", func(w *world) {
		w.imports(sampleRecords())
		versions := []feed.ViewerVersion{w.viewerVersion(ann), w.viewerVersion(bob), w.viewerVersion(cem)}
		w.same("the second result", w.imports(sampleRecords()), feed.Applied{Unchanged: len(sampleRecords())})
		w.sampleRecordsAreStored()
		w.same("the viewer versions", []feed.ViewerVersion{w.viewerVersion(ann), w.viewerVersion(bob), w.viewerVersion(cem)}, versions)
	})
	s.empty("a duplicate record in a batch is stored once", func(w *world) {
		batch := records(append(sampleRecords(), sampleRecords()...)...)
		w.same("the result", w.imports(batch), feed.Applied{Stored: len(sampleRecords()), Unchanged: len(sampleRecords())})
		w.sampleRecordsAreStored()
	})
	s.empty("a stored user or post keeps its current state", func(w *world) {
		w.imports(sampleRecords())
		must(w.PostWriter.Edit(w.ctx, 10, "new", noon+1))
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
		w.mustHaveCode(feed.CodeFollowLimit, w.Follows.Follow(w.ctx, ann, dee, noon, 2))
		check(w.Follows.Follow(w.ctx, ann, dee, noon, 3))
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
