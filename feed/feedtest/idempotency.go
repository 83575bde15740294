package feedtest

import (
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

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
