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

// plaza is a service with subscribers in two processes.
type plaza struct {
	fixture.Service
	air *memstore.Announcements
	// here and there are two processes.
	here, there *subscribe.Subscriptions
}

func newPlaza(t *testing.T, change ...func(p *feed.Policy)) plaza {
	t.Helper()
	v, air := fixture.New(t, change...), memstore.NewAnnouncements()
	v.Fanout.Announcer, v.Fanout.Announced = air, v.Stores.Announced
	q := plaza{Service: v, air: air}
	q.here, q.there = q.process(), q.process()
	return q
}

func (q plaza) process() *subscribe.Subscriptions {
	return &subscribe.Subscriptions{
		Listener: q.air, Audience: q.Backend.Audience, Policy: q.Policy,
		Viewers: &timeline.Direct{Posts: q.Backend.Posts, Primary: q.Backend.Posts, Relations: q.Backend.Relations},
	}
}

// subscribe subscribes a viewer at one of the processes.
func (q plaza) subscribe(at *subscribe.Subscriptions, viewer feed.UserID) *subscribe.Subscription {
	q.Helper()
	sub, err := at.Subscribe(q.Context(), viewer)
	q.Must(err)
	q.Cleanup(sub.Close)
	return sub
}

// next returns the next post that a subscriber gets.
func (q plaza) next(sub *subscribe.Subscription) (feed.Entry, error) {
	q.Helper()
	return sub.Next(eventually.Context(q))
}

// gets fails the test unless a subscriber gets the posts, in this order.
func (q plaza) gets(sub *subscribe.Subscription, want ...feed.PostID) {
	q.Helper()
	for _, id := range want {
		e, err := q.next(sub)
		q.Must(err)
		if e.Post.ID != id {
			q.Fatalf("got post %d, want %d", e.Post.ID, id)
		}
	}
}

// getsOnly is gets, followed by a last post: star, followed by everyone in these tests,
// publishes it.
func (q plaza) getsOnly(sub *subscribe.Subscription, want ...feed.PostID) {
	q.Helper()
	const last feed.PostID = 999
	q.Post(star, last)
	q.WorkAll()
	q.gets(sub, append(slices.Clone(want), last)...)
}

func (q plaza) refusedWith(sub *subscribe.Subscription, want error) {
	if _, err := q.next(sub); !errors.Is(err, want) {
		q.Helper()
		q.Fatalf("the subscription ends with %v, want %v", err, want)
	}
}

func TestSubscribe_DeliversOnceInEveryProcess(t *testing.T) {
	for _, mode := range []feed.FanoutMode{feed.FanoutPush, feed.FanoutPull, feed.FanoutHybrid} {
		t.Run(string(mode), func(t *testing.T) {
			q := newPlaza(t, func(p *feed.Policy) { p.Fanout = mode })
			for _, viewer := range []feed.UserID{ann, bob, cem, moon} {
				q.Follow(viewer, star)
			}
			subs := []*subscribe.Subscription{
				q.subscribe(q.here, ann), q.subscribe(q.here, ann), q.subscribe(q.there, ann), q.subscribe(q.there, bob),
				q.subscribe(q.here, star), // the author, on another device
			}
			q.Post(star, 11, 7)
			q.WorkAll()
			for _, sub := range subs {
				q.getsInAnyOrder(sub, 7, 11)
			}
		})
	}
}

// getsInAnyOrder is gets for posts with concurrent fan-outs.
func (q plaza) getsInAnyOrder(sub *subscribe.Subscription, want ...feed.PostID) {
	q.Helper()
	var got []feed.PostID
	for range want {
		e, err := q.next(sub)
		q.Must(err)
		got = append(got, e.Post.ID)
	}
	slices.Sort(got)
	fixture.Same(q, "told", got, want...)
}

