package feedtest

import (
	"sync/atomic"

	"github.com/tideline-feeds/tideline/feed"
)

// rerun checks what [feed.Progress] promises about reruns. The stores date progress by their own
// clock, so the times in the tests are hours away from now.
func rerun(s storeSuite) {
	s.empty("slices with progress since then run again, whether done, running or waiting", func(w *world) {
		w.partlyRunPlans()
		w.same("the number of slices that run again", w.rerunSince(longAgo()), 4)
		w.planIs(1, true, ref(1, 0), ref(1, 1))
		w.planIs(2, true, ref(2, 0), ref(2, 1))
		w.planIs(3, true, ref(3, 0), ref(3, 1))
		w.same("the pending work", w.pending(noon), feed.Pending{Slices: 6})
	})
	s.empty("slices with earlier progress keep it", func(w *world) {
		w.partlyRunPlans()
		before := w.pending(noon)
		w.same("the number of slices that run again", w.rerunSince(feed.Millis(later())), 0)
		w.planIs(1, true)
		w.same("the number of unfinished slices", w.pending(noon).Slices, before.Slices)
	})
	s.empty("a slice without progress does not change", func(w *world) {
		w.same("the number of slices that run again", w.rerunSince(0), 0)
		w.plan(1, 2)
		w.post(2, ann, noon)
		for _, since := range []int64{0, longAgo()} {
			w.same("the number of slices that run again", w.rerunSince(since), 0)
		}
		w.same("the slice", w.mustClaim(noon, noon+10), feed.Slice{
			SliceRef: ref(1, 0), First: 101, Last: 110, Progress: 100, Attempt: 1, Stored: annsAtNoon(1),
		})
		w.same("the events due", w.due(noon, 9).Events, events(1, 2))
	})
	s.empty("a slice runs again from its beginning with a new attempt", func(w *world) {
		running, waiting := w.partlyRunPlans()
		attempts := map[feed.SliceRef]int64{running.SliceRef: running.Attempt, waiting.SliceRef: waiting.Attempt, ref(1, 1): 1}
		w.rerunSince(longAgo())
		for r, attempt := range attempts {
			s := w.claimSlice(r)
			w.same("the progress", s.Progress, s.First-1)
			w.rose("the attempt", attempt, s.Attempt)
		}
	})
	s.empty("the earlier run can neither store progress nor end the slice", func(w *world) {
		running, waiting := w.partlyRunPlans()
		w.rerunSince(longAgo())
		for _, old := range []feed.Slice{running, waiting} {
			w.same("the old attempt's progress is accepted", w.advance(old, 109, false, noon+hour), false)
			w.same("the old attempt's completion is accepted", w.advance(old, 110, true, noon+hour), false)
			s := w.claimSlice(old.SliceRef)
			w.same("the progress", s.Progress, s.First-1)
			w.same("the old attempt's completion is accepted", w.advance(old, 110, true, noon+hour), false)
			w.same("the new attempt's completion is accepted", w.advance(s, s.Last, true, noon+hour), true)
		}
		// An executor may repeat its completion if it got no reply.
		ended := feed.Slice{SliceRef: ref(1, 1), Attempt: 1}
		w.same("whether the repeated completion of an old attempt is accepted", w.advance(ended, 120, true, noon+hour), false)
	})
	// The pushes of a claimed slice may be lost even if it has no stored progress.
	s.empty("the earlier run of a slice without progress is fenced too, and the slice continues from its progress", func(w *world) {
		running, waiting := w.partlyRunPlans()
		w.same("the number of slices that run again", w.rerunSince(feed.Millis(later())), 0)
		for _, held := range []feed.Slice{running, waiting} {
			w.same("whether progress of the old attempt is accepted", w.advance(held, held.Last, true, noon), false)
		}
		w.same("the progress where the running slice continues", w.claimSlice(ref(2, 0)).Progress, feed.UserID(107))
		w.same("the progress where the waiting slice continues", w.claimSlice(ref(3, 0)).Progress, feed.UserID(104))
	})
	s.empty("a rerun slice is due at the given time, and its dispatch count continues", func(w *world) {
		w.plan(1, 1)
		w.same("the due work", w.due(noon, 9), feed.Due{Slices: tasks(1, ref(1, 0))})
		w.completeSlice(ref(1, 0))
		w.same("the number of slices that run again", must(w.Progress.Rerun(w.ctx, longAgo(), noon+5)), 1)
		w.same("the due work before the given time", w.due(noon+4, 9), feed.Due{})
		w.same("the due work at the due time", w.due(noon+5, 9), feed.Due{Slices: tasks(2, ref(1, 0))})
	})
	s.empty("a completed plan is pending again until it is completed again", func(w *world) {
		w.completedPlans(3, 1)
		w.completedPlans(1, 2)
		w.same("whether each post is pending", w.isPending(1, 2), []bool{false, false})
		w.rerunSince(longAgo())
		w.same("whether each post is pending after the rerun", w.isPending(1, 2), []bool{true, true})
		w.same("the backlog", w.backlog(), 4)
		w.same("a later plan's slices", w.storePlan(planOf(1, 1), noon), []feed.SliceRef{ref(1, 0), ref(1, 1), ref(1, 2)})
		for task := range 3 {
			w.same("whether each post is pending", w.isPending(1, 2), []bool{true, true})
			w.completeSlice(ref(1, task))
		}
		w.same("whether each post is pending at the end", w.isPending(1, 2), []bool{false, true})
		w.planIs(1, true)
	})
	s.empty("a rerun plan is cleaned up only after it is completed again", func(w *world) {
		w.completedPlans(2, 1)
		w.rerunSince(longAgo())
		w.completeSlice(ref(1, 1))
		w.cleanUp(later(), earlier(), 9)
		w.planIs(1, true, ref(1, 0))
		w.completeSlice(ref(1, 0))
		w.cleanUp(later(), earlier(), 9)
		w.planIs(1, false)
	})
	s.empty("a second rerun includes only slices with progress since the first", func(w *world) {
		w.partlyRunPlans()
		w.rerunSince(longAgo())
		for _, since := range []int64{0, longAgo()} {
			w.same("the number of slices that run again", w.rerunSince(since), 0)
		}
		w.completeSlice(ref(1, 1))
		running := w.claimSlice(ref(2, 0))
		w.same("progress is accepted", w.advance(running, 103, false, noon+hour), true)
		claimed := w.claimSlice(ref(3, 0))
		w.same("the number of slices that run again", w.rerunSince(longAgo()), 2)
		w.planIs(1, true, ref(1, 0), ref(1, 1))
		w.same("whether the old attempt's completion is accepted", w.advance(running, 110, true, noon+hour), false)
		w.same("the progress of a slice that was only claimed", claimed.Progress, feed.UserID(100))
	})
	s.empty("concurrent reruns rerun each slice once", func(w *world) {
		const n = 20
		for post := range feed.PostID(n) {
			w.completedPlans(1, post+1)
		}
		w.plan(100, 1)
		var total atomic.Int64
		together(6, func(int) error {
			n, err := w.Progress.Rerun(w.ctx, longAgo(), noon)
			total.Add(int64(n))
			return err
		})
		w.same("the number of slices that run again", total.Load(), int64(n))
		w.same("the backlog", w.backlog(), n+1)
		w.same("whether a slice has a new attempt", w.mustClaim(noon, noon+10).Attempt > 2, true)
	})
	s.empty("reruns during pushes keep the pending state exact", func(w *world) {
		const plans, slices = 4, 3
		var posts []feed.PostID
		for post := range feed.PostID(plans) {
			w.plan(post+1, slices)
			posts = append(posts, post+1)
		}
		together(6, func(i int) error {
			for round := range 10 {
				if i < 2 {
					if _, err := w.Progress.Rerun(w.ctx, longAgo(), noon); err != nil {
						return err
					}
					continue
				}
				for _, post := range posts {
					if err := w.tryToEnd(ref(post, (i+round)%slices)); err != nil {
						return err
					}
				}
			}
			return nil
		})
		check(w.Plans.Requeue(w.ctx, noon))
		for _, post := range posts {
			for _, r := range must(w.Plans.PlanOf(w.ctx, post)).Open {
				w.same("pending while a slice is open", w.isPending(post), []bool{true})
				w.completeSlice(r.Ref)
			}
		}
		w.same("whether each post is pending", w.isPending(posts...), make([]bool, plans))
		w.same("the pending work", w.pending(noon), feed.Pending{})
		w.cleanUp(later(), earlier(), many)
		w.same("the remaining plans", w.plansStored(posts...), []feed.PostID(nil))
	})
}

