package feedtest

import (
	"github.com/tideline-feeds/tideline/feed"
)

// plansPromises checks the promises of [feed.Plans].
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
		again := must(w.Plans.ClaimSlice(w.ctx, ref(1, 0), noon+11, noon+20))
		w.same("the slice is selective at the second attempt", again != nil && again.Selective, true)
	})
	s.empty("a plan without slices is done at once", func(w *world) {
		w.plan(1, 0)
		w.planIs(1, true)
		w.same("the due work", w.due(noon+hour, 9), feed.Due{})
		w.same("a later plan's slices", w.storePlan(planOf(1, 2), noon), []feed.SliceRef(nil))
	})
	s.empty("a claim raises the attempt, and is refused during the lease and granted after it", func(w *world) {
		w.plan(1, 1)
		first := w.mustClaim(noon, noon+10)
		w.same("the slice", first, feed.Slice{SliceRef: ref(1, 0), First: 101, Last: 110, Progress: 100, Attempt: 1, Stored: annsAtNoon(1)})
		w.same("a claim during the lease", w.claim(noon+9, noon+20), (*feed.Slice)(nil))
		w.rose("the attempt", first.Attempt, w.mustClaim(noon+11, noon+20).Attempt)
		w.same("a claim during the second lease", w.claim(noon+15, noon+30), (*feed.Slice)(nil))
		for _, r := range []feed.SliceRef{ref(1, 1), ref(7, 0)} {
			w.same("a slice that is not stored", must(w.Plans.ClaimSlice(w.ctx, r, noon, noon+10)), (*feed.Slice)(nil))
		}
	})
	s.empty("only one of concurrent claims is granted", func(w *world) {
		w.plan(1, 1)
		claimed := gather(8, func(i int) (*feed.Slice, error) { return w.Plans.ClaimSlice(w.ctx, ref(1, 0), noon, noon+10) })
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
	s.empty("a slice that is done is neither claimed, nor open, nor due", func(w *world) {
		w.plan(1, 1)
		s := w.mustClaim(noon, noon+10)
		w.same("the completion is accepted", w.advance(s, 110, true, noon+10), true)
		w.planIs(1, true)
		w.same("a claim", w.claim(noon+hour, noon+2*hour), (*feed.Slice)(nil))
		check(w.Plans.Requeue(w.ctx, noon+hour))
		w.same("the due work", w.due(noon+hour, 9), feed.Due{})
	})
	s.empty("only the call that completes the last slice of a plan returns AdvanceLast", func(w *world) {
		w.plan(1, 2)
		advance := func(task int, done bool) feed.Advance {
			s := must(w.Plans.ClaimSlice(w.ctx, ref(1, task), noon, noon))
			if s == nil {
				w.t.Fatalf("the claim of slice %d was refused", task)
			}
			result := must(w.Plans.AdvanceSlice(w.ctx, *s, done, noon))
			if done {
				again := must(w.Plans.AdvanceSlice(w.ctx, *s, done, noon))
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
			return must(w.Plans.AdvanceSlice(w.ctx, s, true, noon))
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
			claimed[task] = must(w.Plans.ClaimSlice(w.ctx, ref(1, task), noon, noon+10))
		}
		results := gather(2*ends, func(i int) (feed.Advance, error) { return w.Plans.AdvanceSlice(w.ctx, *claimed[i%ends], true, noon+10) })
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
func refs(open []feed.Dispatchable[feed.SliceRef]) (refs []feed.SliceRef) {
	for _, d := range open {
		refs = append(refs, d.Ref)
	}
	return refs
}

// planIs compares the stored plan of a post.
func (w *world) planIs(post feed.PostID, stored bool, open ...feed.SliceRef) {
	plan := must(w.Plans.PlanOf(w.ctx, post))
	w.same("whether the plan is stored", plan.Stored, stored)
	w.same("the open slices of the plan", refs(plan.Open), open)
}

// claim claims slice 0 of post 1. It returns nil if the store refuses.
func (w *world) claim(now, leaseUntil int64) *feed.Slice {
	return must(w.Plans.ClaimSlice(w.ctx, ref(1, 0), now, leaseUntil))
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
	return must(w.Plans.AdvanceSlice(w.ctx, s, done, leaseUntil)) != feed.AdvanceFenced
}

// annsAtNoon describes a post that ann has published at noon.
func annsAtNoon(id feed.PostID) feed.SlicePost {
	return feed.SlicePost{Key: feed.Key{TS: noon, ID: int64(id)}, Author: ann}
}