func TestSubscribe_DeliversWithCursorOfFeed(t *testing.T) {
	q := newPlaza(t)
	q.Follow(ann, star)
	q.BuildInbox(ann)
	sub := q.subscribe(q.here, ann)
	q.Post(star, 11)
	q.Must(q.Fanout.Dispatch(q.Context(), 11))
	ctx, cancel := context.WithCancel(q.Context())
	cancel()
	if e, err := sub.Next(ctx); err == nil {
		t.Errorf("post %d is delivered while its push is pending", e.Post.ID)
	}
	q.WorkAll()
	e, err := q.next(sub)
	q.Must(err)
	fixture.Same(t, "the inbox", q.Entries(ann), 11)
	n, err := q.Timeline.NewCount(q.Context(), ann, e.Cursor, nil)
	q.Must(err)
	if n != 0 {
		t.Errorf("%d posts are above the cursor", n)
	}
}

func TestSubscribe_DeliversBackdatedPosts(t *testing.T) {
	q := newPlaza(t)
	q.Follow(ann, star)
	sub := q.subscribe(q.here, ann)
	long := int64(1)
	q.Publish(star, 11, publish.Draft{Text: "text", PublishedAt: &long})
	q.WorkAll()
	q.getsOnly(sub, 11)
}

func TestSubscribe_DeliversOnlyPostsOfFeed(t *testing.T) {
	for name, leave := range map[string]func(q plaza){
		"an author who is not followed": func(q plaza) { q.Unfollow(ann, bob) },
		"an author who is muted":        func(q plaza) { q.Relate(feed.RelationMute, ann, bob) },
		"an author who is blocked":      func(q plaza) { q.Relate(feed.RelationBlock, ann, bob) },
		"an author who blocks":          func(q plaza) { q.Relate(feed.RelationBlock, bob, ann) },
		"an author who hides":           func(q plaza) { q.Relate(feed.RelationHide, bob, ann) },
	} {
		t.Run(name, func(t *testing.T) {
			q := newPlaza(t)
			q.Follow(ann, star, bob)
			sub := q.subscribe(q.here, ann)
			q.Post(bob, 10)
			q.WorkAll()
			q.gets(sub, 10)
			leave(q)
			q.Post(bob, 11)
			q.WorkAll()
			q.getsOnly(sub)
		})
	}
}

// Waiting posts are judged when they are taken.
func TestSubscribe_JudgesAtDelivery(t *testing.T) {
	for name, change := range map[string]func(q plaza){
		"a deletion": func(q plaza) { q.Delete(bob, 11) },
		"a mute":     func(q plaza) { q.Relate(feed.RelationMute, ann, bob) },
		"an unfollow": func(q plaza) {
			q.Unfollow(ann, bob)
		},
	} {
		t.Run(name, func(t *testing.T) {
			q := newPlaza(t)
			q.Follow(ann, star, bob)
			sub := q.subscribe(q.here, ann)
			q.Post(bob, 11)
			q.WorkAll()
			change(q)
			q.getsOnly(sub)
		})
	}
}

func TestSubscribe_IgnoresBackfills(t *testing.T) {
	q := newPlaza(t)
	q.Follow(ann, star)
	q.Post(bob, 1, 2, 3)
	q.WorkAll()
	sub := q.subscribe(q.here, ann)
	q.Follow(ann, bob)
	q.BuildInbox(ann)
	q.WorkAll()
	fixture.Same(t, "the feed", q.Home(ann), 3, 2, 1)
	q.Must(q.Fanout.Dispatch(q.Context(), 2))
	q.Must(q.Fanout.Push(q.Context(), feed.SliceRef{Post: 2}))
	q.getsOnly(sub)
}

func TestAnnounce_OnlyOncePerPost(t *testing.T) {
	q := newPlaza(t)
	q.Follow(ann, star)
	sub := q.subscribe(q.here, ann)
	q.Post(star, 11)
	q.Queue.Double()
	q.WorkAll()
	n, err := q.Progress.Rerun(q.Context(), 0, feed.Millis(q.Clock.Now()))
	q.Must(err)
	if n == 0 {
		t.Fatal("no slice runs again")
	}
	q.Clock.Advance(time.Hour)
	q.Must(q.Fanout.Sweep(q.Context()))
	q.WorkAll()
	q.getsOnly(sub, 11)
}

