package subscribe_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/changes"
	"github.com/tideline-feeds/tideline/feed/delta"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/feed/subscribe"
	"github.com/tideline-feeds/tideline/feed/timeline"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv/sqlitetest"
)

// page returns the next page of changes as text, and its token.
func (f fleet) page(sub *subscribe.Subscription) (text, token string) {
	f.Helper()
	page := fixture.Got(feedtest.NextPage(eventually.Context(f), sub)).Must(f)
	var all []string
	for _, c := range page.Changes {
		all = append(all, strings.TrimSuffix(fmt.Sprintf("%s %d", c.Kind, c.ID), " 0"))
	}
	return strings.Join(all, ", "), page.Token.String()
}

// waits fails the test unless a subscription has nothing to send.
func (f fleet) waits(sub *subscribe.Subscription) {
	f.Helper()
	ctx, cancel := context.WithCancel(f.Context())
	cancel()
	if page, err := feedtest.NextPage(ctx, sub); err == nil {
		f.Errorf("the subscription sends %+v", page.Changes)
	}
}

// sends fails the test unless the next page of changes is want.
func (f fleet) sends(sub *subscribe.Subscription, want string) (token string) {
	f.Helper()
	got, token := f.page(sub)
	fixture.Is(f, "the changes", got, want)
	return token
}

func TestSubscribe_SendsMissedChangesAndGoesOn(t *testing.T) {
	f := newFleet(t)
	f.Follow(ann, star, bob)
	f.Deliver(star, 11)
	token := f.token(ann)
	f.Deliver(star, 12)
	f.Delete(star, 11)
	sub := f.since(f.here, ann, token)
	f.sends(sub, "ADDED 12, REMOVED 11")
	f.waits(sub)
	f.Edit(star, 12, "edited")
	f.Deliver(bob, 13)
	token = f.sends(sub, "CHANGED 12, ADDED 13")
	f.Unfollow(ann, bob)
	f.WorkAll()
	f.sends(sub, "REMOVED 13")
	f.sends(f.since(f.there, ann, token), "REMOVED 13")
}

func TestSubscribe_TokensNeitherLoseNorRepeat(t *testing.T) {
	f := newFleet(t, func(p *feed.Policy) { p.PageDefault = 2 })
	f.Follow(ann, star)
	f.Deliver(bob, 1, 2, 3)
	token := f.token(ann)
	f.Deliver(star, 11)
	f.Follow(ann, bob)
	f.Deliver(star, 12)
	var got []feed.PostID
	for i := range 5 {
		// Each event comes from another connection.
		sub := f.since([]process{f.here, f.there}[i%2], ann, token)
		c := fixture.Got(feedtest.NextEdge(eventually.Context(t), sub)).Must(f)
		got, token = append(got, c.ID), c.Token.String()
		sub.Close()
	}
	fixture.Same(t, "received", got, 11, 3, 2, 1, 12)
	f.waits(f.since(f.here, ann, token))
}

func TestSubscribe_EndsAtResetOnlyForEdges(t *testing.T) {
	f := newFleet(t)
	f.Follow(ann, star)
	token := f.token(ann)
	all, edges, fresh := f.since(f.here, ann, token), f.since(f.here, ann, token), f.subscribe(f.here, ann)
	var reasons []error
	f.here.Trace.SubscriptionsEnded = func(_ int, why error) { reasons = append(reasons, why) }
	f.Must(f.Numberer.NewEpoch(t.Context()))
	f.WorkAll()
	f.sends(all, "RESET")
	f.refusedWith(edges, subscribe.ErrReset)
	f.refusedWith(fresh, subscribe.ErrMissed)
	fixture.Same(t, "the reasons traced", reasons, error(subscribe.ErrReset), error(subscribe.ErrMissed))
	f.Deliver(star, 11)
	f.sends(all, "ADDED 11")
}

