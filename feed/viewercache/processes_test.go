package viewercache_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/timeline"
	"github.com/tideline-feeds/tideline/feed/viewercache"
)

// another returns a feed over the same stores as another process has it, with what it knows
// of ann from a first read and a look behind that.
func another(v fixture.Service) *timeline.Timeline {
	v.Helper()
	other := process(v)
	leases(v, pollerOf(other))
	idsFrom(v, other, "")
	return other
}

// process returns a feed as another process has it that has just begun.
func process(v fixture.Service) *timeline.Timeline {
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
func idsFrom(v fixture.Service, t *timeline.Timeline, after string) (id feed.ContentID, end string) {
	v.Helper()
	page, err := t.Page(v.Context(), ann, feed.PageQuery{First: new(1), After: after})
	v.Must(err)
	if len(page.Entries) == 0 {
		return 0, ""
	}
	return page.Entries[0].Post.ID, page.Entries[0].Cursor
}

// lagging returns a process that does not know yet that ann has followed moon, whose 1 and 2 are
// older than star's 3.
func lagging(v fixture.Service) *timeline.Timeline {
	v.Helper()
	v.Follow(ann, star)
	v.BuildInbox(ann)
	v.Post(moon, 1, 2)
	v.Post(star, 3)
	v.WorkAll()
	lagging := another(v)
	v.Follow(ann, moon)
	return lagging
}

// A follow that has not returned yet is seen by a process that happens to read the stamp, and
// not by one whose lease lasts.
func TestAScrollSkipsNothingWhenItsPagesComeFromProcessesThatKnowMoreOrLess(t *testing.T) {
	v := fixture.NewCaching(t)
	lagging := lagging(v)
	if id, _ := idsFrom(v, lagging, ""); id != 3 {
		t.Fatalf("the process that knows less begins with %s", id)
	}
	_, first := idsFrom(v, v.Timeline, "")
	if id, _ := idsFrom(v, lagging, first); id != 2 {
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
func passes(v fixture.Service, d time.Duration) {
	v.Clock.Advance(d)
	for range d / feed.VersionLease {
		v.Settle()
	}
}

// The first page reads a stamp, and some time later that moon is not muted any more, which has
// not returned by then.
func TestAScrollBehindASlowPageSkipsNothing(t *testing.T) {
	for _, long := range []time.Duration{0, time.Second, 5 * time.Second} {
		v := fixture.NewCaching(t)
		v.Follow(ann, star, moon)
		v.Relate(feed.RelationMute, ann, moon)
		v.BuildInbox(ann)
		v.Post(moon, 1, 2)
		v.Post(star, 3)
		v.Post(moon, 4)
		v.WorkAll()
		lagging, slow := another(v), process(v)
		cache := slow.Viewers.(*viewercache.Cache) //nolint:forcetypeassert // process makes it so
		direct := *cache.Direct
		cache.Direct = &direct
		direct.Relations = hanging{direct.Relations, sync.OnceFunc(func() {
			passes(v, long)
			v.Must(pollerOf(lagging).Poll(v.Context()))
			v.Must(v.SetRelation(v.Context(), feed.RelationRecord{Kind: feed.RelationMute, User: ann, Target: moon}, false))
		})}
		top, end := idsFrom(v, slow, "")
		if top != 4 {
			t.Errorf("after %s the page begins with %s", long, top)
		}
		next, end := idsFrom(v, lagging, end)
		below, _ := idsFrom(v, lagging, end)
		if next != 3 || below != 2 {
			t.Errorf("behind a page that took %s the other process shows %s and %s", long, next, below)
		}
	}
}

// Two processes, of which one serves the first page and the other one the rest, look and read
// while somebody follows moon. What the first page's process knew by then, the other one must
// know as well.
func TestInEveryOrderOfLooksAndAFollowAScrollThroughTwoProcessesSkipsNothing(t *testing.T) {
	fixture.Scene{Mode: feed.FanoutHybrid, Cached: true, Before: func(v fixture.Service) {
		v.Follow(ann, star)
		v.BuildInbox(ann)
		v.Post(moon, 1, 2)
		v.Post(star, 3)
		v.Post(moon, 4)
		v.WorkAll()
	}, Actors: func(v fixture.Service) []feedtest.Actor {
		first, second := another(v), another(v)
		v.Settle()
		return []feedtest.Actor{
			func() {
				v.Atomically(func() { v.Follow(ann, moon) })
				v.Turn()
				v.Settle()
				v.Turn()
				v.Settle()
			},
			func() {
				for range 2 {
					v.Atomically(func() { v.Must(pollerOf(second).Poll(v.Context())) })
					v.Turn()
				}
			},
			func() {
				v.Atomically(func() { v.Must(pollerOf(first).Poll(v.Context())) })
				v.Turn()
				v.Atomically(func() { idsFrom(v, first, "") })
				v.Turn()
				var top feed.ContentID
				var end string
				v.Atomically(func() { top, end = idsFrom(v, first, "") })
				v.Turn()
				v.Atomically(func() {
					next, end := idsFrom(v, second, end)
					below, _ := idsFrom(v, second, end)
					if top == 4 && (next != 3 || below != 2) {
						t.Errorf("behind 4, which a follow has brought, the other process shows %s and %s", next, below)
					}
				})
			},
		}
	}}.Run(t, 100_000)
}

// The page before may show what this process does not know yet.
func TestPagesBehindTheFirstReadTheVersion(t *testing.T) {
	v := fixture.NewCaching(t)
	v.Follow(ann, star)
	v.BuildInbox(ann)
	v.Post(star, 1, 2, 3)
	v.WorkAll()
	c := &counted{Relations: v.Backend.Relations, asked: map[string]int{}}
	v.Cache.Direct.Relations = c
	leases(v, v.Poller)
	_, end := idsFrom(v, v.Cached, "")
	for page, want := range map[string]int{"": 0, end: 1} {
		c.asked["stamp"] = 0
		idsFrom(v, v.Cached, page)
		if n := c.asked["stamp"]; n != want {
			t.Errorf("under a lease the page behind %q reads %d versions, want %d", page, n, want)
		}
	}
}

// Whoever has reconciled an inbox knew of a version that a lease does not.
func TestAnInboxThatIsNewerThanTheLeaseIsUsed(t *testing.T) {
	for name, change := range map[string]func(v fixture.Service){
		"reconciled": func(v fixture.Service) {
			v.Follow(ann, moon)
			v.Reconcile(ann)
		},
		"built under a new generation": func(v fixture.Service) {
			v.Must(v.PulseLog.RaiseGeneration(t.Context()))
			v.BuildInbox(ann)
		},
	} {
		t.Run(name, func(t *testing.T) {
			v := fixture.NewCaching(t)
			v.Follow(ann, star)
			v.BuildInbox(ann)
			v.Post(star, 3)
			v.WorkAll()
			lagging := another(v)
			change(v)
			read := feed.Reading{}
			lagging.Trace.PageRead = func(_ feed.UserID, r feed.Reading) { read = r }
			if id, _ := idsFrom(v, lagging, ""); id != 3 || read.Found == feed.FoundAbsent || read.Source != feed.SourceInbox {
				t.Errorf("the page begins with %s and was read like %+v", id, read)
			}
		})
	}
}
