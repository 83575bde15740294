package sqlstore_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/changes"
	"github.com/tideline-feeds/tideline/feed/delta"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/feed/subscribe"
	"github.com/tideline-feeds/tideline/feed/timeline"
	"github.com/tideline-feeds/tideline/internal/eventually"
)

// lateWorld has clients that follow two authors: one whose publish takes long, and a busy one.
type lateWorld struct {
	*logged
	service       *feedtest.Service
	follower      *changes.Follower
	reader        *delta.Reader
	subscriptions *subscribe.Subscriptions
	clients       []*lateClient
}

const lateAuthor, busyAuthor, firstClient feed.UserID = 1, 2, 4

// lateClient reads changes after a token, or receives them if it has a subscription.
type lateClient struct {
	viewer feed.UserID
	since  string
	sub    *subscribe.Subscription
	added  map[feed.PostID]int
}

// uncachedPosts makes a process without caches follow the log.
type uncachedPosts struct{}

func (uncachedPosts) Evict([]feed.PostID, []feed.UserID) {}
func (uncachedPosts) Purge()                             {}

func newLateWorld(t *testing.T) *lateWorld {
	l := newLogged(t, postgresBackend(t).newURL(t))
	p := feedtest.SmallPolicy(feed.FanoutHybrid)
	b := wholeBackend(l.Store, p)
	w := &lateWorld{logged: l, service: feedtest.NewService(b, p), follower: &changes.Follower{Log: l, Cache: uncachedPosts{}}}
	viewers := &timeline.Direct{Inboxes: b.Inboxes, Relations: l, Outboxes: l, Posts: l, Primary: l}
	w.reader = &delta.Reader{Log: l, Viewers: viewers, Relations: l, Coverage: l, Outboxes: l, Policy: p}
	w.subscriptions = &subscribe.Subscriptions{
		Changes: w.reader, Viewers: viewers, Places: w.follower, Audience: l, Policy: p, Async: func(do func()) { do() },
	}
	w.follower.Observe(w.subscriptions)
	for viewer := firstClient; viewer < firstClient+4; viewer++ {
		_, err := w.EnsureUser(t.Context(), &feed.User{ID: viewer, Handle: "u" + viewer.String(), CreatedAt: 1})
		must(w.t, err)
		for _, author := range []feed.UserID{lateAuthor, busyAuthor} {
			must(w.t, w.Follow(t.Context(), viewer, author, 1, 9))
		}
	}
	w.catchUp()
	return w
}

// catchUp numbers all changes and delivers them.
func (w *lateWorld) catchUp() {
	w.t.Helper()
	w.place = w.number()
	must(w.t, w.follower.CatchUp(w.t.Context()))
}

// join adds a client that reads a first page, and a client that subscribes after one.
func (w *lateWorld) join() {
	w.t.Helper()
	ctx := w.t.Context()
	for _, subscribes := range []bool{false, true} {
		c := &lateClient{viewer: firstClient + feed.UserID(len(w.clients)), added: map[feed.PostID]int{}}
		pages := *w.service.Uncached
		pages.Places = w.follower
		page, err := pages.Page(ctx, c.viewer, feed.PageQuery{})
		must(w.t, err)
		c.since = page.SyncToken
		if subscribes {
			c.sub, err = w.subscriptions.Subscribe(ctx, c.viewer, subscribe.Query{Since: c.since})
			must(w.t, err)
		}
		w.clients = append(w.clients, c)
	}
}

// receive lets all clients have all changes.
func (w *lateWorld) receive() {
	w.t.Helper()
	w.catchUp()
	for _, c := range w.clients {
		for more := true; more; {
			var page *feed.HomeChangePage
			var err error
			if c.sub != nil {
				page, err = c.sub.Poll(w.t.Context())
				more = page != nil
			} else {
				page, err = w.reader.Changes(w.t.Context(), c.viewer, feed.HomeChangeQuery{Since: c.since})
				more = err == nil && page.HasMore
			}
			must(w.t, err)
			if page != nil {
				c.take(w.t, page)
			}
		}
	}
}

