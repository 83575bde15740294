package subscribe_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/memstore"
	"github.com/tideline-feeds/tideline/feed/publish"
	"github.com/tideline-feeds/tideline/feed/subscribe"
	"github.com/tideline-feeds/tideline/feed/timeline"
	"github.com/tideline-feeds/tideline/internal/eventually"
)

// fleet is a service with subscribers in two processes.
type fleet struct {
	fixture.Service
	announcements *memstore.Announcements
	// here and there are two processes.
	here, there *subscribe.Subscriptions
}

func newFleet(t *testing.T, change ...func(p *feed.Policy)) fleet {
	t.Helper()
	v, announcements := fixture.New(t, change...), memstore.NewAnnouncements()
	v.Fanout.Announcer, v.Fanout.Announced = announcements, v.Stores.Announced
	f := fleet{Service: v, announcements: announcements}
	f.here, f.there = f.process(), f.process()
	return f
}

func (f fleet) process() *subscribe.Subscriptions {
	return &subscribe.Subscriptions{
		Listener: f.announcements, Audience: f.Backend.Audience, Policy: f.Policy,
		Viewers: &timeline.Direct{Posts: f.Backend.Posts, Primary: f.Backend.Posts, Relations: f.Backend.Relations},
	}
}

// subscribe subscribes a viewer at one of the processes.
func (f fleet) subscribe(at *subscribe.Subscriptions, viewer feed.UserID) *subscribe.Subscription {
	f.Helper()
	sub, err := at.Subscribe(f.Context(), viewer)
	f.Must(err)
	f.Cleanup(sub.Close)
	return sub
}

// next returns the next post that a subscriber gets.
func (f fleet) next(sub *subscribe.Subscription) (feed.Entry, error) {
	f.Helper()
	return sub.Next(eventually.Context(f))
}

// gets fails the test unless a subscriber gets the posts, in this order.
func (f fleet) gets(sub *subscribe.Subscription, want ...feed.PostID) {
	f.Helper()
	for _, id := range want {
		e, err := f.next(sub)
		f.Must(err)
		if e.Post.ID != id {
			f.Fatalf("got post %d, want %d", e.Post.ID, id)
		}
	}
}

// getsOnly is gets, followed by a last post: star, followed by everyone in these tests,
// publishes it.
func (f fleet) getsOnly(sub *subscribe.Subscription, want ...feed.PostID) {
	f.Helper()
	const last feed.PostID = 999
	f.Post(star, last)
	f.WorkAll()
	f.gets(sub, append(slices.Clone(want), last)...)
}

func (f fleet) refusedWith(sub *subscribe.Subscription, want error) {
	if _, err := f.next(sub); !errors.Is(err, want) {
		f.Helper()
		f.Fatalf("the subscription ends with %v, want %v", err, want)
	}
}

func TestSubscribe_DeliversOnceInEveryProcess(t *testing.T) {
	for _, mode := range []feed.FanoutMode{feed.FanoutPush, feed.FanoutPull, feed.FanoutHybrid} {
		t.Run(string(mode), func(t *testing.T) {
			f := newFleet(t, func(p *feed.Policy) { p.Fanout = mode })
			for _, viewer := range []feed.UserID{ann, bob, cem, moon} {
				f.Follow(viewer, star)
			}
			subs := []*subscribe.Subscription{
				f.subscribe(f.here, ann), f.subscribe(f.here, ann), f.subscribe(f.there, ann), f.subscribe(f.there, bob),
				f.subscribe(f.here, star), // the author, on another device
			}
			f.Post(star, 11, 7)
			f.WorkAll()
			for _, sub := range subs {
				f.getsInAnyOrder(sub, 7, 11)
			}
		})
	}
}

// getsInAnyOrder is gets for posts with concurrent fan-outs.
func (f fleet) getsInAnyOrder(sub *subscribe.Subscription, want ...feed.PostID) {
	f.Helper()
	var got []feed.PostID
	for range want {
		e, err := f.next(sub)
		f.Must(err)
		got = append(got, e.Post.ID)
	}
	slices.Sort(got)
	fixture.Same(f, "delivered", got, want...)
}

