package feed_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/timeline"
	"github.com/tideline-feeds/tideline/feed/viewercache"
)

// another returns a feed over the same stores as another process has it, with what it knows
// of ann from a first read and a look behind that.
func (v town) another() *timeline.Timeline {
	v.Helper()
	other := v.process()
	v.leases(pollerOf(other))
	v.idsOf(other, "")
	return other
}

// process returns a feed as another process has it that has just begun.
func (v town) process() *timeline.Timeline {
	other, cache := *v.Cached, *v.Cache
	cache.Local, cache.Poller = feedtest.NewLocal(), v.NewPoller()
	other.Viewers = &cache
	return &other
}

// pollerOf returns the poller of a process.
func pollerOf(t *timeline.Timeline) *viewercache.Poller {
	return t.Viewers.(*viewercache.Cache).Poller //nolint:forcetypeassert // process makes it so
}

// idsOf returns the page of one content behind a cursor, and the cursor of its end.
func (v town) idsOf(t *timeline.Timeline, after string) (id feed.ContentID, end string) {
	v.Helper()
	page, err := t.Page(v.Context(), ann, feed.HomeRef(), feed.PageQuery{First: new(1), After: after})
	v.must(err)
	if len(page.Entries) == 0 {
		return 0, ""
	}
	return page.Entries[0].Post.ID, page.Entries[0].Cursor
}

// lagging returns a process that does not know yet that ann has followed moon, whose 1 and 2 are
// older than star's 3.
func (v town) lagging() *timeline.Timeline {
	v.Helper()
	v.follow(ann, star)
	v.inbox(ann)
	v.post(moon, 1, 2)
	v.post(star, 3)
	v.work()
	lagging := v.another()
	v.follow(ann, moon)
	return lagging
}

// A follow that has not returned yet is seen by a process that happens to read the stamp, and
// not by one whose lease lasts.
func TestAScrollSkipsNothingWhenItsPagesComeFromProcessesThatKnowMoreOrLess(t *testing.T) {
	v := newCachingTown(t)
	lagging := v.lagging()
	if id, _ := v.idsOf(lagging, ""); id != 3 {
		t.Fatalf("the process that knows less begins with %s", id)
	}
	_, first := v.idsOf(v.Timeline, "")
	if id, _ := v.idsOf(lagging, first); id != 2 {
		t.Errorf("behind the first page the other process shows %s, and the scroll skips 2", id)
	}
}

// hanging is a database that tells of edges when something else has happened.
type hanging struct {
	feed.Relations
	first func()
}

func (h hanging) Edges(ctx context.Context, viewer feed.UserID, others []feed.UserID) ([]feed.Edge, error) {
	h.first()
	return h.Relations.Edges(ctx, viewer, others)
}

// passes lets time pass on the clocks of the database and of all processes.
func (v town) passes(d time.Duration) {
	v.Clock.Advance(d)
	for range d / feed.VersionLease {
		v.Settle()
	}
}

// The first page reads a stamp, and some time later that moon is not muted any more, which has
// not returned by then.
func TestAScrollBehindASlowPageSkipsNothing(t *testing.T) {
	for _, long := range []time.Duration{0, time.Second, 5 * time.Second} {
		v := newCachingTown(t)
		v.follow(ann, star, moon)
		v.relate(feed.RelationMute, ann, moon)
		v.inbox(ann)
		v.post(moon, 1, 2)
		v.post(star, 3)
		v.post(moon, 4)
		v.work()
		lagging, slow := v.another(), v.process()
		cache := slow.Viewers.(*viewercache.Cache) //nolint:forcetypeassert // process makes it so
		direct := *cache.Direct
		cache.Direct = &direct
		direct.Relations = hanging{direct.Relations, sync.OnceFunc(func() {
			v.passes(long)
			v.must(pollerOf(lagging).Poll(v.Context()))
			v.must(v.SetRelation(v.Context(), feed.RelationRecord{Kind: feed.RelationMute, User: ann, Target: moon}, false))
		})}
		top, end := v.idsOf(slow, "")
		if top != 4 {
			t.Errorf("after %s the page begins with %s", long, top)
		}
		next, end := v.idsOf(lagging, end)
		below, _ := v.idsOf(lagging, end)
		if next != 3 || below != 2 {
			t.Errorf("behind a page that took %s the other process shows %s and %s", long, next, below)
		}
	}
}

