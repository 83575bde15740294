package feedtest

import (
	"context"
	"slices"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

// PlansTogether checks what [feed.Plans] promises about slices that are claimed together.
func PlansTogether(t *testing.T, open func(t *testing.T) Stores) {
	keep(t, open, []promise{
		{"slices of an author's contents that serve the same followers are claimed together, by content", togetherClaimed},
		{"they are claimed as by a claim each: under a lease, and with a new attempt", togetherHeld},
		{"not more are claimed than may be", togetherLimit},
		{"what serves others, belongs to others, has begun, runs or is done stays where it is", togetherUnlike},
		{"a slice without an author stays by itself", togetherNobody},
		{"whose lease has ended waits again, once a sweep has taken it", togetherSwept},
		{"slices claimed together by many at once are claimed once", togetherAtOnce},
		{"a context that is over is an error and claims nothing", togetherOver},
	})
}

// planBy describes a plan of one slice for ann's followers.
func planBy(content feed.PostID) feed.Plan {
	p := planOf(content, 1)
	p.Author = ann
	return p
}

// storePlans publishes posts by ann and stores plans for them.
func (w *world) storePlans(plans ...feed.Plan) {
	w.t.Helper()
	w.user(ann)
	for _, p := range plans {
		w.post(p.Post, ann, noon)
		w.storePlan(p, noon)
	}
}

// together claims up to limit slices that go together with a held slice.
func (w *world) together(held feed.Slice, limit int) []feed.Slice {
	w.t.Helper()
	claimed, err := w.Plans.ClaimTogether(w.ctx, held, noon+10, limit)
	w.must(err)
	return claimed
}

// contentsOf returns the posts of slices.
func contentsOf(list []feed.Slice) []feed.PostID {
	var contents []feed.PostID
	for _, s := range list {
		contents = append(contents, s.Post)
	}
	return contents
}

func togetherClaimed(w *world) {
	w.storePlans(planBy(3), planBy(2), planBy(1))
	first := w.mustClaim(noon, noon+10)
	w.same("the first", first, feed.Slice{
		SliceRef: ref(1, 0), First: 101, Last: 110, Progress: 100, Attempt: 1, Author: ann, Others: true,
	})
	alike := func(content feed.PostID) feed.Slice {
		return feed.Slice{SliceRef: ref(content, 0), First: 101, Last: 110, Progress: 100, Attempt: 1, Author: ann}
	}
	w.same("the others", w.together(first, many), []feed.Slice{alike(2), alike(3)})
	w.same("what is left", w.together(first, many), []feed.Slice(nil))
}

func togetherHeld(w *world) {
	w.storePlans(planBy(1), planBy(2))
	first := w.mustClaim(noon, noon+10)
	second := w.together(first, many)[0]
	claim := func(now int64) *feed.Slice {
		s, err := w.Plans.ClaimSlice(w.ctx, second.SliceRef, now, now+10)
		w.must(err)
		return s
	}
	w.same("a claim during the lease", claim(noon+9), (*feed.Slice)(nil))
	w.same("progress is accepted", w.advance(second, 105, false, noon+10), true)
	again := claim(noon + 11)
	w.same("a claim after it", again != nil && again.Attempt == 2 && again.Progress == 105, true)
	w.same("the old attempt's progress is accepted", w.advance(second, 107, false, noon+20), false)
	w.same("the first one's end is accepted", w.advance(first, 110, true, noon+10), true)
}

func togetherLimit(w *world) {
	w.storePlans(planBy(1), planBy(2), planBy(3), planBy(4))
	first := w.mustClaim(noon, noon+10)
	w.same("the others", contentsOf(w.together(first, 2)), []feed.PostID{2, 3})
	w.same("the rest", contentsOf(w.together(first, 2)), []feed.PostID{4})
}

func togetherUnlike(w *world) {
	other, further, shorter, selective := planBy(2), planBy(3), planBy(4), planBy(5)
	other.Author = bob
	further.Slices[0].First++
	shorter.Slices[0].Last--
	selective.Selective = true
	w.storePlans(planBy(1), other, further, shorter, selective, planBy(6), planBy(7), planBy(8))
	w.claimOf(ref(6, 0))
	w.same("the end is accepted", w.advance(w.claimOf(ref(7, 0)), 110, true, noon), true)
	begun := w.claimOf(ref(8, 0))
	w.same("progress is accepted", w.advance(begun, 105, false, noon), true)
	w.due(noon, many) // The slice of content 8 waits again, and the others that waited still do.
	first := w.claimOf(ref(1, 0))
	w.same("there are others", first.Others, false)
	w.same("the others", w.together(first, many), []feed.Slice(nil))
	w.same("the end is accepted", w.advance(first, 110, true, noon), true)
}

func togetherNobody(w *world) {
	w.plan(1, 1)
	w.post(2, ann, noon)
	w.storePlan(planOf(2, 1), noon)
	first := w.mustClaim(noon, noon+10)
	w.same("there are others", first.Others, false)
	w.same("the others", w.together(first, many), []feed.Slice(nil))
}

func togetherSwept(w *world) {
	w.storePlans(planBy(1), planBy(2))
	lost, err := w.Plans.ClaimSlice(w.ctx, ref(2, 0), noon, noon+10)
	w.must(err)
	w.same("slices due", len(w.due(noon+11, many).Slices), 2)
	first := w.mustClaim(noon+11, noon+20)
	w.same("there are others", first.Others, true)
	w.same("the others", contentsOf(w.together(first, many)), []feed.PostID{2})
	w.same("the old attempt's progress is accepted", w.advance(*lost, 105, false, noon+20), false)
}

func togetherAtOnce(w *world) {
	const contents, claims = 20, 8
	var plans []feed.Plan
	for id := range feed.PostID(contents) {
		plans = append(plans, planBy(1+id))
	}
	w.storePlans(plans...)
	first := w.mustClaim(noon, noon+10)
	claimed := make([][]feed.Slice, claims)
	for _, err := range together(claims, func(i int) (err error) {
		claimed[i], err = w.Plans.ClaimTogether(w.ctx, first, noon+10, contents/4)
		return err
	}) {
		w.must(err)
	}
	all := contentsOf(slices.Concat(claimed...))
	// The next claim gets the slices that were passed over.
	all = append(all, contentsOf(w.together(first, many))...)
	slices.Sort(all)
	var want []feed.PostID
	for id := range feed.PostID(contents - 1) {
		want = append(want, 2+id)
	}
	w.same("all that was claimed", all, want)
}

func togetherOver(w *world) {
	w.storePlans(planBy(1), planBy(2))
	first := w.mustClaim(noon, noon+10)
	w.refuses(map[string]func(ctx context.Context) error{
		"ClaimTogether": func(ctx context.Context) error {
			_, err := w.Plans.ClaimTogether(ctx, first, noon+10, many)
			return err
		},
	})
	w.same("the others", contentsOf(w.together(first, many)), []feed.PostID{2})
}
