package feedtest

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

// rerun checks what [feed.Progress] promises about reruns. The stores date progress by their own
// clock, so the times in the tests are hours away from now.
func rerun(t *testing.T, open func(t *testing.T) Stores) {
	keep(t, open, []promise{
		{"slices that have moved since run again, done, running or waiting", rerunMoved},
		{"what moved before then keeps its progress", rerunBefore},
		{"a slice that has never moved stays as it is", rerunNeverMoved},
		{"a slice runs again from its beginning, under a new attempt", rerunBeginning},
		{"the earlier run can neither store progress nor end the slice", rerunFences},
		{"the earlier run of a slice without progress is fenced too, and the slice continues from its progress", rerunFencesAll},
		{"what is to run again is due when it is said, and its dispatches count on", rerunDue},
		{"a plan that was done is pending again, until it is done again", rerunPending},
		{"what has run again is cleaned up once it is done, and not before", rerunCleanUp},
		{"a second rerun finds only what has moved since the first", rerunTwice},
		{"many reruns at once run everything again once", rerunAtOnce},
		{"reruns in the midst of pushes lose count of nothing", rerunAmongPushes},
		{"nothing runs again in empty stores", rerunNothing},
		{"a context that is over is an error and changes nothing", rerunOver},
	})
}

// rerunSince reruns all slices with progress since then, due at noon. It returns their number.
func (w *world) rerunSince(since int64) int {
	w.t.Helper()
	n, err := w.Progress.Rerun(w.ctx, since, noon)
	w.must(err)
	return n
}

// longAgo is before the progress of any slice.
func longAgo() int64 { return feed.Millis(earlier()) }

// stirred stores plans of two slices. Both slices of post 1 are done. One slice of post 2 is
// running and one of post 3 is waiting, both with some progress. All other slices have no progress.
// stirred returns the running and the waiting slice.
func (w *world) stirred() (running, waiting feed.Slice) {
	w.t.Helper()
	w.finished(2, 1)
	w.plan(3, 2)
	waiting = w.claimOf(ref(3, 0))
	w.same("progress is accepted", w.advance(waiting, 104, false, noon), true)
	w.must(w.Plans.Requeue(w.ctx, noon))
	w.plan(2, 2)
	running = w.claimOf(ref(2, 0))
	w.same("progress is accepted", w.advance(running, 107, false, noon+hour), true)
	return running, waiting
}

func rerunMoved(w *world) {
	w.stirred()
	w.same("how many run again", w.rerunSince(longAgo()), 4)
	w.planIs(1, true, ref(1, 0), ref(1, 1))
	w.planIs(2, true, ref(2, 0), ref(2, 1))
	w.planIs(3, true, ref(3, 0), ref(3, 1))
	w.same("what is pending", w.pending(noon), feed.Pending{Slices: 6})
}

func rerunBefore(w *world) {
	w.stirred()
	before := w.pending(noon)
	w.same("how many run again", w.rerunSince(feed.Millis(later())), 0)
	w.planIs(1, true)
	w.same("the slices that are not done", w.pending(noon).Slices, before.Slices)
}

func rerunNeverMoved(w *world) {
	w.plan(1, 2)
	w.post(2, ann, noon)
	for _, since := range []int64{0, longAgo()} {
		w.same("how many run again", w.rerunSince(since), 0)
	}
	w.same("the slice", w.mustClaim(noon, noon+10), feed.Slice{
		SliceRef: ref(1, 0), First: 101, Last: 110, Progress: 100, Attempt: 1,
	})
	w.same("the events due", w.due(noon, 9).Events, events(1, 2))
}

func rerunBeginning(w *world) {
	running, waiting := w.stirred()
	attempts := map[feed.SliceRef]int64{running.SliceRef: running.Attempt, waiting.SliceRef: waiting.Attempt, ref(1, 1): 1}
	w.rerunSince(longAgo())
	for r, attempt := range attempts {
		s := w.claimOf(r)
		w.same("the progress", s.Progress, s.First-1)
		if s.Attempt <= attempt {
			w.t.Errorf("the attempt at slice %v went from %d to %d", r, attempt, s.Attempt)
		}
	}
}

func rerunFences(w *world) {
	running, waiting := w.stirred()
	w.rerunSince(longAgo())
	for _, old := range []feed.Slice{running, waiting} {
		w.same("the old attempt's progress is accepted", w.advance(old, 109, false, noon+hour), false)
		w.same("the old attempt's end is accepted", w.advance(old, 110, true, noon+hour), false)
		s := w.claimOf(old.SliceRef)
		w.same("the progress", s.Progress, s.First-1)
		w.same("the old attempt's end is accepted", w.advance(old, 110, true, noon+hour), false)
		w.same("the new attempt's end is accepted", w.advance(s, s.Last, true, noon+hour), true)
	}
	// An executor may repeat its completion if it got no reply.
	ended := feed.Slice{SliceRef: ref(1, 1), Attempt: 1}
	w.same("the end of what was done is accepted again", w.advance(ended, 120, true, noon+hour), false)
}

// Pushes of such a slice may be lost even if it has no stored progress.
func rerunFencesAll(w *world) {
	running, waiting := w.stirred()
	w.same("the slices that run again", w.rerunSince(feed.Millis(later())), 0)
	for _, held := range []feed.Slice{running, waiting} {
		w.same("progress under the old attempt", w.advance(held, held.Last, true, noon), false)
	}
	w.same("where it goes on", w.claimOf(ref(2, 0)).Progress, feed.UserID(107))
	w.same("where the other goes on", w.claimOf(ref(3, 0)).Progress, feed.UserID(104))
}

