package feedtest

import (
	"errors"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// postWriterPromises checks the promises of [feed.PostWriter].
func postWriterPromises(s storeSuite) {
	s.promise("a publish stores the post and returns it as stored", func(w *world) {
		p := newPost(1, ann, noon-hour)
		p.Media = []string{"https://example.org/a.png"}
		got := must(w.PostWriter.Publish(w.ctx, p, feed.Idempotency{}, eventAt(noon)))
		w.same("the returned post", got, feed.Publication{Post: p})
		lease := w.renew(ann, time.Hour)
		got = must(w.PostWriter.Publish(w.ctx, newPost(9, ann, noon-hour), feed.Idempotency{}, eventAt(noon)))
		w.same("the end of the author's lease", got.ActiveUntil, lease.Until)
		w.same("the stored post", w.postsOf(1), []*feed.Post{p})
	})
	s.promise("a publish stores an event with the given due time", func(w *world) {
		must(w.PostWriter.Publish(w.ctx, newPost(1, ann, noon-hour), feed.Idempotency{}, eventAt(noon+10)))
		w.same("the due work before the due time", w.due(noon+9, 9), feed.Due{})
		w.same("the due work at the due time", w.due(noon+10, 9), feed.Due{Events: events(1, 1)})
		plan := must(w.Plans.PlanOf(w.ctx, 1))
		w.same("whether a plan is stored", plan.Stored, false)
	})
	s.promise("a post id that is taken is ErrIDTaken and changes nothing", func(w *world) {
		w.post(1, ann, noon)
		for _, author := range []feed.UserID{ann, bob} {
			w.mustBe(feed.ErrIDTaken, errorOf(w.PostWriter.Publish(w.ctx, newPost(1, author, noon+1), feed.Idempotency{Key: "k"}, eventAt(noon))))
		}
		w.same("the stored post", w.postsOf(1), []*feed.Post{newPost(1, ann, noon)})
		w.same("ann's post count", w.userCounters(ann).Posts, int64(1))
		w.same("bob's post count", w.userCounters(bob).Posts, int64(0))
		must(w.PostWriter.Publish(w.ctx, newPost(2, ann, noon), feed.Idempotency{Key: "k", Fingerprint: "f"}, eventAt(noon)))
	})
	s.promise("concurrent publishes of one post id store one post", func(w *world) {
		stored := 0
		for _, err := range concurrently(8, func(i int) error {
			return errorOf(w.PostWriter.Publish(w.ctx, newPost(1, ann, noon+int64(i)), feed.Idempotency{}, eventAt(noon)))
		}) {
			if err == nil {
				stored++
			} else if !errors.Is(err, feed.ErrIDTaken) {
				w.t.Errorf("got error %v, want ErrIDTaken", err)
			}
		}
		w.same("the number of publishes that succeeded", stored, 1)
		w.same("ann's post count", w.userCounters(ann).Posts, int64(1))
	})
	s.promise("an edit sets the text and edit time of a post and returns the result", func(w *world) {
		p := newPost(1, ann, noon)
		p.Media = []string{"https://example.org/a.png"}
		w.publish(p)
		got := must(w.PostWriter.Edit(w.ctx, 1, "new", noon+5))
		want := *p
		want.Text, want.EditedAt = "new", noon+5
		w.same("the returned post", got, &want)
		w.same("the stored post", w.postsOf(1), []*feed.Post{&want})
	})
	s.promise("editing a deleted or unknown post is NOT_FOUND", func(w *world) {
		w.post(1, ann, noon)
		w.delete(1)
		before := w.postsOf(1)
		for _, id := range []feed.PostID{1, 7} {
			w.mustHaveCode(feed.CodeNotFound, errorOf(w.PostWriter.Edit(w.ctx, id, "new", noon+5)))
		}
		w.same("the deleted post", w.postsOf(1), before)
	})
	s.empty("a publish by an unknown user is NOT_FOUND and changes nothing", func(w *world) {
		w.mustHaveCode(feed.CodeNotFound, errorOf(w.PostWriter.Publish(w.ctx, newPost(1, ann, noon), feed.Idempotency{Key: "k", Fingerprint: "f"}, eventAt(noon))))
		w.same("the post", w.postsOf(1), []*feed.Post{nil})
		w.same("the due work", w.due(noon, 9), feed.Due{})
		w.user(ann)
		must(w.PostWriter.Publish(w.ctx, newPost(1, ann, noon), feed.Idempotency{Key: "k", Fingerprint: "g"}, eventAt(noon)))
	})
	s.empty("a repost that makes a chain longer than the policy allows is INVALID and changes nothing", func(w *world) {
		depth := feed.DefaultPolicy().RepostDepth
		w.imports(chain(depth))
		last := feed.PostID(depth + 1)
		p := newRepost(last+1, ann, noon, last)
		w.mustHaveCode(feed.CodeInvalid, errorOf(w.PostWriter.Publish(w.ctx, p, feed.Idempotency{}, eventAt(noon))), "repostOf")
		w.same("the post", w.postsOf(p.ID), []*feed.Post{nil})
		w.same("the counters of the last link", w.postCounters(last), feed.PostCounters{})
		w.repost(p.ID, ann, noon, last-1)
		w.comment(p.ID+1, ann, noon, last)
	})
	s.promise("deleting twice, or an unknown post, changes nothing", func(w *world) {
		check(w.PostWriter.Delete(w.ctx, 1, noon))
		w.same("the unknown post", w.postsOf(1), []*feed.Post{nil})
		w.post(1, ann, noon)
		w.same("the post", w.postsOf(1), []*feed.Post{newPost(1, ann, noon)})
		w.same("ann's post count", w.userCounters(ann).Posts, int64(1))
		check(w.PostWriter.Delete(w.ctx, 1, noon+1))
		check(w.PostWriter.Delete(w.ctx, 1, noon+2))
		w.same("the time of deletion", w.postsOf(1)[0].DeletedAt, noon+1)
		w.same("ann's post count", w.userCounters(ann).Posts, int64(0))
	})
	s.promise("likes and favorites are set and removed independently", func(w *world) {
		w.post(1, ann, noon)
		check(w.PostWriter.React(w.ctx, feed.ReactionLike, ann, 1, noon))
		check(w.PostWriter.React(w.ctx, feed.ReactionLike, bob, 1, noon))
		w.reactIs(feed.ViewerReactions{Liked: true}, 2, 0)
		check(w.PostWriter.React(w.ctx, feed.ReactionFavorite, ann, 1, noon))
		w.reactIs(feed.ViewerReactions{Liked: true, Favorited: true}, 2, 1)
		check(w.PostWriter.Unreact(w.ctx, feed.ReactionLike, ann, 1))
		w.reactIs(feed.ViewerReactions{Favorited: true}, 1, 1)
		check(w.PostWriter.Unreact(w.ctx, feed.ReactionFavorite, ann, 1))
		w.reactIs(feed.ViewerReactions{}, 1, 0)
		check(w.PostWriter.React(w.ctx, feed.ReactionLike, ann, 1, noon))
		w.reactIs(feed.ViewerReactions{Liked: true}, 2, 0)
	})
	s.promise("a second reaction, and a second removal, changes nothing", func(w *world) {
		w.post(1, ann, noon)
		for _, r := range []feed.Reaction{feed.ReactionLike, feed.ReactionFavorite} {
			check(w.PostWriter.Unreact(w.ctx, r, ann, 1))
			check(w.PostWriter.React(w.ctx, r, ann, 1, noon))
			check(w.PostWriter.React(w.ctx, r, ann, 1, noon+1))
		}
		w.reactIs(feed.ViewerReactions{Liked: true, Favorited: true}, 1, 1)
		for _, r := range []feed.Reaction{feed.ReactionLike, feed.ReactionFavorite} {
			check(w.PostWriter.Unreact(w.ctx, r, ann, 1))
			check(w.PostWriter.Unreact(w.ctx, r, ann, 1))
		}
		w.reactIs(feed.ViewerReactions{}, 0, 0)
	})
	s.promise("reacting to a deleted or unknown post, or by an unknown user, is NOT_FOUND and changes nothing", func(w *world) {
		w.post(1, ann, noon)
		w.mustHaveCode(feed.CodeNotFound, w.PostWriter.React(w.ctx, feed.ReactionLike, 12345, 1, noon))
		check(w.PostWriter.Unreact(w.ctx, feed.ReactionLike, 12345, 1))
		w.same("the unknown user's reactions", w.reactionsOf(12345, 1), feed.ViewerReactions{})
		w.same("the counters", w.postCounters(1), feed.PostCounters{})
		w.delete(1)
		for _, r := range []feed.Reaction{feed.ReactionLike, feed.ReactionFavorite} {
			for _, id := range []feed.PostID{1, 7} {
				w.mustHaveCode(feed.CodeNotFound, w.PostWriter.React(w.ctx, r, bob, id, noon))
				w.same("bob's reactions", w.reactionsOf(bob, id), feed.ViewerReactions{})
				w.same("the counters", w.postCounters(id), feed.PostCounters{})
			}
		}
	})
	s.group("SmallAudience", smallAudience)
	s.group("Idempotency", idempotency)
}

// reactionsOf returns the viewer's reactions to one post.
func (w *world) reactionsOf(viewer feed.UserID, id feed.PostID) feed.ViewerReactions {
	got := must(w.Counters.Reactions(w.ctx, viewer, []feed.PostID{id}))
	if len(got) != 1 {
		w.t.Fatalf("Reactions returned %d results for one id", len(got))
	}
	return got[0]
}

// reactIs compares ann's reactions to post 1, and its counters.
func (w *world) reactIs(anns feed.ViewerReactions, likes, favorites int64) {
	w.same("ann's reactions", w.reactionsOf(ann, 1), anns)
	w.same("the counters", w.postCounters(1), feed.PostCounters{Likes: likes, Favorites: favorites})
}
