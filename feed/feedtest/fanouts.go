package feedtest

import (
	"github.com/tideline-feeds/tideline/feed"
)

// fanoutsPromises checks the promises of [feed.Fanouts].
func fanoutsPromises(s storeSuite) {
	s.promise("an event waits for its plan; without either a fan-out is unknown", func(w *world) {
		w.same("the fan-out of an unknown post", w.fanoutOf(many), (*feed.FanoutState)(nil))
		w.post(1, ann, noon)
		w.same("a fan-out without a plan", w.fanoutOf(many), &feed.FanoutState{Post: 1, Event: feed.EventState{DueAt: noon}})
		w.storePlan(planOf(1, 0), noon)
		f := w.fanoutOf(many)
		w.same("the time of the plan is known", f.PlannedAt > 0, true)
		f.PlannedAt = 0
		w.same("a fan-out of no slices", f, &feed.FanoutState{Post: 1, Planned: true})
	})
	s.empty("a plan counts its slices and lists the open ones", func(w *world) {
		w.plan(1, 3)
		w.completeSlice(ref(1, 0))
		s := w.claimSlice(ref(1, 1))
		s.Progress++
		w.advance(s, s.Progress, false, noon+20)
		f := w.fanoutOf(1)
		want := &feed.FanoutState{
			Post: 1, Planned: true, PlannedAt: f.PlannedAt, MovedAt: f.MovedAt,
			Slices: 3, Running: 1, Done: 1, Reached: s.Progress, Last: planOf(1, 3).Slices[2].Last, Attempts: 2,
			Open: []feed.OpenSlice{{Task: 1, First: s.First, Last: s.Last, Progress: s.Progress, Running: true, DueAt: noon + 20, Attempt: 1}},
		}
		w.same("a fan-out with one slice done and one running", f, want)
		w.same("progress has a time", f.MovedAt >= f.PlannedAt, true)
		w.completeSlice(ref(1, 2))
		w.same("the open slices", len(w.fanoutOf(many).Open), 1)
		w.same("no open slices", len(w.fanoutOf(0).Open), 0)
	})
	s.empty("the slowest fan-outs have progress of the time", func(w *world) {
		slowest := func(since int64, limit int) (posts []feed.PostID) {
			for _, f := range must(w.Fanouts.SlowestFanouts(w.ctx, since, limit)) {
				w.same("the slices of a fan-out", f.Slices, 2)
				w.same("it has begun", f.BeganAt > 0, true)
				posts = append(posts, f.Post)
			}
			return posts
		}
		w.plan(1, 2)
		w.plan(2, 2)
		w.plan(3, 2)
		w.same("fan-outs without progress", slowest(0, many), []feed.PostID(nil))
		w.completeSlice(ref(1, 0))
		w.completeSlice(ref(2, 0))
		w.completeSlice(ref(2, 1))
		w.same("fan-outs with progress", len(slowest(0, many)), 2)
		w.same("one of them", len(slowest(0, 1)), 1)
		w.same("fan-outs of the future", slowest(1<<60, many), []feed.PostID(nil))
	})
	s.empty("a push has a time once progress passes the follower", func(w *world) {
		w.plan(1, 2)
		s := w.claimSlice(ref(1, 0))
		at := func(follower feed.UserID) bool { return must(w.Fanouts.PushedAt(w.ctx, 1, follower)) > 0 }
		w.same("a push before any progress", at(s.First), false)
		w.advance(s, s.First, false, noon+20)
		w.same("a push to a follower within the progress", at(s.First), true)
		w.same("a push to a follower beyond the progress", at(s.First+1), false)
		w.advance(s, s.First, true, noon+20)
		w.same("a push to the rest of a slice that is done", at(s.Last), true)
		w.same("a push to the next slice", at(s.Last+1), false)
	})
}

// fanoutOf returns the state of the fan-out of post 1.
func (w *world) fanoutOf(limit int) *feed.FanoutState {
	return must(w.Fanouts.FanoutOf(w.ctx, 1, limit))
}
