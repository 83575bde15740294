package feedtest

import (
	"context"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// Cleaner checks the promises of [feed.Cleaner]. A store may date plans and keys by its own clock,
// so the bounds in the tests are hours away from now.
func Cleaner(t *testing.T, open func(t *testing.T) Stores) {
	keep(t, open, []promise{
		{"a plan that is done goes with its slices and its event", cleanPlans},
		{"a plan with an open slice stays, and so does an event without a plan", cleanOpen},
		{"a plan that was stored after the bound stays", cleanYoung},
		{"a cleaned-up plan can be planned again from the beginning", cleanAnew},
		{"a key that was used before the bound is forgotten, and its content stays", cleanKeys},
		{"a key that was used after the bound stays", cleanYoungKeys},
		{"at most limit plans and limit keys go at a time, and more says whether to go on", cleanLimit},
		{"at most limit freed handles go at a time, and more says whether to go on", cleanHandles},
		{"many at once clean up everything, and nothing else", cleanAtOnce},
		{"empty stores have nothing to clean up", cleanNothing},
		{"a context that is over is an error and changes nothing", cleanOver},
	})
}

// cleanUp cleans up in calls of at most limit rows of a kind until no rows are left.
func (w *world) cleanUp(plansBefore, keysBefore time.Time, limit int) {
	w.t.Helper()
	for calls := 0; w.cleanOnce(plansBefore, keysBefore, limit); calls++ {
		if calls > 1000 {
			w.t.Fatal("the clean-up does not come to an end")
		}
	}
}

func (w *world) cleanOnce(plansBefore, keysBefore time.Time, limit int) bool {
	w.t.Helper()
	more, err := w.Cleaner.Cleanup(w.ctx, feed.Millis(plansBefore), feed.Millis(keysBefore), limit)
	w.must(err)
	return more
}

// finished publishes posts by ann and completes a plan of n slices for each.
func (w *world) finished(n int, contents ...feed.PostID) {
	w.t.Helper()
	for _, content := range contents {
		w.plan(content, n)
		for task := range n {
			w.finish(ref(content, task))
		}
	}
}

// finish claims a slice and completes it.
func (w *world) finish(r feed.SliceRef) {
	w.t.Helper()
	s := w.claimOf(r)
	w.same("the end is accepted", w.advance(s, s.Last, true, noon+10), true)
}

// claimOf claims a slice from noon on.
func (w *world) claimOf(r feed.SliceRef) feed.Slice {
	w.t.Helper()
	s, err := w.Plans.ClaimSlice(w.ctx, r, noon, noon+10)
	w.must(err)
	if s == nil {
		w.t.Fatalf("slice %v cannot be claimed", r)
	}
	return *s
}

// plansStored returns which of the posts have a plan.
func (w *world) plansStored(contents ...feed.PostID) []feed.PostID {
	w.t.Helper()
	var have []feed.PostID
	for _, content := range contents {
		_, stored, err := w.Plans.PlanOf(w.ctx, content)
		w.must(err)
		if stored {
			have = append(have, content)
		}
	}
	return have
}

func cleanPlans(w *world) {
	w.finished(2, 1)
	w.finished(0, 2)
	w.cleanUp(later(), earlier(), 9)
	w.planIs(1, false)
	w.planIs(2, false)
	s, err := w.Plans.ClaimSlice(w.ctx, ref(1, 0), noon+hour, noon+2*hour)
	w.must(err)
	w.same("the slice", s, (*feed.Slice)(nil))
	w.must(w.Plans.Requeue(w.ctx, noon+hour))
	w.same("what is due", w.due(noon+hour, 9), feed.Due{})
	w.same("the content", w.postsOf(1), []*feed.Post{newPost(1, ann, noon)})
}

func cleanOpen(w *world) {
	w.plan(1, 2)
	w.finish(ref(1, 1))
	w.plan(2, 1)
	running := w.claimOf(ref(2, 0))
	w.post(3, ann, noon)
	w.cleanUp(later(), later(), 1)
	w.planIs(1, true, ref(1, 0))
	w.planIs(2, true, ref(2, 0))
	w.same("progress is accepted", w.advance(running, 104, false, noon+hour), true)
	w.same("what is due", w.due(noon, 9), feed.Due{Events: events(1, 3), Slices: tasks(1, ref(1, 0))})
}

func cleanYoung(w *world) {
	w.finished(1, 1)
	w.same("there is more", w.cleanOnce(earlier(), later(), 9), false)
	w.planIs(1, true)
	w.same("a later plan's slices", w.storePlan(planOf(1, 2), noon), []feed.SliceRef(nil))
}

func cleanAnew(w *world) {
	w.finished(3, 1)
	w.cleanUp(later(), earlier(), 9)
	w.same("the slices", w.storePlan(planOf(1, 2), noon), []feed.SliceRef{ref(1, 0), ref(1, 1)})
	w.planIs(1, true, ref(1, 0), ref(1, 1))
	w.same("the slice", w.mustClaim(noon, noon+10), feed.Slice{
		SliceRef: ref(1, 0), First: 101, Last: 110, Progress: 100, Attempt: 1,
	})
}

// remembered reports whether the store has the publish under the key "k".
func (w *world) remembered(author feed.UserID) bool {
	w.t.Helper()
	p, err := w.PostWriter.Published(w.ctx, author, feed.Idempotency{Key: "k", Fingerprint: "f", Since: feed.Millis(earlier())})
	w.must(err)
	return p != nil
}

func cleanKeys(w *world) {
	w.four()
	first, err := w.send(justNow(1), "f", earlier())
	w.must(err)
	w.finished(1, 7)
	w.cleanUp(earlier(), later(), 9)
	w.same("the key is remembered", w.remembered(ann), false)
	w.same("the content", w.postsOf(1), []*feed.Post{first})
	w.planIs(7, true)
	second, err := w.send(justNow(2), "g", earlier())
	w.must(err)
	w.same("the content of another input under the key", second.ID, feed.PostID(2))
}

func cleanYoungKeys(w *world) {
	w.four()
	_, err := w.send(justNow(1), "f", earlier())
	w.must(err)
	w.same("there is more", w.cleanOnce(later(), earlier(), 9), false)
	w.same("the key is remembered", w.remembered(ann), true)
}

func cleanLimit(w *world) {
	// First there are more keys, then more plans.
	for _, n := range []struct{ plans, keys int }{{5, 8}, {7, 2}} {
		var contents []feed.PostID
		for i := range n.plans {
			contents = append(contents, feed.PostID(1+i+100*n.plans))
		}
		w.finished(2, contents...)
		authors := w.crowd(n.keys)
		for i, author := range authors {
			_, err := w.send(newPost(feed.PostID(50+i+100*n.plans), author, noon), "f", earlier())
			w.must(err)
		}
		for n.plans+n.keys > 0 {
			more := w.cleanOnce(later(), later(), 2)
			n.plans, n.keys = max(0, n.plans-2), max(0, n.keys-2)
			w.same("how many plans are left", len(w.plansStored(contents...)), n.plans)
			w.same("how many keys are left", w.keysStored(authors), n.keys)
			if n.plans+n.keys > 0 {
				w.same("there is more", more, true)
			}
		}
		w.same("there is more in the end", w.cleanOnce(later(), later(), 2), false)
	}
}

// keysStored returns the number of the authors' stored keys.
func (w *world) keysStored(authors []feed.UserID) (n int) {
	w.t.Helper()
	for _, author := range authors {
		if w.remembered(author) {
			n++
		}
	}
	return n
}

func cleanAtOnce(w *world) {
	var contents []feed.PostID
	for id := range feed.PostID(20) {
		contents = append(contents, id+1)
	}
	w.finished(1, contents...)
	w.plan(100, 1)
	for _, err := range together(6, func(int) error {
		for {
			more, err := w.Cleaner.Cleanup(w.ctx, feed.Millis(later()), feed.Millis(later()), 3)
			if err != nil || !more {
				return err
			}
		}
	}) {
		w.must(err)
	}
	// A call skips rows that another call has locked.
	w.cleanUp(later(), later(), 3)
	w.same("the plans left", w.plansStored(append(contents, 100)...), []feed.PostID{100})
	w.planIs(100, true, ref(100, 0))
}

func cleanHandles(w *world) {
	w.user(ann, bob)
	for i := range 5 {
		w.update(ann, feed.ProfileChange{Handle: new("ann" + string(rune('a'+i)))})
	}
	w.same("the calls", w.drop(2), 3)
	w.same("the calls when nothing is left", w.drop(2), 1)
	w.keptFrom(bob, "anne")
}

func cleanNothing(w *world) {
	w.same("there is more", w.cleanOnce(later(), later(), 1), false)
	w.same("the calls for handles", w.drop(1), 1)
}

func cleanOver(w *world) {
	w.four()
	w.finished(1, 1)
	_, err := w.send(justNow(2), "f", earlier())
	w.must(err)
	w.refuses(map[string]func(ctx context.Context) error{
		"Cleanup": func(ctx context.Context) error {
			_, err := w.Cleaner.Cleanup(ctx, feed.Millis(later()), feed.Millis(later()), 9)
			return err
		},
		"DropFreedHandles": func(ctx context.Context) error {
			_, err := w.Cleaner.DropFreedHandles(ctx, feed.Millis(later()), 9)
			return err
		},
	})
	w.planIs(1, true)
	w.same("the key is remembered", w.remembered(ann), true)
}