// Two processes, of which one serves the first page and the other one the rest, look and read
// while somebody follows moon. What the first page's process knew by then, the other one must
// know as well.
func TestInEveryOrderOfLooksAndAFollowAScrollThroughTwoProcessesSkipsNothing(t *testing.T) {
	scene{mode: feed.FanoutHybrid, cached: true, before: func(v town) {
		v.follow(ann, star)
		v.inbox(ann)
		v.post(moon, 1, 2)
		v.post(star, 3)
		v.post(moon, 4)
		v.work()
	}, actors: func(v town) []feedtest.Actor {
		first, second := v.another(), v.another()
		v.Settle()
		return []feedtest.Actor{
			func() {
				v.Atomically(func() { v.follow(ann, moon) })
				v.Turn()
				v.Settle()
				v.Turn()
				v.Settle()
			},
			func() {
				for range 2 {
					v.Atomically(func() { v.must(pollerOf(second).Poll(v.Context())) })
					v.Turn()
				}
			},
			func() {
				v.Atomically(func() { v.must(pollerOf(first).Poll(v.Context())) })
				v.Turn()
				v.Atomically(func() { v.idsOf(first, "") })
				v.Turn()
				var top feed.ContentID
				var end string
				v.Atomically(func() { top, end = v.idsOf(first, "") })
				v.Turn()
				v.Atomically(func() {
					next, end := v.idsOf(second, end)
					below, _ := v.idsOf(second, end)
					if top == 4 && (next != 3 || below != 2) {
						t.Errorf("behind 4, which a follow has brought, the other process shows %s and %s", next, below)
					}
				})
			},
		}
	}}.runs(t, 100_000)
}

// The page before may show what this process does not know yet.
func TestPagesBehindTheFirstReadTheVersion(t *testing.T) {
	v := newCachingTown(t)
	v.follow(ann, star)
	v.inbox(ann)
	v.post(star, 1, 2, 3)
	v.work()
	c := &counted{Relations: v.Backend.Relations, asked: map[string]int{}}
	v.Cache.Direct.Relations = c
	v.leases(v.Poller)
	_, end := v.idsOf(v.Cached, "")
	for page, want := range map[string]int{"": 0, end: 1} {
		c.asked["stamp"] = 0
		v.idsOf(v.Cached, page)
		if n := c.asked["stamp"]; n != want {
			t.Errorf("under a lease the page behind %q reads %d versions, want %d", page, n, want)
		}
	}
}

// Whoever has reconciled an inbox knew of a version that a lease does not.
func TestAnInboxThatIsNewerThanTheLeaseIsUsed(t *testing.T) {
	for name, change := range map[string]func(v town){
		"reconciled": func(v town) {
			v.follow(ann, moon)
			v.reconcile(ann)
		},
		"built under a new generation": func(v town) {
			v.must(v.PulseLog.RaiseGeneration(t.Context()))
			v.inbox(ann)
		},
	} {
		t.Run(name, func(t *testing.T) {
			v := newCachingTown(t)
			v.follow(ann, star)
			v.inbox(ann)
			v.post(star, 3)
			v.work()
			lagging := v.another()
			change(v)
			read := feed.Reading{}
			lagging.Trace.PageRead = func(_ feed.UserID, r feed.Reading) { read = r }
			if id, _ := v.idsOf(lagging, ""); id != 3 || read.Found == feed.FoundAbsent || read.Source != feed.SourceInbox {
				t.Errorf("the page begins with %s and was read like %+v", id, read)
			}
		})
	}
}
