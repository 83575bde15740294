package feedtest

import (
	"errors"
	"fmt"
	"slices"

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
	s.promise("selective followees are covered by a warm inbox, and not by a cold one; several reasons pull once", func(w *world) {
		w.follow(ann, bob, cem)
		w.raiseFlag(feed.FlagSelective, bob, dee)
		w.pulledIs(ann, w.relationsVersion(ann))
		w.pulledColdIs(ann, w.relationsVersion(ann), bob)
		w.raiseFlag(feed.FlagUnpushed, cem)
		w.pulledIs(ann, 0, bob, cem)
		w.pulledColdIs(ann, 0, bob, cem)
		w.raiseFlag(feed.FlagUnpushed, bob)
		w.pulledIs(ann, w.relationsVersion(ann), bob, cem)
		w.pulledColdIs(ann, w.relationsVersion(ann), bob, cem)
	})
	s.promise("only a follow gives the edge a new version, not a mute or a block", func(w *world) {
		w.follow(ann, bob, cem)
		before := w.relationsVersion(ann)
		for _, on := range []bool{true, false} {
			w.relate(feed.RelationMute, ann, bob, on)
			w.relate(feed.RelationBlock, ann, bob, on)
		}
		w.pulledIs(ann, before)
		w.pulledIs(ann, 0, bob, cem)
		w.raiseFlag(feed.FlagSelective, bob)
		w.pulledColdIs(ann, before, bob)
		w.unfollow(ann, bob)
		w.follow(ann, bob)
		w.pulledIs(ann, before, bob)
		w.pulledIs(ann, w.relationsVersion(ann))
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

// surveyorPromises checks the promises of [feed.Surveyor].
func surveyorPromises(s storeSuite) {
	s.promise("a survey has the version, the authors to pull, and the viewer's own posts, newest first", func(w *world) {
		w.follow(ann, bob, cem)
		w.relate(feed.RelationMute, ann, bob, true)
		w.raiseFlag(feed.FlagUnpushed, cem)
		first, second := w.post(1, ann, 10), w.post(2, ann, 20)
		bobs := w.post(3, bob, 30)
		w.surveyIs(w.survey(ann, w.relationsVersion(ann), false, 10), ann, []feed.UserID{cem}, second, first)
		w.surveyIs(w.survey(bob, 0, false, 10), bob, nil, bobs)
		w.surveyIs(w.survey(12345, 0, true, 10), 12345, nil)
	})
	s.promise("a survey has at most the given number of the viewer's own posts, without deleted ones", func(w *world) {
		w.post(1, ann, 10)
		second, third := w.post(2, ann, 20), w.post(3, ann, 30)
		w.post(4, ann, 40)
		w.delete(4)
		w.surveyIs(w.survey(ann, 0, false, 2), ann, nil, third, second)
	})
	s.promise("a survey omits deleted users and their posts", func(w *world) {
		w.follow(bob, cem, dee)
		w.post(1, ann, 10)
		w.deleteAccounts(cem, ann)
		w.surveyIs(w.survey(bob, 0, false, 10), bob, []feed.UserID{dee})
		w.same("the own posts of a deleted user", w.survey(ann, 0, false, 10).Own, []feed.Key(nil))
	})
	s.promise("concurrent surveys return each viewer's own, up to their limit", func(w *world) {
		w.follow(ann, bob)
		w.follow(bob, cem, dee)
		first, second, bobs := w.post(1, ann, 10), w.post(2, ann, 20), w.post(3, bob, 30)
		queries := []struct {
			viewer feed.UserID
			own    int
			pulled []feed.UserID
			found  []feed.Key
		}{
			{ann, 10, []feed.UserID{bob}, []feed.Key{second, first}},
			{ann, 1, []feed.UserID{bob}, []feed.Key{second}},
			{bob, 10, []feed.UserID{cem, dee}, []feed.Key{bobs}},
		}
		surveys := make([]feed.Survey, 60)
		together(len(surveys), func(n int) (err error) {
			of := queries[n%len(queries)]
			surveys[n], err = w.Surveyor.Survey(w.ctx, of.viewer, 0, false, of.own)
			return err
		})
		for n, got := range surveys {
			of := queries[n%len(queries)]
			slices.Sort(got.Pulled)
			w.surveyIs(got, of.viewer, of.pulled, of.found...)
		}
	})
}

func (w *world) survey(viewer feed.UserID, since int64, cold bool, own int) feed.Survey {
	got := must(w.Surveyor.Survey(w.ctx, viewer, since, cold, own))
	slices.Sort(got.Pulled)
	return got
}

// surveyIs compares a survey with the viewer's version and want. It ignores the survey's time.
func (w *world) surveyIs(got feed.Survey, viewer feed.UserID, pulled []feed.UserID, own ...feed.Key) {
	want := feed.Survey{Version: w.timedViewerVersion(viewer), Pulled: pulled, Own: own}
	w.failIf(got.Version.Now > want.Version.Now, "the survey has the time %d, which is after the current time %d", got.Version.Now, want.Version.Now)
	got.Version.Now = want.Version.Now
	w.same("the survey", got, want)
}

// flagsPromises checks the promises of [feed.Flags].
func flagsPromises(s storeSuite) {
	s.promise("flagged authors are listed by id, with reason, time and followers", func(w *world) {
		w.followedBy(bob, ann, cem)
		check(w.Audience.RaiseFlag(w.ctx, dee, feed.FlagSelective, feed.FlagThreshold))
		check(w.Audience.RaiseFlag(w.ctx, bob, feed.FlagSelective, feed.FlagThreshold))
		check(w.Audience.RaiseFlag(w.ctx, bob, feed.FlagUnpushed, feed.FlagMode))
		check(w.Audience.RaiseFlag(w.ctx, bob, feed.FlagSelective, feed.FlagThreshold))
		w.same("the flagged authors", w.flagged(), []feed.FlaggedAuthor{
			{Author: bob, Flag: feed.FlagUnpushed, Reason: feed.FlagMode, Since: 1, Followers: 2},
			{Author: dee, Flag: feed.FlagSelective, Reason: feed.FlagThreshold, Since: 1},
		})
		first := must(w.Flags.FlaggedAuthors(w.ctx, bob-1, 1))
		w.same("the number of authors after the one before bob", len(first), 1)
		w.same("the first author after the one before bob", first[0].Author, bob)
		w.lowerFlag(bob, feed.FlagSelective, true)
		w.deleteAccounts(dee)
		w.same("the flagged authors after a lowered flag and a deletion", w.flagged(), []feed.FlaggedAuthor{
			{Author: bob, Flag: feed.FlagSelective, Reason: feed.FlagThreshold, Since: 1, Followers: 2},
		})
	})
	s.promise("few followers are noted once, and forgotten when there are many", func(w *world) {
		w.raiseFlag(feed.FlagSelective, bob, cem)
		lowSince := func() (since []int64) {
			for _, a := range w.flagged() {
				since = append(since, a.LowSince)
			}
			return since
		}
		check(w.Flags.NoteLow(w.ctx, []feed.UserID{bob, dee}, true))
		w.same("low since", lowSince(), []int64{1, 0})
		check(w.Flags.NoteLow(w.ctx, []feed.UserID{bob, cem}, false))
		w.same("low since", lowSince(), []int64{0, 0})
		check(w.Flags.NoteLow(w.ctx, []feed.UserID{bob}, true))
		w.raiseFlag(feed.FlagUnpushed, bob)
		w.same("low since, after a raise", lowSince(), []int64{0, 0})
	})
	s.promise("a lowered flag gives edges and followers a new version, so inboxes of earlier ones pull the author", func(w *world) {
		w.follow(ann, cem, bob)
		w.follow(dee, bob, cem)
		w.unfollow(dee, bob)
		w.raiseFlag(feed.FlagUnpushed, bob)
		b := w.post(1, bob, noon)
		before, other := w.viewerVersion(ann), w.viewerVersion(dee)
		w.lowerFlag(bob, feed.FlagNone, true)
		w.pulledIs(ann, before.Version, bob)
		w.same("what a reconciliation adds", w.coveredFrom(ann, feed.FolloweeFilter{Since: before.Version}), []feed.Key{b})
		before.Version++
		w.pulledIs(ann, before.Version)
		w.same("the version of a follower", w.viewerVersion(ann), before)
		w.same("the version of another user", w.viewerVersion(dee), other)
		_, flag := w.reach(bob)
		w.same("the flag", flag, feed.FlagNone)
	})
	s.promise("lowering a flag that is as low, or of an unknown user, or no flag, changes nothing", func(w *world) {
		w.follow(ann, bob)
		w.raiseFlag(feed.FlagSelective, bob)
		before := w.viewerVersion(ann)
		w.lowerFlag(bob, feed.FlagSelective, false)
		w.lowerFlag(cem, feed.FlagNone, false)
		w.lowerFlag(12345, feed.FlagNone, false)
		w.same("the number of all flags that fell", must(w.Flags.LowerFlags(w.ctx, 0)), 0)
		w.same("the version of a follower", w.viewerVersion(ann), before)
	})
	// The test lets users follow an author while their flag falls. An inbox that has read the
	// author's flag as unpushed has not read their outbox, so its version must not cover the author.
	s.promise("a follow that races with a lowered flag is pulled", func(w *world) {
		for range 5 {
			w.raiseFlag(feed.FlagUnpushed, bob)
			seen := make([]int64, 3)
			viewers := []feed.UserID{ann, cem, dee}
			together(4, func(i int) error {
				if i == 3 {
					return errorOf(w.Flags.LowerFlag(w.ctx, bob, feed.FlagNone))
				}
				if err := w.Follows.Follow(w.ctx, viewers[i], bob, noon, many, feed.FollowChoice{}); err != nil {
					return err
				}
				// This is the version and the outbox of a reconciliation.
				version, err := w.Relations.ViewerVersion(w.ctx, viewers[i])
				if err != nil {
					return err
				}
				_, flag, err := w.Audience.Reach(w.ctx, bob)
				if flag == feed.FlagUnpushed {
					seen[i] = version.Version
				}
				return err
			})
			for i, viewer := range viewers {
				if seen[i] != 0 {
					// An inbox of this version read no outbox of bob.
					w.pulledIs(viewer, seen[i], bob)
				}
				w.unfollow(viewer, bob)
			}
		}
	})
	s.promise("of concurrent calls that lower a flag, one returns true", func(w *world) {
		w.followedBy(bob, ann, cem)
		w.raiseFlag(feed.FlagUnpushed, bob)
		before := w.relationsVersion(ann)
		lowered := gather(5, func(i int) (bool, error) { return w.Flags.LowerFlag(w.ctx, bob, feed.FlagNone) })
		w.same("the number of calls that return true", count(lowered), 1)
		w.same("the version of a follower", w.relationsVersion(ann), before+1)
	})
	s.promise("lowering all flags keeps selective authors with many followers and raises the generation", func(w *world) {
		w.follow(ann, bob, cem)
		w.follow(dee, bob)
		w.raiseFlag(feed.FlagUnpushed, bob, cem)
		w.raiseFlag(feed.FlagSelective, ann)
		before := w.viewerVersion(dee)
		w.same("the number of flags that fell", must(w.Flags.LowerFlags(w.ctx, 1)), 3)
		w.same("the flagged authors", w.flagged(), []feed.FlaggedAuthor{
			{Author: bob, Flag: feed.FlagSelective, Reason: feed.FlagThreshold, Since: 1, Followers: 2},
		})
		after := w.viewerVersion(dee)
		w.rose("the generation", before.Generation, after.Generation)
		w.same("the version of a follower", after.Version, before.Version)
	})
	s.promise("flags are counted by reason, with the first time", func(w *world) {
		check(w.Audience.RaiseFlag(w.ctx, ann, feed.FlagUnpushed, feed.FlagMode))
		check(w.Audience.RaiseFlag(w.ctx, bob, feed.FlagUnpushed, feed.FlagMode))
		check(w.Audience.RaiseFlag(w.ctx, cem, feed.FlagSelective, feed.FlagThreshold))
		counts := must(w.Flags.CountFlags(w.ctx))
		for i := range counts {
			counts[i].Since = min(counts[i].Since, 1)
		}
		w.same("the counts", counts, []feed.FlagCount{
			{Flag: feed.FlagSelective, Reason: feed.FlagThreshold, Authors: 1, Since: 1},
			{Flag: feed.FlagUnpushed, Reason: feed.FlagMode, Authors: 2, Since: 1},
		})
	})
}

// flagged returns the flagged authors among ann, bob, cem and dee, with times only as far as set.
func (w *world) flagged() []feed.FlaggedAuthor {
	all := must(w.Flags.FlaggedAuthors(w.ctx, 0, 1_000_000))
	all = slices.DeleteFunc(all, func(a feed.FlaggedAuthor) bool { return !slices.Contains([]feed.UserID{ann, bob, cem, dee}, a.Author) })
	for i := range all {
		all[i].Since, all[i].LowSince = min(all[i].Since, 1), min(all[i].LowSince, 1)
	}
	return all
}

func (w *world) lowerFlag(author feed.UserID, f feed.CoverageFlag, want bool) {
	w.same("whether the flag fell", must(w.Flags.LowerFlag(w.ctx, author, f)), want)
}
