package feedtest

import (
	"fmt"

	"github.com/tideline-feeds/tideline/feed"
)

// relationsPromises checks the promises of [feed.Relations].
func relationsPromises(s storeSuite) {
	s.promise("a version is 0 at first, and rises with every change of a relation that changes the viewer's feed", func(w *world) {
		for _, viewer := range []feed.UserID{0, ann, 12345} {
			w.same("the version", w.relationsVersion(viewer), int64(0))
		}
		w.rises("a follow", func() { w.follow(ann, bob) }, true, false)
		for _, c := range []struct {
			kind     feed.RelationKind
			ann, bob bool
		}{
			{feed.RelationMute, true, false},
			{feed.RelationHide, false, true},
			{feed.RelationBlock, true, true},
		} {
			w.rises("a "+string(c.kind), func() { w.relate(c.kind, ann, bob, true) }, c.ann, c.bob)
			w.rises("the end of a "+string(c.kind), func() { w.relate(c.kind, ann, bob, false) }, c.ann, c.bob)
		}
		w.rises("an unfollow", func() { w.unfollow(ann, bob) }, true, false)
	})
	s.promise("calls without effect raise no version, and changes of relations no generation", func(w *world) {
		before := w.viewerVersion(ann).Generation
		w.follow(ann, bob)
		w.relate(feed.RelationBlock, ann, cem, true)
		w.post(1, bob, noon)
		for _, viewer := range []feed.UserID{0, ann, dee} {
			w.same("the generation", w.viewerVersion(viewer).Generation, before)
		}
		kinds := relationKinds()
		for _, kind := range kinds {
			w.relate(kind, ann, bob, true)
		}
		w.rises("a second follow", func() { w.follow(ann, bob) }, false, false)
		w.rises("an unfollow of a user who is not followed", func() { w.unfollow(ann, cem) }, false, false)
		for _, kind := range kinds {
			w.rises("a second "+string(kind), func() { w.relate(kind, ann, bob, true) }, false, false)
			w.rises("ending a missing "+string(kind), func() { w.relate(kind, bob, ann, false) }, false, false)
		}
	})
	s.promise("the viewer's own number rises with their posts, edits, deletions, profile and end of the account only", func(w *world) {
		w.same("the own number of a new user", w.viewerVersion(ann).Own, int64(0))
		own := func(what string, rises bool, change func()) {
			before, other := w.viewerVersion(ann).Own, w.viewerVersion(bob).Own
			change()
			w.same("whether ann's own number rises after "+what, w.viewerVersion(ann).Own > before, rises)
			w.same("whether bob's own number rises after "+what, w.viewerVersion(bob).Own > other, !rises)
		}
		own("a publish", true, func() { w.post(1, ann, noon) })
		own("a publish in the past", true, func() { w.post(2, ann, noon-hour) })
		own("an edit", true, func() { must(w.PostWriter.Edit(w.ctx, 1, feed.PostEdit{Text: new("other words"), At: noon})) })
		own("a deletion", true, func() { w.delete(2) })
		own("a new name", true, func() { must(w.Profiles.UpdateProfile(w.ctx, ann, feed.ProfileChange{Name: new("Another")})) })
		own("a comment by another", false, func() { w.comment(3, bob, noon, 1) })
		w.follow(ann, bob)
		check(w.PostWriter.React(w.ctx, feed.ReactionLike, bob, 1, noon))
		before := w.viewerVersion(ann)
		w.delete(2)
		w.same("ann's viewer version after a second deletion", w.viewerVersion(ann), before)
		own("the end of the account", true, func() { w.deleteAccounts(ann) })
	})
	s.promise("the flag count rises only when a flag rises", func(w *world) {
		raise := func(author feed.UserID, m feed.CoverageFlag, rises bool) {
			before := w.viewerVersion(ann).Flags
			w.raiseFlag(m, author)
			w.same("whether it rises", w.viewerVersion(ann).Flags > before, rises)
			w.same("the flag count of the anonymous viewer", w.viewerVersion(0).Flags, w.viewerVersion(ann).Flags)
		}
		raise(bob, feed.FlagSelective, true)
		raise(bob, feed.FlagSelective, false)
		raise(cem, feed.FlagUnpushed, true)
		raise(bob, feed.FlagUnpushed, true)
		raise(cem, feed.FlagSelective, false)
		raise(12345, feed.FlagUnpushed, false)
	})
	s.promise("concurrent loads of versions return each viewer's own", func(w *world) {
		w.follow(ann, bob)
		w.post(1, bob, noon)
		want := map[feed.UserID]feed.ViewerVersion{}
		viewers := []feed.UserID{0, ann, bob, cem, 12345}
		for _, viewer := range viewers {
			want[viewer] = w.viewerVersion(viewer)
		}
		together(40, func(i int) error {
			viewer := viewers[i%len(viewers)]
			got, err := w.Relations.ViewerVersion(w.ctx, viewer)
			if got.Now = 0; err == nil && got != want[viewer] {
				err = fmt.Errorf("the version of viewer %d is %+v, want %+v", viewer, got, want[viewer])
			}
			return err
		})
	})
	s.promise("an edge shows what each side does to the other", func(w *world) {
		w.follow(ann, bob)
		w.same("ann's edge", w.edges(ann, bob), []feed.Edge{{Follows: true}})
		w.same("bob's edge", w.edges(bob, ann), []feed.Edge{{}})
		w.unfollow(ann, bob)
		for _, c := range []struct {
			kind     feed.RelationKind
			ann, bob feed.Edge
		}{
			{feed.RelationMute, feed.Edge{Mutes: true}, feed.Edge{}},
			{feed.RelationHide, feed.Edge{HidesFrom: true}, feed.Edge{HiddenBy: true}},
			{feed.RelationBlock, feed.Edge{Blocks: true}, feed.Edge{BlockedBy: true}},
		} {
			w.relate(c.kind, ann, bob, true)
			w.same("ann's edge", w.edges(ann, bob), []feed.Edge{c.ann})
			w.same("bob's edge", w.edges(bob, ann), []feed.Edge{c.bob})
			w.relate(c.kind, ann, bob, false)
			w.same("ann's edge afterwards", w.edges(ann, bob), []feed.Edge{{}})
		}
	})
	s.promise("one edge per user, in the given order, empty for unknown users, oneself and the anonymous viewer", func(w *world) {
		w.follow(ann, bob)
		w.relate(feed.RelationBlock, cem, ann, true)
		w.relate(feed.RelationMute, ann, cem, true)
		w.same("the edges", w.edges(ann, cem, 12345, bob, dee, cem),
			[]feed.Edge{{Mutes: true, BlockedBy: true}, {}, {Follows: true}, {}, {Mutes: true, BlockedBy: true}})
		w.same("the edges to no users", w.edges(ann), []feed.Edge(nil))
		w.follow(ann, bob)
		w.same("the anonymous viewer's edges", w.edges(0, ann, bob), []feed.Edge{{}, {}})
		w.same("ann's edge to herself", w.edges(ann, ann), []feed.Edge{{}})
	})
	s.empty("followers are listed by time, then id, whatever the bounds, limit and direction", func(w *world) {
		w.eachTrickyUser(func(id feed.UserID, at int64) error {
			return w.Follows.Follow(w.ctx, id, cem, at, many, feed.FollowChoice{})
		})
		w.follow(cem, dee)
		w.everyRange(trickyKeys(), func(r feed.Range) ([]feed.Key, error) { return w.Relations.Followers(w.ctx, cem, r) })
	})
	s.empty("followees are listed by time, then id, whatever the bounds, limit and direction", func(w *world) {
		w.eachTrickyUser(func(id feed.UserID, at int64) error {
			return w.Follows.Follow(w.ctx, cem, id, at, many, feed.FollowChoice{})
		})
		w.follow(dee, cem)
		w.everyRange(trickyKeys(), func(r feed.Range) ([]feed.Key, error) { return w.Relations.Following(w.ctx, cem, r) })
	})
	s.promise("lists of users ignore kinds", func(w *world) {
		w.follow(ann, bob)
		r := all()
		r.Filter = feed.OfKinds(feed.KindComment)
		followers := must(w.Relations.Followers(w.ctx, bob, r))
		w.same("the followers", followers, []feed.Key{{TS: noon, ID: int64(ann)}})
		w.same("the followees", must(w.Relations.Following(w.ctx, ann, r)), []feed.Key{{TS: noon, ID: int64(bob)}})
	})
	s.group("Pulled", pulled)
}

