package feedtest

import (
	"math"
	"slices"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// due checks what [feed.Plans] promises about due work.
func due(s storeSuite) {
	s.promise("an event is due until its plan is stored; then its slices are due", func(w *world) {
		w.post(1, ann, noon)
		again := func(int) int64 { return noon }
		w.same("the due work before the plan", must(w.Plans.Due(w.ctx, by(noon), 9, again)), feed.Due{Events: events(1, 1)})
		w.storePlan(planOf(1, 2), noon+5)
		w.same("the due work before the slices are due", w.due(noon+4, 9), feed.Due{})
		due := w.due(noon+5, 9)
		slices.SortFunc(due.Slices, func(a, b feed.Dispatchable[feed.SliceRef]) int { return a.Ref.Task - b.Ref.Task })
		w.same("the due work at the due time", due, feed.Due{Slices: tasks(1, ref(1, 0), ref(1, 1))})
	})
	s.promise("the number of dispatches of an event sets its next due time", func(w *world) {
		w.post(1, ann, noon)
		w.same("the work found by each sweep", w.sweeps(),
			[]feed.Due{{Events: events(1, 1)}, {Events: events(2, 1)}, {Events: events(3, 1)}})
	})
	s.promise("an event without a plan can be postponed, but not moved forward", func(w *world) {
		w.post(1, ann, noon)
		check(w.Plans.PostponeEvent(w.ctx, 1, noon+5))
		check(w.Plans.PostponeEvent(w.ctx, 1, noon+3))
		w.same("the due work before the due time", w.due(noon+4, 9), feed.Due{})
		w.same("the due work at the due time", w.due(noon+5, 9), feed.Due{Events: events(1, 1)})
		w.storePlan(planOf(1, 1), noon+6)
		check(w.Plans.PostponeEvent(w.ctx, 1, noon+9))
		check(w.Plans.PostponeEvent(w.ctx, 2, noon+9))
		w.same("the due work of a planned post", w.due(noon+6, 9), feed.Due{Slices: tasks(1, ref(1, 0))})
	})
	s.empty("the number of dispatches of a slice sets its next due time", func(w *world) {
		w.plan(1, 1)
		w.same("the work found by each sweep", w.sweeps(),
			[]feed.Due{{Slices: tasks(1, ref(1, 0))}, {Slices: tasks(2, ref(1, 0))}, {Slices: tasks(3, ref(1, 0))}})
	})
	s.promise("the oldest work comes first, at most limit events and limit slices", func(w *world) {
		ages := map[feed.PostID]int64{1: 30, 2: 10, 3: 20}
		for id, age := range ages {
			must(w.PostWriter.Publish(w.ctx, newPost(id, ann, noon), feed.Idempotency{}, eventAt(noon-age)))
			planned := id + 10
			w.post(planned, ann, noon)
			w.storePlan(planOf(planned, 1), noon-age)
		}
		w.same("the two oldest", w.due(noon, 2), feed.Due{Events: events(1, 1, 3), Slices: tasks(1, ref(11, 0), ref(13, 0))})
		w.same("the due work of the second call", w.due(noon, 2), feed.Due{Events: events(1, 2), Slices: tasks(1, ref(12, 0))})
		w.same("the due work after the rest", w.due(noon, 2), feed.Due{})
	})
	s.empty("running slices come before waiting ones, at most limit in total", func(w *world) {
		w.plan(1, 4)
		w.claimSlice(ref(1, 2)) // until noon+10
		w.same("the number of slices in the first call", len(w.due(noon+10, 2).Slices), 2)
		w.same("the number of slices in the second call", len(w.due(noon+10, 9).Slices), 2)
		w.plan(2, 2)
		w.claimSlice(ref(2, 1))
		w.same("the single due slice", w.due(noon+10, 1), feed.Due{Slices: tasks(1, ref(2, 1))})
	})
	s.empty("a running slice is due when its lease has ended, and can be claimed then", func(w *world) {
		w.plan(1, 1)
		first := w.mustClaim(noon, noon+10)
		w.same("the due work during the lease", w.due(noon+9, 9), feed.Due{})
		w.same("the due work after the lease", w.due(noon+11, 9), feed.Due{Slices: tasks(1, ref(1, 0))})
		w.rose("the attempt", first.Attempt, w.mustClaim(noon+12, noon+20).Attempt)
	})
	s.promise("events, waiting slices and running slices have separate due bounds", func(w *world) {
		w.post(1, ann, noon)
		w.post(2, ann, noon)
		w.storePlan(planOf(2, 3), noon)
		w.claimSlice(ref(2, 1)) // until noon+10
		for _, c := range []struct {
			what string
			by   feed.DueBy
			want feed.Due
		}{
			{"nothing", feed.DueBy{Events: noon - 1, Waiting: noon - 1, Running: noon + 9}, feed.Due{}},
			{"events", feed.DueBy{Events: noon, Waiting: noon - 1, Running: noon + 9}, feed.Due{Events: events(1, 1)}},
			{"running slices", feed.DueBy{Events: noon + 10, Waiting: noon - 1, Running: noon + 10}, feed.Due{Slices: tasks(1, ref(2, 1))}},
			{"waiting slices", feed.DueBy{Waiting: noon}, feed.Due{Slices: tasks(1, ref(2, 0), ref(2, 2))}},
		} {
			w.same("the due work when the bounds select "+c.what+" is", must(w.Plans.Due(w.ctx, c.by, 9, never)), c.want)
		}
	})
	s.empty("waiting slices of large plans have a due bound of their own, and come last", func(w *world) {
		large := planOf(1, 2)
		large.Large = true
		w.user(ann)
		w.post(1, ann, noon)
		w.same("whether the stored slices are of a large plan", isLarge(must(w.Plans.StorePlan(w.ctx, large, noon-1))), []bool{true, true})
		w.plan(2, 1)
		w.claimSlice(ref(1, 1)) // until noon+10
		plan := must(w.Plans.PlanOf(w.ctx, 1))
		w.same("whether the open slices are of a large plan", isLarge(plan.Open), []bool{true, true})
		again := func(int) int64 { return noon }
		for _, c := range []struct {
			what string
			by   feed.DueBy
			next func(int) int64
			want []feed.SliceRef
		}{
			{"waiting slices", feed.DueBy{Waiting: noon}, again, []feed.SliceRef{ref(2, 0)}},
			{"those of large plans", feed.DueBy{WaitingLarge: noon}, again, []feed.SliceRef{ref(1, 0)}},
			{"both, later", feed.DueBy{Waiting: noon, WaitingLarge: noon, Running: noon + 10}, never, []feed.SliceRef{ref(1, 1), ref(2, 0), ref(1, 0)}},
		} {
			got := must(w.Plans.Due(w.ctx, c.by, 9, c.next))
			w.same("the due work when the bounds select "+c.what, refs(got.Slices), c.want)
			for _, d := range got.Slices {
				w.same("whether the plan is large", d.Large, d.Ref.Post == 1)
			}
		}
		w.same("whether the fan-out is large", must(w.Fanouts.FanoutOf(w.ctx, 1, 0)).Large, true)
	})
	s.empty("concurrent calls never take the same work", func(w *world) {
		const n = 20
		w.user(ann)
		for id := range feed.PostID(n) {
			w.post(id+1, ann, noon)
			w.post(id+101, ann, noon)
			w.storePlan(planOf(id+101, 1), noon)
		}
		found := gather(8, func(i int) (feed.Due, error) { return w.Plans.Due(w.ctx, by(noon), 7, never) })
		// A call skips rows that another call has locked, so a last call takes the rest.
		found = append(found, w.due(noon, n))
		taken := map[any]int{}
		for _, d := range found {
			for _, e := range d.Events {
				taken[e.Ref]++
			}
			for _, s := range d.Slices {
				taken[s.Ref]++
			}
		}
		for id := range feed.PostID(n) {
			w.same("the number of times an event was taken", taken[id+1], 1)
			w.same("the number of times a slice was taken", taken[ref(id+101, 0)], 1)
		}
	})
	s.empty("a requeue makes all unfinished work due, running or not", func(w *world) {
		w.plan(1, 1)
		w.post(2, ann, noon)
		w.plan(3, 1)
		w.same("the due work", len(w.due(noon, 9).Slices), 2)
		w.mustClaim(noon, noon+hour)
		check(w.Plans.Requeue(w.ctx, noon+1))
		d := w.due(noon+1, 9)
		slices.SortFunc(d.Slices, func(a, b feed.Dispatchable[feed.SliceRef]) int { return int(a.Ref.Post - b.Ref.Post) })
		w.same("the due work after the requeue", d, feed.Due{Events: events(2, 2), Slices: tasks(2, ref(1, 0), ref(3, 0))})
		w.mustClaim(noon+1, noon+hour)
	})
	s.empty("a requeue keeps progress and attempts", func(w *world) {
		w.plan(1, 1)
		old := w.mustClaim(noon, noon+hour)
		w.same("progress is accepted", w.advance(old, 104, false, noon+hour), true)
		check(w.Plans.Requeue(w.ctx, noon+1))
		next := w.mustClaim(noon+1, noon+hour)
		w.same("the progress", next.Progress, feed.UserID(104))
		w.same("the old attempt's progress is accepted", w.advance(old, 109, false, noon+hour), false)
	})
}

// never is a next due time that no test reaches.
func never(int) int64 { return math.MaxInt64 }

// by returns the bounds for everything that is due at now.
func by(now int64) feed.DueBy { return feed.Waits{}.DueBy(now) }

// due takes what is due at now and never makes it due again.
func (w *world) due(now int64, limit int) feed.Due {
	return must(w.Plans.Due(w.ctx, by(now), limit, never))
}

// events describes posts at their n-th dispatch.
func events(n int, ids ...feed.PostID) []feed.Dispatchable[feed.PostID] {
	return each(ids, func(id feed.PostID) feed.Dispatchable[feed.PostID] {
		return feed.Dispatchable[feed.PostID]{Ref: id, Dispatches: n}
	})
}

// tasks describes slices at their n-th dispatch.
func tasks(n int, refs ...feed.SliceRef) []feed.Dispatchable[feed.SliceRef] {
	return each(refs, func(r feed.SliceRef) feed.Dispatchable[feed.SliceRef] {
		return feed.Dispatchable[feed.SliceRef]{Ref: r, Dispatches: n}
	})
}

// sweeps calls Due three times and returns what each call found. Each dispatch so far moves the
// next due time by a minute.
func (w *world) sweeps() (found []feed.Due) {
	const minute = hour / 60
	now := noon
	for i := range 3 {
		next := func(dispatches int) int64 {
			w.failIf(dispatches != i+1, "in sweep %d the next due time was computed for %d dispatches", i+1, dispatches)
			return now + int64(dispatches)*minute
		}
		found = append(found, must(w.Plans.Due(w.ctx, by(now), 9, next)))
		until := now + int64(i+1)*minute
		between := must(w.Plans.Due(w.ctx, by(until-1), 9, never))
		w.same("the due work between two sweeps", between, feed.Due{})
		now = until
	}
	return found
}

func isLarge(open []feed.Dispatchable[feed.SliceRef]) []bool {
	return each(open, func(d feed.Dispatchable[feed.SliceRef]) bool { return d.Large })
}

// cleanerPromises checks the promises of [feed.Cleaner]. A store may date plans and keys by its own clock,
// so the bounds in the tests are hours away from now.
func cleanerPromises(s storeSuite) {
	s.empty("a completed plan is removed with its slices and its event", func(w *world) {
		w.same("whether more remains", w.cleanOnce(later(), later(), 1), false)
		w.same("the number of calls for handles", w.releaseHandles(1), 1)
		w.completedPlans(2, 1)
		w.completedPlans(0, 2)
		w.cleanUp(later(), earlier(), 9)
		w.planIs(1, false)
		w.planIs(2, false)
		w.same("the slice", must(w.Slices.ClaimSlice(w.ctx, ref(1, 0), noon+hour, noon+2*hour)), (*feed.Slice)(nil))
		check(w.Plans.Requeue(w.ctx, noon+hour))
		w.same("the due work", w.due(noon+hour, 9), feed.Due{})
		w.same("the post", w.postsOf(1), []*feed.Post{newPost(1, ann, noon)})
	})
	s.empty("a plan with an open slice stays, and so does an event without a plan", func(w *world) {
		w.plan(1, 2)
		w.completeSlice(ref(1, 1))
		w.plan(2, 1)
		running := w.claimSlice(ref(2, 0))
		w.post(3, ann, noon)
		w.cleanUp(later(), later(), 1)
		w.planIs(1, true, ref(1, 0))
		w.planIs(2, true, ref(2, 0))
		w.same("progress is accepted", w.advance(running, 104, false, noon+hour), true)
		w.same("the due work", w.due(noon, 9), feed.Due{Events: events(1, 3), Slices: tasks(1, ref(1, 0))})
	})
	s.empty("a plan stored and a key used after the bound stay", func(w *world) {
		w.completedPlans(1, 1)
		must(w.publishWithKey(newPostNow(2), "f", earlier()))
		w.same("whether more than young plans remains", w.cleanOnce(earlier(), earlier(), 9), false)
		w.planIs(1, true)
		w.same("a later plan's slices", w.storePlan(planOf(1, 2), noon), []feed.SliceRef(nil))
		w.same("whether the key is stored", w.keyIsStored(ann), true)
	})
	s.empty("a post whose plan was removed can be planned again", func(w *world) {
		w.completedPlans(3, 1)
		w.cleanUp(later(), earlier(), 9)
		w.same("the slices", w.storePlan(planOf(1, 2), noon), []feed.SliceRef{ref(1, 0), ref(1, 1)})
		w.planIs(1, true, ref(1, 0), ref(1, 1))
		w.same("the slice", w.mustClaim(noon, noon+10), feed.Slice{
			SliceRef: ref(1, 0), First: 101, Last: 110, Progress: 100, Attempt: 1, Stored: annsAtNoon(1),
		})
	})
	s.promise("a key used before the bound is removed, and its post stays", func(w *world) {
		first := must(w.publishWithKey(newPostNow(1), "f", earlier()))
		w.completedPlans(1, 7)
		w.cleanUp(earlier(), later(), 9)
		w.same("whether the key is stored", w.keyIsStored(ann), false)
		w.same("the post", w.postsOf(1), []*feed.Post{first})
		w.planIs(7, true)
		w.same("the post of another input under the key", must(w.publishWithKey(newPostNow(2), "g", earlier())).ID, feed.PostID(2))
	})
	s.empty("a call removes at most limit plans and limit keys, and reports whether more may remain", func(w *world) {
		// First there are more keys, then more plans.
		for _, n := range []struct{ plans, keys int }{{5, 8}, {7, 2}} {
			var posts []feed.PostID
			for i := range n.plans {
				posts = append(posts, feed.PostID(1+i+100*n.plans))
			}
			w.completedPlans(2, posts...)
			authors := w.makeUsers(n.keys)
			for i, author := range authors {
				must(w.publishWithKey(newPost(feed.PostID(50+i+100*n.plans), author, noon), "f", earlier()))
			}
			for n.plans+n.keys > 0 {
				more := w.cleanOnce(later(), later(), 2)
				n.plans, n.keys = max(0, n.plans-2), max(0, n.keys-2)
				w.same("the number of remaining plans", len(w.plansStored(posts...)), n.plans)
				w.same("the number of remaining keys", w.keysStored(authors), n.keys)
				if n.plans+n.keys > 0 {
					w.same("whether more remains", more, true)
				}
			}
			w.same("whether more remains at the end", w.cleanOnce(later(), later(), 2), false)
		}
	})
	s.promise("a call releases at most limit handles, and reports whether more may remain", func(w *world) {
		for i := range 5 {
			w.update(ann, feed.ProfileChange{Handle: new("ann" + string(rune('a'+i)))})
		}
		w.same("the number of calls", w.releaseHandles(2), 3)
		w.same("the number of calls when nothing is left", w.releaseHandles(2), 1)
		w.cannotTakeHandle(bob, "anne")
	})
	s.empty("concurrent clean-ups remove everything due, and nothing else", func(w *world) {
		posts := upTo(feed.PostID(20))
		w.completedPlans(1, posts...)
		w.plan(100, 1)
		together(6, func(int) error {
			for {
				more, err := w.Cleaner.Cleanup(w.ctx, feed.Millis(later()), feed.Millis(later()), 3)
				if err != nil || !more {
					return err
				}
			}
		})
		// A call skips rows that another call has locked.
		w.cleanUp(later(), later(), 3)
		w.same("the remaining plans", w.plansStored(append(posts, 100)...), []feed.PostID{100})
		w.planIs(100, true, ref(100, 0))
	})
}

// cleanUp cleans up in calls of at most limit rows of a kind until no rows are left.
func (w *world) cleanUp(plansBefore, keysBefore time.Time, limit int) {
	for calls := 0; w.cleanOnce(plansBefore, keysBefore, limit); calls++ {
		if calls > 1000 {
			w.t.Fatal("Cleanup still reports more rows after 1000 calls")
		}
	}
}

func (w *world) cleanOnce(plansBefore, keysBefore time.Time, limit int) bool {
	return must(w.Cleaner.Cleanup(w.ctx, feed.Millis(plansBefore), feed.Millis(keysBefore), limit))
}

// completedPlans publishes posts by ann and completes a plan of n slices for each.
func (w *world) completedPlans(n int, posts ...feed.PostID) {
	for _, post := range posts {
		w.plan(post, n)
		for task := range n {
			w.completeSlice(ref(post, task))
		}
	}
}

// completeSlice claims a slice and completes it.
func (w *world) completeSlice(r feed.SliceRef) {
	s := w.claimSlice(r)
	w.same("the completion is accepted", w.advance(s, s.Last, true, noon+10), true)
}

// claimSlice claims a slice from noon on.
func (w *world) claimSlice(r feed.SliceRef) feed.Slice {
	s := must(w.Slices.ClaimSlice(w.ctx, r, noon, noon+10))
	if s == nil {
		w.t.Fatalf("the claim of slice %v was refused", r)
	}
	return *s
}

// plansStored returns which of the posts have a plan.
func (w *world) plansStored(posts ...feed.PostID) []feed.PostID {
	var have []feed.PostID
	for _, post := range posts {
		if must(w.Plans.PlanOf(w.ctx, post)).Stored {
			have = append(have, post)
		}
	}
	return have
}

// keyIsStored reports whether the store has the publish under the key "k".
func (w *world) keyIsStored(author feed.UserID) bool {
	p := must(w.PostWriter.Published(w.ctx, author, feed.Idempotency{Key: "k", Fingerprint: "f", Since: feed.Millis(earlier())}))
	return p != nil
}

// keysStored returns the number of the authors' stored keys.
func (w *world) keysStored(authors []feed.UserID) (n int) {
	for _, author := range authors {
		if w.keyIsStored(author) {
			n++
		}
	}
	return n
}