func TestSubscribe_SlowSubscriberReadsLog(t *testing.T) {
	f := newFleet(t, func(p *feed.Policy) { p.UndeliveredMax = 2 })
	f.Follow(ann, star)
	f.Follow(bob, star)
	slow, quick := f.subscribe(f.here, ann), f.subscribe(f.here, bob)
	for id := feed.PostID(1); id <= 5; id++ {
		f.Deliver(star, id)
		f.gets(quick, id)
	}
	fixture.Is(t, "reads of the log by the quick subscriber", f.here.log.home, 0)
	f.gets(slow, 1, 2, 3, 4, 5)
	f.getsOnly(slow)
	f.gets(quick, 999)
}

func TestSubscribe_SharesReadsOfLog(t *testing.T) {
	f := newFleet(t)
	var subs []*subscribe.Subscription
	for id := feed.UserID(100); id < 150; id++ {
		subs = append(subs, f.extra(id))
	}
	f.WorkAll()
	f.here.log.all, f.here.log.home = 0, 0
	f.Deliver(star, 11)
	for _, sub := range subs {
		f.gets(sub, 11)
	}
	if f.here.log.all != 1 || f.here.log.home != 0 {
		t.Errorf("50 subscribers read the log %d times, and %d times for one viewer", f.here.log.all, f.here.log.home)
	}
}

func TestSubscribe_SurvivesWhatFails(t *testing.T) {
	for name, fail := range map[string]func(f fleet, broken *brokenAudience){
		"followers cannot be read": func(f fleet, broken *brokenAudience) {
			broken.broken = true
			f.Deliver(star, 12)
		},
		"too many rows wait": func(f fleet, broken *brokenAudience) {
			broken.broken = true
			f.Deliver(star, 12)
			f.Edit(star, 12, "b")
			f.Edit(star, 12, "c")
			f.WorkAll()
		},
		"the follower loses its place": func(f fleet, _ *brokenAudience) {
			f.Post(star, 12)
			f.Service.WorkAll()
			last := fixture.Got(f.Backend.Changes.LastChange(f.Context())).Must(f)
			f.here.Lost(last)
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFleet(t, func(p *feed.Policy) { p.UnroutedMax = 2 })
			broken := &brokenAudience{Audience: f.Backend.Audience}
			f.here.Audience = broken
			f.Follow(ann, star)
			sub := f.subscribe(f.here, ann)
			f.Deliver(star, 11)
			f.gets(sub, 11)
			fail(f, broken)
			broken.broken = false
			f.getsOnly(sub, 12)
		})
	}
}

// The rows of followers who get a post before all others must not make subscribers read the log.
func TestSubscribe_RoutesPostsOfAllOnlineFollowers(t *testing.T) {
	f := newFleet(t)
	f.WorkAll()
	last := fixture.Got(f.Backend.Changes.LastChange(t.Context())).Must(f)
	f.here.Changed(nil, last)
	var rows []feed.Change
	var subs []*subscribe.Subscription
	for n := range f.Policy.OnlineFirst {
		viewer := feed.UserID(1000 + n)
		subs = append(subs, f.subscribe(f.here, viewer))
		last.Number++
		rows = append(rows, feed.Change{Number: last.Number, Kind: feed.ChangePushed, User: viewer, Other: star, Post: 11})
	}
	last.Number++
	f.here.Changed(append(rows, feed.Change{Number: last.Number, Kind: feed.ChangeArrived, User: star, Post: 11}), last)
	fixture.Got(subs[0].Poll(t.Context())).Must(f)
	fixture.Is(t, "reads of the log", f.here.log.home, 0)
}

func TestSubscribe_JudgesWaitingEdgesAgain(t *testing.T) {
	f := newFleet(t)
	f.Follow(ann, star, bob)
	sub := f.subscribe(f.here, ann)
	f.Post(star, 11)
	f.Post(bob, 12)
	f.Deliver(star, 13)
	f.gets(sub, 11)
	f.Unfollow(ann, bob)
	f.Delete(star, 13)
	f.getsOnly(sub)
}

