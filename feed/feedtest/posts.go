package feedtest

import (
	"math"

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
