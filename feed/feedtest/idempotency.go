package feedtest

import (
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// idempotency checks what [feed.PostWriter] promises about [feed.Idempotency]. A store may date a
// key by its own clock, so the times in the tests are hours apart.
func idempotency(t *testing.T, open func(t *testing.T) Stores) {
	testPromises(t, open, []promise{
		{"the same input under the same key returns the first result and stores nothing", idemRetry},
		{"another input under the same key is CONFLICT and stores nothing", idemConflict},
		{"Published returns the first result of a key, even if it was deleted, and nothing else", idemPublished},
		{"a key last used before Since is ignored", idemForgotten},
		{"the time of a key is that of the call, even if the post is back-dated", idemBackDated},
		{"without a key, every call publishes", idemNoKey},
		{"each author has their own keys", idemPerAuthor},
		{"concurrent calls of one publish store one post", idemAtOnce},
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

func idemRetry(w *world) {
	w.fourUsers()
	first, err := w.publishWithKey(newPostNow(1), "f", earlier())
	w.must(err)
	again, err := w.publishWithKey(newPostNow(2), "f", earlier())
	w.must(err)
	w.same("the second result", again, first)
	w.same("the posts", w.postsOf(1, 2), []*feed.Post{first, nil})
	w.same("ann's post count", w.userCounters(ann).Posts, int64(1))
	due := w.due(feed.Millis(later()), 9)
	w.same("the events", due.Events, events(1, 1))
	again, err = w.publishWithKey(newPostNow(1), "f", earlier())
	w.must(err)
	w.same("the result with the id of the first", again, first)
}

func idemConflict(w *world) {
	w.fourUsers()
	first, err := w.publishWithKey(newPostNow(1), "f", earlier())
	w.must(err)
	_, err = w.publishWithKey(newPostNow(2), "g", earlier())
	w.mustHaveCode(feed.CodeConflict, err)
	w.same("the posts", w.postsOf(1, 2), []*feed.Post{first, nil})
	again, err := w.publishWithKey(newPostNow(3), "f", earlier())
	w.must(err)
	w.same("a retry after the conflict", again, first)
}

func idemPublished(w *world) {
	w.fourUsers()
	_, err := w.publishWithKey(newPostNow(1), "f", earlier())
	w.must(err)
	w.delete(1)
	find := func(author feed.UserID, key, fingerprint string, since time.Time) (*feed.Post, error) {
		return w.PostWriter.Published(w.ctx, author, feed.Idempotency{Key: key, Fingerprint: fingerprint, Since: feed.Millis(since)})
	}
	first, err := find(ann, "k", "f", earlier())
	w.must(err)
	w.same("the first result", first, w.postsOf(1)[0])
	_, err = find(ann, "k", "g", earlier())
	w.mustHaveCode(feed.CodeConflict, err)
	for _, nothing := range []struct {
		author feed.UserID
		key    string
		since  time.Time
	}{{bob, "k", earlier()}, {ann, "other", earlier()}, {ann, "", earlier()}, {ann, "k", later()}} {
		got, err := find(nothing.author, nothing.key, "f", nothing.since)
		w.must(err)
		w.same("the result of an unused key", got, (*feed.Post)(nil))
	}
}

func idemForgotten(w *world) {
	w.fourUsers()
	_, err := w.publishWithKey(newPostNow(1), "f", earlier())
	w.must(err)
	other, err := w.publishWithKey(newPostNow(2), "g", later())
	w.must(err)
	w.same("the id of the second post", other.ID, feed.PostID(2))
	w.same("ann's post count", w.userCounters(ann).Posts, int64(2))
}

func idemBackDated(w *world) {
	w.fourUsers()
	first, err := w.publishWithKey(newPost(1, ann, noon), "f", earlier())
	w.must(err)
	again, err := w.publishWithKey(newPost(2, ann, noon), "f", earlier())
	w.must(err)
	w.same("the second result", again, first)
}

func idemNoKey(w *world) {
	w.fourUsers()
	idem := feed.Idempotency{Fingerprint: "f", Since: feed.Millis(earlier())}
	for id := range feed.PostID(3) {
		got, err := w.PostWriter.Publish(w.ctx, newPostNow(id+1), idem, eventAt(feed.Millis(time.Now())))
		w.must(err)
		w.same("the post", got.Post.ID, id+1)
	}
	w.same("ann's post count", w.userCounters(ann).Posts, int64(3))
}

func idemPerAuthor(w *world) {
	w.fourUsers()
	_, err := w.publishWithKey(newPostNow(1), "f", earlier())
	w.must(err)
	got, err := w.publishWithKey(newPost(2, bob, feed.Millis(time.Now())), "g", earlier())
	w.must(err)
	w.same("the id of bob's post", got.ID, feed.PostID(2))
}

func idemAtOnce(w *world) {
	w.fourUsers()
	results := make([]feed.PostID, 8)
	for _, err := range concurrently(len(results), func(i int) error {
		p, err := w.publishWithKey(newPostNow(feed.PostID(i+1)), "f", earlier())
		if err == nil {
			results[i] = p.ID
		}
		return err
	}) {
		w.must(err)
	}
	for _, id := range results {
		w.same("the post id of each result", id, results[0])
	}
	w.same("ann's post count", w.userCounters(ann).Posts, int64(1))
}
