package feedtest

import (
	"context"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

// Coverage checks the promises of [feed.Coverage].
func Coverage(t *testing.T, open func(t *testing.T) Stores) {
	keep(t, open, []promise{
		{"an inbox covers by follow edges alone, and not the viewer's own contents", coveredByEdges},
		{"unpushed authors are left out, and so are deleted contents, which make room within the limit", coveredLeavesOut},
		{"contents of deleted accounts are left out, purged or not", coveredDeleted},
		{"a share since a version is of those who were followed later", coveredSince},
		{"the selective share is of authors with that mark", coveredSelective},
		{"a selective share since a version is of those who are both", coveredBoth},
		{"what is covered is read in feed order, whatever the bounds, limit and direction", coveredRanges},
		{"a share is read in feed order, whatever the bounds, limit and direction", coveredShareRanges},
	})
	t.Run("Unfollowed", func(t *testing.T) {
		keep(t, open, []promise{
			{"names the users unfollowed since a version", unfollowedSince},
			{"who is followed again is not named, and is when that ends too", unfollowedAgain},
			{"only the end of a follow counts, and only the viewer's own", unfollowedOnly},
			{"a deleted account is named once it is purged", unfollowedDeleted},
			{"an import does not make the follow again, so the name stays", unfollowedImported},
			{"the anonymous viewer and a stranger have unfollowed none", unfollowedNobody},
			{"a context that is over is an error", coverageOver},
		})
	})
}

// covered returns the keys that the viewer's inbox must have.
func (w *world) covered(viewer feed.UserID) []feed.Key {
	w.t.Helper()
	return w.share(viewer, feed.FolloweeFilter{})
}

// share returns the keys of covered that come from some of the followed authors.
func (w *world) share(viewer feed.UserID, s feed.FolloweeFilter) []feed.Key {
	w.t.Helper()
	keys, err := w.Coverage.Covered(w.ctx, viewer, s, all())
	w.must(err)
	return keys
}

func coveredByEdges(w *world) {
	w.four()
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
	w.same("what is covered", w.covered(ann), []feed.Key{d, c, b})
	w.same("what is covered for the anonymous viewer", w.covered(0), []feed.Key(nil))
	w.same("what is covered for a stranger", w.covered(12345), []feed.Key(nil))
	w.follow(ann, ann)
	w.same("what is covered for a viewer who asks for themselves", w.covered(ann), []feed.Key{d, c, b})
	w.unfollow(ann, cem)
	w.same("what is covered after unfollowing", w.covered(ann), []feed.Key{b})
}

func coveredLeavesOut(w *world) {
	w.four()
	w.follow(ann, bob, cem)
	w.post(1, bob, noon)
	w.post(2, cem, noon)
	c := w.post(3, cem, noon-1)
	w.mark(feed.FlagUnpushed, bob)
	w.mark(feed.FlagSelective, cem)
	w.delete(2)
	for _, s := range []feed.FolloweeFilter{{}, {Selective: true}} {
		keys, err := w.Coverage.Covered(w.ctx, ann, s, feed.Range{Below: feed.Top, Limit: 1})
		w.must(err)
		w.same("what is covered", keys, []feed.Key{c})
	}
}

func coveredDeleted(w *world) {
	w.four()
	w.follow(ann, bob, cem)
	w.mark(feed.FlagSelective, bob, cem)
	w.post(1, bob, noon+1)
	c := w.post(2, cem, noon)
	w.leave(bob)
	for range 2 {
		for _, s := range []feed.FolloweeFilter{{}, {Selective: true}} {
			w.same("what is covered", w.share(ann, s), []feed.Key{c})
		}
		w.purge(1)
	}
}

func coveredSince(w *world) {
	w.four()
	b := w.post(1, bob, noon)
	c := w.post(2, cem, noon+1)
	w.follow(ann, bob)
	first := w.version(ann)
	w.follow(ann, cem)
	second := w.version(ann)
	w.same("since the beginning", w.share(ann, feed.FolloweeFilter{}), []feed.Key{c, b})
	w.same("since the first follow", w.share(ann, feed.FolloweeFilter{Since: first}), []feed.Key{c})
	w.same("since the second follow", w.share(ann, feed.FolloweeFilter{Since: second}), []feed.Key(nil))
	w.relate(feed.RelationMute, ann, bob, true)
	w.same("since the second follow, after a mute", w.share(ann, feed.FolloweeFilter{Since: second}), []feed.Key(nil))
	w.unfollow(ann, bob)
	w.same("since the second follow, after an unfollow", w.share(ann, feed.FolloweeFilter{Since: second}), []feed.Key(nil))
	w.follow(ann, bob)
	w.same("since the second follow, after another", w.share(ann, feed.FolloweeFilter{Since: second}), []feed.Key{b})
}

func coveredSelective(w *world) {
	w.four()
	w.follow(ann, bob, cem, dee)
	b := w.post(1, bob, noon)
	c := w.post(2, cem, noon+1)
	w.post(3, dee, noon+2)
	w.mark(feed.FlagSelective, cem)
	w.mark(feed.FlagUnpushed, dee)
	w.same("everything", w.share(ann, feed.FolloweeFilter{}), []feed.Key{c, b})
	w.same("the selective share", w.share(ann, feed.FolloweeFilter{Selective: true}), []feed.Key{c})
	w.mark(feed.FlagUnpushed, cem)
	w.same("the selective share without cem", w.share(ann, feed.FolloweeFilter{Selective: true}), []feed.Key(nil))
}

func coveredBoth(w *world) {
	w.four()
	w.follow(ann, bob)
	since := w.version(ann)
	w.follow(ann, cem, dee)
	w.post(1, bob, noon)
	c := w.post(2, cem, noon+1)
	w.post(3, dee, noon+2)
	w.mark(feed.FlagSelective, bob, cem)
	w.same("both", w.share(ann, feed.FolloweeFilter{Since: since, Selective: true}), []feed.Key{c})
}

func coveredRanges(w *world) {
	w.four()
	w.follow(ann, bob, cem)
	for i, k := range tangled() {
		w.post(feed.PostID(k.ID), []feed.UserID{cem, bob}[i%2], k.TS)
	}
	w.post(77, ann, noon+5)
	w.everyRange(tangled(), func(ctx context.Context, r feed.Range) ([]feed.Key, error) {
		return w.Coverage.Covered(ctx, ann, feed.FolloweeFilter{}, r)
	})
}

func coveredShareRanges(w *world) {
	w.four()
	w.user(5)
	w.follow(ann, dee)
	since := w.version(ann)
	w.follow(ann, bob, cem, 5)
	w.mark(feed.FlagSelective, bob, cem, dee)
	for i, k := range tangled() {
		w.post(feed.PostID(k.ID), []feed.UserID{cem, bob}[i%2], k.TS)
		w.post(feed.PostID(k.ID^1<<40), []feed.UserID{dee, 5}[i%2], k.TS)
	}
	w.everyRange(tangled(), func(ctx context.Context, r feed.Range) ([]feed.Key, error) {
		return w.Coverage.Covered(ctx, ann, feed.FolloweeFilter{Since: since, Selective: true}, r)
	})
}

// unfollowedIs compares the users unfollowed since a version with want, in any order.
func (w *world) unfollowedIs(viewer feed.UserID, since int64, want ...feed.UserID) {
	w.t.Helper()
	got, err := w.Coverage.Unfollowed(w.ctx, viewer, since)
	w.must(err)
	if diff := diffSets(want, got); diff != "" {
		w.t.Errorf("unfollowed since version %d (-want +got):\n%s", since, diff)
	}
}

func unfollowedSince(w *world) {
	w.four()
	w.follow(ann, bob, cem, dee)
	before := w.version(ann)
	w.unfollowedIs(ann, 0)
	w.unfollow(ann, bob)
	between := w.version(ann)
	w.unfollow(ann, cem)
	w.unfollowedIs(ann, 0, bob, cem)
	w.unfollowedIs(ann, before, bob, cem)
	w.unfollowedIs(ann, between, cem)
	w.unfollowedIs(ann, w.version(ann))
}

func unfollowedAgain(w *world) {
	w.four()
	w.follow(ann, bob)
	before := w.version(ann)
	for range 2 {
		w.unfollow(ann, bob)
		ended := w.version(ann)
		w.unfollowedIs(ann, before, bob)
		w.follow(ann, bob)
		w.unfollowedIs(ann, before)
		w.unfollow(ann, bob)
		w.unfollowedIs(ann, ended, bob)
		w.unfollow(ann, bob)
		w.unfollowedIs(ann, w.version(ann))
		w.follow(ann, bob)
	}
}

func unfollowedOnly(w *world) {
	w.four()
	w.follow(ann, bob)
	w.follow(bob, cem, ann)
	w.unfollow(ann, dee)
	for _, r := range relationCases() {
		w.relate(r.kind, r.user, r.target, true)
		w.relate(r.kind, r.user, r.target, false)
	}
	w.unfollow(bob, cem)
	w.unfollow(bob, ann)
	w.unfollowedIs(ann, 0)
	w.unfollowedIs(cem, 0)
	w.unfollowedIs(bob, 0, ann, cem)
}

func unfollowedDeleted(w *world) {
	w.four()
	w.follow(ann, bob, cem)
	w.follow(dee, bob)
	w.unfollow(dee, bob)
	before, of := w.version(ann), w.version(dee)
	w.leave(bob)
	w.purge(1)
	w.unfollowedIs(ann, before, bob)
	w.unfollowedIs(ann, w.version(ann))
	w.unfollowedIs(dee, 0, bob)
	w.unfollowedIs(dee, of)
}

func unfollowedImported(w *world) {
	w.four()
	w.follow(ann, bob, cem)
	before := w.version(ann)
	w.unfollow(ann, bob)
	w.unfollow(ann, cem)
	w.imports(records(followRecord(ann, bob)))
	w.unfollowedIs(ann, before, bob, cem)
}

func unfollowedNobody(w *world) {
	w.four()
	w.follow(bob, ann)
	w.unfollow(bob, ann)
	for _, viewer := range []feed.UserID{0, ann, 12345} {
		w.unfollowedIs(viewer, 0)
	}
}

func coverageOver(w *world) {
	w.refuses(map[string]func(ctx context.Context) error{
		"Covered": func(ctx context.Context) error {
			_, err := w.Coverage.Covered(ctx, ann, feed.FolloweeFilter{}, all())
			return err
		},
		"Unfollowed": func(ctx context.Context) error {
			_, err := w.Coverage.Unfollowed(ctx, ann, 0)
			return err
		},
	})
}
