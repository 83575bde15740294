package feedtest

import (
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

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
		w.same("the slice", must(w.Plans.ClaimSlice(w.ctx, ref(1, 0), noon+hour, noon+2*hour)), (*feed.Slice)(nil))
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
	s.empty("a plan stored after the bound stays", func(w *world) {
		w.completedPlans(1, 1)
		w.same("whether more remains", w.cleanOnce(earlier(), later(), 9), false)
		w.planIs(1, true)
		w.same("a later plan's slices", w.storePlan(planOf(1, 2), noon), []feed.SliceRef(nil))
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
	s.promise("a key used after the bound stays", func(w *world) {
		must(w.publishWithKey(newPostNow(1), "f", earlier()))
		w.same("whether more remains", w.cleanOnce(later(), earlier(), 9), false)
		w.same("whether the key is stored", w.keyIsStored(ann), true)
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
		var posts []feed.PostID
		for id := range feed.PostID(20) {
			posts = append(posts, id+1)
		}
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
	s := must(w.Plans.ClaimSlice(w.ctx, r, noon, noon+10))
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