func (w *world) edges(viewer feed.UserID, others ...feed.UserID) []feed.Edge {
	return must(w.Relations.Edges(w.ctx, viewer, others))
}

// rises checks whether a change raises ann's version and bob's.
func (w *world) rises(what string, change func(), annRises, bobRises bool) {
	a, b := w.relationsVersion(ann), w.relationsVersion(bob)
	change()
	w.same("ann's version rises by "+what, w.relationsVersion(ann) > a, annRises)
	w.same("bob's version rises by "+what, w.relationsVersion(bob) > b, bobRises)
	w.failIf(w.relationsVersion(ann) < a || w.relationsVersion(bob) < b, "%s lowered a version, want versions to rise only", what)
}

// eachTrickyUser creates the users of [trickyKeys], and calls follow with each id and time.
func (w *world) eachTrickyUser(follow func(id feed.UserID, at int64) error) {
	w.user(cem, dee)
	for _, k := range trickyKeys() {
		w.user(feed.UserID(k.ID))
		check(follow(feed.UserID(k.ID), k.TS))
	}
}

// relaterPromises checks the promises of [feed.Relater]. [relationsPromises] checks the effects on edges and
// versions.
func relaterPromises(s storeSuite) {
	s.promise("a relation set twice keeps its first time until it ends", func(w *world) {
		for _, kind := range relationKinds() {
			w.relateAt(kind, ann, bob, noon)
			before := w.viewerVersion(bob)
			w.relateAt(kind, ann, bob, noon+1)
			w.same("ann's list", w.related(kind, ann), []feed.Key{{TS: noon, ID: int64(bob)}})
			w.same("bob's viewer version", w.viewerVersion(bob), before)
			check(w.Relater.Unrelate(w.ctx, kind, ann, bob))
			w.same("ann's list afterwards", w.related(kind, ann), []feed.Key(nil))
		}
	})
	s.promise("a relation ends alone and can be made again", func(w *world) {
		for _, kind := range relationKinds() {
			w.relateAt(kind, ann, bob, noon)
		}
		check(w.Relater.Unrelate(w.ctx, feed.RelationHide, ann, bob))
		w.same("ann's edge", w.edges(ann, bob), []feed.Edge{{Mutes: true, Blocks: true}})
		w.relateAt(feed.RelationHide, ann, bob, noon+1)
		w.same("ann's edge", w.edges(ann, bob), []feed.Edge{{Mutes: true, HidesFrom: true, Blocks: true}})
		w.same("the users ann hides from", w.related(feed.RelationHide, ann), []feed.Key{{TS: noon + 1, ID: int64(bob)}})
	})
	s.promise("ending a missing relation changes nothing", func(w *world) {
		for _, kind := range relationKinds() {
			w.rises("ending a missing "+string(kind), func() { check(w.Relater.Unrelate(w.ctx, kind, ann, bob)) }, false, false)
			check(w.Relater.Unrelate(w.ctx, kind, ann, 12345))
			check(w.Relater.Unrelate(w.ctx, kind, 12345, ann))
		}
	})
	s.promise("a relation with an unknown user is NOT_FOUND, and one of an unknown kind INVALID", func(w *world) {
		for _, kind := range relationKinds() {
			for _, pair := range [][2]feed.UserID{{ann, 12345}, {12345, ann}} {
				err := w.Relater.Relate(w.ctx, feed.RelationRecord{Kind: kind, User: pair[0], Target: pair[1], CreatedAt: noon})
				w.mustHaveCode(feed.CodeNotFound, err)
			}
			w.same("ann's list", w.related(kind, ann), []feed.Key(nil))
			w.same("the unknown user's list", w.related(kind, 12345), []feed.Key(nil))
		}
		w.same("ann's version", w.relationsVersion(ann), int64(0))
		unknown := feed.RelationRecord{Kind: "poke", User: ann, Target: bob, CreatedAt: noon}
		w.mustHaveCode(feed.CodeInvalid, w.Relater.Relate(w.ctx, unknown))
		check(w.Relater.Unrelate(w.ctx, unknown.Kind, ann, bob))
		w.same("the list of an unknown kind", w.related(unknown.Kind, ann), []feed.Key(nil))
	})
	s.empty("relations are listed by time, then id, whatever the bounds, limit and direction", func(w *world) {
		for _, kind := range relationKinds() {
			w.eachTrickyUser(func(id feed.UserID, at int64) error {
				return w.Relater.Relate(w.ctx, feed.RelationRecord{Kind: kind, User: cem, Target: id, CreatedAt: at})
			})
		}
		w.relateAt(feed.RelationBlock, dee, cem, noon)
		w.everyRange(trickyKeys(), func(r feed.Range) ([]feed.Key, error) { return w.Relater.Related(w.ctx, feed.RelationBlock, cem, r) })
	})
	s.promise("a list has the relations of one kind and one user", func(w *world) {
		w.follow(ann, dee)
		for i, kind := range relationKinds() {
			w.relateAt(kind, ann, []feed.UserID{bob, cem, dee}[i], noon)
			w.relateAt(kind, bob, ann, noon)
		}
		for i, kind := range relationKinds() {
			w.same("ann's list", w.related(kind, ann), []feed.Key{{TS: noon, ID: int64([]feed.UserID{bob, cem, dee}[i])}})
			w.same("bob's list", w.related(kind, bob), []feed.Key{{TS: noon, ID: int64(ann)}})
			w.same("cem's list", w.related(kind, cem), []feed.Key(nil))
		}
	})
	s.promise("concurrent changes of one relation raise the version once per change", func(w *world) {
		together(16, func(i int) error {
			if i%2 == 0 {
				return w.Relater.Unrelate(w.ctx, feed.RelationMute, ann, bob)
			}
			return w.Relater.Relate(w.ctx, feed.RelationRecord{Kind: feed.RelationMute, User: ann, Target: bob, CreatedAt: noon})
		})
		// The relation did not exist at first, so it exists after an odd number of changes.
		exists := len(w.related(feed.RelationMute, ann)) == 1
		w.same("whether the number of changes is odd", w.relationsVersion(ann)%2 == 1, exists)
		w.same("bob's version", w.relationsVersion(bob), int64(0))
	})
}

