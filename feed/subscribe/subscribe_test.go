package subscribe_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/changes"
	"github.com/tideline-feeds/tideline/feed/delta"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/publish"
	"github.com/tideline-feeds/tideline/feed/subscribe"
	"github.com/tideline-feeds/tideline/feed/timeline"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
)

// The users of the tests.
const (
	ann       = fixture.Ann
	bob       = fixture.Bob
	cem       = fixture.Cem
	star      = fixture.Star
	moon      = fixture.Moon
	anonymous = fixture.Anonymous
)

// fleet is a service with subscribers in two processes.
type fleet struct {
	fixture.Service
	here, there process
}

// process is a process with subscribers. Its tests call CatchUp, in place of the signal.
type process struct {
	*subscribe.Subscriptions
	*changes.Follower
	// log counts the reads of the change log.
	log *countedLog
}

func newFleet(t *testing.T, change ...func(p *feed.Policy)) fleet {
	t.Helper()
	f := fleet{Service: fixture.New(t, change...)}
	f.here, f.there = f.process(), f.process()
	return f
}

func (f fleet) process() process {
	log := &countedLog{ChangeLog: f.Backend.Changes}
	viewers := &timeline.Direct{Posts: f.Backend.Posts, Primary: f.Backend.Posts, Relations: f.Backend.Relations, Outboxes: f.Backend.Outboxes}
	p := process{
		Follower: &changes.Follower{Log: log, Cache: noCache{}},
		log:      log,
	}
	p.Subscriptions = &subscribe.Subscriptions{
		Changes: &delta.Reader{
			Log: log, Viewers: viewers, Relations: f.Backend.Relations, Coverage: f.Backend.Coverage, Outboxes: f.Backend.Outboxes, Audiences: f.Backend.Audiences, Policy: f.Policy,
		},
		Viewers: viewers, Places: p.Follower, Audience: f.Backend.Audience, Policy: f.Policy,
		Async: func(do func()) { do() },
	}
	p.Observe(p.Subscriptions)
	return p
}

// WorkAll runs all tasks, and lets both processes read the log.
func (f fleet) WorkAll() {
	f.Helper()
	f.Service.WorkAll()
	f.Must(f.here.CatchUp(f.Context()))
	f.Must(f.there.CatchUp(f.Context()))
}

// Deliver publishes posts as the fixture does, and lets both processes read the log.
func (f fleet) Deliver(author feed.UserID, ids ...feed.PostID) {
	f.Helper()
	f.Post(author, ids...)
	f.WorkAll()
}

// subscribe subscribes a viewer to new posts at one of the processes.
func (f fleet) subscribe(at process, viewer feed.UserID) *subscribe.Subscription {
	f.Helper()
	return f.since(at, viewer, "")
}

// extra makes a further follower of star, who subscribes.
func (f fleet) extra(id feed.UserID) *subscribe.Subscription {
	f.Helper()
	f.MakeUser(&feed.User{ID: id, Handle: "extra" + id.String(), Name: "Extra"})
	f.Follow(id, star)
	return f.subscribe(f.here, id)
}

// since is subscribe with a token.
func (f fleet) since(at process, viewer feed.UserID, token string) *subscribe.Subscription {
	f.Helper()
	sub := fixture.Got(at.Subscribe(f.Context(), viewer, subscribe.Query{Since: token})).Must(f)
	f.Cleanup(sub.Close)
	return sub
}

// token returns the viewer's token of now.
func (f fleet) token(viewer feed.UserID) string {
	f.Helper()
	last := fixture.Got(f.Backend.Changes.LastChange(f.Context())).Must(f)
	return feed.SyncToken{Viewer: viewer, Place: last}.String()
}

// next returns the next post that a subscriber gets.
func (f fleet) next(sub *subscribe.Subscription) (feed.Entry, error) {
	f.Helper()
	c, err := feedtest.NextEdge(eventually.Context(f), sub)
	return c.Entry, err
}