func TestSubscribe_RefusesWhatItCannotBegin(t *testing.T) {
	f := newFleet(t)
	fixture.Got(f.here.Subscribe(t.Context(), anonymous, subscribe.Query{})).Refused(f.Service, feed.CodeUnauthenticated)
	for _, q := range []subscribe.Query{{Since: "x"}, {Since: f.token(bob)}, {Since: f.token(ann), Filter: feed.OfKinds(feed.KindPost)}} {
		fixture.Got(f.here.Subscribe(t.Context(), ann, q)).Refused(f.Service, feed.CodeBadCursor)
	}
	f.here.Places = brokenPlaces{}
	fixture.Got(f.here.Subscribe(t.Context(), ann, subscribe.Query{})).Refused(f.Service, feed.CodeUnavailable)
	fixture.Same(t, "the subscribers left", []int{f.here.Subscribers()}, 0)
}

func TestClose_ForgetsSubscription(t *testing.T) {
	f := newFleet(t)
	one, other := f.subscribe(f.here, ann), f.subscribe(f.here, ann)
	one.Close()
	one.Close()
	fixture.Same(t, "the subscribers left", []int{f.here.Subscribers()}, 1)
	f.refusedWith(one, context.Canceled)
	other.Close()
	fixture.Same(t, "the subscribers left", []int{f.here.Subscribers()}, 0)
}

// With one turn, each of the notified subscriptions is called when the one before it has polled or
// ended.
func TestNotify_CallsInTurn(t *testing.T) {
	f := newFleet(t, func(p *feed.Policy) { p.DeliveriesMax = 1 })
	var called []int
	var subs []*subscribe.Subscription
	for i, viewer := range []feed.UserID{ann, bob, cem, moon, ann} {
		if i < 4 {
			f.Follow(viewer, star)
		}
		sub := f.subscribe(f.here, viewer)
		sub.Notify(func() { called = append(called, i) })
		subs = append(subs, sub)
	}
	awake := func(n int) *subscribe.Subscription {
		t.Helper()
		if len(called) != n {
			t.Fatalf("the subscriptions %v are awake or done, want %d", called, n)
		}
		return subs[called[n-1]]
	}
	f.Deliver(star, 11)
	f.gets(awake(1), 11)
	awake(2).Close()
	third := awake(3)
	for i, sub := range subs {
		if !slices.Contains(called, i) {
			sub.Close() // while it waits
			break
		}
	}
	awake(4)
	f.gets(third, 11)
	f.gets(awake(5), 11)

	// All have had their turn, so the next post begins with another one.
	one := f.subscribe(f.here, ann)
	one.Notify(func() { called = append(called, 5) })
	f.Deliver(star, 12)
	fixture.Same(t, "the last one awake", called[len(called)-1:], 5)
}

// stage is a store with live sessions, and a process with subscribers. ann follows bob and cem.
type stage struct {
	*sqlstore.Store
	t        *testing.T
	sessions *sqlstore.Live
	follower *changes.Follower
	subs     *subscribe.Subscriptions
}

func newStage(t *testing.T) *stage {
	s := sqlitetest.New(t, time.Now)
	w := &stage{Store: s, t: t, sessions: sqlstore.NewLive(s), follower: &changes.Follower{Log: s, Cache: noCache{}}}
	viewers := &timeline.Direct{Relations: s}
	w.subs = &subscribe.Subscriptions{
		LiveChanges: &delta.LiveReader{
			Log: s, Sessions: w.sessions, Versions: w.sessions, Viewers: viewers, Users: s, Coverage: s, Policy: feed.DefaultPolicy(),
		},
		Viewers: viewers, Places: w.follower, Audience: s, Policy: feed.DefaultPolicy(), Async: func(do func()) { do() },
	}
	w.follower.Observe(w.subs)
	for _, id := range []feed.UserID{ann, bob, cem} {
		fixture.Got(s.EnsureUser(t.Context(), &feed.User{ID: id, Handle: "u" + id.String()})).Must(t)
	}
	for _, host := range []feed.UserID{bob, cem} {
		w.must(s.Follow(t.Context(), ann, host, 1, 9, feed.FollowChoice{}))
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
