package feedtest

import (
	"errors"
	"math"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// postsPromises checks the promises of [feed.Posts].
func postsPromises(s storeSuite) {
	s.promise("one post per id, in the order of the ids, nil for unknown ids, none for no ids", func(w *world) {
		w.post(9, ann, noon)
		w.post(10, ann, noon-1)
		nine, ten := newPost(9, ann, noon), newPost(10, ann, noon-1)
		w.same("the posts", w.postsOf(10, 7, 9, 10), []*feed.Post{ten, nil, nine, ten})
		w.same("the posts", w.postsOf(), []*feed.Post(nil))
	})
	s.empty("every field is stored", func(w *world) {
		w.user(math.MaxInt64)
		first := newPost(math.MaxInt64, math.MaxInt64, feed.MaxTime)
		first.Text = "two lines\nand a \"quote\", 名前, 👩‍🚀"
		first.Media = []string{"https://example.org/a.png?x=1,2", "relative/b.png"}
		first.Custom = custom
		w.publish(first)
		comment := newComment(1, math.MaxInt64, 0, first.ID)
		w.publish(comment)
		repost := newPost(2, math.MaxInt64, 1)
		repost.Kind, repost.RepostOf, repost.Text = feed.KindRepost, first.ID, ""
		w.publish(repost)
		w.same("the posts", w.postsOf(first.ID, 1, 2), []*feed.Post{first, comment, repost})
	})
	s.promise("a deleted post is returned with its deletion time", func(w *world) {
		w.post(1, ann, noon)
		check(w.PostWriter.Delete(w.ctx, 1, noon+7))
		want := newPost(1, ann, noon)
		want.DeletedAt = noon + 7
		w.same("the posts", w.postsOf(1), []*feed.Post{want})
	})
}

// postsOf returns the posts with the ids.
func (w *world) postsOf(ids ...feed.PostID) []*feed.Post { return must(w.Posts.Posts(w.ctx, ids)) }

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
		got := must(w.PostWriter.Edit(w.ctx, 1, feed.PostEdit{Text: new("new"), At: noon + 5}))
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
			w.mustHaveCode(feed.CodeNotFound, errorOf(w.PostWriter.Edit(w.ctx, id, feed.PostEdit{Text: new("new"), At: noon + 5})))
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

// idempotency checks what [feed.PostWriter] promises about [feed.Idempotency]. A store may date a
// key by its own clock, so the times in the tests are hours apart.
func idempotency(s storeSuite) {
	s.promise("the same input under the same key returns the first result and stores nothing", func(w *world) {
		first := must(w.publishWithKey(newPostNow(1), "f", earlier()))
		again := must(w.publishWithKey(newPostNow(2), "f", earlier()))
		w.same("the second result", again, first)
		w.same("the posts", w.postsOf(1, 2), []*feed.Post{first, nil})
		w.same("ann's post count", w.userCounters(ann).Posts, int64(1))
		due := w.due(feed.Millis(later()), 9)
		w.same("the events", due.Events, events(1, 1))
		again = must(w.publishWithKey(newPostNow(1), "f", earlier()))
		w.same("the result with the id of the first", again, first)
	})
	s.promise("another input under the same key is CONFLICT and stores nothing, for the same author", func(w *world) {
		first := must(w.publishWithKey(newPostNow(1), "f", earlier()))
		w.mustHaveCode(feed.CodeConflict, errorOf(w.publishWithKey(newPostNow(2), "g", earlier())))
		w.same("the posts", w.postsOf(1, 2), []*feed.Post{first, nil})
		w.same("a retry after the conflict", must(w.publishWithKey(newPostNow(3), "f", earlier())), first)
		got := must(w.publishWithKey(newPost(2, bob, feed.Millis(time.Now())), "g", earlier()))
		w.same("the id of bob's post", got.ID, feed.PostID(2))
	})
	s.promise("Published returns the first result of a key, even if it was deleted, and nothing else", func(w *world) {
		must(w.publishWithKey(newPostNow(1), "f", earlier()))
		w.delete(1)
		find := func(author feed.UserID, key, fingerprint string, since time.Time) (*feed.Post, error) {
			return w.PostWriter.Published(w.ctx, author, feed.Idempotency{Key: key, Fingerprint: fingerprint, Since: feed.Millis(since)})
		}
		first := must(find(ann, "k", "f", earlier()))
		w.same("the first result", first, w.postsOf(1)[0])
		w.mustHaveCode(feed.CodeConflict, errorOf(find(ann, "k", "g", earlier())))
		for _, nothing := range []struct {
			author feed.UserID
			key    string
			since  time.Time
		}{{bob, "k", earlier()}, {ann, "other", earlier()}, {ann, "", earlier()}, {ann, "k", later()}} {
			w.same("the result of an unused key", must(find(nothing.author, nothing.key, "f", nothing.since)), (*feed.Post)(nil))
		}
	})
	s.promise("a key last used before Since is ignored", func(w *world) {
		must(w.publishWithKey(newPostNow(1), "f", earlier()))
		w.same("the id of the second post", must(w.publishWithKey(newPostNow(2), "g", later())).ID, feed.PostID(2))
		w.same("ann's post count", w.userCounters(ann).Posts, int64(2))
	})
	s.promise("the time of a key is that of the call, even if the post is back-dated", func(w *world) {
		first := must(w.publishWithKey(newPost(1, ann, noon), "f", earlier()))
		w.same("the second result", must(w.publishWithKey(newPost(2, ann, noon), "f", earlier())), first)
	})
	s.promise("without a key, every call publishes", func(w *world) {
		idem := feed.Idempotency{Fingerprint: "f", Since: feed.Millis(earlier())}
		for id := range feed.PostID(3) {
			got := must(w.PostWriter.Publish(w.ctx, newPostNow(id+1), idem, eventAt(feed.Millis(time.Now()))))
			w.same("the post", got.Post.ID, id+1)
		}
		w.same("ann's post count", w.userCounters(ann).Posts, int64(3))
	})
	s.promise("concurrent calls of one publish store one post", func(w *world) {
		results := make([]feed.PostID, 8)
		together(len(results), func(i int) error {
			p, err := w.publishWithKey(newPostNow(feed.PostID(i+1)), "f", earlier())
			if err == nil {
				results[i] = p.ID
			}
			return err
		})
		for _, id := range results {
			w.same("the post id of each result", id, results[0])
		}
		w.same("ann's post count", w.userCounters(ann).Posts, int64(1))
	})
}

// publishWithKey publishes p now under key "k". Keys last used before since are ignored.
func (w *world) publishWithKey(p *feed.Post, fingerprint string, since time.Time) (*feed.Post, error) {
	idem := feed.Idempotency{Key: "k", Fingerprint: fingerprint, Since: feed.Millis(since)}
	done, err := w.PostWriter.Publish(w.ctx, p, idem, eventAt(feed.Millis(time.Now())))
	return done.Post, err
}

// earlier is before every key of a test, and later is after every key.
func earlier() time.Time { return time.Now().Add(-2 * time.Hour) }
func later() time.Time   { return time.Now().Add(2 * time.Hour) }

// newPostNow describes a post by ann that is published now.
func newPostNow(id feed.PostID) *feed.Post { return newPost(id, ann, feed.Millis(time.Now())) }

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
		w.followedBy(ann, bob, cem, dee)
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
				return w.Follows.Follow(w.ctx, crowd[i/2], ann, noon, many, feed.FollowChoice{})
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
