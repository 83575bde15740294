package feedtest

import (
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// plansPromises checks the promises of [feed.Plans] and [feed.Slices].
func plansPromises(s storeSuite) {
	s.promise("storing a plan returns its slices, and its event, which had none, is no longer due", func(w *world) {
		w.post(1, ann, noon)
		w.planIs(1, false)
		w.planIs(7, false)
		w.same("the slices", w.storePlan(planOf(1, 2), noon), []feed.SliceRef{ref(1, 0), ref(1, 1)})
		w.planIs(1, true, ref(1, 0), ref(1, 1))
		w.same("the events due", w.due(noon+hour, 9).Events, events(0))
	})
	s.empty("the first stored plan wins, and later calls get its open slices", func(w *world) {
		w.plan(1, 2)
		w.same("the slices", w.storePlan(planOf(1, 3), noon), []feed.SliceRef{ref(1, 0), ref(1, 1)})
		other := planOf(1, 1)
		other.Slices[0].First, other.Slices[0].Last = 5, 6
		w.storePlan(other, noon)
		first := w.mustClaim(noon, noon+10)
		w.same("the first id", first.First, feed.UserID(101))
		w.same("the last id", first.Last, feed.UserID(110))
		w.same("the completion is accepted", w.advance(first, 110, true, noon+10), true)
		w.same("the slices", w.storePlan(planOf(1, 3), noon), []feed.SliceRef{ref(1, 1)})
		w.planIs(1, true, ref(1, 1))
	})
	s.promise("only one of concurrent plans is stored", func(w *world) {
		w.post(1, ann, noon)
		got := gather(8, func(i int) ([]feed.Dispatchable[feed.SliceRef], error) {
			return w.Plans.StorePlan(w.ctx, planOf(1, i+1), noon)
		})
		for _, refs := range got {
			w.same("the slices", refs, got[0])
		}
		w.planIs(1, true, refs(got[0])...)
	})
	s.promise("a slice has Selective of the plan that was stored first", func(w *world) {
		for post, selective := range map[feed.PostID]bool{1: true, 2: false} {
			w.post(post, ann, noon)
			for _, is := range []bool{selective, !selective} {
				p := planOf(post, 2)
				p.Selective = is
				w.storePlan(p, noon)
			}
			for task := range 2 {
				w.same("the slice is selective", w.claimSlice(ref(post, task)).Selective, selective)
			}
		}
		again := must(w.Slices.ClaimSlice(w.ctx, ref(1, 0), noon+11, noon+20))
		w.same("the slice is selective at the second attempt", again != nil && again.Selective, true)
	})
	s.empty("a claim raises the attempt, and is refused during the lease and granted after it", func(w *world) {
		w.plan(1, 1)
		first := w.mustClaim(noon, noon+10)
		w.same("the slice", first, feed.Slice{SliceRef: ref(1, 0), First: 101, Last: 110, Progress: 100, Attempt: 1, Stored: annsAtNoon(1)})
		w.same("a claim during the lease", w.claim(noon+9, noon+20), (*feed.Slice)(nil))
		w.rose("the attempt", first.Attempt, w.mustClaim(noon+11, noon+20).Attempt)
		w.same("a claim during the second lease", w.claim(noon+15, noon+30), (*feed.Slice)(nil))
		for _, r := range []feed.SliceRef{ref(1, 1), ref(7, 0)} {
			w.same("a slice that is not stored", must(w.Slices.ClaimSlice(w.ctx, r, noon, noon+10)), (*feed.Slice)(nil))
		}
	})
	s.empty("only one of concurrent claims is granted", func(w *world) {
		w.plan(1, 1)
		claimed := gather(8, func(i int) (*feed.Slice, error) { return w.Slices.ClaimSlice(w.ctx, ref(1, 0), noon, noon+10) })
		n := 0
		for _, s := range claimed {
			if s != nil {
				n++
			}
		}
		w.same("the number of granted claims", n, 1)
	})
	s.promise("a claim returns the post, and whether it is deleted", func(w *world) {
		deleted := map[feed.PostID]func(){
			1: func() {},
			2: func() { w.delete(2) },
			3: func() { check(w.Profiles.DeleteAccount(w.ctx, bob, noon+1)) },
		}
		authors := map[feed.PostID]feed.UserID{1: ann, 2: ann, 3: bob}
		for id := feed.PostID(1); id <= 3; id++ {
			p := planOf(id, 2)
			p.Author = authors[id]
			w.post(id, authors[id], noon)
			w.storePlan(p, noon)
		}
		for id, del := range deleted {
			del()
			want := feed.SlicePost{Key: feed.Key{TS: noon, ID: int64(id)}, Author: authors[id], Deleted: id > 1}
			w.same("the post", w.claimSlice(ref(id, 0)).Stored, want)
		}
		w.storePlan(planOf(7, 1), noon)
		w.same("a post that is not stored", w.claimSlice(ref(7, 0)).Stored, feed.SlicePost{})
		w.storePlan(planOf(feed.ReplayRef(1), 1), noon)
		w.same("a replay", w.claimSlice(ref(feed.ReplayRef(1), 0)).Stored, feed.SlicePost{})
	})
	s.empty("progress prolongs the lease, and the next attempt continues from it", func(w *world) {
		w.plan(1, 1)
		s := w.mustClaim(noon, noon+10)
		w.same("progress is accepted", w.advance(s, 104, false, noon+10), true)
		w.same("more progress is accepted", w.advance(s, 107, false, noon+20), true)
		w.same("a claim during the longer lease", w.claim(noon+15, noon+30), (*feed.Slice)(nil))
		next := w.mustClaim(noon+21, noon+30)
		w.same("the progress", next.Progress, feed.UserID(107))
		w.same("the bounds", []feed.UserID{next.First, next.Last}, []feed.UserID{101, 110})
	})
	s.empty("only the latest attempt stores progress or ends a slice", func(w *world) {
		w.plan(1, 1)
		old := w.mustClaim(noon, noon+10)
		w.mustClaim(noon+11, noon+20)
		w.same("the old attempt's progress is accepted", w.advance(old, 109, false, noon+hour), false)
		w.same("the old attempt's completion is accepted", w.advance(old, 110, true, noon+20), false)
		w.planIs(1, true, ref(1, 0))
		latest := w.mustClaim(noon+21, noon+30)
		w.same("the progress", latest.Progress, feed.UserID(100))
		w.same("the latest attempt's completion is accepted", w.advance(latest, 110, true, noon+20), true)
		w.planIs(1, true)
	})
	s.empty("a slice that is done, or a plan without slices, is neither claimed, nor open, nor due", func(w *world) {
		w.plan(1, 1)
		w.plan(2, 0)
		s := w.mustClaim(noon, noon+10)
		w.same("the completion is accepted", w.advance(s, 110, true, noon+10), true)
		w.planIs(1, true)
		w.planIs(2, true)
		w.same("a claim", w.claim(noon+hour, noon+2*hour), (*feed.Slice)(nil))
		w.same("a later plan's slices", w.storePlan(planOf(2, 2), noon), []feed.SliceRef(nil))
		check(w.Plans.Requeue(w.ctx, noon+hour))
		w.same("the due work", w.due(noon+hour, 9), feed.Due{})
	})
	s.empty("only the call that completes the last slice of a plan returns AdvanceLast", func(w *world) {
		w.plan(1, 2)
		advance := func(task int, done bool) feed.Advance {
			s := must(w.Slices.ClaimSlice(w.ctx, ref(1, task), noon, noon))
			if s == nil {
				w.t.Fatalf("the claim of slice %d was refused", task)
			}
			result := must(w.Slices.AdvanceSlice(w.ctx, *s, done, noon))
			if done {
				again := must(w.Slices.AdvanceSlice(w.ctx, *s, done, noon))
				w.same("the result of completing the slice again", again, feed.AdvanceStored)
			}
			return result
		}
		w.same("the result of completing the first slice", advance(0, true), feed.AdvanceStored)
		w.same("the result of progress of the second slice", advance(1, false), feed.AdvanceStored)
		w.same("the result of completing the second slice", advance(1, true), feed.AdvanceLast)
	})
	s.empty("a plan that is completed again returns AdvanceStored", func(w *world) {
		end := func(s feed.Slice) feed.Advance {
			s.Progress = s.Last
			return must(w.Slices.AdvanceSlice(w.ctx, s, true, noon))
		}
		w.plan(1, 1)
		w.same("the first end", end(w.mustClaim(noon, noon)), feed.AdvanceLast)
		for range 2 {
			w.same("the slices that run again", w.rerunSince(longAgo()), 1)
			w.same("a later end", end(w.mustClaim(noon, noon)), feed.AdvanceStored)
		}
	})
	s.empty("of concurrent and repeated completions, one returns AdvanceLast", func(w *world) {
		const ends = 8
		w.plan(1, ends)
		claimed := make([]*feed.Slice, ends)
		for task := range claimed {
			claimed[task] = must(w.Slices.ClaimSlice(w.ctx, ref(1, task), noon, noon+10))
		}
		results := gather(2*ends, func(i int) (feed.Advance, error) {
			return w.Slices.AdvanceSlice(w.ctx, *claimed[i%ends], true, noon+10)
		})
		count := map[feed.Advance]int{}
		for _, result := range results {
			count[result]++
		}
		w.same("the results of the completions", count, map[feed.Advance]int{feed.AdvanceStored: len(results) - 1, feed.AdvanceLast: 1})
		w.planIs(1, true)
	})
	s.group("Due", due)
}

// ref names a slice.
func ref(post feed.PostID, task int) feed.SliceRef { return feed.SliceRef{Post: post, Task: task} }

// planOf describes a plan of n slices. Each has ten ids, and the first id is 101.
func planOf(post feed.PostID, n int) feed.Plan {
	p := feed.Plan{Post: post}
	for task := range n {
		first := feed.UserID(101 + 10*task)
		p.Slices = append(p.Slices, feed.Slice{SliceRef: ref(post, task), First: first, Last: first + 9})
	}
	return p
}

// plan publishes a post and stores a plan of n slices, due at noon.
func (w *world) plan(post feed.PostID, n int) {
	w.user(ann)
	w.post(post, ann, noon)
	w.storePlan(planOf(post, n), noon)
}

func (w *world) storePlan(p feed.Plan, dueAt int64) []feed.SliceRef {
	return refs(must(w.Plans.StorePlan(w.ctx, p, dueAt)))
}

// refs returns what is to be dispatched.
func refs(open []feed.Dispatchable[feed.SliceRef]) []feed.SliceRef {
	return each(open, func(d feed.Dispatchable[feed.SliceRef]) feed.SliceRef { return d.Ref })
}

// planIs compares the stored plan of a post.
func (w *world) planIs(post feed.PostID, stored bool, open ...feed.SliceRef) {
	plan := must(w.Plans.PlanOf(w.ctx, post))
	w.same("whether the plan is stored", plan.Stored, stored)
	w.same("the open slices of the plan", refs(plan.Open), open)
}

// claim claims slice 0 of post 1. It returns nil if the store refuses.
func (w *world) claim(now, leaseUntil int64) *feed.Slice {
	return must(w.Slices.ClaimSlice(w.ctx, ref(1, 0), now, leaseUntil))
}

// mustClaim ends the test if the store refuses the claim.
func (w *world) mustClaim(now, leaseUntil int64) feed.Slice {
	s := w.claim(now, leaseUntil)
	if s == nil {
		w.t.Fatalf("the claim at %d was refused", now)
	}
	return *s
}

// advance stores progress or completes the slice. It reports whether the store accepted it.
func (w *world) advance(s feed.Slice, progress feed.UserID, done bool, leaseUntil int64) bool {
	s.Progress = progress
	return must(w.Slices.AdvanceSlice(w.ctx, s, done, leaseUntil)) != feed.AdvanceFenced
}

// annsAtNoon describes a post that ann has published at noon.
func annsAtNoon(id feed.PostID) feed.SlicePost {
	return feed.SlicePost{Key: feed.Key{TS: noon, ID: int64(id)}, Author: ann}
}

// plansTogetherPromises checks what [feed.Slices] promises about slices that are claimed together.
func plansTogetherPromises(s storeSuite) {
	s.empty("slices of one author's posts that serve the same followers are claimed together, in order of posts", func(w *world) {
		w.storePlans(planBy(3), planBy(2), planBy(1))
		first := w.mustClaim(noon, noon+10)
		w.same("the first slice", first, feed.Slice{
			SliceRef: ref(1, 0), First: 101, Last: 110, Progress: 100, Attempt: 1, Author: ann, Others: true, Stored: annsAtNoon(1),
		})
		alike := func(post feed.PostID) feed.Slice {
			return feed.Slice{
				SliceRef: ref(post, 0), First: 101, Last: 110, Progress: 100, Attempt: 1, Author: ann, Stored: annsAtNoon(post),
			}
		}
		w.same("the slices claimed together", w.claimTogether(first, many), []feed.Slice{alike(2), alike(3)})
		w.same("the slices left to claim together", w.claimTogether(first, many), []feed.Slice(nil))
	})
	s.empty("each is claimed with a lease and a new attempt", func(w *world) {
		w.storePlans(planBy(1), planBy(2))
		first := w.mustClaim(noon, noon+10)
		second := w.claimTogether(first, many)[0]
		claim := func(now int64) *feed.Slice {
			s := must(w.Slices.ClaimSlice(w.ctx, second.SliceRef, now, now+10))
			return s
		}
		w.same("a claim during the lease", claim(noon+9), (*feed.Slice)(nil))
		w.same("progress is accepted", w.advance(second, 105, false, noon+10), true)
		again := claim(noon + 11)
		w.same("whether a claim after the lease is granted and continues", again != nil && again.Attempt == 2 && again.Progress == 105, true)
		w.same("the old attempt's progress is accepted", w.advance(second, 107, false, noon+20), false)
		w.same("the first slice's completion is accepted", w.advance(first, 110, true, noon+10), true)
	})
	s.empty("at most limit slices are claimed", func(w *world) {
		w.storePlans(planBy(1), planBy(2), planBy(3), planBy(4))
		first := w.mustClaim(noon, noon+10)
		w.same("the slices claimed together", postsOfSlices(w.claimTogether(first, 2)), []feed.PostID{2, 3})
		w.same("the remaining slices claimed together", postsOfSlices(w.claimTogether(first, 2)), []feed.PostID{4})
	})
	s.empty("slices of other followers or authors, and begun, running or completed slices are not claimed", func(w *world) {
		other, further, shorter, selective := planBy(2), planBy(3), planBy(4), planBy(5)
		other.Author = bob
		further.Slices[0].First++
		shorter.Slices[0].Last--
		selective.Selective = true
		w.storePlans(planBy(1), other, further, shorter, selective, planBy(6), planBy(7), planBy(8))
		w.claimSlice(ref(6, 0))
		w.same("the completion is accepted", w.advance(w.claimSlice(ref(7, 0)), 110, true, noon), true)
		begun := w.claimSlice(ref(8, 0))
		w.same("progress is accepted", w.advance(begun, 105, false, noon), true)
		w.due(noon, many) // The slice of content 8 waits again, and the others that waited still do.
		first := w.claimSlice(ref(1, 0))
		w.same("whether other slices can be claimed together", first.Others, false)
		w.same("the slices claimed together", w.claimTogether(first, many), []feed.Slice(nil))
		w.same("the completion is accepted", w.advance(first, 110, true, noon), true)
	})
	s.empty("a slice without an author is claimed alone", func(w *world) {
		w.plan(1, 1)
		w.post(2, ann, noon)
		w.storePlan(planOf(2, 1), noon)
		first := w.mustClaim(noon, noon+10)
		w.same("whether other slices can be claimed together", first.Others, false)
		w.same("the slices claimed together", w.claimTogether(first, many), []feed.Slice(nil))
	})
	s.empty("a slice whose lease has ended can be claimed together after a sweep", func(w *world) {
		w.storePlans(planBy(1), planBy(2))
		lost := must(w.Slices.ClaimSlice(w.ctx, ref(2, 0), noon, noon+10))
		w.same("the number of due slices", len(w.due(noon+11, many).Slices), 2)
		first := w.mustClaim(noon+11, noon+20)
		w.same("whether other slices can be claimed together", first.Others, true)
		w.same("the slices claimed together", postsOfSlices(w.claimTogether(first, many)), []feed.PostID{2})
		w.same("the old attempt's progress is accepted", w.advance(*lost, 105, false, noon+20), false)
	})
	s.empty("concurrent calls claim each slice once", func(w *world) {
		const posts, claims = 20, 8
		w.storePlans(each(upTo(feed.PostID(posts)), planBy)...)
		first := w.mustClaim(noon, noon+10)
		claimed := gather(claims, func(i int) ([]feed.Slice, error) { return w.Slices.ClaimTogether(w.ctx, first, noon+10, posts/4) })
		all := postsOfSlices(slices.Concat(claimed...))
		// The next claim gets the slices that the concurrent ones skipped.
		all = append(all, postsOfSlices(w.claimTogether(first, many))...)
		slices.Sort(all)
		w.same("the posts of all claimed slices", all, upTo(feed.PostID(posts))[1:])
	})
}

// planBy describes a plan of one slice for ann's followers.
func planBy(post feed.PostID) feed.Plan {
	p := planOf(post, 1)
	p.Author = ann
	return p
}

// storePlans publishes posts by ann and stores plans for them.
func (w *world) storePlans(plans ...feed.Plan) {
	w.user(ann)
	for _, p := range plans {
		w.post(p.Post, ann, noon)
		w.storePlan(p, noon)
	}
}

// claimTogether claims up to limit slices together with a claimed slice.
func (w *world) claimTogether(held feed.Slice, limit int) []feed.Slice {
	return must(w.Slices.ClaimTogether(w.ctx, held, noon+10, limit))
}

// postsOfSlices returns the posts of slices.
func postsOfSlices(list []feed.Slice) []feed.PostID {
	return each(list, func(s feed.Slice) feed.PostID { return s.Post })
}

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
