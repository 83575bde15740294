package feedtest

import (
	"github.com/tideline-feeds/tideline/feed"
)

func userCountersRecord(user feed.UserID, c feed.UserCounters) feed.Record {
	return feed.Record{Counters: &feed.CountersRecord{User: user, UserCounters: c}}
}

func postCountersRecord(post feed.PostID, c feed.PostCounters) feed.Record {
	return feed.Record{Counters: &feed.CountersRecord{Post: post, PostCounters: c}}
}

func (w *world) sourceUserCounters(user feed.UserID) feed.UserCounters {
	return must(w.SourceCounters.UserCounters(w.ctx, []feed.UserID{user}))[0]
}

func (w *world) sourcePostCounters(post feed.PostID) feed.PostCounters {
	return must(w.SourceCounters.PostCounters(w.ctx, []feed.PostID{post}))[0]
}

func ingestCounterPromises(s storeSuite) {
	s.empty("counters of records are absolute, apart from what is counted", func(w *world) {
		w.ingest(profileRecord(ann, "ann", "Ann"), profileRecord(bob, "bob", "Bob"), followRecord(bob, ann), postRecord(1, ann))
		place, version := w.numberAll(), w.viewerVersion(ann)
		user, post := feed.UserCounters{Followers: 1_000_000, Following: 2, Posts: 30}, feed.PostCounters{Likes: 5, Comments: 4, Reposts: 3, Favorites: 2}
		got := w.ingest(userCountersRecord(ann, user), postCountersRecord(1, post), postCountersRecord(2, post))
		w.same("stored records", got.Stored, 3)
		w.same("the log", w.loggedAfter(place), []feed.Change(nil))
		w.same("the version", w.viewerVersion(ann), version)
		w.same("the user of the record", w.sourceUserCounters(ann), user)
		w.same("the post of the record", w.sourcePostCounters(1), post)
		w.same("a post that has not arrived", w.sourcePostCounters(2), post)
		w.same("the user as counted", w.userCounters(ann), feed.UserCounters{Followers: 1, Posts: 1})
		w.same("the post as counted", w.postCounters(1), feed.PostCounters{})
		w.same("a user without a record", w.sourceUserCounters(bob), feed.UserCounters{})

		check(w.Follows.Unfollow(w.ctx, bob, ann))
		check(w.PostWriter.React(w.ctx, feed.ReactionLike, bob, 1, noon))
		w.ingest(commentRecord(3, bob, 1), postRecord(4, ann))
		w.same("the user after changes", w.sourceUserCounters(ann), user)
		w.same("the post after changes", w.sourcePostCounters(1), post)

		order := must(w.SourceCounters.PostCounters(w.ctx, []feed.PostID{2, 9, 1}))
		w.same("several posts", order, []feed.PostCounters{post, {}, post})
	})
	s.empty("counters are whole, partial or gone", func(w *world) {
		likes := func(n int64) feed.Record { return postCountersRecord(1, feed.PostCounters{Likes: n, Comments: 7}) }
		w.ingest(likes(5))
		w.same("the same record", w.ingest(likes(5)).Unchanged, 1)
		w.same("what a whole record changes", w.ingest(postCountersRecord(1, feed.PostCounters{Likes: 6})).Updated[0].Fields, []string{"likes", "comments"})
		w.ingest(likes(8), likes(9))
		w.ingest(partial(postCountersRecord(1, feed.PostCounters{Likes: 3}), "likes"))
		w.same("after a partial record", w.sourcePostCounters(1), feed.PostCounters{Likes: 3, Comments: 7})
		w.ingest(gone(likes(0)))
		w.same("after deletedAt", w.sourcePostCounters(1), feed.PostCounters{})
		w.same("deletedAt again", w.ingest(gone(likes(0))).Unchanged, 1)
		w.badToIngest("counters of post 1 is not stored, so its record must not be partial", partial(likes(1), "likes"))
		w.ingest(likes(2))
		w.same("after a return", w.sourcePostCounters(1).Likes, int64(2))
		w.ingest(userCountersRecord(1, feed.UserCounters{}))
		w.ingest(partial(userCountersRecord(1, feed.UserCounters{Posts: 4}), "posts"))
		w.same("zeros are stored", w.sourceUserCounters(1), feed.UserCounters{Posts: 4})
	})
	s.empty("counters have versions", func(w *world) {
		user := func(n int64) feed.Record { return userCountersRecord(ann, feed.UserCounters{Followers: n}) }
		post := func(n int64) feed.Record { return postCountersRecord(feed.PostID(ann), feed.PostCounters{Likes: n}) }
		at := func(n int64) feed.ObjectVersion { return feed.ObjectVersion{Number: n} }
		w.ingestVersion(at(5), user(50), post(60))
		w.same("older records", w.ingestVersion(at(4), user(40), post(40)).Outdated, 2)
		w.same("equal records", w.ingestVersion(at(5), user(50)).Unchanged, 1)
		w.same("another content", w.ingestVersion(at(5), user(51)).Bad, []feed.BadRecord{
			{Line: 1, Reason: "another record of counters of user 9 has the same version and other content"},
		})
		w.ingestVersion(at(6), gone(user(0)))
		w.same("a record from before the end", w.ingestVersion(at(5), user(50)).Outdated, 1)
		w.ingestVersion(feed.ObjectVersion{Epoch: 1, Number: 1}, post(61))
		w.same("the user", w.sourceUserCounters(ann), feed.UserCounters{})
		w.same("the post", w.sourcePostCounters(feed.PostID(ann)), feed.PostCounters{Likes: 61})
		w.same("without a version", w.ingestVersion(at(0), user(1)).Bad, []feed.BadRecord{
			{Line: 1, Reason: `the field "version": without an order of records each needs a version`},
		})
	})
	s.empty("counters name one object, where a source counts", func(w *world) {
		both := postCountersRecord(1, feed.PostCounters{})
		both.Counters.User = ann
		mixed := userCountersRecord(ann, feed.UserCounters{})
		mixed.Counters.Likes = 1
		w.badToIngest(`the field "post": counters need either a user or a post`, both, gone(both), postCountersRecord(0, feed.PostCounters{}))
		w.badToIngest(`the field "user": a user has followers, following and posts as counters`, mixed)

		fit := postCountersRecord(1, feed.PostCounters{Likes: 1})
		own := batchOf([]feed.Record{fit})
		own.Owned = feed.OwnedTypes()
		want := []feed.BadRecord{{Line: 1, Reason: feed.Unowned(feed.RecordCounters)}}
		w.same("where Tideline counts", w.ingests(own).Bad, want)
		w.same("an import where Tideline counts", w.imports(records(fit)).Bad, want)
		letters := must(w.DeadLetters.DeadLetters(w.ctx, theSource, 0, 10))
		last := letters[len(letters)-1]
		w.same("the letter", []string{last.Object, last.Reason}, []string{"counters of post 1", want[0].Reason})
		w.same("the counters", w.sourcePostCounters(1), feed.PostCounters{})
	})
	s.empty("an erased account has no counters", func(w *world) {
		counters := userCountersRecord(ann, feed.UserCounters{Posts: 4})
		w.ingest(profileRecord(ann, "ann", "Ann"), counters)
		erased := profileRecord(ann, "", "")
		erased.User.ErasedAt = noon
		w.ingest(erased)
		w.badToIngest("the account of user 9 was deleted", counters)
		w.purge(many)
		w.same("the counters", w.sourceUserCounters(ann), feed.UserCounters{})
	})
}

