package feedtest

import (
	"math"

	"github.com/tideline-feeds/tideline/feed"
)

// smallAudience checks what [feed.PostWriter] promises about authors with few followers.
func smallAudience(s storeSuite) {
	s.promise("a publish to a small audience stores a plan of one slice and no event", func(w *world) {
		w.same("a plan is stored", w.publishes(1, plannedBelow(1)), true)
		w.planIs(1, true, ref(1, 0))
		w.same("what is due at the event's time", w.due(noon+9, many), feed.Due{})
		w.same("what is due at the slice's time", w.due(noon+10, many), feed.Due{Slices: tasks(1, ref(1, 0))})
		w.same("the slice", w.mustClaim(noon, noon+10), feed.Slice{
			SliceRef: ref(1, 0), First: 1, Last: math.MaxInt64, Attempt: 1, Author: ann, Stored: annsAtNoon(1),
		})
		w.same("its end", w.advance(w.mustClaim(noon+10, noon+20), 7, true, noon+20), true)
		w.planIs(1, true)
		w.same("what is due at the end", w.due(noon+hour, many), feed.Due{})
	})
	s.promise("an audience is small below a number of followers", func(w *world) {
		w.follow(bob, ann)
		w.follow(cem, ann)
		w.follow(dee, ann)
		w.unfollow(dee, ann)
		for id, c := range map[feed.PostID]struct {
			below int
			want  bool
		}{1: {0, false}, 2: {2, false}, 3: {3, true}} {
			w.same("a plan is stored", w.publishes(id, plannedBelow(c.below)), c.want)
			plan := must(w.Plans.PlanOf(w.ctx, id))
			w.same("a plan can be read", plan.Stored, c.want)
		}
		w.same("the events", len(w.due(noon, many).Events), 2)
	})
	s.promise("the audience of an author with a coverage flag is not small", func(w *world) {
		for id, flag := range []feed.CoverageFlag{feed.FlagNone, feed.FlagSelective, feed.FlagUnpushed} {
			w.raiseFlag(flag, ann)
			w.same("a plan is stored", w.publishes(feed.PostID(id+1), plannedBelow(many)), flag == feed.FlagNone)
		}
	})
	s.empty("a refused publish stores no plan and claims no key", func(w *world) {
		w.user(ann)
		w.post(1, ann, noon)
		w.mustBe(feed.ErrIDTaken, errorOf(w.PostWriter.Publish(w.ctx, newPost(1, ann, noon), feed.Idempotency{Key: "k"}, plannedBelow(many))))
		w.mustHaveCode(feed.CodeNotFound, errorOf(w.PostWriter.Publish(w.ctx, newPost(2, bob, noon), feed.Idempotency{Key: "k"}, plannedBelow(many))))
		w.planIs(1, false)
		w.planIs(2, false)
		w.user(bob)
		for id, author := range map[feed.PostID]feed.UserID{3: ann, 4: bob} {
			must(w.PostWriter.Publish(w.ctx, newPost(id, author, noon), feed.Idempotency{Key: "k", Fingerprint: "f"}, plannedBelow(many)))
		}
	})
	s.promise("a repeated publish stores no second plan", func(w *world) {
		idem := feed.Idempotency{Key: "k", Fingerprint: "f"}
		for id := range feed.PostID(2) {
			done := must(w.PostWriter.Publish(w.ctx, newPost(1+id, ann, noon), idem, plannedBelow(many)))
			w.same("the publication", done, feed.Publication{Post: newPost(1, ann, noon), Planned: id == 0})
		}
		w.planIs(1, true, ref(1, 0))
		w.planIs(2, false)
	})
	// Plans name posts by id only, so a plan may be older than its post.
	s.promise("a stored plan stays", func(w *world) {
		w.storePlan(planOf(1, 2), noon)
		w.same("another plan is stored", w.publishes(1, plannedBelow(many)), false)
		w.planIs(1, true, ref(1, 0), ref(1, 1))
	})
	s.promise("replies and reposts are planned and counted", func(w *world) {
		w.post(1, ann, noon)
		reply, repost := newPost(2, bob, noon), newPost(3, cem, noon)
		reply.Kind, reply.ReplyTo = feed.KindComment, 1
		repost.Kind, repost.RepostOf = feed.KindRepost, 1
		for _, p := range []*feed.Post{reply, repost} {
			for range 2 {
				done := must(w.PostWriter.Publish(w.ctx, p, feed.Idempotency{Key: "k", Fingerprint: p.ID.String()}, plannedBelow(1)))
				w.same("the post", done.Post, p)
			}
			w.planIs(p.ID, true, ref(p.ID, 0))
			w.same("the author's posts", w.userCounters(p.Author).Posts, int64(1))
		}
		w.same("the counters", w.postCounters(1), feed.PostCounters{Comments: 1, Reposts: 1})
	})
	s.promise("concurrent publishes and follows plan each post once", func(w *world) {
		crowd := w.makeUsers(8)
		planned := make([]bool, len(crowd))
		together(2*len(crowd), func(i int) error {
			if i%2 == 0 {
				return w.Follows.Follow(w.ctx, crowd[i/2], ann, noon, many)
			}
			done, err := w.PostWriter.Publish(w.ctx, newPost(feed.PostID(i/2+1), ann, noon), feed.Idempotency{}, plannedBelow(4))
			planned[i/2] = done.Planned
			return err
		})
		events := 0
		for i, is := range planned {
			plan := must(w.Plans.PlanOf(w.ctx, feed.PostID(i+1)))
			w.same("the plan is stored", plan.Stored, is)
			if !is {
				events++
			}
		}
		due := w.due(noon+10, many)
		w.same("the events", len(due.Events), events)
		w.same("the slices", len(due.Slices), len(crowd)-events)
		w.same("the counters", w.userCounters(ann), feed.UserCounters{Followers: int64(len(crowd)), Posts: int64(len(crowd))})
	})
}

// plannedBelow is a first dispatch for audiences of fewer than n followers.
func plannedBelow(n int) feed.FirstDispatch {
	return feed.FirstDispatch{EventDue: noon, SliceDue: noon + 10, PlanBelow: n}
}

// publishes publishes a post by ann at noon. It reports whether it stored a plan.
func (w *world) publishes(id feed.PostID, d feed.FirstDispatch) bool {
	done := must(w.PostWriter.Publish(w.ctx, newPost(id, ann, noon), feed.Idempotency{}, d))
	w.same("the post", done.Post, newPost(id, ann, noon))
	return done.Planned
}
