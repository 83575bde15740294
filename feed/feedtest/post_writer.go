package feedtest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// PostWriter checks the promises of [feed.PostWriter].
func PostWriter(t *testing.T, open func(t *testing.T) Stores) {
	testPromises(t, open, []promise{
		{"a publish stores the post and returns it as stored", publishStores},
		{"a publish stores an event with the given due time", publishEvent},
		{"a post id that is taken is ErrIDTaken and changes nothing", publishTaken},
		{"concurrent publishes of one post id store one post", publishTakenAtOnce},
		{"an edit sets the text and edit time of a post and returns the result", editSets},
		{"editing a deleted or unknown post is NOT_FOUND", editMissingPost},
		{"a publish by an unknown user is NOT_FOUND and changes nothing", publishUnknownUser},
		{"a repost that makes a chain longer than the policy allows is INVALID and changes nothing", publishChain},
		{"deleting twice changes nothing", deleteTwice},
		{"deleting an unknown post changes nothing", deleteMissingPost},
		{"likes and favorites are set and removed independently", reactSets},
		{"a second reaction, and a second removal, changes nothing", reactTwice},
		{"reacting to a deleted or unknown post is NOT_FOUND", reactMissingPost},
		{"a reaction by an unknown user is NOT_FOUND and changes nothing", reactUnknownUser},
		{"an ended context is an error and changes nothing", postWriterEndedContext},
	})
	t.Run("SmallAudience", func(t *testing.T) { smallAudience(t, open) })
	t.Run("Idempotency", func(t *testing.T) { idempotency(t, open) })
}

func publishStores(w *world) {
	w.fourUsers()
	p := newPost(1, ann, noon-hour)
	p.Media = []string{"https://example.org/a.png"}
	got, err := w.PostWriter.Publish(w.ctx, p, feed.Idempotency{}, eventAt(noon))
	w.must(err)
	w.same("the returned post", got, feed.Publication{Post: p})
	lease := w.renew(ann, time.Hour)
	got, err = w.PostWriter.Publish(w.ctx, newPost(9, ann, noon-hour), feed.Idempotency{}, eventAt(noon))
	w.must(err)
	w.same("the end of the author's lease", got.ActiveUntil, lease.Until)
	w.same("the stored post", w.postsOf(1), []*feed.Post{p})
}

func publishEvent(w *world) {
	w.fourUsers()
	_, err := w.PostWriter.Publish(w.ctx, newPost(1, ann, noon-hour), feed.Idempotency{}, eventAt(noon+10))
	w.must(err)
	w.same("the due work before the due time", w.due(noon+9, 9), feed.Due{})
	w.same("the due work at the due time", w.due(noon+10, 9), feed.Due{Events: events(1, 1)})
	plan, err := w.Plans.PlanOf(w.ctx, 1)
	w.must(err)
	w.same("whether a plan is stored", plan.Stored, false)
}

func publishTaken(w *world) {
	w.fourUsers()
	w.post(1, ann, noon)
	for _, author := range []feed.UserID{ann, bob} {
		_, err := w.PostWriter.Publish(w.ctx, newPost(1, author, noon+1), feed.Idempotency{Key: "k"}, eventAt(noon))
		if !errors.Is(err, feed.ErrIDTaken) {
			w.t.Errorf("got error %v, want ErrIDTaken", err)
		}
	}
	w.same("the stored post", w.postsOf(1), []*feed.Post{newPost(1, ann, noon)})
	w.same("ann's post count", w.userCounters(ann).Posts, int64(1))
	w.same("bob's post count", w.userCounters(bob).Posts, int64(0))
	_, err := w.PostWriter.Publish(w.ctx, newPost(2, ann, noon), feed.Idempotency{Key: "k", Fingerprint: "f"}, eventAt(noon))
	w.must(err)
}

func publishTakenAtOnce(w *world) {
	w.fourUsers()
	stored := 0
	for _, err := range concurrently(8, func(i int) error {
		_, err := w.PostWriter.Publish(w.ctx, newPost(1, ann, noon+int64(i)), feed.Idempotency{}, eventAt(noon))
		return err
	}) {
		if err == nil {
			stored++
		} else if !errors.Is(err, feed.ErrIDTaken) {
			w.t.Errorf("got error %v, want ErrIDTaken", err)
		}
	}
	w.same("the number of publishes that succeeded", stored, 1)
	w.same("ann's post count", w.userCounters(ann).Posts, int64(1))
}

