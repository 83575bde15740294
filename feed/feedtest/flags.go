package feedtest

import (
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// flagsPromises checks the promises of [feed.Flags].
func flagsPromises(s storeSuite) {
	s.promise("flagged authors are listed by id, with reason, time and followers", func(w *world) {
		w.follow(ann, bob)
		w.follow(cem, bob)
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
	s.promise("a lowered flag gives every edge and follower a new version", func(w *world) {
		w.follow(ann, cem, bob)
		w.follow(dee, bob, cem)
		w.unfollow(dee, bob)
		w.raiseFlag(feed.FlagUnpushed, bob)
		before := w.viewerVersion(ann)
		other := w.viewerVersion(dee)
		w.lowerFlag(bob, feed.FlagNone, true)
		before.Version++
		w.same("the version of a follower", w.viewerVersion(ann), before)
		w.same("the version of another user", w.viewerVersion(dee), other)
		_, flag := w.reach(bob)
		w.same("the flag", flag, feed.FlagNone)
	})
	s.promise("followers are pulled after a lowered flag, in inboxes of earlier versions only", func(w *world) {
		w.follow(ann, bob, cem)
		w.raiseFlag(feed.FlagUnpushed, bob)
		b := w.post(1, bob, noon)
		before := w.relationsVersion(ann)
		w.lowerFlag(bob, feed.FlagNone, true)
		w.pulledIs(ann, before, bob)
		w.pulledIs(ann, before+1)
		w.same("what a reconciliation adds", w.coveredFrom(ann, feed.FolloweeFilter{Since: before}), []feed.Key{b})
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
	// flagLoweredRace lets users follow an author while their flag falls. An inbox that has read the
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
				if err := w.Follows.Follow(w.ctx, viewers[i], bob, noon, many); err != nil {
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
		w.follow(ann, bob)
		w.follow(cem, bob)
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
