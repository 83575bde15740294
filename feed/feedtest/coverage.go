package feedtest

import (
	"fmt"

	"github.com/tideline-feeds/tideline/feed"
)

// coveragePromises checks the promises of [feed.Coverage].
func coveragePromises(s storeSuite) {
	s.promise("an inbox covers followed authors, whatever the other relations, but never the viewer", func(w *world) {
		w.follow(ann, bob, cem)
		w.follow(dee, ann)
		w.post(1, ann, noon)
		b := w.post(2, bob, noon+1)
		w.post(3, dee, noon+2)
		c := w.repost(4, cem, noon+3, 3)
		d := w.comment(5, cem, noon+4, 3)
		for _, r := range relationCases() {
			w.relate(r.kind, r.user, r.target, true)
		}
		w.delete(3)
		w.same("the covered keys", w.covered(ann), []feed.Key{d, c, b})
		w.same("the covered keys of the anonymous viewer", w.covered(0), []feed.Key(nil))
		w.same("the covered keys of an unknown viewer", w.covered(12345), []feed.Key(nil))
		w.follow(ann, ann)
		w.same("the covered keys of a viewer who follows themselves", w.covered(ann), []feed.Key{d, c, b})
		w.unfollow(ann, cem)
		w.same("the covered keys after an unfollow", w.covered(ann), []feed.Key{b})
	})
	s.promise("unpushed authors and deleted posts are omitted and do not count towards the limit", func(w *world) {
		w.follow(ann, bob, cem)
		w.post(1, bob, noon)
		w.post(2, cem, noon)
		c := w.post(3, cem, noon-1)
		w.raiseFlag(feed.FlagUnpushed, bob)
		w.raiseFlag(feed.FlagSelective, cem)
		w.delete(2)
		for _, s := range []feed.FolloweeFilter{{}, {Selective: true}} {
			keys := must(w.Coverage.Covered(w.ctx, ann, s, feed.Range{Below: feed.Top, Limit: 1}))
			w.same("the covered keys", keys, []feed.Key{c})
		}
	})
	s.promise("posts of deleted accounts are omitted, purged or not", func(w *world) {
		w.follow(ann, bob, cem)
		w.raiseFlag(feed.FlagSelective, bob, cem)
		w.post(1, bob, noon+1)
		c := w.post(2, cem, noon)
		w.deleteAccounts(bob)
		for range 2 {
			for _, s := range []feed.FolloweeFilter{{}, {Selective: true}} {
				w.same("the covered keys", w.coveredFrom(ann, s), []feed.Key{c})
			}
			w.purge(1)
		}
	})
	s.promise("the filter Since selects the authors followed after a version", func(w *world) {
		b := w.post(1, bob, noon)
		c := w.post(2, cem, noon+1)
		w.follow(ann, bob)
		first := w.relationsVersion(ann)
		w.follow(ann, cem)
		second := w.relationsVersion(ann)
		w.same("since the beginning", w.coveredFrom(ann, feed.FolloweeFilter{}), []feed.Key{c, b})
		w.same("since the first follow", w.coveredFrom(ann, feed.FolloweeFilter{Since: first}), []feed.Key{c})
		w.same("since the second follow", w.coveredFrom(ann, feed.FolloweeFilter{Since: second}), []feed.Key(nil))
		w.relate(feed.RelationMute, ann, bob, true)
		w.same("since the second follow, after a mute", w.coveredFrom(ann, feed.FolloweeFilter{Since: second}), []feed.Key(nil))
		w.unfollow(ann, bob)
		w.same("since the second follow, after an unfollow", w.coveredFrom(ann, feed.FolloweeFilter{Since: second}), []feed.Key(nil))
		w.follow(ann, bob)
		w.same("since the second follow, after following again", w.coveredFrom(ann, feed.FolloweeFilter{Since: second}), []feed.Key{b})
	})
	s.promise("the filter Selective selects the selective authors", func(w *world) {
		w.follow(ann, bob, cem, dee)
		b := w.post(1, bob, noon)
		c := w.post(2, cem, noon+1)
		w.post(3, dee, noon+2)
		w.raiseFlag(feed.FlagSelective, cem)
		w.raiseFlag(feed.FlagUnpushed, dee)
		w.same("the covered keys without a filter", w.coveredFrom(ann, feed.FolloweeFilter{}), []feed.Key{c, b})
		w.same("the covered keys of selective authors", w.coveredFrom(ann, feed.FolloweeFilter{Selective: true}), []feed.Key{c})
		w.raiseFlag(feed.FlagUnpushed, cem)
		w.same("the covered keys of selective authors without cem", w.coveredFrom(ann, feed.FolloweeFilter{Selective: true}), []feed.Key(nil))
	})
	s.promise("both filters select the authors that match both", func(w *world) {
		w.follow(ann, bob)
		since := w.relationsVersion(ann)
		w.follow(ann, cem, dee)
		w.post(1, bob, noon)
		c := w.post(2, cem, noon+1)
		w.post(3, dee, noon+2)
		w.raiseFlag(feed.FlagSelective, bob, cem)
		w.same("the covered keys with both filters", w.coveredFrom(ann, feed.FolloweeFilter{Since: since, Selective: true}), []feed.Key{c})
	})
	s.promise("covered keys are read in feed order, whatever the bounds, limit and direction", func(w *world) {
		w.follow(ann, bob, cem)
		w.trickyPosts(cem, bob)
		w.post(77, ann, noon+5)
		w.everyRange(trickyKeys(), func(r feed.Range) ([]feed.Key, error) {
			return w.Coverage.Covered(w.ctx, ann, feed.FolloweeFilter{}, r)
		})
	})
	s.promise("filtered keys are read in feed order, whatever the bounds, limit and direction", func(w *world) {
		w.user(5)
		w.follow(ann, dee)
		since := w.relationsVersion(ann)
		w.follow(ann, bob, cem, 5)
		w.raiseFlag(feed.FlagSelective, bob, cem, dee)
		for i, k := range trickyKeys() {
			w.post(feed.PostID(k.ID), []feed.UserID{cem, bob}[i%2], k.TS)
			w.post(feed.PostID(k.ID^1<<40), []feed.UserID{dee, 5}[i%2], k.TS)
		}
		w.everyRange(trickyKeys(), func(r feed.Range) ([]feed.Key, error) {
			return w.Coverage.Covered(w.ctx, ann, feed.FolloweeFilter{Since: since, Selective: true}, r)
		})
	})
	s.group("Unfollowed", func(s storeSuite) {
		s.promise("returns the users unfollowed since a version", func(w *world) {
			w.follow(ann, bob, cem, dee)
			before := w.relationsVersion(ann)
			w.unfollowedIs(ann, 0)
			w.unfollow(ann, bob)
			between := w.relationsVersion(ann)
			w.unfollow(ann, cem)
			w.unfollowedIs(ann, 0, bob, cem)
			w.unfollowedIs(ann, before, bob, cem)
			w.unfollowedIs(ann, between, cem)
			w.unfollowedIs(ann, w.relationsVersion(ann))
		})
		s.promise("a user followed again is omitted until they are unfollowed again", func(w *world) {
			w.follow(ann, bob)
			before := w.relationsVersion(ann)
			for range 2 {
				w.unfollow(ann, bob)
				ended := w.relationsVersion(ann)
				w.unfollowedIs(ann, before, bob)
				w.follow(ann, bob)
				w.unfollowedIs(ann, before)
				w.unfollow(ann, bob)
				w.unfollowedIs(ann, ended, bob)
				w.unfollow(ann, bob)
				w.unfollowedIs(ann, w.relationsVersion(ann))
				w.follow(ann, bob)
			}
		})
		s.promise("only the viewer's own unfollows count", func(w *world) {
			w.follow(ann, bob)
			w.follow(bob, cem, ann)
			w.unfollow(ann, dee)
			for _, r := range relationCases() {
				w.relate(r.kind, r.user, r.target, true)
				w.relate(r.kind, r.user, r.target, false)
			}
			w.unfollow(bob, cem)
			w.unfollow(bob, ann)
			for _, viewer := range []feed.UserID{0, ann, cem, 12345} {
				w.unfollowedIs(viewer, 0)
			}
			w.unfollowedIs(bob, 0, ann, cem)
		})
		s.promise("a deleted account is returned after its purge", func(w *world) {
			w.follow(ann, bob, cem)
			w.follow(dee, bob)
			w.unfollow(dee, bob)
			before, of := w.relationsVersion(ann), w.relationsVersion(dee)
			w.deleteAccounts(bob)
			w.purge(1)
			w.unfollowedIs(ann, before, bob)
			w.unfollowedIs(ann, w.relationsVersion(ann))
			w.unfollowedIs(dee, 0, bob)
			w.unfollowedIs(dee, of)
		})
		s.promise("an import does not renew the follow, so the user stays", func(w *world) {
			w.follow(ann, bob, cem)
			before := w.relationsVersion(ann)
			w.unfollow(ann, bob)
			w.unfollow(ann, cem)
			w.imports(records(followRecord(ann, bob)))
			w.unfollowedIs(ann, before, bob, cem)
		})
	})
}

// covered returns the keys that the viewer's inbox must have.
func (w *world) covered(viewer feed.UserID) []feed.Key {
	return w.coveredFrom(viewer, feed.FolloweeFilter{})
}

// coveredFrom returns the keys of covered that come from some of the followed authors.
func (w *world) coveredFrom(viewer feed.UserID, s feed.FolloweeFilter) []feed.Key {
	return must(w.Coverage.Covered(w.ctx, viewer, s, all()))
}

// unfollowedIs compares the users unfollowed since a version with want, in any order.
func (w *world) unfollowedIs(viewer feed.UserID, since int64, want ...feed.UserID) {
	w.sameSet(fmt.Sprintf("the users unfollowed since version %d", since), must(w.Coverage.Unfollowed(w.ctx, viewer, since)), want)
}