func publishUnknownUser(w *world) {
	_, err := w.PostWriter.Publish(w.ctx, newPost(1, ann, noon), feed.Idempotency{Key: "k", Fingerprint: "f"}, eventAt(noon))
	w.mustHaveCode(feed.CodeNotFound, err)
	w.same("the post", w.postsOf(1), []*feed.Post{nil})
	w.same("the due work", w.due(noon, 9), feed.Due{})
	w.user(ann)
	_, err = w.PostWriter.Publish(w.ctx, newPost(1, ann, noon), feed.Idempotency{Key: "k", Fingerprint: "g"}, eventAt(noon))
	w.must(err)
}

func publishChain(w *world) {
	depth := feed.DefaultPolicy().RepostDepth
	w.imports(chain(depth))
	last := feed.PostID(depth + 1)
	p := newPost(last+1, ann, noon)
	p.Kind, p.RepostOf = feed.KindRepost, last
	_, err := w.PostWriter.Publish(w.ctx, p, feed.Idempotency{}, eventAt(noon))
	w.mustHaveCode(feed.CodeInvalid, err)
	var refusal *feed.Error
	if errors.As(err, &refusal) {
		w.same("the field", refusal.Field, []string{"repostOf"})
	}
	w.same("the post", w.postsOf(p.ID), []*feed.Post{nil})
	w.same("the counters of the last link", w.postCounters(last), feed.PostCounters{})
	w.repost(p.ID, ann, noon, last-1)
	w.comment(p.ID+1, ann, noon, last)
}

func editSets(w *world) {
	w.fourUsers()
	p := newPost(1, ann, noon)
	p.Media = []string{"https://example.org/a.png"}
	w.publish(p)
	got, err := w.PostWriter.Edit(w.ctx, 1, "new", noon+5)
	w.must(err)
	want := *p
	want.Text, want.EditedAt = "new", noon+5
	w.same("the returned post", got, &want)
	w.same("the stored post", w.postsOf(1), []*feed.Post{&want})
}

func editMissingPost(w *world) {
	w.fourUsers()
	w.post(1, ann, noon)
	w.delete(1)
	before := w.postsOf(1)
	for _, id := range []feed.PostID{1, 7} {
		_, err := w.PostWriter.Edit(w.ctx, id, "new", noon+5)
		w.mustHaveCode(feed.CodeNotFound, err)
	}
	w.same("the deleted post", w.postsOf(1), before)
}

func deleteTwice(w *world) {
	w.fourUsers()
	w.post(1, ann, noon)
	w.must(w.PostWriter.Delete(w.ctx, 1, noon+1))
	w.must(w.PostWriter.Delete(w.ctx, 1, noon+2))
	w.same("the time of deletion", w.postsOf(1)[0].DeletedAt, noon+1)
	w.same("ann's post count", w.userCounters(ann).Posts, int64(0))
}

func deleteMissingPost(w *world) {
	w.fourUsers()
	w.must(w.PostWriter.Delete(w.ctx, 1, noon))
	w.same("the post", w.postsOf(1), []*feed.Post{nil})
	w.post(1, ann, noon)
	w.same("the post", w.postsOf(1), []*feed.Post{newPost(1, ann, noon)})
	w.same("ann's post count", w.userCounters(ann).Posts, int64(1))
}

// reactionsOf returns the viewer's reactions to one post.
func (w *world) reactionsOf(viewer feed.UserID, id feed.PostID) feed.ViewerReactions {
	w.t.Helper()
	got, err := w.Counters.Reactions(w.ctx, viewer, []feed.PostID{id})
	w.must(err)
	if len(got) != 1 {
		w.t.Fatalf("Reactions returned %d results for one id", len(got))
	}
	return got[0]
}

// reactIs compares ann's reactions to post 1, and its counters.
func (w *world) reactIs(anns feed.ViewerReactions, likes, favorites int64) {
	w.t.Helper()
	w.same("ann's reactions", w.reactionsOf(ann, 1), anns)
	w.same("the counters", w.postCounters(1), feed.PostCounters{Likes: likes, Favorites: favorites})
}