func (c *lateClient) take(t *testing.T, page *feed.HomeChangePage) {
	t.Helper()
	c.since = page.Token.String()
	for _, change := range page.Changes {
		switch change.Kind {
		case feed.HomeAdded:
			c.added[change.ID]++
		case feed.HomeReset:
			t.Fatalf("client %d got a reset", c.viewer)
		case feed.HomeRemoved, feed.HomeChanged:
		}
	}
}

// passes lets a minute pass with changes that the clients receive. Pushes are delayed.
func (w *lateWorld) passes(minute int) {
	w.t.Helper()
	ctx := w.t.Context()
	w.service.Clock.Advance(time.Minute)
	busy := &feed.Post{ID: feed.PostID(100 + minute), Author: busyAuthor, Kind: feed.KindPost, Text: "x", PublishedAt: w.service.Clock.Millis()}
	mustPublish(w.t, w.Store, busy)
	_, err := w.Edit(ctx, busy.ID, "y", w.service.Clock.Millis())
	must(w.t, err)
	must(w.t, w.Follow(ctx, firstClient, 3, 1, 9))
	must(w.t, w.Unfollow(ctx, firstClient, 3))
	if minute%10 == 9 {
		must(w.t, w.service.Rest(ctx))
	}
	w.receive()
}

// The clients' tokens are beyond hundreds of later changes when the publish commits.
func TestChanges_LateCommitReachesEveryClient(t *testing.T) {
	w := newLateWorld(t)
	w.join()
	const minutes = 60
	began := w.place.Number
	late := &feed.Post{ID: 9, Author: lateAuthor, Kind: feed.KindPost, Text: "late", PublishedAt: w.service.Clock.Millis()}
	must(t, w.PublishWhile(t.Context(), late, eventAt(1), func() error {
		for minute := range minutes {
			w.passes(minute)
			if minute == minutes/2 {
				w.join()
			}
		}
		return nil
	}))
	if n := w.place.Number - began; n < 4*minutes {
		t.Errorf("%d changes have numbers, want at least %d", n, 4*minutes)
	}
	for i, c := range w.clients {
		if c.added[late.ID] > 0 {
			t.Errorf("client %d has the post before its commit", c.viewer)
		}
		if want := []int{minutes, minutes / 2}[i/2]; len(c.added) < want-1 {
			t.Errorf("client %d has got %d posts, want %d", c.viewer, len(c.added), want)
		}
	}
	must(t, w.service.Rest(t.Context()))
	w.receive()
	for _, c := range w.clients {
		if n := c.added[late.ID]; n != 1 {
			t.Errorf("client %d, subscribed %v, has got the post %d times", c.viewer, c.sub != nil, n)
		}
	}
	w.receive()
	if twice := slices.ContainsFunc(w.clients, func(c *lateClient) bool { return c.added[late.ID] > 1 }); twice {
		t.Error("a client has got the post again")
	}
}

// The row of the post waits already, so the deletion locks it until its commit.
func TestNumberChanges_GoesOnDuringLongDeletion(t *testing.T) {
	p := newPausing("WITH marked")
	l := newLogged(t, postgresBackend(t).newURL(t), sqlstore.WithBegin(p.begin)).withHistory()
	must(t, l.Exec(t.Context(), "INSERT INTO repost_changes (content_id) VALUES (6)"))
	var deleting sync.WaitGroup
	var err error
	deleting.Go(func() { err = l.Delete(context.WithValue(t.Context(), pauseKey{}, true), 6, 2) })
	<-p.reached
	must(t, l.Follow(t.Context(), 2, 3, 1, 9))
	ctx, cancel := context.WithTimeout(t.Context(), eventually.Limit/4)
	defer cancel()
	_, _, failed := l.NumberChanges(ctx, 9)
	close(p.resume)
	deleting.Wait()
	must(t, errors.Join(failed, err))
	l.logs("during and after the deletion", 2, 1)
}
