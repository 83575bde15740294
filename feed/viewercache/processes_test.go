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

// another returns a feed over the same stores in another process, which has cached ann's state.
func another(v fixture.Service) *timeline.Timeline {
	v.Helper()
	other := process(v)
	idsFrom(v, other, "")
	return other
}

// process returns a feed over the same stores in another process with empty caches.
func process(v fixture.Service) *timeline.Timeline {
	other, cache := *v.Cached, *v.Cache
	cache.Local = feedtest.NewLocal()
	other.Viewers = &cache
	return &other
}

// idsFrom returns the page of one post after a cursor, and its last cursor.
func idsFrom(v fixture.Service, t *timeline.Timeline, after string) (id feed.PostID, end string) {
	v.Helper()
	page := fixture.Got(t.Page(v.Context(), ann, feed.PageQuery{First: new(1), After: after})).Must(v)
	if len(page.Entries) == 0 {
		return 0, ""
	}
	return page.Entries[0].Post.ID, page.Entries[0].Cursor
}

// hanging is a database that returns edges only after another event.
type hanging struct {
	feed.Relations
	first func()
}

func (h hanging) Edges(ctx context.Context, viewer feed.UserID, others []feed.UserID) ([]feed.Edge, error) {
	h.first()
	return h.Relations.Edges(ctx, viewer, others)
}

// The first page reads the version before an unmute commits, whose call has not returned by then.
func TestScroll_SkipsNothingAfterSlowPage(t *testing.T) {
	for _, long := range []time.Duration{0, time.Second, 5 * time.Second} {
		v := fixture.NewCaching(t)
		v.Follow(ann, star, moon)
		v.Relate(feed.RelationMute, ann, moon)
		v.BuildInbox(ann)
		v.Post(moon, 1, 2)
		v.Post(star, 3)
		v.Deliver(moon, 4)
		other, slow := another(v), process(v)
		cache := slow.Viewers.(*viewercache.Cache) //nolint:forcetypeassert // process makes it so
		direct := *cache.Direct
		cache.Direct = &direct
		direct.Relations = hanging{direct.Relations, sync.OnceFunc(func() {
			v.Clock.Advance(long)
			v.Must(v.SetRelation(v.Context(), feed.RelationRecord{Kind: feed.RelationMute, User: ann, Target: moon}, false))
		})}
		top, end := idsFrom(v, slow, "")
		fixture.Is(t, "the first post after "+long.String(), top, 4)
		next, end := idsFrom(v, other, end)
		below, _ := idsFrom(v, other, end)
		if next != 3 || below != 2 {
			t.Errorf("after a page that took %s, the other process shows %s and %s", long, next, below)
		}
	}
}

// One process serves the first page and another the rest, while ann follows moon. What the first
// page showed of moon, the next pages must show too.
func TestInterleavings_ScrollSkipsNothingAcrossProcesses(t *testing.T) {
	fixture.Interleaving{Mode: feed.FanoutHybrid, Cached: true, Before: func(v fixture.Service) {
		v.Cover(ann, star)
		v.Post(moon, 1, 2)
		v.Post(star, 3)
		v.Deliver(moon, 4)
	}, Actors: func(v fixture.Service) []feedtest.Actor {
		first, second := another(v), another(v)
		return []feedtest.Actor{
			func() { v.Atomically(func() { v.Follow(ann, moon) }) },
			func() {
				var top feed.PostID
				var end string
				v.Atomically(func() { top, end = idsFrom(v, first, "") })
				v.Yield()
				v.Atomically(func() {
					next, end := idsFrom(v, second, end)
					below, _ := idsFrom(v, second, end)
					if top == 4 && (next != 3 || below != 2) {
						t.Errorf("after 4, which a follow has added, the other process shows %s and %s", next, below)
					}
				})
			},
		}
	}}.Run(t)
}

// The process cached ann's state before the inbox was amended.
func TestInbox_NewerThanEntryIsUsed(t *testing.T) {
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
			v.Cover(ann, star)
			v.Deliver(star, 3)
			other := another(v)
			change(v)
			read := feed.Reading{}
			other.Trace.PageRead = func(_ feed.UserID, r feed.Reading) { read = r }
			if id, _ := idsFrom(v, other, ""); id != 3 || read.Found == feed.FoundAbsent || read.Source != feed.SourceInbox {
				t.Errorf("the page begins with %s and was read like %+v", id, read)
			}
		})
	}
}
