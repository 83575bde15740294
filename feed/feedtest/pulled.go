package feedtest

import (
	"errors"
	"fmt"

	"github.com/tideline-feeds/tideline/feed"
)

// pulled checks [feed.Relations.Pulled].
func pulled(s storeSuite) {
	s.promise("followees with a later edge version are not covered, warm or cold", func(w *world) {
		w.follow(ann, bob)
		first := w.relationsVersion(ann)
		w.follow(ann, cem)
		second := w.relationsVersion(ann)
		for _, is := range []func(feed.UserID, int64, ...feed.UserID){w.pulledIs, w.pulledColdIs} {
			is(ann, 0, bob, cem)
			is(ann, first, cem)
			is(ann, second)
			is(dee, 0)
		}
		w.unfollow(ann, cem)
		w.pulledIs(ann, first)
		w.pulledColdIs(ann, first)
	})
	s.promise("unpushed followees are never covered", func(w *world) {
		w.follow(ann, bob, cem)
		w.raiseFlag(feed.FlagUnpushed, cem, dee)
		w.pulledIs(ann, w.relationsVersion(ann), cem)
		w.pulledColdIs(ann, w.relationsVersion(ann), cem)
		w.pulledIs(ann, 0, bob, cem)
		w.unfollow(ann, cem)
		w.pulledIs(ann, w.relationsVersion(ann))
	})
	s.promise("selective followees are covered by a warm inbox, and not by a cold one", func(w *world) {
		w.follow(ann, bob, cem)
		w.raiseFlag(feed.FlagSelective, bob, dee)
		w.pulledIs(ann, w.relationsVersion(ann))
		w.pulledColdIs(ann, w.relationsVersion(ann), bob)
		w.raiseFlag(feed.FlagUnpushed, bob)
		w.pulledIs(ann, w.relationsVersion(ann), bob)
		w.pulledColdIs(ann, w.relationsVersion(ann), bob)
	})
	s.promise("a followee with several reasons is returned once", func(w *world) {
		w.follow(ann, bob, cem)
		w.raiseFlag(feed.FlagSelective, bob)
		w.raiseFlag(feed.FlagUnpushed, cem)
		w.pulledIs(ann, 0, bob, cem)
		w.pulledColdIs(ann, 0, bob, cem)
	})
	s.promise("following again gives the edge a new version", func(w *world) {
		w.follow(ann, bob, cem)
		before := w.relationsVersion(ann)
		w.unfollow(ann, bob)
		w.follow(ann, bob)
		w.pulledIs(ann, before, bob)
		w.pulledIs(ann, w.relationsVersion(ann))
	})
	s.promise("only a follow changes the edge version, not a mute or a block", func(w *world) {
		w.follow(ann, bob)
		before := w.relationsVersion(ann)
		for _, on := range []bool{true, false} {
			w.relate(feed.RelationMute, ann, bob, on)
			w.relate(feed.RelationBlock, ann, bob, on)
		}
		w.pulledIs(ann, before)
		w.pulledIs(ann, 0, bob)
		w.raiseFlag(feed.FlagSelective, bob)
		w.pulledColdIs(ann, before, bob)
	})
	s.promise("authors hidden from the home feed are omitted while hidden", func(w *world) {
		w.follow(ann, bob, cem)
		w.follow(dee, bob)
		pulledOf := func(since int64, cold, shown bool) {
			want := []feed.UserID{bob, cem}
			if !shown {
				want = want[1:]
			}
			w.pulls(ann, since, cold, want)
			w.pulls(dee, 0, cold, []feed.UserID{bob})
		}
		each := func(since func() int64, cold bool) {
			for _, c := range relationCases() {
				w.relate(c.kind, c.user, c.target, true)
				pulledOf(since(), cold, !c.hides)
				w.relate(c.kind, c.user, c.target, false)
				pulledOf(since(), cold, true)
			}
		}
		beginning := func() int64 { return 0 }
		now := func() int64 { return w.relationsVersion(ann) }
		each(beginning, false) // for their edges
		w.raiseFlag(feed.FlagSelective, bob, cem)
		each(now, true)
		w.raiseFlag(feed.FlagUnpushed, bob, cem)
		each(now, false)
		each(beginning, true) // for all there is
		w.relate(feed.RelationMute, ann, bob, true)
		w.relate(feed.RelationBlock, bob, ann, true)
		w.relate(feed.RelationMute, ann, bob, false)
		pulledOf(0, false, false) // one of two relations is enough
	})
	s.promise("a viewer's relation to themselves hides nothing", func(w *world) {
		w.follow(ann, ann)
		for _, r := range relationCases() {
			w.relate(r.kind, ann, ann, true)
		}
		w.pulledIs(ann, 0, ann)
	})
	s.promise("the anonymous viewer and unknown viewers pull no author", func(w *world) {
		w.raiseFlag(feed.FlagSelective, ann)
		w.raiseFlag(feed.FlagUnpushed, bob)
		for _, viewer := range []feed.UserID{0, ann, 12345} {
			w.pulledIs(viewer, 0)
			w.pulledColdIs(viewer, 0)
		}
	})
	// A flag that falls with the generation leaves no other trace in what Pulled returns.
	s.promise("another generation is an error, with and without authors", func(w *world) {
		w.follow(ann, bob)
		w.raiseFlag(feed.FlagUnpushed, bob)
		inbox := feed.Completeness{Generation: w.generation(), Version: w.relationsVersion(ann)}
		w.pulledIs(ann, inbox.Version, bob)
		must(w.Flags.LowerFlags(w.ctx, many))
		for _, viewer := range []feed.UserID{ann, bob} {
			got, err := w.Relations.Pulled(w.ctx, viewer, inbox)
			w.failIf(!errors.Is(err, feed.ErrGenerationRaised), "user %d pulls %v (%v), want %v", viewer, got, err, feed.ErrGenerationRaised)
		}
	})
}

// pulledIs compares with want, in any order, the authors that a warm inbox does not cover. The
// inbox is complete up to version since.
func (w *world) pulledIs(viewer feed.UserID, since int64, want ...feed.UserID) {
	w.pulls(viewer, since, false, want)
}

// pulledColdIs is [world.pulledIs] for a cold inbox.
func (w *world) pulledColdIs(viewer feed.UserID, since int64, want ...feed.UserID) {
	w.pulls(viewer, since, true, want)
}

func (w *world) pulls(viewer feed.UserID, since int64, cold bool, want []feed.UserID) {
	got := must(w.Relations.Pulled(w.ctx, viewer, feed.Completeness{Generation: w.generation(), Version: since, Cold: cold}))
	w.sameSet(fmt.Sprintf("the authors not covered by version %d, cold: %t", since, cold), got, want)
	w.sameSet(fmt.Sprintf("the authors of a survey since version %d, cold: %t", since, cold), w.survey(viewer, since, cold, 1).Pulled, want)
}