// rerunSince reruns all slices with progress since then, due at noon. It returns their number.
func (w *world) rerunSince(since int64) int { return must(w.Progress.Rerun(w.ctx, since, noon)) }

// longAgo is before the progress of any slice.
func longAgo() int64 { return feed.Millis(earlier()) }

// partlyRunPlans stores plans of two slices. Both slices of post 1 are done. One slice of post 2 is
// running and one of post 3 is waiting, both with some progress. All other slices have no progress.
// partlyRunPlans returns the running and the waiting slice.
func (w *world) partlyRunPlans() (running, waiting feed.Slice) {
	w.completedPlans(2, 1)
	w.plan(3, 2)
	waiting = w.claimSlice(ref(3, 0))
	w.same("progress is accepted", w.advance(waiting, 104, false, noon), true)
	check(w.Plans.Requeue(w.ctx, noon))
	w.plan(2, 2)
	running = w.claimSlice(ref(2, 0))
	w.same("progress is accepted", w.advance(running, 107, false, noon+hour), true)
	return running, waiting
}

// tryToEnd executes a slice like an executor. The store may refuse each call.
func (w *world) tryToEnd(r feed.SliceRef) error {
	s, err := w.Plans.ClaimSlice(w.ctx, r, noon, noon)
	if s == nil || err != nil {
		return err
	}
	s.Progress++
	result, err := w.Plans.AdvanceSlice(w.ctx, *s, false, noon)
	if result == feed.AdvanceFenced || err != nil {
		return err
	}
	s.Progress = s.Last
	return errorOf(w.Plans.AdvanceSlice(w.ctx, *s, true, noon))
}
