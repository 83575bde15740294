package feedtest

import (
	"fmt"

	"github.com/tideline-feeds/tideline/feed"
)

// pendingAuthorsPromises checks the promises of [feed.PendingAuthors] for posts.
func pendingAuthorsPromises(s storeSuite) {
	s.promise("a followee with an event, or with a slice that is not done, is pending", func(w *world) {
		w.follow(ann, bob, cem)
		w.pendingAuthorsAre("without posts", ann)
		w.post(1, bob, noon)
		w.post(2, dee, noon)
		w.post(3, ann, noon)
		w.pendingAuthorsAre("after an event", ann, bob)
		w.pendingAuthorsAre("of a user without followees", dee)
		must(w.PostWriter.Publish(w.ctx, newPost(4, cem, noon), feed.Idempotency{}, feed.FirstDispatch{SliceDue: noon, PlanBelow: many}))
		w.pendingAuthorsAre("after a plan with the publish", ann, bob, cem)
		w.storePlan(planOf(1, 2), noon)
		w.advance(w.mustClaim(noon, noon+30), 110, true, noon)
		w.pendingAuthorsAre("after one slice of two", ann, bob, cem)
		w.completeSlice(ref(1, 1))
		w.pendingAuthorsAre("after both", ann, cem)
		w.completeSlice(ref(4, 0))
		w.pendingAuthorsAre("when all is pushed", ann)
		w.post(5, bob, noon)
		w.storePlan(planOf(5, 0), noon)
		w.pendingAuthorsAre("after a plan without slices", ann)
	})
	s.promise("unfollowed users are not pending", func(w *world) {
		w.follow(ann, bob, cem)
		w.post(1, bob, noon)
		w.post(2, cem, noon)
		w.unfollow(ann, bob)
		w.pendingAuthorsAre("after an unfollow", ann, cem)
		w.follow(ann, bob)
		w.pendingAuthorsAre("after another follow", ann, bob, cem)
	})
	s.promise("a slice that runs again is pending", func(w *world) {
		w.follow(ann, bob)
		w.post(1, bob, noon)
		w.storePlan(planOf(1, 1), noon)
		w.completeSlice(ref(1, 0))
		w.pendingAuthorsAre("when all is pushed", ann)
		must(w.Progress.Rerun(w.ctx, 0, noon))
		w.pendingAuthorsAre("after a rerun", ann, bob)
	})
}

func (w *world) pendingAuthorsAre(when string, viewer feed.UserID, want ...feed.UserID) {
	w.sameSet(fmt.Sprintf("the pending authors of %d, %s", viewer, when), must(w.Pending.PendingAuthors(w.ctx, viewer)), want)
}

// commitsPromises checks the promises of [feed.Commits].
func commitsPromises(s storeSuite) {
	s.empty("a later place is not lower", func(w *world) {
		before := w.lastCommit()
		w.user(ann, bob)
		w.follow(ann, bob)
		after := w.lastCommit()
		w.failIf(after.Epoch != before.Epoch || after.Number <= before.Number, "the place is %+v before and %+v after a follow", before, after)
		again := w.lastCommit()
		w.failIf(again.Epoch != after.Epoch || again.Number < after.Number, "the place fell from %+v to %+v", after, again)
	})
	s.empty("a new epoch shows in the place", func(w *world) {
		before := w.lastCommit()
		check(w.Numberer.NewEpoch(w.ctx))
		after := w.lastCommit()
		w.failIf(after.Epoch == before.Epoch, "the epoch is still %d", after.Epoch)
	})
}

func (w *world) lastCommit() feed.CommitPlace { return must(w.Commits.LastCommit(w.ctx)) }