func TestSubscribe_DeliversWithCursorOfFeed(t *testing.T) {
	f := newFleet(t)
	f.Follow(ann, star)
	f.BuildInbox(ann)
	sub := f.subscribe(f.here, ann)
	f.Post(star, 11)
	f.Must(f.Fanout.Dispatch(f.Context(), 11))
	ctx, cancel := context.WithCancel(f.Context())
	cancel()
	if e, err := sub.Next(ctx); err == nil {
		t.Errorf("post %d is delivered while its push is pending", e.Post.ID)
	}
	f.WorkAll()
	e, err := f.next(sub)
	f.Must(err)
	fixture.Same(t, "the inbox", f.Entries(ann), 11)
	n, err := f.Timeline.NewCount(f.Context(), ann, e.Cursor, nil)
	f.Must(err)
	if n != 0 {
		t.Errorf("%d posts are above the cursor", n)
	}
}

func TestSubscribe_DeliversBackdatedPosts(t *testing.T) {
	f := newFleet(t)
	f.Follow(ann, star)
	sub := f.subscribe(f.here, ann)
	longAgo := int64(1)
	f.Publish(star, 11, publish.Draft{Text: "text", PublishedAt: &longAgo})
	f.WorkAll()
	f.getsOnly(sub, 11)
}

func TestSubscribe_DeliversOnlyPostsOfFeed(t *testing.T) {
	for name, leave := range map[string]func(f fleet){
		"an author who is not followed": func(f fleet) { f.Unfollow(ann, bob) },
		"an author who is muted":        func(f fleet) { f.Relate(feed.RelationMute, ann, bob) },
		"an author who is blocked":      func(f fleet) { f.Relate(feed.RelationBlock, ann, bob) },
		"an author who blocks":          func(f fleet) { f.Relate(feed.RelationBlock, bob, ann) },
		"an author who hides":           func(f fleet) { f.Relate(feed.RelationHide, bob, ann) },
	} {
		t.Run(name, func(t *testing.T) {
			f := newFleet(t)
			f.Follow(ann, star, bob)
			sub := f.subscribe(f.here, ann)
			f.Post(bob, 10)
			f.WorkAll()
			f.gets(sub, 10)
			leave(f)
			f.Post(bob, 11)
			f.WorkAll()
			f.getsOnly(sub)
		})
	}
}

// Waiting posts are judged when they are taken.
func TestSubscribe_JudgesAtDelivery(t *testing.T) {
	for name, change := range map[string]func(f fleet){
		"a deletion": func(f fleet) { f.Delete(bob, 11) },
		"a mute":     func(f fleet) { f.Relate(feed.RelationMute, ann, bob) },
		"an unfollow": func(f fleet) {
			f.Unfollow(ann, bob)
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFleet(t)
			f.Follow(ann, star, bob)
			sub := f.subscribe(f.here, ann)
			f.Post(bob, 11)
			f.WorkAll()
			change(f)
			f.getsOnly(sub)
		})
	}
}

func TestSubscribe_IgnoresBackfills(t *testing.T) {
	f := newFleet(t)
	f.Follow(ann, star)
	f.Post(bob, 1, 2, 3)
	f.WorkAll()
	sub := f.subscribe(f.here, ann)
	f.Follow(ann, bob)
	f.BuildInbox(ann)
	f.WorkAll()
	fixture.Same(t, "the feed", f.Home(ann), 3, 2, 1)
	f.Must(f.Fanout.Dispatch(f.Context(), 2))
	f.Must(f.Fanout.Push(f.Context(), feed.SliceRef{Post: 2}))
	f.getsOnly(sub)
}

func TestAnnounce_OnlyOncePerPost(t *testing.T) {
	f := newFleet(t)
	f.Follow(ann, star)
	sub := f.subscribe(f.here, ann)
	f.Post(star, 11)
	f.Queue.Double()
	f.WorkAll()
	n, err := f.Progress.Rerun(f.Context(), 0, feed.Millis(f.Clock.Now()))
	f.Must(err)
	if n == 0 {
		t.Fatal("no slice runs again")
	}
	f.Clock.Advance(time.Hour)
	f.Must(f.Fanout.Sweep(f.Context()))
	f.WorkAll()
	f.getsOnly(sub, 11)
}

func TestAnnounce_SkipsDeletedPosts(t *testing.T) {
	f := newFleet(t)
	var announced []feed.PostID
	f.Fanout.Trace.Announced = func(post feed.PostID, err error) {
		f.Must(err)
		announced = append(announced, post)
	}
	f.Post(star, 11, 12)
	f.Delete(star, 11)
	f.WorkAll()
	fixture.Same(t, "announced", announced, 12)
}

