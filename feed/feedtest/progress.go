package feedtest

import (
	"fmt"
	"sync/atomic"
	"time"

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

// rerun checks what [feed.Progress] promises about reruns. The stores date progress by their own
// clock, so the times in the tests are hours away from now.
func rerun(s storeSuite) {
	s.empty("slices with progress since then run again, whether done, running or waiting; others keep theirs", func(w *world) {
		w.partlyRunPlans()
		before := w.pending(noon)
		w.same("the number of slices with later progress", w.rerunSince(feed.Millis(later())), 0)
		w.planIs(1, true)
		w.same("the number of unfinished slices", w.pending(noon).Slices, before.Slices)
		w.same("the number of slices that run again", w.rerunSince(longAgo()), 4)
		w.planIs(1, true, ref(1, 0), ref(1, 1))
		w.planIs(2, true, ref(2, 0), ref(2, 1))
		w.planIs(3, true, ref(3, 0), ref(3, 1))
		w.same("the pending work", w.pending(noon), feed.Pending{Slices: 6})
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
	s.empty("a slice runs again from its beginning with a new attempt, which fences off the earlier one", func(w *world) {
		running, waiting := w.partlyRunPlans()
		w.rerunSince(longAgo())
		for _, old := range []feed.Slice{running, waiting, {SliceRef: ref(1, 1), Attempt: 1}} {
			w.same("the old attempt's progress is accepted", w.advance(old, 109, false, noon+hour), false)
			// An executor may repeat its completion if it got no reply.
			w.same("the old attempt's completion is accepted", w.advance(old, 110, true, noon+hour), false)
			s := w.claimSlice(old.SliceRef)
			w.same("the progress", s.Progress, s.First-1)
			w.rose("the attempt", old.Attempt, s.Attempt)
			w.same("the old attempt's completion is accepted", w.advance(old, 110, true, noon+hour), false)
			w.same("the new attempt's completion is accepted", w.advance(s, s.Last, true, noon+hour), true)
		}
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
	s, err := w.Slices.ClaimSlice(w.ctx, r, noon, noon)
	if s == nil || err != nil {
		return err
	}
	s.Progress++
	result, err := w.Slices.AdvanceSlice(w.ctx, *s, false, noon)
	if result == feed.AdvanceFenced || err != nil {
		return err
	}
	s.Progress = s.Last
	return errorOf(w.Slices.AdvanceSlice(w.ctx, *s, true, noon))
}

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

// leadersPromises checks the promises of [feed.Leaders].
func leadersPromises(s storeSuite) {
	s.empty("the first caller leads and stays the leader, and a refused call changes nothing until its lease ends", func(w *world) {
		w.leads("work", "one", time.Hour, true)
		for range 2 {
			w.leads("work", "two", time.Hour, false)
			w.leads("work", "three", time.Hour, false)
		}
		for range 3 {
			w.leads("work", "one", time.Hour, true)
			w.leads("work", "two", time.Hour, false)
		}
		w.leads("work", "one", time.Hour, true)
		w.leads("work", "two", 9*time.Hour, false)
		w.leads("work", "two", -time.Hour, false)
		w.leads("work", "three", time.Hour, false)
		w.leads("work", "one", -time.Hour, true)
		w.leads("work", "three", time.Hour, true)
	})
	s.empty("after the lease, which its last call sets, another process may lead and the old leader may not", func(w *world) {
		for _, over := range []time.Duration{0, -time.Hour} {
			name := "work for " + over.String()
			w.leads(name, "one", over, true)
			w.leads(name, "two", time.Hour, true)
			w.leads(name, "one", time.Hour, false)
			w.leads(name, "two", time.Hour, true)
		}
		w.leads("work", "one", 2*time.Hour, true)
		w.leads("work", "one", -time.Hour, true)
		w.leads("work", "two", time.Hour, true)
		w.leads("work", "one", time.Hour, false)
	})
	s.empty("leaderships of different names are independent", func(w *world) {
		w.leads("work", "one", time.Hour, true)
		w.leads("Work", "two", time.Hour, true)
		w.leads("", "three", time.Hour, true)
		w.leads("work", "two", time.Hour, false)
		w.leads("work", "one", 0, true)
		w.leads("Work", "one", time.Hour, false)
		w.leads("Work", "two", time.Hour, true)
	})
	s.empty("exactly one of concurrent callers leads, at first and after a lease", func(w *world) {
		w.raceToLead("work")
		w.leads("other work", "the first", -time.Hour, true)
		w.raceToLead("other work")
	})
}

// leads requests leadership of name for holder and compares the result.
func (w *world) leads(name, holder string, d time.Duration, want bool) {
	leads := must(w.Leaders.Lead(w.ctx, name, holder, d))
	w.same(fmt.Sprintf("whether %s leads %q", holder, name), leads, want)
}

// raceToLead makes eight concurrent requests and checks that exactly one gets leadership.
func (w *world) raceToLead(name string) {
	leads := gather(8, func(i int) (bool, error) { return w.Leaders.Lead(w.ctx, name, fmt.Sprint(i), time.Hour) })
	w.same("the number of leaders", count(leads), 1)
	for i, does := range leads {
		w.leads(name, fmt.Sprint(i), time.Hour, does)
	}
}
