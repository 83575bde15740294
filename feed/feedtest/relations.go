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
	s.promise("calls without effect raise no version", func(w *world) {
		w.follow(ann, bob)
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
	s.promise("changes of relations do not raise the generation", func(w *world) {
		before := w.viewerVersion(ann).Generation
		w.follow(ann, bob)
		w.relate(feed.RelationBlock, ann, cem, true)
		w.post(1, bob, noon)
		for _, viewer := range []feed.UserID{0, ann, dee} {
			w.same("the generation", w.viewerVersion(viewer).Generation, before)
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
		own("an edit", true, func() { must(w.PostWriter.Edit(w.ctx, 1, "other words", noon)) })
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
		w.eachTrickyUser(func(id feed.UserID, at int64) error { return w.Follows.Follow(w.ctx, id, cem, at, many) })
		w.follow(cem, dee)
		w.everyRange(trickyKeys(), func(r feed.Range) ([]feed.Key, error) { return w.Relations.Followers(w.ctx, cem, r) })
	})
	s.empty("followees are listed by time, then id, whatever the bounds, limit and direction", func(w *world) {
		w.eachTrickyUser(func(id feed.UserID, at int64) error { return w.Follows.Follow(w.ctx, cem, id, at, many) })
		w.follow(dee, cem)
		w.everyRange(trickyKeys(), func(r feed.Range) ([]feed.Key, error) { return w.Relations.Following(w.ctx, cem, r) })
	})
	s.promise("lists of users ignore kinds", func(w *world) {
		w.follow(ann, bob)
		r := all()
		r.Kinds = feed.Kinds{feed.KindComment}
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