func relationKinds() []feed.RelationKind {
	return []feed.RelationKind{feed.RelationMute, feed.RelationHide, feed.RelationBlock}
}

// related returns the users that user mutes, hides from or blocks.
func (w *world) related(kind feed.RelationKind, user feed.UserID) []feed.Key {
	return must(w.Relater.Related(w.ctx, kind, user, all()))
}

func (w *world) relateAt(kind feed.RelationKind, user, target feed.UserID, at int64) {
	check(w.Relater.Relate(w.ctx, feed.RelationRecord{Kind: kind, User: user, Target: target, CreatedAt: at}))
}

// followsPromises checks the promises of [feed.Follows].
func followsPromises(s storeSuite) {
	s.promise("a follow stores an edge with the given time, and counts for both users, once", func(w *world) {
		check(w.Follows.Follow(w.ctx, ann, bob, noon+7, many, feed.FollowChoice{}))
		version := w.relationsVersion(ann)
		for range 2 {
			w.same("ann's followees", w.following(ann), []feed.Key{{TS: noon + 7, ID: int64(bob)}})
			w.same("ann's version", w.relationsVersion(ann), version)
			w.graphIs(ann, 0, 1)
			w.graphIs(bob, 1, 0)
			check(w.Follows.Follow(w.ctx, ann, bob, noon+hour, many, feed.FollowChoice{}))
		}
	})
	s.promise("following an unknown user is NOT_FOUND and changes nothing", func(w *world) {
		w.mustHaveCode(feed.CodeNotFound, w.Follows.Follow(w.ctx, ann, 12345, noon, many, feed.FollowChoice{}))
		w.mustHaveCode(feed.CodeNotFound, w.Follows.Follow(w.ctx, 12345, ann, noon, many, feed.FollowChoice{}))
		w.same("ann's followees", w.following(ann), []feed.Key(nil))
		w.same("ann's version", w.relationsVersion(ann), int64(0))
		w.graphIs(ann, 0, 0)
	})
	s.promise("following more than the limit is FOLLOW_LIMIT and changes nothing; an unfollow makes room", func(w *world) {
		check(w.Follows.Follow(w.ctx, ann, bob, noon, 1, feed.FollowChoice{}))
		before := w.relationsVersion(ann)
		w.mustHaveCode(feed.CodeFollowLimit, w.Follows.Follow(w.ctx, ann, cem, noon, 1, feed.FollowChoice{}))
		w.same("ann's followees", w.following(ann), []feed.Key{{TS: noon, ID: int64(bob)}})
		w.same("ann's version", w.relationsVersion(ann), before)
		w.graphIs(ann, 0, 1)
		w.graphIs(cem, 0, 0)
		check(w.Follows.Follow(w.ctx, dee, bob, noon, 1, feed.FollowChoice{}))
		check(w.Follows.Follow(w.ctx, ann, bob, noon, 1, feed.FollowChoice{})) // Following a followee again succeeds.
		w.graphIs(ann, 0, 1)
		w.unfollow(ann, bob)
		check(w.Follows.Follow(w.ctx, ann, cem, noon, 1, feed.FollowChoice{}))
		w.graphIs(ann, 0, 1)
	})
	s.promise("an unfollow removes the edge, once, and following again is a new follow at its own time", func(w *world) {
		w.follow(ann, bob)
		w.unfollow(ann, bob, bob, cem, 12345)
		w.same("ann's followees", w.following(ann), []feed.Key(nil))
		w.same("ann's edge", w.edges(ann, bob), []feed.Edge{{}})
		for _, user := range []feed.UserID{ann, bob, cem} {
			w.graphIs(user, 0, 0)
		}
		check(w.Follows.Follow(w.ctx, ann, bob, noon+hour, many, feed.FollowChoice{}))
		w.same("ann's followees", w.following(ann), []feed.Key{{TS: noon + hour, ID: int64(bob)}})
		w.graphIs(ann, 0, 1)
		w.graphIs(bob, 1, 0)
	})
	s.promise("concurrent follows reach the limit exactly", func(w *world) {
		const limit = 5
		users := w.makeUsers(3 * limit)
		followed := 0
		for _, err := range concurrently(len(users), func(i int) error {
			return w.Follows.Follow(w.ctx, ann, users[i], noon, limit, feed.FollowChoice{})
		}) {
			if err == nil {
				followed++
				continue
			}
			w.mustHaveCode(feed.CodeFollowLimit, err)
		}
		w.same("the number of follows that succeeded", followed, limit)
		w.same("ann's followees", len(w.following(ann)), limit)
		w.graphIs(ann, 0, limit)
	})
	s.promise("concurrent follows of one user, or of one edge, are counted once each", func(w *world) {
		users := append(w.makeUsers(12), bob)
		together(8*len(users), func(i int) error { return w.Follows.Follow(w.ctx, users[i/8], ann, noon, many, feed.FollowChoice{}) })
		w.graphIs(ann, int64(len(users)), 0)
		w.same("ann's followers", len(w.followerIDs(ann)), len(users))
		w.graphIs(bob, 0, 1)
	})
	s.empty("users who follow each other concurrently all succeed", func(w *world) {
		users := w.makeUsers(5)
		n := len(users)
		together(n*n, func(i int) error {
			if i/n == i%n {
				return nil
			}
			return w.Follows.Follow(w.ctx, users[i/n], users[i%n], noon, many, feed.FollowChoice{})
		})
		for _, user := range users {
			w.graphIs(user, int64(n-1), int64(n-1))
		}
	})
	s.promise("concurrent follows and unfollows of one edge leave matching counters", func(w *world) {
		together(16, func(i int) error {
			if i%2 == 0 {
				return w.Follows.Unfollow(w.ctx, ann, bob)
			}
			return w.Follows.Follow(w.ctx, ann, bob, noon, many, feed.FollowChoice{})
		})
		n := int64(len(w.following(ann)))
		w.graphIs(ann, 0, n)
		w.graphIs(bob, n, 0)
	})
}

// following returns the keys of the user's followees, newest first.
func (w *world) following(user feed.UserID) []feed.Key {
	return must(w.Relations.Following(w.ctx, user, all()))
}

// graphIs compares a user's follower and followee counts.
func (w *world) graphIs(user feed.UserID, followers, following int64) {
	c := w.userCounters(user)
	c.Posts = 0
	w.same("the counters of "+user.String(), c, feed.UserCounters{Followers: followers, Following: following})
}

// makeUsers makes n users and returns their ids.
func (w *world) makeUsers(n int) []feed.UserID {
	ids := make([]feed.UserID, n)
	for i := range ids {
		ids[i] = feed.UserID(5000 + i)
	}
	w.user(ids...)
	return ids
}