// gets fails the test unless a subscriber gets the posts, in this order.
func (f fleet) gets(sub *subscribe.Subscription, want ...feed.PostID) {
	f.Helper()
	for _, id := range want {
		e := fixture.Got(f.next(sub)).Must(f)
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
	f.Deliver(star, last)
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
			f.Deliver(star, 11, 7)
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
		e := fixture.Got(f.next(sub)).Must(f)
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
	f.Must(f.here.CatchUp(f.Context()))
	if c, err := feedtest.NextEdge(ctx, sub); err == nil {
		t.Errorf("post %d is delivered while its push is pending", c.ID)
	}
	f.WorkAll()
	e := fixture.Got(f.next(sub)).Must(f)
	fixture.Same(t, "the inbox", f.Entries(ann), 11)
	n := fixture.Got(f.Timeline.NewCount(f.Context(), ann, e.Cursor, feed.HomeAuthors, feed.Filter{})).Must(f)
	fixture.Is(t, "the posts above the cursor", n, 0)
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

// Waiting posts are judged when they are taken.
func TestSubscribe_JudgesAtDelivery(t *testing.T) {
	for name, change := range map[string]func(f fleet){
		"an unfollow":          func(f fleet) { f.Unfollow(ann, bob) },
		"a mute":               func(f fleet) { f.Relate(feed.RelationMute, ann, bob) },
		"a block":              func(f fleet) { f.Relate(feed.RelationBlock, ann, bob) },
		"a block by the other": func(f fleet) { f.Relate(feed.RelationBlock, bob, ann) },
		"a hide by the other":  func(f fleet) { f.Relate(feed.RelationHide, bob, ann) },
	} {
		for when, waits := range map[string]bool{"before the post": false, "while it waits": true} {
			t.Run(name+" "+when, func(t *testing.T) {
				f := newFleet(t)
				f.Follow(ann, star, bob)
				sub := f.subscribe(f.here, ann)
				f.Deliver(bob, 10)
				f.gets(sub, 10)
				if waits {
					f.Deliver(bob, 11)
				}
				change(f)
				f.Deliver(bob, 12)
				f.getsOnly(sub)
			})
		}
	}
}

func TestSubscribe_IgnoresBackfills(t *testing.T) {
	f := newFleet(t)
	f.Follow(ann, star)
	f.Deliver(bob, 1, 2, 3)
	sub := f.subscribe(f.here, ann)
	f.Follow(ann, bob)
	f.BuildInbox(ann)
	f.WorkAll()
	fixture.Same(t, "the feed", f.Home(ann), 3, 2, 1)
	f.Must(f.Fanout.Dispatch(f.Context(), 2))
	f.Must(f.Fanout.Push(f.Context(), feed.SliceRef{Post: 2}))
	f.getsOnly(sub)
}

func TestNotify_CallsOncePerWait(t *testing.T) {
	f := newFleet(t)
	f.Follow(ann, star)
	sub := f.subscribe(f.here, ann)
	ready := make(chan struct{}, 9)
	called := func() { ready <- struct{}{} }
	wait := func(when string) {
		t.Helper()
		eventually.Receive(t, "a call "+when, ready)
	}
	sub.Notify(called)
	fixture.Is(t, "calls without a post", len(ready), 0)
	f.Post(star, 7)
	f.Deliver(star, 8)
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
	fixture.Is(t, "calls too many", len(ready), 0)
}

// The followers of small authors are listed. For large ones, the subscribers are looked up in
// batches.
func TestSubscribe_FindsManySubscribers(t *testing.T) {
	f := newFleet(t, func(p *feed.Policy) { p.SliceSize = 3 })
	var subs []*subscribe.Subscription
	for id := feed.UserID(100); id < 110; id++ {
		subs = append(subs, f.extra(id))
		if id%2 == 0 {
			f.Follow(id, moon)
			f.Unfollow(id, moon)
		}
	}
	f.Follow(101, moon)
	f.Follow(109, moon)
	f.Deliver(moon, 50)
	for i, sub := range subs {
		if viewer := 100 + i; viewer == 101 || viewer == 109 {
			f.gets(sub, 50)
		}
	}
	f.Deliver(star, 51)
	for _, sub := range subs {
		f.gets(sub, 51)
	}
}

// countedLog counts the reads of a change log.
type countedLog struct {
	feed.ChangeLog
	// all are reads of the whole log, home those for one viewer.
	all, home int
}

func (l *countedLog) Changes(ctx context.Context, since feed.ChangePlace, limit int) ([]feed.Change, feed.ChangePlace, error) {
	l.all++
	return l.ChangeLog.Changes(ctx, since, limit)
}

func (l *countedLog) HomeChanges(ctx context.Context, viewer feed.UserID, since feed.ChangePlace, limit int) ([]feed.Change, feed.ChangePlace, error) {
	l.home++
	return l.ChangeLog.HomeChanges(ctx, viewer, since, limit)
}

type noCache struct{}

func (noCache) Evict([]feed.PostID, []feed.UserID) {}
func (noCache) Purge()                             {}

// brokenAudience fails to list followers while broken is true.
type brokenAudience struct {
	feed.Audience
	broken bool
}

func (b *brokenAudience) FollowersAmong(ctx context.Context, author feed.UserID, users []feed.UserID) ([]feed.UserID, error) {
	if b.broken {
		return nil, errors.New("the database is away")
	}
	return b.Audience.FollowersAmong(ctx, author, users)
}

// brokenPlaces cannot read the log.
type brokenPlaces struct{}

func (brokenPlaces) Place(context.Context) (feed.ChangePlace, error) {
	return feed.ChangePlace{}, feed.Unavailable("the database", nil)
}
