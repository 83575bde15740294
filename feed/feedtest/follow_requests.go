package feedtest

import "github.com/tideline-feeds/tideline/feed"

// ask makes users ask to follow bob, each a millisecond later.
func (w *world) ask(followers ...feed.UserID) {
	for i, follower := range followers {
		check(w.Follows.Follow(w.ctx, follower, bob, noon+int64(i), many, feed.FollowChoice{}))
	}
}

func (w *world) requests() []feed.Key {
	return must(w.Requests.FollowRequests(w.ctx, bob, all()))
}

func (w *world) requested(follower, followee feed.UserID) bool {
	return must(w.Requests.FollowRequested(w.ctx, follower, []feed.UserID{followee, 12345}))[0]
}

// followRequestsPromises checks the promises of [feed.FollowRequests], and those of other ports about them.
func followRequestsPromises(s storeSuite) {
	s.promise("following a private account is a request, which is no follow in any way", func(w *world) {
		w.setPrivate(bob, true)
		version, place := w.relationsVersion(ann), w.numberAll()
		for range 2 {
			w.ask(ann)
			w.same("the requests", w.requests(), []feed.Key{{TS: noon, ID: int64(ann)}})
			w.same("the sent requests", must(w.Requests.SentFollowRequests(w.ctx, ann, all())), []feed.Key{{TS: noon, ID: int64(bob)}})
			w.same("whether ann has asked", w.requested(ann, bob), true)
			w.same("whether bob has asked", w.requested(bob, ann), false)
		}
		w.same("ann's followees", w.following(ann), []feed.Key(nil))
		w.same("ann's edge", w.edges(ann, bob), []feed.Edge{{}})
		w.same("ann's version", w.relationsVersion(ann), version)
		w.graphIs(ann, 0, 0)
		w.graphIs(bob, 0, 0)
		w.same("the end of the change log", w.numberAll(), place)
	})
	s.promise("an accepted request is a new follow at the time of acceptance, once", func(w *world) {
		w.setPrivate(bob, true)
		w.ask(ann)
		w.rises("the acceptance", func() { check(w.Requests.AcceptFollow(w.ctx, bob, ann, noon+hour)) }, true, false)
		for range 2 {
			w.same("ann's followees", w.following(ann), []feed.Key{{TS: noon + hour, ID: int64(bob)}})
			w.same("the requests", w.requests(), []feed.Key(nil))
			w.same("whether ann has asked", w.requested(ann, bob), false)
			w.graphIs(ann, 0, 1)
			w.graphIs(bob, 1, 0)
			check(w.Requests.AcceptFollow(w.ctx, bob, ann, noon+2*hour))
			check(w.Follows.Follow(w.ctx, ann, bob, noon+3*hour, many, feed.FollowChoice{}))
		}
	})
	s.promise("without a request there is nothing to accept, and nothing to reject", func(w *world) {
		w.setPrivate(bob, true)
		check(w.Requests.RejectFollow(w.ctx, bob, ann))
		for _, follower := range []feed.UserID{ann, 12345} {
			w.mustHaveCode(feed.CodeNotFound, w.Requests.AcceptFollow(w.ctx, bob, follower, noon))
		}
		w.ask(ann)
		w.mustHaveCode(feed.CodeNotFound, w.Requests.AcceptFollow(w.ctx, ann, bob, noon))
		w.graphIs(bob, 0, 0)
	})
	s.promise("rejections, unfollows, blocks by either side and deletions of either account end requests", func(w *world) {
		for what, end := range map[string]func(){
			"a rejection":      func() { check(w.Requests.RejectFollow(w.ctx, bob, ann)) },
			"an unfollow":      func() { w.unfollow(ann, bob) },
			"a block by her":   func() { w.relate(feed.RelationBlock, ann, bob, true); w.relate(feed.RelationBlock, ann, bob, false) },
			"a block by owner": func() { w.relate(feed.RelationBlock, bob, ann, true); w.relate(feed.RelationBlock, bob, ann, false) },
		} {
			w.setPrivate(bob, true)
			w.ask(ann, cem)
			end()
			w.same("the requests after "+what, w.requests(), []feed.Key{{TS: noon + 1, ID: int64(cem)}})
			w.mustHaveCode(feed.CodeNotFound, w.Requests.AcceptFollow(w.ctx, bob, ann, noon))
			w.graphIs(bob, 0, 0)
		}
		w.ask(ann)
		w.deleteAccounts(ann)
		w.same("the requests after a deletion", w.requests(), []feed.Key{{TS: noon + 1, ID: int64(cem)}})
		w.mustHaveCode(feed.CodeNotFound, w.Requests.AcceptFollow(w.ctx, bob, ann, noon))
		w.deleteAccounts(bob)
		w.same("the sent requests after a deletion", must(w.Requests.SentFollowRequests(w.ctx, cem, all())), []feed.Key(nil))
		w.purge(1)
	})
	s.promise("no request begins while one blocks the other, and follows before the flip stay", func(w *world) {
		w.follow(ann, bob)
		w.setPrivate(bob, true)
		w.relate(feed.RelationBlock, bob, cem, true)
		w.relate(feed.RelationBlock, dee, bob, true)
		for _, follower := range []feed.UserID{cem, dee} {
			w.mustHaveCode(feed.CodeConflict, w.Follows.Follow(w.ctx, follower, bob, noon, many, feed.FollowChoice{}))
		}
		w.same("the requests", w.requests(), []feed.Key(nil))
		check(w.Follows.Follow(w.ctx, ann, bob, noon, many, feed.FollowChoice{}))
		w.graphIs(bob, 1, 0)
	})
	s.promise("a request stays when the account becomes public: it can be accepted, or the user follows again", func(w *world) {
		w.setPrivate(bob, true)
		w.ask(ann, cem)
		w.setPrivate(bob, false)
		w.same("whether ann has asked", w.requested(ann, bob), false)
		w.same("the number of requests", len(w.requests()), 2)
		check(w.Requests.AcceptFollow(w.ctx, bob, ann, noon))
		check(w.Follows.Follow(w.ctx, cem, bob, noon, 1, feed.FollowChoice{}))
		w.same("the requests", w.requests(), []feed.Key(nil))
		w.graphIs(bob, 2, 0)
	})
	s.promise("requests count towards the limit of follows, and accepting is never refused by it", func(w *world) {
		w.setPrivate(bob, true)
		check(w.Follows.Follow(w.ctx, ann, bob, noon, 1, feed.FollowChoice{}))
		w.mustHaveCode(feed.CodeFollowLimit, w.Follows.Follow(w.ctx, ann, cem, noon, 1, feed.FollowChoice{}))
		check(w.Follows.Follow(w.ctx, ann, cem, noon, 2, feed.FollowChoice{}))
		w.mustHaveCode(feed.CodeFollowLimit, w.Follows.Follow(w.ctx, ann, dee, noon, 2, feed.FollowChoice{}))
		check(w.Requests.AcceptFollow(w.ctx, bob, ann, noon))
		w.graphIs(ann, 0, 2)
	})
	s.promise("concurrent flips and follows leave no follow that was not accepted", func(w *world) {
		users := w.makeUsers(13)
		late, users := users[0], users[1:]
		errs := concurrently(len(users)+1, func(i int) error {
			if i == 0 {
				private := true
				_, err := w.Profiles.UpdateProfile(w.ctx, bob, feed.ProfileChange{Private: &private})
				return err
			}
			return w.Follows.Follow(w.ctx, users[i-1], bob, noon, many, feed.FollowChoice{})
		})
		for _, err := range errs {
			check(err)
		}
		followers := len(must(w.Relations.Followers(w.ctx, bob, all())))
		w.same("follows and requests", followers+len(w.requests()), len(users))
		w.graphIs(bob, int64(followers), 0)
		check(w.Follows.Follow(w.ctx, late, bob, noon, many, feed.FollowChoice{}))
		w.same("whether a later follow is a request", w.requested(late, bob), true)
	})
}