// countedLog counts its calls.
type countedLog struct {
	feed.AnnouncementLog
	calls *int
}

func (l countedLog) MarkAnnounced(ctx context.Context, post feed.PostID) (bool, error) {
	*l.calls++
	return l.AnnouncementLog.MarkAnnounced(ctx, post)
}

// A post may have thousands of slices, and each call costs.
func TestAnnounce_ByLastSliceOnly(t *testing.T) {
	f := newFleet(t)
	f.Fanout.Policy.SliceSize, f.Publisher.Policy.SliceSize = 1, 1
	calls := 0
	f.Fanout.Announced = countedLog{f.Fanout.Announced, &calls}
	f.Follow(ann, star)
	f.Follow(bob, star)
	sub := f.subscribe(f.here, ann)
	f.Post(star, 11)
	f.WorkAll()
	f.gets(sub, 11)
	// The end of the last slice marks the post itself.
	if calls != 0 {
		t.Errorf("MarkAnnounced was called %d times, want none", calls)
	}
}

func TestAnnounce_EachOfPostsPushedTogether(t *testing.T) {
	f := newFleet(t)
	f.Follow(ann, star)
	sub := f.subscribe(f.here, ann)
	for post := feed.PostID(1); post <= 3; post++ {
		f.Post(star, post)
		f.Must(f.Fanout.Dispatch(t.Context(), post))
	}
	f.Queue.Lose()
	f.Must(f.Fanout.Push(t.Context(), feed.SliceRef{Post: 1}))
	f.gets(sub, 1, 2, 3)
	for post := feed.PostID(1); post <= 3; post++ {
		f.Must(f.Fanout.Push(t.Context(), feed.SliceRef{Post: post}))
	}
	f.getsOnly(sub)
}

// A worker may die after it has stored a plan without slices. Its task is repeated.
func TestAnnounce_RetriedAfterFailure(t *testing.T) {
	f := newFleet(t)
	f.Follow(ann, star)
	f.Must(f.Audience.RaiseFlag(f.Context(), star, feed.FlagUnpushed))
	sub := f.subscribe(f.here, ann)
	announcer := f.Fanout.Announcer
	f.Fanout.Announcer = nil
	f.Post(star, 11)
	f.WorkAll()
	f.Fanout.Announcer = announcer
	for range 2 {
		f.Must(f.Fanout.Dispatch(f.Context(), 11))
	}
	f.getsOnly(sub, 11)
}

func TestSubscribe_EndsAtLostConnectionAndReconnects(t *testing.T) {
	f := newFleet(t)
	f.Follow(ann, star)
	one, other := f.subscribe(f.here, ann), f.subscribe(f.here, bob)
	f.announcements.Lose()
	f.refusedWith(one, subscribe.ErrMissed)
	f.refusedWith(other, subscribe.ErrMissed)
	f.refusedWith(other, subscribe.ErrMissed) // and stays ended
	again := f.subscribe(f.here, ann)
	f.Post(star, 11)
	f.WorkAll()
	f.getsOnly(again, 11)
}

func TestSubscribe_EndsOnlySlowSubscriber(t *testing.T) {
	f := newFleet(t, func(p *feed.Policy) { p.UndeliveredMax = 2 })
	f.Follow(ann, star)
	f.Follow(bob, star)
	slow, quick := f.subscribe(f.here, ann), f.subscribe(f.here, bob)
	for id := feed.PostID(1); id <= 3; id++ {
		f.Post(star, id)
		f.WorkAll()
		f.gets(quick, id)
	}
	f.refusedWith(slow, subscribe.ErrTooSlow)
	f.getsOnly(quick)
}

func TestSubscribe_EndsIfProcessFallsBehind(t *testing.T) {
	f := newFleet(t, func(p *feed.Policy) { p.UnroutedMax = 1 })
	blocked := blockedAudience{Audience: f.Backend.Audience, once: &sync.Once{}, entered: make(chan struct{}), release: make(chan struct{})}
	f.here.Audience = blocked
	sub := f.subscribe(f.here, ann)
	announce := func(id feed.PostID) {
		f.Must(f.announcements.Announce(f.Context(), feed.Announcement{Post: id, Author: star}))
	}
	announce(1)
	<-blocked.entered // the first is being looked up, the second may wait, the third not
	announce(2)
	announce(3)
	f.refusedWith(sub, subscribe.ErrMissed)
}