func TestAnnounce_SkipsDeletedPosts(t *testing.T) {
	q := newPlaza(t)
	var announced []feed.PostID
	q.Fanout.Trace.Announced = func(post feed.PostID, err error) {
		q.Must(err)
		announced = append(announced, post)
	}
	q.Post(star, 11, 12)
	q.Delete(star, 11)
	q.WorkAll()
	fixture.Same(t, "announced", announced, 12)
}

// countedLog counts its calls.
type countedLog struct {
	feed.AnnouncementLog
	asked *int
}

func (l countedLog) MarkAnnounced(ctx context.Context, post feed.PostID) (bool, error) {
	*l.asked++
	return l.AnnouncementLog.MarkAnnounced(ctx, post)
}

// A post may have thousands of slices, and each call costs.
func TestAnnounce_ByLastSliceOnly(t *testing.T) {
	q := newPlaza(t)
	q.Fanout.Policy.SubtaskSize = 1
	asked := 0
	q.Fanout.Announced = countedLog{q.Fanout.Announced, &asked}
	q.Follow(ann, star)
	q.Follow(bob, star)
	sub := q.subscribe(q.here, ann)
	q.Post(star, 11)
	q.WorkAll()
	q.gets(sub, 11)
	if asked != 1 {
		t.Errorf("it was called %d times", asked)
	}
}

// The worker that ended the last slice may have died before the announcement. Its task is
// repeated.
func TestAnnounce_EachOfPostsPushedTogether(t *testing.T) {
	q := newPlaza(t)
	q.Follow(ann, star)
	sub := q.subscribe(q.here, ann)
	for post := feed.PostID(1); post <= 3; post++ {
		q.Post(star, post)
		q.Must(q.Fanout.Dispatch(t.Context(), post))
	}
	q.Queue.Lose()
	q.Must(q.Fanout.Push(t.Context(), feed.SliceRef{Post: 1}))
	q.gets(sub, 1, 2, 3)
	for post := feed.PostID(1); post <= 3; post++ {
		q.Must(q.Fanout.Push(t.Context(), feed.SliceRef{Post: post}))
	}
	q.getsOnly(sub)
}

func TestAnnounce_RetriedAfterFailure(t *testing.T) {
	q := newPlaza(t)
	q.Follow(ann, star)
	sub := q.subscribe(q.here, ann)
	announcer := q.Fanout.Announcer
	q.Fanout.Announcer = nil
	q.Post(star, 11)
	q.WorkAll()
	q.Fanout.Announcer = announcer
	q.Must(q.Fanout.Push(q.Context(), feed.SliceRef{Post: 11}))
	q.getsOnly(sub, 11)
}

func TestSubscribe_EndsAtLostConnectionAndReconnects(t *testing.T) {
	q := newPlaza(t)
	q.Follow(ann, star)
	one, other := q.subscribe(q.here, ann), q.subscribe(q.here, bob)
	q.air.Lose()
	q.refusedWith(one, subscribe.ErrMissed)
	q.refusedWith(other, subscribe.ErrMissed)
	q.refusedWith(other, subscribe.ErrMissed) // and stays ended
	again := q.subscribe(q.here, ann)
	q.Post(star, 11)
	q.WorkAll()
	q.getsOnly(again, 11)
}

func TestSubscribe_EndsOnlySlowSubscriber(t *testing.T) {
	q := newPlaza(t, func(p *feed.Policy) { p.UndeliveredMax = 2 })
	q.Follow(ann, star)
	q.Follow(bob, star)
	slow, quick := q.subscribe(q.here, ann), q.subscribe(q.here, bob)
	for id := feed.PostID(1); id <= 3; id++ {
		q.Post(star, id)
		q.WorkAll()
		q.gets(quick, id)
	}
	q.refusedWith(slow, subscribe.ErrTooSlow)
	q.getsOnly(quick)
}

