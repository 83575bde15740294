package feedtest

import (
	"context"
	"fmt"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

// Relations checks the promises of [feed.Relations].
func Relations(t *testing.T, open func(t *testing.T) Stores) {
	keep(t, open, []promise{
		{"a user without relations and the anonymous viewer have version 0", stampZero},
		{"a version rises with every change of a relation that changes the viewer's feed", stampRises},
		{"what changes nothing raises no version", stampStays},
		{"changes of relations leave the generation alone", stampGeneration},
		{"the viewer's own number rises with their posts, edits, deletions and profile only", stampOwn},
		{"the viewer's own number rises with the deletion of their account", stampAccount},
		{"the number of marks rises when a mark is raised, and not when it stays", stampMarks},
		{"concurrent loads of versions return each viewer's own", stampsAtOnce},
		{"an edge shows what each side does to the other", edgesSides},
		{"one edge per other user, in the order given, empty for strangers", edgesInOrder},
		{"the anonymous viewer has no edges, and no user has one to themselves", edgesOfNobody},
		{"followers are listed by time, then id, whatever the bounds, limit and direction", followerRanges},
		{"followees are listed by time, then id, whatever the bounds, limit and direction", followingRanges},
		{"lists of users ignore kinds", listsIgnoreKinds},
		{"a context that is over is an error", relationsOver},
	})
	t.Run("Pulled", func(t *testing.T) { pulled(t, open) })
}

func (w *world) edges(viewer feed.UserID, others ...feed.UserID) []feed.Edge {
	w.t.Helper()
	edges, err := w.Relations.Edges(w.ctx, viewer, others)
	w.must(err)
	return edges
}

func stampZero(w *world) {
	w.four()
	for _, viewer := range []feed.UserID{0, ann, 12345} {
		w.same("the version", w.version(viewer), int64(0))
	}
}

// rises checks whether a change raises ann's version and bob's.
func (w *world) rises(what string, change func(), annRises, bobRises bool) {
	w.t.Helper()
	a, b := w.version(ann), w.version(bob)
	change()
	w.same("ann's version rises by "+what, w.version(ann) > a, annRises)
	w.same("bob's version rises by "+what, w.version(bob) > b, bobRises)
	if w.version(ann) < a || w.version(bob) < b {
		w.t.Errorf("a version falls by %s", what)
	}
}

func stampRises(w *world) {
	w.four()
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
}

func stampStays(w *world) {
	w.four()
	w.follow(ann, bob)
	kinds := []feed.RelationKind{feed.RelationMute, feed.RelationHide, feed.RelationBlock}
	for _, kind := range kinds {
		w.relate(kind, ann, bob, true)
	}
	w.rises("a second follow", func() { w.follow(ann, bob) }, false, false)
	w.rises("an unfollow of a stranger", func() { w.unfollow(ann, cem) }, false, false)
	for _, kind := range kinds {
		w.rises("a second "+string(kind), func() { w.relate(kind, ann, bob, true) }, false, false)
		w.rises("the end of no "+string(kind), func() { w.relate(kind, bob, ann, false) }, false, false)
	}
}

func stampGeneration(w *world) {
	w.four()
	before := w.stamp(ann).Generation
	w.follow(ann, bob)
	w.relate(feed.RelationBlock, ann, cem, true)
	w.post(1, bob, noon)
	for _, viewer := range []feed.UserID{0, ann, dee} {
		w.same("the generation", w.stamp(viewer).Generation, before)
	}
}

func stampOwn(w *world) {
	w.four()
	w.same("at first", w.stamp(ann).Own, int64(0))
	own := func(what string, rises bool, change func()) {
		before, other := w.stamp(ann).Own, w.stamp(bob).Own
		change()
		w.same("it rises by "+what, w.stamp(ann).Own > before, rises)
		w.same("it rises for another by "+what, w.stamp(bob).Own > other, !rises)
	}
	own("a publish", true, func() { w.post(1, ann, noon) })
	own("a publish in the past", true, func() { w.post(2, ann, noon-hour) })
	own("an edit", true, func() {
		_, err := w.PostWriter.Edit(w.ctx, 1, "other words", noon)
		w.must(err)
	})
	own("a deletion", true, func() { w.delete(2) })
	own("a new name", true, func() {
		_, err := w.Profiles.UpdateProfile(w.ctx, ann, feed.ProfileChange{Name: new("Another")})
		w.must(err)
	})
	own("a comment by another", false, func() { w.comment(3, bob, noon, 1) })
	w.follow(ann, bob)
	w.must(w.PostWriter.React(w.ctx, feed.ReactionLike, bob, 1, noon))
	before := w.stamp(ann)
	w.delete(2)
	w.same("a second deletion changes nothing", w.stamp(ann), before)
}

func stampAccount(w *world) {
	w.four()
	before := w.stamp(ann).Own
	w.must(w.Profiles.DeleteAccount(w.ctx, ann, noon))
	w.same("it rises", w.stamp(ann).Own > before, true)
}

func stampMarks(w *world) {
	w.four()
	marks := func(author feed.UserID, m feed.CoverageFlag, rises bool) {
		before := w.stamp(ann).Flags
		w.mark(m, author)
		w.same("it rises", w.stamp(ann).Flags > before, rises)
		w.same("it is the same for all viewers", w.stamp(0).Flags, w.stamp(ann).Flags)
	}
	marks(bob, feed.FlagSelective, true)
	marks(bob, feed.FlagSelective, false)
	marks(cem, feed.FlagUnpushed, true)
	marks(bob, feed.FlagUnpushed, true)
	marks(cem, feed.FlagSelective, false)
	marks(12345, feed.FlagUnpushed, false)
}

func stampsAtOnce(w *world) {
	w.four()
	w.follow(ann, bob)
	w.post(1, bob, noon)
	want := map[feed.UserID]feed.ViewerVersion{}
	viewers := []feed.UserID{0, ann, bob, cem, 12345}
	for _, viewer := range viewers {
		want[viewer] = w.stamp(viewer)
	}
	for _, err := range together(40, func(i int) error {
		viewer := viewers[i%len(viewers)]
		got, err := w.Relations.ViewerVersion(w.ctx, viewer)
		if got.Now = 0; err == nil && got != want[viewer] {
			err = fmt.Errorf("the stamp of %d is %+v, not %+v", viewer, got, want[viewer])
		}
		return err
	}) {
		w.must(err)
	}
}

func edgesSides(w *world) {
	w.four()
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
}

func edgesInOrder(w *world) {
	w.four()
	w.follow(ann, bob)
	w.relate(feed.RelationBlock, cem, ann, true)
	w.relate(feed.RelationMute, ann, cem, true)
	w.same("the edges", w.edges(ann, cem, 12345, bob, dee, cem),
		[]feed.Edge{{Mutes: true, BlockedBy: true}, {}, {Follows: true}, {}, {Mutes: true, BlockedBy: true}})
	w.same("the edges to none", w.edges(ann), []feed.Edge(nil))
}

func edgesOfNobody(w *world) {
	w.four()
	w.follow(ann, bob)
	w.same("the anonymous viewer's edges", w.edges(0, ann, bob), []feed.Edge{{}, {}})
	w.same("ann's edge to herself", w.edges(ann, ann), []feed.Edge{{}})
}

// followTangle makes follows between cem and users with tangled ids, at tangled times.
func (w *world) followTangle(follow func(id feed.UserID, at int64) error) {
	w.t.Helper()
	w.user(cem, dee)
	for _, k := range tangled() {
		w.user(feed.UserID(k.ID))
		w.must(follow(feed.UserID(k.ID), k.TS))
	}
}

func followerRanges(w *world) {
	w.followTangle(func(id feed.UserID, at int64) error { return w.Follows.Follow(w.ctx, id, cem, at, many) })
	w.follow(cem, dee)
	w.everyRange(tangled(), func(ctx context.Context, r feed.Range) ([]feed.Key, error) {
		return w.Relations.Followers(ctx, cem, r)
	})
}

func followingRanges(w *world) {
	w.followTangle(func(id feed.UserID, at int64) error { return w.Follows.Follow(w.ctx, cem, id, at, many) })
	w.follow(dee, cem)
	w.everyRange(tangled(), func(ctx context.Context, r feed.Range) ([]feed.Key, error) {
		return w.Relations.Following(ctx, cem, r)
	})
}

func listsIgnoreKinds(w *world) {
	w.four()
	w.follow(ann, bob)
	r := all()
	r.Kinds = feed.Kinds{feed.KindComment}
	followers, err := w.Relations.Followers(w.ctx, bob, r)
	w.must(err)
	w.same("the followers", followers, []feed.Key{{TS: noon, ID: int64(ann)}})
	following, err := w.Relations.Following(w.ctx, ann, r)
	w.must(err)
	w.same("the followees", following, []feed.Key{{TS: noon, ID: int64(bob)}})
}

func relationsOver(w *world) {
	w.refuses(map[string]func(ctx context.Context) error{
		"ViewerVersion": func(ctx context.Context) error {
			_, err := w.Relations.ViewerVersion(ctx, ann)
			return err
		},
		"Edges": func(ctx context.Context) error {
			_, err := w.Relations.Edges(ctx, ann, []feed.UserID{bob})
			return err
		},
		"Followers": func(ctx context.Context) error {
			_, err := w.Relations.Followers(ctx, ann, all())
			return err
		},
		"Following": func(ctx context.Context) error {
			_, err := w.Relations.Following(ctx, ann, all())
			return err
		},
	})
}
