package feedtest

import (
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// plansTogetherPromises checks what [feed.Plans] promises about slices that are claimed together.
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
			s := must(w.Plans.ClaimSlice(w.ctx, second.SliceRef, now, now+10))
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
		lost := must(w.Plans.ClaimSlice(w.ctx, ref(2, 0), noon, noon+10))
		w.same("the number of due slices", len(w.due(noon+11, many).Slices), 2)
		first := w.mustClaim(noon+11, noon+20)
		w.same("whether other slices can be claimed together", first.Others, true)
		w.same("the slices claimed together", postsOfSlices(w.claimTogether(first, many)), []feed.PostID{2})
		w.same("the old attempt's progress is accepted", w.advance(*lost, 105, false, noon+20), false)
	})
	s.empty("concurrent calls claim each slice once", func(w *world) {
		const posts, claims = 20, 8
		var plans []feed.Plan
		for id := range feed.PostID(posts) {
			plans = append(plans, planBy(1+id))
		}
		w.storePlans(plans...)
		first := w.mustClaim(noon, noon+10)
		claimed := gather(claims, func(i int) ([]feed.Slice, error) { return w.Plans.ClaimTogether(w.ctx, first, noon+10, posts/4) })
		all := postsOfSlices(slices.Concat(claimed...))
		// The next claim gets the slices that the concurrent ones skipped.
		all = append(all, postsOfSlices(w.claimTogether(first, many))...)
		slices.Sort(all)
		var want []feed.PostID
		for id := range feed.PostID(posts - 1) {
			want = append(want, 2+id)
		}
		w.same("the posts of all claimed slices", all, want)
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
	return must(w.Plans.ClaimTogether(w.ctx, held, noon+10, limit))
}

// postsOfSlices returns the posts of slices.
func postsOfSlices(list []feed.Slice) []feed.PostID {
	var posts []feed.PostID
	for _, s := range list {
		posts = append(posts, s.Post)
	}
	return posts
}