func rerunDue(w *world) {
	w.plan(1, 1)
	w.same("what is due", w.due(noon, 9), feed.Due{Slices: tasks(1, ref(1, 0))})
	w.finish(ref(1, 0))
	n, err := w.Progress.Rerun(w.ctx, longAgo(), noon+5)
	w.must(err)
	w.same("how many run again", n, 1)
	w.same("what is due before then", w.due(noon+4, 9), feed.Due{})
	w.same("what is due then", w.due(noon+5, 9), feed.Due{Slices: tasks(2, ref(1, 0))})
}

func rerunPending(w *world) {
	w.finished(3, 1)
	w.finished(1, 2)
	w.same("which are pending", w.isPending(1, 2), []bool{false, false})
	w.rerunSince(longAgo())
	w.same("which are pending after the rerun", w.isPending(1, 2), []bool{true, true})
	w.same("the backlog", w.backlog(), 4)
	w.same("a later plan's slices", w.storePlan(planOf(1, 1), noon), []feed.SliceRef{ref(1, 0), ref(1, 1), ref(1, 2)})
	for task := range 3 {
		w.same("which are pending", w.isPending(1, 2), []bool{true, true})
		w.finish(ref(1, task))
	}
	w.same("which are pending in the end", w.isPending(1, 2), []bool{false, true})
	w.planIs(1, true)
}

func rerunCleanUp(w *world) {
	w.finished(2, 1)
	w.rerunSince(longAgo())
	w.finish(ref(1, 1))
	w.cleanUp(later(), earlier(), 9)
	w.planIs(1, true, ref(1, 0))
	w.finish(ref(1, 0))
	w.cleanUp(later(), earlier(), 9)
	w.planIs(1, false)
}

func rerunTwice(w *world) {
	w.stirred()
	w.rerunSince(longAgo())
	for _, since := range []int64{0, longAgo()} {
		w.same("how many run again", w.rerunSince(since), 0)
	}
	w.finish(ref(1, 1))
	running := w.claimOf(ref(2, 0))
	w.same("progress is accepted", w.advance(running, 103, false, noon+hour), true)
	claimed := w.claimOf(ref(3, 0))
	w.same("how many run again", w.rerunSince(longAgo()), 2)
	w.planIs(1, true, ref(1, 0), ref(1, 1))
	w.same("what moved is fenced", w.advance(running, 110, true, noon+hour), false)
	w.same("the progress of what was only claimed", claimed.Progress, feed.UserID(100))
}

func rerunAtOnce(w *world) {
	const n = 20
	for content := range feed.PostID(n) {
		w.finished(1, content+1)
	}
	w.plan(100, 1)
	var total atomic.Int64
	for _, err := range together(6, func(int) error {
		n, err := w.Progress.Rerun(w.ctx, longAgo(), noon)
		total.Add(int64(n))
		return err
	}) {
		w.must(err)
	}
	w.same("how many run again", total.Load(), int64(n))
	w.same("the backlog", w.backlog(), n+1)
	w.same("a slice has a new attempt", w.mustClaim(noon, noon+10).Attempt > 2, true)
}

func rerunAmongPushes(w *world) {
	const plans, slices = 4, 3
	var contents []feed.PostID
	for content := range feed.PostID(plans) {
		w.plan(content+1, slices)
		contents = append(contents, content+1)
	}
	for _, err := range together(6, func(i int) error {
		for round := range 10 {
			if i < 2 {
				if _, err := w.Progress.Rerun(w.ctx, longAgo(), noon); err != nil {
					return err
				}
				continue
			}
			for _, content := range contents {
				if err := w.tryToEnd(ref(content, (i+round)%slices)); err != nil {
					return err
				}
			}
		}
		return nil
	}) {
		w.must(err)
	}
	w.must(w.Plans.Requeue(w.ctx, noon))
	for _, content := range contents {
		open, _, err := w.Plans.PlanOf(w.ctx, content)
		w.must(err)
		for _, r := range open {
			w.same("pending while a slice is open", w.isPending(content), []bool{true})
			w.finish(r)
		}
	}
	w.same("which are pending", w.isPending(contents...), make([]bool, plans))
	w.same("what is pending", w.pending(noon), feed.Pending{})
	w.cleanUp(later(), earlier(), many)
	w.same("the plans left", w.plansStored(contents...), []feed.PostID(nil))
}

// tryToEnd executes a slice like an executor. The store may refuse each call.
func (w *world) tryToEnd(r feed.SliceRef) error {
	s, err := w.Plans.ClaimSlice(w.ctx, r, noon, noon)
	if s == nil || err != nil {
		return err
	}
	s.Progress++
	hold, err := w.Plans.AdvanceSlice(w.ctx, *s, false, noon)
	if hold == feed.AdvanceFenced || err != nil {
		return err
	}
	s.Progress = s.Last
	_, err = w.Plans.AdvanceSlice(w.ctx, *s, true, noon)
	return err
}

func rerunNothing(w *world) {
	w.same("how many run again", w.rerunSince(0), 0)
}

func rerunOver(w *world) {
	w.finished(1, 1)
	w.refuses(map[string]func(ctx context.Context) error{
		"Rerun": func(ctx context.Context) error {
			_, err := w.Progress.Rerun(ctx, longAgo(), noon)
			return err
		},
	})
	w.planIs(1, true)
}
