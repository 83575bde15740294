package feedtest

import (
	"context"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

// Outboxes checks the promises of [feed.Outboxes].
func Outboxes(t *testing.T, open func(t *testing.T) Stores) {
	keep(t, open, []promise{
		{"an outbox is read in feed order, whatever the bounds, limit and direction", outboxRanges},
		{"several authors' outboxes are merged", outboxMerged},
		{"an author named twice is read once", outboxAuthorTwice},
		{"no authors, no keys", outboxNobody},
		{"kinds narrow an outbox, and the limit counts what is left", outboxKinds},
		{"deleted contents are left out and make room within the limit", outboxDeleted},
		{"nothing else is judged: reposts of deleted contents stay", outboxJudgesNothing},
		{"a context that is over is an error", outboxesOver},
	})
}

// outbox returns all keys of the authors' outboxes with these kinds.
func (w *world) outbox(authors []feed.UserID, kinds ...feed.Kind) []feed.Key {
	w.t.Helper()
	r := all()
	r.Kinds = kinds
	keys, err := w.Outboxes.Outbox(w.ctx, authors, r)
	w.must(err)
	return keys
}

func outboxRanges(w *world) {
	w.four()
	for i, k := range tangled() {
		w.post(feed.PostID(k.ID), []feed.UserID{ann, bob}[i%2], k.TS)
	}
	w.post(77, dee, noon+5)
	w.everyRange(tangled(), func(ctx context.Context, r feed.Range) ([]feed.Key, error) {
		return w.Outboxes.Outbox(ctx, []feed.UserID{ann, bob}, r)
	})
}

func outboxMerged(w *world) {
	w.four()
	a := w.post(1, ann, noon)
	b := w.comment(2, bob, noon+1, 1)
	c := w.repost(3, ann, noon+2, 1)
	w.post(4, cem, noon+3)
	w.same("both outboxes", w.outbox([]feed.UserID{bob, ann, dee}), []feed.Key{c, b, a})
	w.same("one outbox", w.outbox([]feed.UserID{ann}), []feed.Key{c, a})
}

func outboxAuthorTwice(w *world) {
	w.four()
	a := w.post(1, ann, noon)
	w.same("the outbox", w.outbox([]feed.UserID{ann, bob, ann}), []feed.Key{a})
}

func outboxNobody(w *world) {
	w.four()
	w.post(1, ann, noon)
	w.same("the outbox of no author", w.outbox(nil), []feed.Key(nil))
	w.same("the outbox of a stranger", w.outbox([]feed.UserID{12345}), []feed.Key(nil))
}

func outboxKinds(w *world) {
	w.four()
	post := w.post(1, ann, noon)
	comment := w.comment(2, ann, noon+1, 1)
	repost := w.repost(3, ann, noon+2, 1)
	of := []feed.UserID{ann}
	w.same("posts", w.outbox(of, feed.KindPost), []feed.Key{post})
	w.same("comments", w.outbox(of, feed.KindComment), []feed.Key{comment})
	w.same("reposts and posts", w.outbox(of, feed.KindRepost, feed.KindPost), []feed.Key{repost, post})
	one := feed.Range{Below: feed.Top, Limit: 1, Kinds: feed.Kinds{feed.KindPost}}
	keys, err := w.Outboxes.Outbox(w.ctx, of, one)
	w.must(err)
	w.same("the newest post", keys, []feed.Key{post})
}

func outboxDeleted(w *world) {
	w.four()
	a := w.post(1, ann, noon)
	w.post(2, ann, noon+1)
	w.delete(2)
	keys, err := w.Outboxes.Outbox(w.ctx, []feed.UserID{ann}, feed.Range{Below: feed.Top, Limit: 1})
	w.must(err)
	w.same("the newest content", keys, []feed.Key{a})
}

func outboxJudgesNothing(w *world) {
	w.four()
	w.post(1, bob, noon)
	repost := w.repost(2, ann, noon, 1)
	w.delete(1)
	w.same("the outbox", w.outbox([]feed.UserID{ann}), []feed.Key{repost})
}

func outboxesOver(w *world) {
	w.refuses(map[string]func(ctx context.Context) error{
		"Outbox": func(ctx context.Context) error {
			_, err := w.Outboxes.Outbox(ctx, []feed.UserID{ann}, all())
			return err
		},
	})
}