func TestSubscribe_EndsIfFollowersCannotBeRead(t *testing.T) {
	f := newFleet(t)
	f.here.Audience = brokenAudience{f.Backend.Audience}
	sub := f.subscribe(f.here, ann)
	f.Must(f.announcements.Announce(f.Context(), feed.Announcement{Post: 1, Author: star}))
	f.refusedWith(sub, subscribe.ErrMissed)
}

func TestNotify_CallsOncePerWait(t *testing.T) {
	f := newFleet(t)
	f.Follow(ann, star)
	sub := f.subscribe(f.here, ann)
	ready := make(chan struct{}, 9)
	called := func() { ready <- struct{}{} }
	wait := func(what string) {
		t.Helper()
		select {
		case <-ready:
		case <-eventually.Context(t).Done():
			t.Fatalf("not called %s", what)
		}
	}
	sub.Notify(called)
	if len(ready) > 0 {
		t.Fatal("called without a post")
	}
	f.Post(star, 7)
	f.Post(star, 8)
	f.WorkAll()
	wait("after a post")
	f.gets(sub, 7)
	sub.Notify(called)
	wait("although a post waits")
	f.gets(sub, 8)
	sub.Notify(called)
	sub.Close()
	wait("at the end")
	sub.Notify(called)
	wait("after the end")
	if len(ready) > 0 {
		t.Errorf("called %d times too often", len(ready))
	}
}

func TestSubscribe_ListensOnlyWithSubscribers(t *testing.T) {
	f := newFleet(t)
	if n := f.announcements.Listening(); n != 0 {
		t.Errorf("%d processes listen without a subscriber", n)
	}
	one, other := f.subscribe(f.here, ann), f.subscribe(f.here, ann)
	if n := f.announcements.Listening(); n != 1 {
		t.Errorf("%d connections for two subscribers of a process", n)
	}
	one.Close()
	one.Close()
	if n := f.here.Subscribers(); n != 1 {
		t.Errorf("%d subscribers are left", n)
	}
	f.refusedWith(one, context.Canceled)
	other.Close()
	eventually.True(t, "the process stops listening", func() bool { return f.announcements.Listening() == 0 })
	if n := f.here.Subscribers(); n != 0 {
		t.Errorf("%d subscribers are left", n)
	}
}

func TestSubscribe_RejectsAnonymousViewerAndLostListener(t *testing.T) {
	f := newFleet(t, func(p *feed.Policy) { p.ListenPatience = time.Millisecond })
	_, err := f.here.Subscribe(t.Context(), anonymous)
	f.Refused(err, feed.CodeUnauthenticated)
	f.here.Listener = deaf{err: errors.New("no route")}
	_, err = f.here.Subscribe(t.Context(), ann)
	f.Refused(err, feed.CodeUnavailable)
	f.here.Listener = deaf{}
	_, err = f.here.Subscribe(t.Context(), ann)
	f.Refused(err, feed.CodeUnavailable)
	if n := f.here.Subscribers(); n != 0 {
		t.Errorf("%d subscribers are left", n)
	}
}

// The followers of small authors are listed. For large ones, the subscribers are looked up in
// batches.
func TestSubscribe_FindsManySubscribers(t *testing.T) {
	f := newFleet(t, func(p *feed.Policy) { p.SliceSize = 3 })
	var subs []*subscribe.Subscription
	for id := feed.UserID(100); id < 110; id++ {
		f.MakeUser(&feed.User{ID: id, Handle: "extra" + id.String(), Name: "Extra"})
		f.Follow(id, star)
		if id%2 == 0 {
			f.Follow(id, moon)
			f.Unfollow(id, moon)
		}
		subs = append(subs, f.subscribe(f.here, id))
	}
	f.Follow(101, moon)
	f.Follow(109, moon)
	f.Post(moon, 50)
	f.WorkAll()
	for i, sub := range subs {
		if viewer := 100 + i; viewer == 101 || viewer == 109 {
			f.gets(sub, 50)
		}
	}
	f.Post(star, 51)
	f.WorkAll()
	for _, sub := range subs {
		f.gets(sub, 51)
	}
}