func reactSets(w *world) {
	w.fourUsers()
	w.post(1, ann, noon)
	w.must(w.PostWriter.React(w.ctx, feed.ReactionLike, ann, 1, noon))
	w.must(w.PostWriter.React(w.ctx, feed.ReactionLike, bob, 1, noon))
	w.reactIs(feed.ViewerReactions{Liked: true}, 2, 0)
	w.must(w.PostWriter.React(w.ctx, feed.ReactionFavorite, ann, 1, noon))
	w.reactIs(feed.ViewerReactions{Liked: true, Favorited: true}, 2, 1)
	w.must(w.PostWriter.Unreact(w.ctx, feed.ReactionLike, ann, 1))
	w.reactIs(feed.ViewerReactions{Favorited: true}, 1, 1)
	w.must(w.PostWriter.Unreact(w.ctx, feed.ReactionFavorite, ann, 1))
	w.reactIs(feed.ViewerReactions{}, 1, 0)
	w.must(w.PostWriter.React(w.ctx, feed.ReactionLike, ann, 1, noon))
	w.reactIs(feed.ViewerReactions{Liked: true}, 2, 0)
}

func reactTwice(w *world) {
	w.fourUsers()
	w.post(1, ann, noon)
	for _, r := range []feed.Reaction{feed.ReactionLike, feed.ReactionFavorite} {
		w.must(w.PostWriter.Unreact(w.ctx, r, ann, 1))
		w.must(w.PostWriter.React(w.ctx, r, ann, 1, noon))
		w.must(w.PostWriter.React(w.ctx, r, ann, 1, noon+1))
	}
	w.reactIs(feed.ViewerReactions{Liked: true, Favorited: true}, 1, 1)
	for _, r := range []feed.Reaction{feed.ReactionLike, feed.ReactionFavorite} {
		w.must(w.PostWriter.Unreact(w.ctx, r, ann, 1))
		w.must(w.PostWriter.Unreact(w.ctx, r, ann, 1))
	}
	w.reactIs(feed.ViewerReactions{}, 0, 0)
}

func reactMissingPost(w *world) {
	w.fourUsers()
	w.post(1, ann, noon)
	w.delete(1)
	for _, r := range []feed.Reaction{feed.ReactionLike, feed.ReactionFavorite} {
		for _, id := range []feed.PostID{1, 7} {
			w.mustHaveCode(feed.CodeNotFound, w.PostWriter.React(w.ctx, r, bob, id, noon))
			w.same("bob's reactions", w.reactionsOf(bob, id), feed.ViewerReactions{})
			w.same("the counters", w.postCounters(id), feed.PostCounters{})
		}
	}
}

func reactUnknownUser(w *world) {
	w.fourUsers()
	w.post(1, ann, noon)
	w.mustHaveCode(feed.CodeNotFound, w.PostWriter.React(w.ctx, feed.ReactionLike, 12345, 1, noon))
	w.must(w.PostWriter.Unreact(w.ctx, feed.ReactionLike, 12345, 1))
	w.same("the unknown user's reactions", w.reactionsOf(12345, 1), feed.ViewerReactions{})
	w.same("the counters", w.postCounters(1), feed.PostCounters{})
}

func postWriterEndedContext(w *world) {
	w.fourUsers()
	w.post(1, ann, noon)
	w.refusesEndedContext(map[string]func(ctx context.Context) error{
		"Publish": func(ctx context.Context) error {
			_, err := w.PostWriter.Publish(ctx, newPost(2, ann, noon), feed.Idempotency{}, eventAt(noon))
			return err
		},
		"Edit": func(ctx context.Context) error {
			_, err := w.PostWriter.Edit(ctx, 1, "new", noon)
			return err
		},
		"Delete":  func(ctx context.Context) error { return w.PostWriter.Delete(ctx, 1, noon) },
		"React":   func(ctx context.Context) error { return w.PostWriter.React(ctx, feed.ReactionLike, ann, 1, noon) },
		"Unreact": func(ctx context.Context) error { return w.PostWriter.Unreact(ctx, feed.ReactionLike, ann, 1) },
	})
	w.same("the posts", w.postsOf(1, 2), []*feed.Post{newPost(1, ann, noon), nil})
	w.same("the counters", w.postCounters(1), feed.PostCounters{})
}
