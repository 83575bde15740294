package feedtest

import (
	"github.com/tideline-feeds/tideline/feed"
)

// countersPromises checks the promises of [feed.Counters], and that every change keeps the
// counters exact.
func countersPromises(s storeSuite) {
	s.promise("counters have the order of the ids, and are zero for unknown ids", func(w *world) {
		w.follow(ann, bob, cem)
		w.post(9, ann, noon)
		w.post(10, ann, noon)
		check(w.PostWriter.React(w.ctx, feed.ReactionLike, bob, 10, noon))
		posts := must(w.Counters.PostCounters(w.ctx, []feed.PostID{10, 7, 9, 10}))
		w.same("the posts' counters", posts, []feed.PostCounters{{Likes: 1}, {}, {}, {Likes: 1}})
		users := must(w.Counters.UserCounters(w.ctx, []feed.UserID{cem, 12345, ann, cem}))
		w.same("the users' counters", users,
			[]feed.UserCounters{{Followers: 1}, {}, {Following: 2, Posts: 2}, {Followers: 1}})
		posts = must(w.Counters.PostCounters(w.ctx, nil))
		w.same("the counters of no posts", posts, []feed.PostCounters(nil))
		users = must(w.Counters.UserCounters(w.ctx, nil))
		w.same("the counters of no users", users, []feed.UserCounters(nil))
	})
	s.promise("only direct comments and reposts count, and posts of every kind for their author", func(w *world) {
		w.post(1, ann, noon)
		w.comment(2, bob, noon+1, 1)
		w.comment(3, bob, noon+2, 2)
		w.repost(4, cem, noon+3, 1)
		w.repost(5, cem, noon+4, 4)
		w.repost(6, dee, noon+5, 1)
		w.same("the post's counters", w.postCounters(1), feed.PostCounters{Comments: 1, Reposts: 2})
		w.same("the comment's counters", w.postCounters(2), feed.PostCounters{Comments: 1})
		w.same("the repost's counters", w.postCounters(4), feed.PostCounters{Reposts: 1})
		posts := []int64{w.userCounters(ann).Posts, w.userCounters(bob).Posts, w.userCounters(cem).Posts}
		w.same("the posts of the users", posts, []int64{1, 2, 2})
	})
	s.promise("a deletion counts for the author, the parent and the original, once", func(w *world) {
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
	})
	s.promise("reactions have the order of the ids, and are the viewer's only", func(w *world) {
		w.post(9, ann, noon)
		w.post(10, ann, noon)
		check(w.PostWriter.React(w.ctx, feed.ReactionLike, ann, 10, noon))
		check(w.PostWriter.React(w.ctx, feed.ReactionFavorite, ann, 9, noon))
		check(w.PostWriter.React(w.ctx, feed.ReactionLike, bob, 9, noon))
		for _, c := range []struct {
			viewer feed.UserID
			want   []feed.ViewerReactions
		}{
			{ann, []feed.ViewerReactions{{Liked: true}, {}, {Favorited: true}, {Liked: true}}},
			{bob, []feed.ViewerReactions{{}, {}, {Liked: true}, {}}},
			{0, []feed.ViewerReactions{{}, {}, {}, {}}},
		} {
			got := must(w.Counters.Reactions(w.ctx, c.viewer, []feed.PostID{10, 7, 9, 10}))
			w.same("the reactions of "+c.viewer.String(), got, c.want)
		}
		w.same("the reactions to no posts", must(w.Counters.Reactions(w.ctx, ann, nil)), []feed.ViewerReactions(nil))
	})
	s.promise("concurrent likes of one post are all counted", func(w *world) {
		w.post(1, ann, noon)
		users := w.makeUsers(12)
		together(2*len(users), func(i int) error {
			r := []feed.Reaction{feed.ReactionLike, feed.ReactionFavorite}[i%2]
			return w.PostWriter.React(w.ctx, r, users[i/2], 1, noon)
		})
		n := int64(len(users))
		w.same("the counters", w.postCounters(1), feed.PostCounters{Likes: n, Favorites: n})
	})
	s.promise("concurrent comments and reposts are all counted", func(w *world) {
		w.post(1, ann, noon)
		users := w.makeUsers(6)
		together(2*len(users), func(i int) error {
			p := newPost(feed.PostID(100+i), users[i/2], noon)
			if i%2 == 0 {
				p.Kind, p.ReplyTo = feed.KindComment, 1
			} else {
				p.Kind, p.RepostOf = feed.KindRepost, 1
			}
			return errorOf(w.PostWriter.Publish(w.ctx, p, feed.Idempotency{}, eventAt(noon)))
		})
		n := int64(len(users))
		w.same("the counters", w.postCounters(1), feed.PostCounters{Comments: n, Reposts: n})
		for _, user := range users {
			w.same("the post count of each user", w.userCounters(user).Posts, int64(2))
		}
	})
	s.promise("concurrent deletions of one post delete it once", func(w *world) {
		w.post(1, ann, noon)
		w.comment(2, bob, noon, 1)
		w.comment(3, bob, noon, 1)
		together(8, func(int) error { return w.PostWriter.Delete(w.ctx, 2, noon+1) })
		w.same("the counters", w.postCounters(1), feed.PostCounters{Comments: 1})
		w.same("bob's post count", w.userCounters(bob).Posts, int64(1))
	})
	s.promise("concurrent likes and unlikes of one user leave a matching count", func(w *world) {
		w.post(1, ann, noon)
		together(16, func(i int) error {
			if i%2 == 0 {
				return w.PostWriter.React(w.ctx, feed.ReactionLike, bob, 1, noon)
			}
			return w.PostWriter.Unreact(w.ctx, feed.ReactionLike, bob, 1)
		})
		var want feed.PostCounters
		if w.reactionsOf(bob, 1).Liked {
			want.Likes = 1
		}
		w.same("the counters", w.postCounters(1), want)
	})
}
