package subscribe_test

import (
	"context"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/changes"
	"github.com/tideline-feeds/tideline/feed/delta"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/memstore"
	"github.com/tideline-feeds/tideline/feed/subscribe"
	"github.com/tideline-feeds/tideline/feed/timeline"
	"github.com/tideline-feeds/tideline/internal/eventually"
)

// stage is a store with live sessions, and a process with subscribers. ann follows bob and cem.
type stage struct {
	*memstore.Store
	t        *testing.T
	sessions *memstore.Live
	follower *changes.Follower
	subs     *subscribe.Subscriptions
}

func newStage(t *testing.T) *stage {
	s := memstore.New(time.Now)
	w := &stage{Store: s, t: t, sessions: memstore.NewLive(s), follower: &changes.Follower{Log: s, Cache: noCache{}}}
	viewers := &timeline.Direct{Relations: s}
	w.subs = &subscribe.Subscriptions{
		LiveChanges: &delta.LiveReader{
			Log: s, Sessions: w.sessions, Versions: w.sessions, Viewers: viewers, Coverage: s, Policy: feed.DefaultPolicy(),
		},
		Viewers: viewers, Places: w.follower, Audience: s, Policy: feed.DefaultPolicy(), Async: func(do func()) { do() },
	}
	w.follower.Observe(w.subs)
	for _, id := range []feed.UserID{ann, bob, cem} {
		fixture.Got(s.EnsureUser(t.Context(), &feed.User{ID: id, Handle: "u" + id.String()})).Must(t)
	}
	for _, host := range []feed.UserID{bob, cem} {
		w.must(s.Follow(t.Context(), ann, host, 1, 9))
	}
	w.catchUp()
	return w
}

func (w *stage) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *stage) catchUp() {
	w.t.Helper()
	w.must(w.follower.CatchUp(w.t.Context()))
}

func (w *stage) token() string {
	w.t.Helper()
	last := fixture.Got(w.LastChange(w.t.Context())).Must(w.t)
	return feed.SyncToken{Viewer: ann, Live: true, Place: last}.String()
}

func (w *stage) subscribe(token string) *subscribe.LiveSubscription {
	w.t.Helper()
	sub := fixture.Got(w.subs.SubscribeLive(w.t.Context(), ann, token)).Must(w.t)
	return sub
}

func (w *stage) schedule(host feed.UserID, id live.ID) {
	w.t.Helper()
	fixture.Got(w.sessions.Schedule(w.t.Context(), live.Session{ID: id, Host: host, Title: "title", ScheduledAt: 1}, 1000)).Must(w.t)
}

func TestSubscribeLive_NotifiesOfHostsOnly(t *testing.T) {
	w := newStage(t)
	sub := w.subscribe(w.token())
	defer sub.Close()
	fixture.Got(sub.Poll(t.Context())).Must(t)
	notified := 0
	sub.Notify(func() { notified++ })
	fixture.Got(w.Publish(t.Context(), &feed.Post{ID: 1, Author: bob, Kind: feed.KindPost}, feed.Idempotency{}, feed.FirstDispatch{})).Must(t)
	fixture.Got(w.StorePlan(t.Context(), feed.Plan{Post: 1, Author: bob}, 1)).Must(t)
	w.catchUp()
	fixture.Is(t, "the notifications of a post", notified, 0)
	w.schedule(cem, 7)
	w.catchUp()
	fixture.Is(t, "the notifications of a session", notified, 1)
	page := fixture.Got(feedtest.NextPage(eventually.Context(t), sub)).Must(t)
	if len(page.Changes) != 1 || page.Changes[0].ID != 7 || page.Changes[0].Kind != feed.HomeAdded {
		t.Errorf("the changes are %+v", page.Changes)
	}
	if w.subs.Connected(ann) {
		t.Error("a subscription to a live feed counts as one to the home feed")
	}
}

func TestSubscribeLive_RefusesOtherTokens(t *testing.T) {
	w := newStage(t)
	for _, c := range []struct {
		viewer feed.UserID
		token  string
		want   feed.Code
	}{
		{ann, "", feed.CodeBadCursor},
		{ann, feed.SyncToken{Viewer: ann}.String(), feed.CodeBadCursor},
		{bob, w.token(), feed.CodeBadCursor},
		{anonymous, w.token(), feed.CodeUnauthenticated},
	} {
		if _, err := w.subs.SubscribeLive(t.Context(), c.viewer, c.token); feed.CodeOf(err) != c.want {
			t.Errorf("user %d with the token %q: %v, want %s", c.viewer, c.token, err, c.want)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := feedtest.NextPage(ended, w.subscribe(w.token())); err == nil {
		t.Error("a subscription does not end with its context")
	}
}
