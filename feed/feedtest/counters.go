package feedtest

import (
	"context"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

// Counters checks the promises of [feed.Counters], and that every change keeps the
// counters exact.
func Counters(t *testing.T, open func(t *testing.T) Stores) {
	keep(t, open, []promise{
		{"counters come in the order of the ids, zero where none is stored", countersInOrder},
		{"comments and reposts count where they are direct", countersDirect},
		{"a deletion counts for the author, the parent and the original, once", countersDeleted},
		{"contents of every kind count for their author", countersKinds},
		{"reactions come in the order of the ids, of the viewer alone", reactionsInOrder},
		{"likes of one content by many at once are all counted", countersLikesAtOnce},
		{"comments and reposts by many at once are all counted", countersAnswersAtOnce},
		{"a content deleted many times at once is deleted once", countersDeleteAtOnce},
		{"one like set and taken back at once leaves a count that fits", countersLikeAtOnce},
		{"a context that is over is an error", countersOver},
	})
}

func countersInOrder(w *world) {
	w.four()
	w.follow(ann, bob, cem)
	w.post(9, ann, noon)
	w.post(10, ann, noon)
	w.must(w.PostWriter.React(w.ctx, feed.ReactionLike, bob, 10, noon))
	posts, err := w.Counters.PostCounters(w.ctx, []feed.PostID{10, 7, 9, 10})
	w.must(err)
	w.same("the contents' counters", posts, []feed.PostCounters{{Likes: 1}, {}, {}, {Likes: 1}})
	users, err := w.Counters.UserCounters(w.ctx, []feed.UserID{cem, 12345, ann, cem})
	w.must(err)
	w.same("the users' counters", users,
		[]feed.UserCounters{{Followers: 1}, {}, {Following: 2, Posts: 2}, {Followers: 1}})
	posts, err = w.Counters.PostCounters(w.ctx, nil)
	w.must(err)
	w.same("no contents' counters", posts, []feed.PostCounters(nil))
	users, err = w.Counters.UserCounters(w.ctx, nil)
	w.must(err)
	w.same("no users' counters", users, []feed.UserCounters(nil))
}

func countersDirect(w *world) {
	w.four()
	w.post(1, ann, noon)
	w.comment(2, bob, noon+1, 1)
	w.comment(3, bob, noon+2, 2)
	w.repost(4, cem, noon+3, 1)
	w.repost(5, cem, noon+4, 4)
	w.repost(6, dee, noon+5, 1)
	w.same("of the post", w.postCounters(1), feed.PostCounters{Comments: 1, Reposts: 2})
	w.same("of the comment", w.postCounters(2), feed.PostCounters{Comments: 1})
	w.same("of the repost", w.postCounters(4), feed.PostCounters{Reposts: 1})
}

func countersDeleted(w *world) {
	w.four()
	w.post(1, ann, noon)
	w.comment(2, bob, noon+1, 1)
	w.comment(3, bob, noon+2, 1)
	w.repost(4, cem, noon+3, 1)
	for _, id := range []feed.PostID{2, 4, 2, 4} {
		w.delete(id)
	}
	w.same("of the post", w.postCounters(1), feed.PostCounters{Comments: 1})
	w.same("bob's contents", w.userCounters(bob).Posts, int64(1))
	w.same("cem's contents", w.userCounters(cem).Posts, int64(0))
	w.same("ann's contents", w.userCounters(ann).Posts, int64(1))
}

func countersKinds(w *world) {
	w.four()
	w.post(1, ann, noon)
	w.comment(2, ann, noon+1, 1)
	w.repost(3, ann, noon+2, 1)
	w.same("ann's counters", w.userCounters(ann), feed.UserCounters{Posts: 3})
}

func reactionsInOrder(w *world) {
	w.four()
	w.post(9, ann, noon)
	w.post(10, ann, noon)
	w.must(w.PostWriter.React(w.ctx, feed.ReactionLike, ann, 10, noon))
	w.must(w.PostWriter.React(w.ctx, feed.ReactionFavorite, ann, 9, noon))
	w.must(w.PostWriter.React(w.ctx, feed.ReactionLike, bob, 9, noon))
	for _, c := range []struct {
		viewer feed.UserID
		want   []feed.ViewerReactions
	}{
		{ann, []feed.ViewerReactions{{Liked: true}, {}, {Favorited: true}, {Liked: true}}},
		{bob, []feed.ViewerReactions{{}, {}, {Liked: true}, {}}},
		{0, []feed.ViewerReactions{{}, {}, {}, {}}},
	} {
		got, err := w.Counters.Reactions(w.ctx, c.viewer, []feed.PostID{10, 7, 9, 10})
		w.must(err)
		w.same("the reactions of "+c.viewer.String(), got, c.want)
	}
	none, err := w.Counters.Reactions(w.ctx, ann, nil)
	w.must(err)
	w.same("the reactions to nothing", none, []feed.ViewerReactions(nil))
}

func countersLikesAtOnce(w *world) {
	w.four()
	w.post(1, ann, noon)
	crowd := w.crowd(12)
	for _, err := range together(2*len(crowd), func(i int) error {
		r := []feed.Reaction{feed.ReactionLike, feed.ReactionFavorite}[i%2]
		return w.PostWriter.React(w.ctx, r, crowd[i/2], 1, noon)
	}) {
		w.must(err)
	}
	n := int64(len(crowd))
	w.same("the counters", w.postCounters(1), feed.PostCounters{Likes: n, Favorites: n})
}

func countersAnswersAtOnce(w *world) {
	w.four()
	w.post(1, ann, noon)
	crowd := w.crowd(6)
	for _, err := range together(2*len(crowd), func(i int) error {
		p := newPost(feed.PostID(100+i), crowd[i/2], noon)
		if i%2 == 0 {
			p.Kind, p.ReplyTo = feed.KindComment, 1
		} else {
			p.Kind, p.RepostOf = feed.KindRepost, 1
		}
		_, err := w.PostWriter.Publish(w.ctx, p, feed.Idempotency{}, noon)
		return err
	}) {
		w.must(err)
	}
	n := int64(len(crowd))
	w.same("the counters", w.postCounters(1), feed.PostCounters{Comments: n, Reposts: n})
	for _, user := range crowd {
		w.same("the contents of each", w.userCounters(user).Posts, int64(2))
	}
}

func countersDeleteAtOnce(w *world) {
	w.four()
	w.post(1, ann, noon)
	w.comment(2, bob, noon, 1)
	w.comment(3, bob, noon, 1)
	for _, err := range together(8, func(int) error { return w.PostWriter.Delete(w.ctx, 2, noon+1) }) {
		w.must(err)
	}
	w.same("the counters", w.postCounters(1), feed.PostCounters{Comments: 1})
	w.same("bob's contents", w.userCounters(bob).Posts, int64(1))
}

func countersLikeAtOnce(w *world) {
	w.four()
	w.post(1, ann, noon)
	for _, err := range together(16, func(i int) error {
		if i%2 == 0 {
			return w.PostWriter.React(w.ctx, feed.ReactionLike, bob, 1, noon)
		}
		return w.PostWriter.Unreact(w.ctx, feed.ReactionLike, bob, 1)
	}) {
		w.must(err)
	}
	var want feed.PostCounters
	if w.reactionsOf(bob, 1).Liked {
		want.Likes = 1
	}
	w.same("the counters", w.postCounters(1), want)
}

func countersOver(w *world) {
	w.refuses(map[string]func(ctx context.Context) error{
		"PostCounters": func(ctx context.Context) error {
			_, err := w.Counters.PostCounters(ctx, []feed.PostID{1})
			return err
		},
		"UserCounters": func(ctx context.Context) error {
			_, err := w.Counters.UserCounters(ctx, []feed.UserID{1})
			return err
		},
		"Reactions": func(ctx context.Context) error {
			_, err := w.Counters.Reactions(ctx, ann, []feed.PostID{1})
			return err
		},
	})
}
