package feedtest

import (
	"github.com/tideline-feeds/tideline/feed"
)

// progressPromises checks the promises of [feed.Progress].
func progressPromises(s storeSuite) {
	s.empty("work is due when a sweep without waiting tasks finds it", func(w *world) {
		steps := []struct {
			name string
			do   func()
			// from is when work is due, 0 for never.
			from int64
		}{
			{"in empty stores", func() {}, 0},
			{"of a pending event", func() { w.user(ann); w.post(1, ann, noon) }, noon},
			{"of a planned post", func() { w.storePlan(planOf(1, 1), noon+20) }, noon + 20},
			{"of a running slice", func() { w.mustClaim(noon, noon+30) }, noon + 30},
			{"of a slice that is done", func() { w.advance(w.mustClaim(noon+30, noon+40), 110, true, noon+40) }, 0},
		}
		for _, step := range steps {
			step.do()
			if step.from == 0 {
				w.same("due work "+step.name, w.isAnyDue(noon+hour), false)
				continue
			}
			w.same("due work "+step.name+", before the time", w.isAnyDue(step.from-1), false)
			w.same("due work "+step.name+", at the time", w.isAnyDue(step.from), true)
		}
	})
	s.empty("the backlog counts unfinished slices, running or waiting, up to its limit", func(w *world) {
		w.same("the backlog at first", w.backlog(), 0)
		w.plan(1, 3)
		w.plan(2, 0)
		w.post(3, ann, noon)
		w.same("the backlog of a plan", w.backlog(), 3)
		w.claimSlice(ref(1, 0))
		w.same("the backlog when one slice runs", w.backlog(), 3)
		w.completeSlice(ref(1, 1))
		w.same("the backlog when one slice is done", w.backlog(), 2)
		w.plan(4, 2)
		w.same("the backlog of two plans", w.backlog(), 4)
		for limit, want := range map[int]int{0: 0, 1: 1, 3: 3, 4: 4, 5: 4} {
			w.same("the backlog up to a limit", must(w.Progress.Backlog(w.ctx, limit)), want)
		}
	})
	s.empty("events without a plan and unfinished slices are pending", func(w *world) {
		w.same("the pending work", w.pending(noon), feed.Pending{})
		w.plan(1, 3)
		w.post(2, ann, noon)
		w.post(3, ann, noon)
		w.same("the pending work", w.pending(noon), feed.Pending{Events: 2, Slices: 3})
		w.storePlan(planOf(2, 0), noon)
		w.completeSlice(ref(1, 1))
		w.same("the pending work after a plan and a completion", w.pending(noon), feed.Pending{Events: 1, Slices: 2})
	})
	s.empty("slices with a current lease are running", func(w *world) {
		w.plan(1, 3)
		w.claimSlice(ref(1, 0)) // until noon+10
		w.completeSlice(ref(1, 1))
		w.same("the pending work during the lease", w.pending(noon+9), feed.Pending{Slices: 2, Running: 1})
		w.same("the pending work after the lease", w.pending(noon+11), feed.Pending{Slices: 2})
	})
	s.empty("work that has been due for more than a minute is overdue", func(w *world) {
		const minute = hour / 60
		w.plan(1, 3)
		w.completeSlice(ref(1, 0))
		w.post(2, ann, noon)
		w.storePlan(planOf(3, 1), noon+hour)
		lease := w.claimSlice(ref(1, 1)) // until noon+10
		pending := feed.Pending{Events: 1, Slices: 3}
		w.same("the pending work after a minute", w.pending(noon+minute), pending)
		pending.Overdue = 2
		w.same("the pending work after more than a minute", w.pending(noon+minute+5), pending)
		pending.Overdue = 3
		w.same("the pending work a minute after the lease", w.pending(noon+minute+11), pending)
		w.same("progress is accepted", w.advance(lease, 112, false, noon+hour), true)
		pending.Overdue, pending.Running = 2, 1
		w.same("the pending work with a longer lease", w.pending(noon+minute+11), pending)
	})
	s.promise("a post is pending until its plan is stored and all its slices are done", func(w *world) {
		w.post(1, ann, noon)
		w.same("pending before the plan", w.isPending(1), []bool{true})
		w.storePlan(planOf(1, 2), noon)
		w.same("pending after the plan", w.isPending(1), []bool{true})
		w.completeSlice(ref(1, 0))
		w.claimSlice(ref(1, 1))
		w.same("pending while a slice runs", w.isPending(1), []bool{true})
		check(w.Plans.Requeue(w.ctx, noon))
		w.completeSlice(ref(1, 1))
		w.same("pending when all slices are done", w.isPending(1), []bool{false})
	})
	s.empty("the results have the order of the given posts, with duplicates and unknown ones", func(w *world) {
		w.plan(1, 1)
		w.completedPlans(2, 2)
		w.plan(3, 0)
		w.post(4, ann, noon)
		// An imported post has no event.
		w.storePlan(planOf(5, 1), noon)
		w.same("whether each post is pending", w.isPending(7, 4, 3, 2, 1, 5, 4), []bool{false, true, false, false, true, true, true})
		w.same("the result for no posts", w.isPending(), []bool{})
	})
	s.group("Rerun", rerun)
}

// backlog counts pending work, up to the limit that a test needs.
func (w *world) backlog() int { return must(w.Progress.Backlog(w.ctx, many)) }

// pending returns the pending work at a time.
func (w *world) pending(now int64) feed.Pending { return must(w.Progress.Pending(w.ctx, now, by(now))) }

// isPending reports for each post whether it is pending.
func (w *world) isPending(posts ...feed.PostID) []bool {
	return must(w.Progress.IsPending(w.ctx, posts))
}

// isAnyDue reports whether any work is due at a time.
func (w *world) isAnyDue(now int64) bool { return must(w.Progress.IsAnyDue(w.ctx, now)) }
