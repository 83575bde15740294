package feedtest

import (
	"github.com/tideline-feeds/tideline/feed"
)

// outboxesPromises checks the promises of [feed.Outboxes].
func outboxesPromises(s storeSuite) {
	s.promise("an outbox is read in feed order, whatever the bounds, limit and direction", func(w *world) {
		w.trickyPosts(ann, bob)
		w.post(77, dee, noon+5)
		w.everyRange(trickyKeys(), func(r feed.Range) ([]feed.Key, error) { return w.Outboxes.Outbox(w.ctx, []feed.UserID{ann, bob}, r) })
	})
	s.promise("the outboxes of several authors are merged, each author once; no authors give no keys", func(w *world) {
		a := w.post(1, ann, noon)
		b := w.comment(2, bob, noon+1, 1)
		c := w.repost(3, ann, noon+2, 1)
		w.post(4, cem, noon+3)
		w.same("both outboxes", w.outbox([]feed.UserID{bob, ann, dee}), []feed.Key{c, b, a})
		w.same("one outbox", w.outbox([]feed.UserID{ann}), []feed.Key{c, a})
		w.same("an outbox named twice", w.outbox([]feed.UserID{ann, bob, ann}), []feed.Key{c, b, a})
		w.same("the outbox of no author", w.outbox(nil), []feed.Key(nil))
		w.same("the outbox of an unknown user", w.outbox([]feed.UserID{12345}), []feed.Key(nil))
	})
	s.promise("kinds filter an outbox before the limit applies", func(w *world) {
		post := w.post(1, ann, noon)
		comment := w.comment(2, ann, noon+1, 1)
		repost := w.repost(3, ann, noon+2, 1)
		of := []feed.UserID{ann}
		w.same("posts", w.outbox(of, feed.KindPost), []feed.Key{post})
		w.same("comments", w.outbox(of, feed.KindComment), []feed.Key{comment})
		w.same("reposts and posts", w.outbox(of, feed.KindRepost, feed.KindPost), []feed.Key{repost, post})
		one := feed.Range{Below: feed.Top, Limit: 1, Kinds: feed.Kinds{feed.KindPost}}
		w.same("the newest post", must(w.Outboxes.Outbox(w.ctx, of, one)), []feed.Key{post})
	})
	s.promise("deleted posts are omitted and do not count towards the limit, and their reposts stay", func(w *world) {
		w.post(1, bob, noon)
		repost := w.repost(2, ann, noon, 1)
		w.delete(1)
		w.post(3, ann, noon+1)
		w.delete(3)
		keys := must(w.Outboxes.Outbox(w.ctx, []feed.UserID{ann}, feed.Range{Below: feed.Top, Limit: 1}))
		w.same("the newest post", keys, []feed.Key{repost})
		w.same("the outbox", w.outbox([]feed.UserID{ann, bob}), []feed.Key{repost})
	})
}

// outbox returns all keys of the authors' outboxes with these kinds.
func (w *world) outbox(authors []feed.UserID, kinds ...feed.Kind) []feed.Key {
	r := all()
	r.Kinds = kinds
	return must(w.Outboxes.Outbox(w.ctx, authors, r))
}
