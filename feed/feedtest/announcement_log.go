package feedtest

import (
	"github.com/tideline-feeds/tideline/feed"
)

// announcementLogPromises checks the promises of [feed.AnnouncementLog].
func announcementLogPromises(s storeSuite) {
	s.empty("the end of the last slice marks a post, and no call after it", func(w *world) {
		w.plan(1, 2)
		w.same("marked before any slice is done", w.announces(1), false)
		w.completeSlice(ref(1, 1))
		w.same("marked with one slice open", w.announces(1), false)
		result := must(w.Plans.AdvanceSlice(w.ctx, w.claimSlice(ref(1, 0)), true, noon))
		w.same("the result of completing the last slice", result, feed.AdvanceLast)
		w.same("marked twice", w.announces(1), false)
	})
	s.empty("a post without recipients is marked when its plan is stored", func(w *world) {
		w.plan(1, 0)
		w.same("marked", w.announces(1), true)
		w.storePlan(planOf(1, 0), noon)
		w.same("marked after the plan was stored again", w.announces(1), false)
	})
	s.promise("a post without a plan is not marked", func(w *world) {
		w.post(1, ann, noon)
		w.same("marked without a plan", w.announces(1), false)
		w.same("marked without a post", w.announces(2), false)
	})
	s.empty("a post whose slices run again is not marked again", func(w *world) {
		w.plan(1, 1)
		w.completeSlice(ref(1, 0))
		must(w.Progress.Rerun(w.ctx, 0, noon))
		w.completeSlice(ref(1, 0))
		w.same("marked again", w.announces(1), false)
	})
	s.empty("only one of many concurrent calls marks a post", func(w *world) {
		w.plan(1, 0)
		marked := gather(8, func(int) (bool, error) { return w.Announced.MarkAnnounced(w.ctx, 1) })
		w.same("the number of calls that marked the post", count(marked), 1)
	})
	s.promise("pushes are logged for each viewer until the post has a plan", func(w *world) {
		w.post(1, ann, noon)
		log := w.logReader()
		post := newPost(1, ann, noon)
		pushed := func(viewer feed.UserID) feed.Change {
			return feed.Change{Kind: feed.ChangePushed, User: viewer, Other: ann, Post: 1}
		}
		check(w.Announced.LogPushed(w.ctx, post, nil))
		log.logs("no viewer")
		check(w.Announced.LogPushed(w.ctx, post, []feed.UserID{bob, cem}))
		log.logs("two viewers", pushed(bob), pushed(cem))
		check(w.Announced.LogPushed(w.ctx, post, []feed.UserID{cem}))
		log.logs("a viewer again", pushed(cem))
		w.storePlan(planOf(1, 1), noon)
		check(w.Announced.LogPushed(w.ctx, post, []feed.UserID{bob, cem}))
		log.logs("a post with a plan")
	})
}

// announces reports whether this call marks the post.
func (w *world) announces(post feed.PostID) bool { return must(w.Announced.MarkAnnounced(w.ctx, post)) }
