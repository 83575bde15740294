package feedtest

import (
	"context"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

// Counters checks the promises of [feed.Counters], and that every change keeps the
// counters exact.
func Counters(t *testing.T, open func(t *testing.T) Stores) {
	testPromises(t, open, []promise{
		{"counters have the order of the ids, and are zero for unknown ids", countersInOrder},
		{"only direct comments and reposts count", countersDirect},
		{"a deletion counts for the author, the parent and the original, once", countersDeleted},
		{"posts of every kind count for their author", countersKinds},
		{"reactions have the order of the ids, and are the viewer's only", reactionsInOrder},
		{"concurrent likes of one post are all counted", countersLikesAtOnce},
		{"concurrent comments and reposts are all counted", countersAnswersAtOnce},
		{"concurrent deletions of one post delete it once", countersDeleteAtOnce},
		{"concurrent likes and unlikes of one user leave a matching count", countersLikeAtOnce},
		{"an ended context is an error", countersEndedContext},
	})
}

func countersInOrder(w *world) {
	w.fourUsers()
	w.follow(ann, bob, cem)
	w.post(9, ann, noon)
	w.post(10, ann, noon)
	w.must(w.PostWriter.React(w.ctx, feed.ReactionLike, bob, 10, noon))
	posts, err := w.Counters.PostCounters(w.ctx, []feed.PostID{10, 7, 9, 10})
	w.must(err)
	w.same("the posts' counters", posts, []feed.PostCounters{{Likes: 1}, {}, {}, {Likes: 1}})
	users, err := w.Counters.UserCounters(w.ctx, []feed.UserID{cem, 12345, ann, cem})
	w.must(err)
	w.same("the users' counters", users,
		[]feed.UserCounters{{Followers: 1}, {}, {Following: 2, Posts: 2}, {Followers: 1}})
	posts, err = w.Counters.PostCounters(w.ctx, nil)
	w.must(err)
	w.same("the counters of no posts", posts, []feed.PostCounters(nil))
	users, err = w.Counters.UserCounters(w.ctx, nil)
	w.must(err)
	w.same("the counters of no users", users, []feed.UserCounters(nil))
}

func countersDirect(w *world) {
	w.fourUsers()
	w.post(1, ann, noon)
	w.comment(2, bob, noon+1, 1)
	w.comment(3, bob, noon+2, 2)
	w.repost(4, cem, noon+3, 1)
	w.repost(5, cem, noon+4, 4)
	w.repost(6, dee, noon+5, 1)
	w.same("the post's counters", w.postCounters(1), feed.PostCounters{Comments: 1, Reposts: 2})
	w.same("the comment's counters", w.postCounters(2), feed.PostCounters{Comments: 1})
	w.same("the repost's counters", w.postCounters(4), feed.PostCounters{Reposts: 1})
}

func countersDeleted(w *world) {
	w.fourUsers()
	w.post(1, ann, noon)
	w.comment(2, bob, noon+1, 1)
	w.comment(3, bob, noon+2, 1)
	w.repost(4, cem, noon+3, 1)
	for _, id := range []feed.PostID{2, 4, 2, 4} {
		w.delete(id)
	}
	w.same("the post's counters", w.postCounters(1), feed.PostCounters{Comments: 1})
	w.same("bob's post count", w.userCounters(bob).Posts, int64(1))
	w.same("cem's post count", w.userCounters(cem).Posts, int64(0))
	w.same("ann's post count", w.userCounters(ann).Posts, int64(1))
}

func countersKinds(w *world) {
	w.fourUsers()
	w.post(1, ann, noon)
	w.comment(2, ann, noon+1, 1)
	w.repost(3, ann, noon+2, 1)
	w.same("ann's counters", w.userCounters(ann), feed.UserCounters{Posts: 3})
}

func reactionsInOrder(w *world) {
	w.fourUsers()
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
	w.same("the reactions to no posts", none, []feed.ViewerReactions(nil))
}

func countersLikesAtOnce(w *world) {
	w.fourUsers()
	w.post(1, ann, noon)
	users := w.makeUsers(12)
	for _, err := range concurrently(2*len(users), func(i int) error {
		r := []feed.Reaction{feed.ReactionLike, feed.ReactionFavorite}[i%2]
		return w.PostWriter.React(w.ctx, r, users[i/2], 1, noon)
	}) {
		w.must(err)
	}
	n := int64(len(users))
	w.same("the counters", w.postCounters(1), feed.PostCounters{Likes: n, Favorites: n})
}

func countersAnswersAtOnce(w *world) {
	w.fourUsers()
	w.post(1, ann, noon)
	users := w.makeUsers(6)
	for _, err := range concurrently(2*len(users), func(i int) error {
		p := newPost(feed.PostID(100+i), users[i/2], noon)
		if i%2 == 0 {
			p.Kind, p.ReplyTo = feed.KindComment, 1
		} else {
			p.Kind, p.RepostOf = feed.KindRepost, 1
		}
		_, err := w.PostWriter.Publish(w.ctx, p, feed.Idempotency{}, eventAt(noon))
		return err
	}) {
		w.must(err)
	}
	n := int64(len(users))
	w.same("the counters", w.postCounters(1), feed.PostCounters{Comments: n, Reposts: n})
	for _, user := range users {
		w.same("the post count of each user", w.userCounters(user).Posts, int64(2))
	}
}

func countersDeleteAtOnce(w *world) {
	w.fourUsers()
	w.post(1, ann, noon)
	w.comment(2, bob, noon, 1)
	w.comment(3, bob, noon, 1)
	for _, err := range concurrently(8, func(int) error { return w.PostWriter.Delete(w.ctx, 2, noon+1) }) {
		w.must(err)
	}
	w.same("the counters", w.postCounters(1), feed.PostCounters{Comments: 1})
	w.same("bob's post count", w.userCounters(bob).Posts, int64(1))
}

func countersLikeAtOnce(w *world) {
	w.fourUsers()
	w.post(1, ann, noon)
	for _, err := range concurrently(16, func(i int) error {
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

func countersEndedContext(w *world) {
	w.refusesEndedContext(map[string]func(ctx context.Context) error{
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
