package feedtest

import (
	"context"
	"math"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

// Posts checks the promises of [feed.Posts].
func Posts(t *testing.T, open func(t *testing.T) Stores) {
	keep(t, open, []promise{
		{"one content per id, in the order of the ids, nil where none is stored", postsInOrder},
		{"no ids, no contents", postsOfNothing},
		{"every field is kept", postsWhole},
		{"a deleted content is returned with its time of deletion", postsDeleted},
		{"a context that is over is an error", postsOver},
	})
}

// postsOf returns the posts with the ids.
func (w *world) postsOf(ids ...feed.PostID) []*feed.Post {
	w.t.Helper()
	posts, err := w.Posts.Posts(w.ctx, ids)
	w.must(err)
	return posts
}

func postsInOrder(w *world) {
	w.user(ann)
	w.post(9, ann, noon)
	w.post(10, ann, noon-1)
	nine, ten := newPost(9, ann, noon), newPost(10, ann, noon-1)
	w.same("the contents", w.postsOf(10, 7, 9, 10), []*feed.Post{ten, nil, nine, ten})
}

func postsOfNothing(w *world) {
	w.same("the contents", w.postsOf(), []*feed.Post(nil))
}

func postsWhole(w *world) {
	w.user(math.MaxInt64)
	first := newPost(math.MaxInt64, math.MaxInt64, feed.MaxTime)
	first.Text = "two lines\nand a \"quote\", 名前, 👩‍🚀"
	first.Media = []string{"https://example.org/a.png?x=1,2", "relative/b.png"}
	w.publish(first)
	comment := newPost(1, math.MaxInt64, 0)
	comment.Kind, comment.ReplyTo = feed.KindComment, first.ID
	w.publish(comment)
	repost := newPost(2, math.MaxInt64, 1)
	repost.Kind, repost.RepostOf, repost.Text = feed.KindRepost, first.ID, ""
	w.publish(repost)
	w.same("the contents", w.postsOf(first.ID, 1, 2), []*feed.Post{first, comment, repost})
}

func postsDeleted(w *world) {
	w.user(ann)
	w.post(1, ann, noon)
	w.must(w.PostWriter.Delete(w.ctx, 1, noon+7))
	want := newPost(1, ann, noon)
	want.DeletedAt = noon + 7
	w.same("the contents", w.postsOf(1), []*feed.Post{want})
}

func postsOver(w *world) {
	w.refuses(map[string]func(ctx context.Context) error{
		"Posts": func(ctx context.Context) error {
			_, err := w.Posts.Posts(ctx, []feed.PostID{1})
			return err
		},
	})
}
