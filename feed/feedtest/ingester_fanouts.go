package feedtest

import "github.com/tideline-feeds/tideline/feed"

// followedAnn lets ann have followers, too many for a plan by a batch, and bob have one.
func (w *world) followedAnn() {
	w.ingest(userRecord(ann), userRecord(bob), userRecord(cem), userRecord(dee),
		followRecord(bob, ann), followRecord(cem, ann), followRecord(dee, ann), followRecord(ann, bob))
}

// restore deletes a post and brings it back.
func (w *world) restore(r feed.Record) {
	w.ingest(gone(r))
	w.ingest(r)
}

// planAgain is planOf for the event that is stored now.
func (w *world) planAgain(post feed.PostID, n int) feed.Plan {
	state := must(w.Plans.PlanOf(w.ctx, post))
	p := planOf(post, n)
	p.Attempt = state.Attempt
	return p
}

func ingestFanoutPromises(s storeSuite) {
	s.empty("new and restored posts begin their fan-outs", func(w *world) {
		w.followedAnn()
		got := w.ingest(postRecord(1, ann), postRecord(2, bob), gone(postRecord(3, bob)))
		w.same("posts with a plan", got.Planned, []feed.PostID{2})
		w.same("posts with an event", got.Pending, []feed.PostID{1})
		w.same("pending posts", w.isPending(1, 2), []bool{true, true})
		w.planIs(2, true, feed.SliceRef{Post: 2})
		w.completeSlice(feed.SliceRef{Post: 2})
		w.same("pending after the push", w.isPending(2), []bool{false})
		w.ingest(gone(postRecord(2, bob)))
		got = w.ingest(postRecord(2, bob))
		w.same("the restored post", got.Planned, []feed.PostID{2})
		w.same("pending after the return", w.isPending(2), []bool{true})
	})
	s.empty("a plan from before a post was restored is not stored", func(w *world) {
		w.followedAnn()
		w.ingest(postRecord(1, ann))
		before := w.planAgain(1, 2)
		for range 2 {
			w.restore(postRecord(1, ann))
			w.same("the slices of a plan from before", w.storePlan(before, noon), []feed.SliceRef(nil))
			w.planIs(1, false)
			w.same("the post is pending", w.isPending(1), []bool{true})
		}
		w.same("the due events", w.due(noon, many).Events, events(1, 1))
		w.same("the slices of a new plan", w.storePlan(w.planAgain(1, 1), noon), []feed.SliceRef{ref(1, 0)})
		w.same("the slices after a plan from before", w.storePlan(before, noon), []feed.SliceRef{ref(1, 0)})
		w.planIs(1, true, ref(1, 0))
	})
	s.empty("slices from before a post was restored are fenced off", func(w *world) {
		w.followedAnn()
		for post, author := range map[feed.PostID]feed.UserID{1: ann, 2: bob} {
			w.ingest(postRecord(post, author))
			var before []feed.Slice
			for range 3 {
				if author == ann {
					w.storePlan(w.planAgain(post, 1), noon)
				}
				slice := w.claimSlice(ref(post, 0))
				for _, b := range before {
					w.same("the end of a slice from before is accepted", w.advance(b, b.Last, true, noon+10), false)
				}
				w.same("progress is accepted", w.advance(slice, slice.First, false, noon+10), true)
				before = append(before, slice)
				w.restore(postRecord(post, author))
				w.same("the post is pending", w.isPending(post), []bool{true})
			}
		}
	})
}