func TestSubscribe_EndsIfProcessFallsBehind(t *testing.T) {
	q := newPlaza(t, func(p *feed.Policy) { p.UnroutedMax = 1 })
	blocked := blockedAudience{Audience: q.Backend.Audience, once: &sync.Once{}, entered: make(chan struct{}), release: make(chan struct{})}
	q.here.Audience = blocked
	sub := q.subscribe(q.here, ann)
	announce := func(id feed.PostID) {
		q.Must(q.air.Announce(q.Context(), feed.Announcement{Post: id, Author: star}))
	}
	announce(1)
	<-blocked.entered // the first is being looked up, the second may wait, the third not
	announce(2)
	announce(3)
	q.refusedWith(sub, subscribe.ErrMissed)
}

func TestSubscribe_EndsIfFollowersCannotBeRead(t *testing.T) {
	q := newPlaza(t)
	q.here.Audience = brokenAudience{q.Backend.Audience}
	sub := q.subscribe(q.here, ann)
	q.Must(q.air.Announce(q.Context(), feed.Announcement{Post: 1, Author: star}))
	q.refusedWith(sub, subscribe.ErrMissed)
}

func TestSubscribe_ListensOnlyWithSubscribers(t *testing.T) {
	q := newPlaza(t)
	if n := q.air.Listening(); n != 0 {
		t.Errorf("%d processes listen without a subscriber", n)
	}
	one, other := q.subscribe(q.here, ann), q.subscribe(q.here, ann)
	if n := q.air.Listening(); n != 1 {
		t.Errorf("%d connections for two subscribers of a process", n)
	}
	one.Close()
	one.Close()
	if n := q.here.Subscribers(); n != 1 {
		t.Errorf("%d subscribers are left", n)
	}
	q.refusedWith(one, context.Canceled)
	other.Close()
	eventually.True(t, "it comes to be so", func() bool { return q.air.Listening() == 0 })
	if n := q.here.Subscribers(); n != 0 {
		t.Errorf("%d subscribers are left", n)
	}
}

func TestSubscribe_RejectsAnonymousViewerAndLostListener(t *testing.T) {
	q := newPlaza(t, func(p *feed.Policy) { p.ListenPatience = time.Millisecond })
	_, err := q.here.Subscribe(t.Context(), nobody)
	q.Refused(err, feed.CodeUnauthenticated)
	q.here.Listener = deaf{err: errors.New("no route")}
	_, err = q.here.Subscribe(t.Context(), ann)
	q.Refused(err, feed.CodeUnavailable)
	q.here.Listener = deaf{}
	_, err = q.here.Subscribe(t.Context(), ann)
	q.Refused(err, feed.CodeUnavailable)
	if n := q.here.Subscribers(); n != 0 {
		t.Errorf("%d subscribers are left", n)
	}
}

// The followers of small authors are listed. For large ones, the subscribers are looked up in
// batches.
func TestSubscribe_FindsManySubscribers(t *testing.T) {
	q := newPlaza(t, func(p *feed.Policy) { p.SubtaskSize = 3 })
	var subs []*subscribe.Subscription
	for id := feed.UserID(100); id < 110; id++ {
		q.MakeUser(&feed.User{ID: id, Handle: "extra" + id.String(), Name: "Extra"})
		q.Follow(id, star)
		if id%2 == 0 {
			q.Follow(id, moon)
			q.Unfollow(id, moon)
		}
		subs = append(subs, q.subscribe(q.here, id))
	}
	q.Follow(101, moon)
	q.Follow(109, moon)
	q.Post(moon, 50)
	q.WorkAll()
	for i, sub := range subs {
		if viewer := 100 + i; viewer == 101 || viewer == 109 {
			q.gets(sub, 50)
		}
	}
	q.Post(star, 51)
	q.WorkAll()
	for _, sub := range subs {
		q.gets(sub, 51)
	}
}
