package feedtest

import (
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// choose sets options of a follow.
func choose(named, on feed.FollowOptions) feed.FollowChoice {
	return feed.FollowChoice{Named: named, On: on}
}

// followOptionsPromises checks the promises of [feed.Follows] about options, and those of other ports about them.
func followOptionsPromises(s storeSuite) {
	const both = feed.FollowSpecial | feed.FollowHidesReplies
	options := func(w *world) feed.FollowOptions { return w.edges(ann, bob)[0].Options }
	follow := func(w *world, c feed.FollowChoice) { check(w.Follows.Follow(w.ctx, ann, bob, noon, many, c)) }
	s.promise("a follow has the options that are chosen, and only what is given changes", func(w *world) {
		follow(w, choose(both, feed.FollowHidesReplies))
		w.same("the options", options(w), feed.FollowHidesReplies)
		check(w.Follows.UpdateFollow(w.ctx, ann, bob, choose(feed.FollowSpecial, feed.FollowSpecial)))
		w.same("the options", options(w), both)
		follow(w, choose(feed.FollowHidesReposts, feed.FollowHidesReposts))
		w.same("the options after another follow", options(w), both|feed.FollowHidesReposts)
		check(w.Follows.UpdateFollow(w.ctx, ann, bob, choose(both, feed.FollowSpecial)))
		w.same("the options", options(w), feed.FollowSpecial|feed.FollowHidesReposts)
		w.same("bob's edge", w.edges(bob, ann), []feed.Edge{{}})
		w.graphIs(bob, 1, 0)
	})
	s.promise("unfollowing drops the options", func(w *world) {
		follow(w, choose(both, both))
		w.unfollow(ann, bob)
		w.same("ann's edge", w.edges(ann, bob), []feed.Edge{{}})
		follow(w, feed.FollowChoice{})
		w.same("the options", options(w), feed.FollowOptions(0))
	})
	s.promise("a request keeps its options, and is their only place before it is accepted", func(w *world) {
		w.setPrivate(bob, true)
		follow(w, choose(both, both))
		check(w.Follows.UpdateFollow(w.ctx, ann, bob, choose(feed.FollowHidesReplies, 0)))
		w.same("ann's edge", w.edges(ann, bob), []feed.Edge{{}})
		w.same("the special follows", must(w.Specials.SpecialFollows(w.ctx, ann)), []feed.UserID(nil))
		check(w.Requests.AcceptFollow(w.ctx, bob, ann, noon))
		w.same("the options", options(w), feed.FollowSpecial)

		check(w.Follows.Follow(w.ctx, cem, bob, noon, many, choose(both, feed.FollowHidesReplies)))
		w.setPrivate(bob, false)
		check(w.Follows.Follow(w.ctx, cem, bob, noon, many, choose(feed.FollowSpecial, feed.FollowSpecial)))
		w.same("the options of a request that a follow replaces", w.edges(cem, bob)[0].Options, both)
	})
	s.promise("only a follow or a request has options", func(w *world) {
		for _, other := range []feed.UserID{bob, ann, 12345} {
			w.mustHaveCode(feed.CodeNotFound, w.Follows.UpdateFollow(w.ctx, ann, other, choose(both, both)))
		}
		w.same("ann's edge", w.edges(ann, bob), []feed.Edge{{}})
	})
	s.promise("changed options raise the viewer's version and have a row, and the same ones do not", func(w *world) {
		follow(w, choose(both, feed.FollowSpecial))
		log := w.logReader()
		w.rises("the change", func() { check(w.Follows.UpdateFollow(w.ctx, ann, bob, choose(both, feed.FollowHidesReplies))) }, true, false)
		log.logs("the change", feed.Change{Kind: feed.ChangeOptions, User: ann, Other: bob, Post: feed.PostID(both)})
		w.rises("the same", func() { check(w.Follows.UpdateFollow(w.ctx, ann, bob, choose(both, feed.FollowHidesReplies))) }, false, false)
		w.rises("the same, by a follow", func() { follow(w, choose(both, feed.FollowHidesReplies)) }, false, false)
		log.logs("the same")
		w.same("follows since the version before", must(w.Relations.Pulled(w.ctx, ann, feed.Completeness{
			Generation: must(w.Relations.ViewerVersion(w.ctx, ann)).Generation, Version: w.relationsVersion(ann) - 1,
		})), []feed.UserID(nil))
	})
	s.promise("hidden reposts and comments leave the home feed and the pulled outboxes, and nothing else", func(w *world) {
		follow(w, feed.FollowChoice{})
		w.post(1, bob, noon)
		w.comment(2, bob, noon+1, 1)
		w.repost(3, bob, noon+2, 1)
		w.comment(4, ann, noon+3, 1)
		shown := func(what string, c feed.FollowChoice, want ...int64) {
			check(w.Follows.UpdateFollow(w.ctx, ann, bob, c))
			home := each(w.feedOf(ann), func(k feed.Key) int64 { return k.ID })
			w.same("the feed "+what, home, append([]int64{4}, want...))
			w.same("the outboxes "+what, each(must(w.Outboxes.Outbox(w.ctx, ann, []feed.UserID{ann, bob}, all())), func(k feed.Key) int64 { return k.ID }), home)
			w.same("bob's outbox "+what, len(must(w.readList(w.ctx, feed.OutboxRef(bob), all()))), 3)
		}
		shown("at first", feed.FollowChoice{}, 3, 2, 1)
		shown("without reposts", choose(feed.FollowHidesReposts, feed.FollowHidesReposts), 2, 1)
		shown("without both", choose(feed.FollowHidesReplies, feed.FollowHidesReplies), 1)
		shown("without comments", choose(feed.FollowHidesReposts, 0), 3, 1)
		shown("with both", choose(feed.FollowHidesReplies, 0), 3, 2, 1)
	})
	s.promise("the special feed has posts of special follows alone", func(w *world) {
		follow(w, choose(both, both))
		w.follow(ann, cem)
		w.post(1, bob, noon)
		w.comment(2, bob, noon+1, 1)
		w.post(3, cem, noon+2)
		w.post(4, ann, noon+3)
		special := func() []feed.Key { return must(w.Reference.Feed(w.ctx, ann, feed.SpecialAuthors, all())) }
		w.same("the feed", special(), []feed.Key{{TS: noon, ID: 1}})
		w.same("the special follows", must(w.Specials.SpecialFollows(w.ctx, ann)), []feed.UserID{bob})
		w.same("the special followers", must(w.Audience.SpecialFollowersAmong(w.ctx, bob, []feed.UserID{cem, ann, dee})), []feed.UserID{ann})
		w.same("the special followers of cem", must(w.Audience.SpecialFollowersAmong(w.ctx, cem, []feed.UserID{ann, dee})), []feed.UserID(nil))
		w.relate(feed.RelationMute, ann, bob, true)
		w.same("the feed with a mute", special(), []feed.Key(nil))
		w.relate(feed.RelationMute, ann, bob, false)
		check(w.Follows.UpdateFollow(w.ctx, ann, bob, choose(feed.FollowSpecial, 0)))
		w.same("the feed without special follows", special(), []feed.Key(nil))
	})
	s.promise("special follows are limited, requests included, also when they are made at once", func(w *world) {
		users := w.makeUsers(feed.SpecialFollowsMax + 4)
		asked, users := users[0], users[1:]
		w.setPrivate(asked, true)
		special := choose(feed.FollowSpecial, feed.FollowSpecial)
		check(w.Follows.Follow(w.ctx, ann, asked, noon, many, special))
		followers := concurrently(len(users), func(i int) error { return w.Follows.Follow(w.ctx, ann, users[i], noon, many, special) })
		refused := 0
		for _, err := range followers {
			if err != nil {
				w.mustHaveCode(feed.CodeFollowLimit, err)
				refused++
			}
		}
		w.same("the refused follows", refused, len(users)+1-feed.SpecialFollowsMax)
		w.same("the special follows", len(must(w.Specials.SpecialFollows(w.ctx, ann))), feed.SpecialFollowsMax-1)
		check(w.Follows.UpdateFollow(w.ctx, ann, asked, choose(feed.FollowSpecial, 0)))
		last := users[slices.IndexFunc(followers, func(err error) bool { return err != nil })]
		check(w.Follows.Follow(w.ctx, ann, last, noon, many, special))
		w.mustHaveCode(feed.CodeFollowLimit, w.Follows.UpdateFollow(w.ctx, ann, asked, special))
	})
	s.promise("records have options, and change only those that they name", func(w *world) {
		record := func(requested bool, c feed.FollowChoice) feed.Record {
			return feed.Record{Follow: &feed.FollowRecord{Follower: ann, Followee: bob, CreatedAt: noon, Requested: requested, Options: c}}
		}
		w.ingest(record(false, choose(both, both)))
		w.same("the options", options(w), both)
		log := w.logReader()
		w.rises("another record", func() { w.ingest(record(false, choose(feed.FollowHidesReplies, 0))) }, true, false)
		log.logs("another record", feed.OptionsChange(ann, bob, both, feed.FollowSpecial))
		w.rises("a record without options", func() { w.ingest(record(false, feed.FollowChoice{})) }, false, false)
		w.same("the options", options(w), feed.FollowSpecial)
		w.ingest(record(true, feed.FollowChoice{}))
		w.ingest(record(false, feed.FollowChoice{}))
		w.same("the options of a follow that was a request meanwhile", options(w), feed.FollowSpecial)
		ended := record(false, feed.FollowChoice{})
		ended.EndedAt = noon
		w.ingest(ended)
		w.ingest(record(false, choose(feed.FollowHidesReplies, feed.FollowHidesReplies)))
		w.same("the options of a new follow", options(w), feed.FollowHidesReplies)
	})
}