func (w *world) userOf(id feed.UserID) *feed.User { return w.usersOf(id)[0] }

func ingestPositionPromises(s storeSuite) {
	s.empty("a position moves with its batch, once", func(w *world) {
		move := func(from, to string, list ...feed.Record) error {
			b := batchOf(list)
			b.Move = feed.PositionMove{Partition: "0", Identity: "one", From: from, To: to}
			return errorOf(w.Ingester.Ingest(w.ctx, b))
		}
		check(move("", "10", userRecord(ann)))
		check(move("10", "20", userRecord(bob)))
		for _, from := range []string{"", "10", "30"} {
			w.mustBe(feed.ErrPositionMoved, move(from, "40", userRecord(cem)))
		}
		w.same("cem", w.userOf(cem), (*feed.User)(nil))
		b := batchOf([]feed.Record{userRecord(cem)})
		b.Move = feed.PositionMove{Partition: "0", Identity: "another", From: "20", To: "30"}
		w.mustBe(feed.ErrPositionMoved, errorOf(w.Ingester.Ingest(w.ctx, b)))
		got := must(w.Ingester.Positions(w.ctx, theSource))
		for i := range got {
			got[i].MovedAt, got[i].CurrentAt = 0, 0
		}
		w.same("the positions", got, []feed.SourcePosition{{Source: theSource, Partition: "0", Identity: "one", Position: "20"}})
	})
	s.empty("a position has its lag", func(w *world) {
		stored := func() feed.SourcePosition { return must(w.Ingester.Positions(w.ctx, theSource))[0] }
		move := func(from, to string, lag feed.SourceLag) error {
			b := batchOf(nil)
			b.Move = feed.PositionMove{Partition: "0", Identity: "one", From: from, To: to, Lag: lag}
			return errorOf(w.Ingester.Ingest(w.ctx, b))
		}
		check(move("", "10", feed.SourceLag{Millis: -1, Messages: -1}))
		p := stored()
		w.same("an unknown lag", p.Lag(p.MovedAt), feed.SourceLag{Millis: -1, Messages: -1})
		check(move("10", "20", feed.SourceLag{Millis: 700, Messages: 4}))
		p = stored()
		w.same("the lag", p.Lag(p.MovedAt), feed.SourceLag{Millis: 700, Messages: 4})
		w.same("the lag a second later", p.Lag(p.MovedAt+1000), feed.SourceLag{Millis: 1700, Messages: 4})
		moved := p.MovedAt
		check(move("20", "20", feed.SourceLag{}))
		p = stored()
		w.same("the time of the last move", p.MovedAt, moved)
		w.same("the lag at the end", p.Lag(p.CurrentAt), feed.SourceLag{})
		w.failIf(p.CurrentAt < moved, "the partition is current as of %d, before its last move at %d", p.CurrentAt, moved)
		w.mustBe(feed.ErrPositionMoved, move("10", "10", feed.SourceLag{Messages: 9}))
		w.same("the stored lag", stored(), p)
	})
}
