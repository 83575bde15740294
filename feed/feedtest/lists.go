package feedtest

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
)

// listsPromises checks the promises of [feed.Lists].
func listsPromises(s storeSuite) {
	s.promise("an outbox is read in feed order, whatever the bounds, limit and direction", func(w *world) {
		w.trickyPosts(ann, ann)
		w.post(77, dee, noon+5)
		w.everyRange(trickyKeys(), func(r feed.Range) ([]feed.Key, error) { return w.readList(w.ctx, feed.OutboxRef(ann), r) })
	})
	s.promise("comments are read in feed order, whatever the bounds, limit and direction", func(w *world) {
		w.post(500, cem, noon)
		for i, k := range trickyKeys() {
			w.comment(feed.PostID(k.ID), []feed.UserID{ann, bob}[i%2], k.TS, 500)
		}
		w.everyRange(trickyKeys(), func(r feed.Range) ([]feed.Key, error) { return w.readList(w.ctx, feed.CommentsRef(500), r) })
	})
	s.promise("comments are direct and exist: neither comments on comments, nor reposts, nor deleted ones", func(w *world) {
		w.post(1, ann, noon)
		w.same("the comments on a post without comments", w.comments(1), []feed.Key(nil))
		w.same("the comments on an unknown post", w.comments(7), []feed.Key(nil))
		c := w.comment(2, bob, noon+1, 1)
		w.comment(3, ann, noon+2, 2)
		w.repost(4, cem, noon+3, 1)
		w.comment(5, bob, noon+1, 1)
		w.delete(5)
		w.same("the comments", w.comments(1), []feed.Key{c})
	})
	s.promise("lists read together equal lists read alone, and outboxes of one author", func(w *world) {
		w.post(500, cem, noon)
		for i, k := range trickyKeys() {
			id := feed.PostID(k.ID)
			w.comment(id, []feed.UserID{ann, bob}[i%2], k.TS, 500)
			w.post(id+1000, []feed.UserID{bob, ann}[i%2], k.TS)
		}
		var lists []feed.List
		for _, ref := range []feed.FeedRef{feed.OutboxRef(ann), feed.CommentsRef(500), feed.OutboxRef(bob), feed.OutboxRef(12345), feed.CommentsRef(7), feed.OutboxRef(ann)} {
			for i, k := range trickyKeys() {
				r := feed.Range{Above: feed.Bottom, Below: feed.Top, Limit: 1 + i, Ascending: i%2 == 0}.After(k)
				if i%3 == 0 {
					r.Kinds = feed.Kinds{feed.KindPost}
				}
				lists = append(lists, feed.List{Ref: ref, Range: r})
			}
		}
		found := must(w.Lists.ReadLists(w.ctx, lists))
		for i, l := range lists {
			alone := must(w.readList(w.ctx, l.Ref, l.Range))
			w.same("a list read with others", found[i], alone)
			if l.Ref.Kind == feed.FeedOutbox {
				w.same("an outbox read as a list", alone, must(w.Outboxes.Outbox(w.ctx, []feed.UserID{l.Ref.Author}, l.Range)))
			}
		}
		w.same("the number of results for no lists", len(must(w.Lists.ReadLists(w.ctx, nil))), 0)
	})
}

// readList reads one list by itself.
func (s Stores) readList(ctx context.Context, ref feed.FeedRef, r feed.Range) ([]feed.Key, error) {
	found, err := s.Lists.ReadLists(ctx, []feed.List{{Ref: ref, Range: r}})
	if err != nil {
		return nil, err
	}
	return found[0], nil
}

// comments returns all comments on a post.
func (w *world) comments(post feed.PostID) []feed.Key {
	return must(w.readList(w.ctx, feed.CommentsRef(post), all()))
}
