package viewercache_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/timeline"
	"github.com/tideline-feeds/tideline/feed/viewercache"
)

// elsewhere returns a timeline of another process, which has only the shared cache.
func elsewhere(c *viewercache.Cache) { c.Local = nil }

// withOneOfStars returns such a service, with one post by star in ann's inbox.
func withOneOfStars(t *testing.T) fixture.Service {
	t.Helper()
	v := fixture.NewSharing(t)
	v.Cover(ann, star)
	v.Deliver(star, 1)
	return v
}

// elsewhere returns the viewer cache of the other process.
func cacheElsewhere(v fixture.Service) *viewercache.Cache {
	return v.OtherProcess.Viewers.(*viewercache.Cache) //nolint:forcetypeassert // the stores of a fixture share one
}

// homeElsewhere returns the ids of ann's home feed in another process.
func homeElsewhere(v fixture.Service) []feed.PostID {
	v.Helper()
	return fixture.IDsOf(fixture.Got(v.OtherProcess.Page(v.Context(), ann, feed.PageQuery{First: &v.Policy.PageMax})).Must(v))
}

// What one process has read about a viewer, no other reads again, as long as the version is the
// same.
func TestShared_SparesOtherProcessesReads(t *testing.T) {
	v := fixture.NewSharing(t)
	v.Cover(ann, star)
	v.Post(star, 1)
	v.Deliver(ann, 2)
	wants := func(when string, asked ...string) {
		t.Helper()
		asksFor(v, when, asks(v, elsewhere, fresh), asked...)
		asksFor(v, when+", in the next process", asks(v, elsewhere, fresh), "version")
		asksFor(v, when+", in one with a local entry", asks(v, stranger, fresh), "version")
	}
	wants("at first", "survey", "edges")
	v.Relate(feed.RelationMute, ann, bob)
	v.Reconcile(ann)
	wants("after a change of a relation", "version", "edges", "pulled")
	v.Post(ann, 3)
	wants("after a publish", "version", "outbox")
	v.Flag(moon, feed.FlagSelective)
	wants("after a raised flag", "version", "pulled")
	v.Must(v.PulseLog.RaiseGeneration(t.Context()))
	v.BuildInbox(ann)
	wants("under a new generation", "version", "edges", "pulled", "outbox")
	v.Clock.Advance(time.Minute + time.Millisecond)
	wants("after a minute", "version", "edges", "pulled", "outbox")
	v.Clock.Advance(-time.Second)
	wants("when the clock was set back", "version", "edges", "pulled", "outbox")
	v.Server.Wipe()
	v.BuildInbox(ann)
	wants("when the notes are lost", "survey", "edges")
}

// A process with a local entry does not read the shared one, and puts what it reads.
func TestShared_PutsOnlyNewState(t *testing.T) {
	v := withOneOfStars(t)
	var found []bool
	failed := 0
	v.Cache.Trace.SharedEntryRead = func(is bool) { found = append(found, is) }
	v.Cache.Trace.SharedPutFailed = func(error) { failed++ }
	v.Home(ann)
	v.Home(ann)
	fixture.Same(t, "whether two reads found shared entries", found, false)
	note := func() string {
		_, note, err := v.Shared.ReadCached(t.Context(), ann, feed.Range{Below: feed.Top, Limit: 1})
		v.Must(err)
		return string(note)
	}
	first := note()
	v.Home(ann)
	v.Relate(feed.RelationMute, ann, bob)
	v.Home(ann)
	if first == "" || note() == first {
		t.Error("the change was not put")
	}
	fixture.Is(t, "the puts that failed", failed, 0)
}

// Several processes read and put entries while changes commit. A read after a change sees it,
// whatever the cache holds by then.
func TestShared_ShowsChangeInEveryOrder(t *testing.T) {
	cached := func(v fixture.Service) {
		atHome(v)
		homeElsewhere(v)
	}
	for name, c := range changesOfAnns() {
		for when, before := range map[string]func(v fixture.Service){"nothing is shared": atHome, "all is shared": cached} {
			t.Run(name+", "+when, func(t *testing.T) {
				fixture.Interleaving{Mode: feed.FanoutHybrid, Cached: true, Before: before, Actors: func(v fixture.Service) []feedtest.Actor {
					reads := func() { homeElsewhere(v) }
					changes := func() {
						v.Atomically(func() { c.change(v) })
						v.Yield()
						v.Atomically(func() {
							fixture.Is(v, "whether the next read shows the post", slices.Contains(homeElsewhere(v), c.id), c.shown)
						})
					}
					return []feedtest.Actor{reads, changes}
				}}.Run(t, 100_000)
			})
		}
	}
}

// A replica that takes over, or an old snapshot of Redis, returns an older entry.
func TestShared_OldEntryIsIgnored(t *testing.T) {
	for name, c := range changesOfAnns() {
		t.Run(name, func(t *testing.T) {
			v := fixture.NewSharing(t, func(p *feed.Policy) { p.Fanout = feed.FanoutHybrid })
			atHome(v)
			homeElsewhere(v)
			v.Server.Save()
			c.change(v)
			homeElsewhere(v)
			v.Server.Restore()
			fixture.Is(t, "whether the feed shows the post", slices.Contains(homeElsewhere(v), c.id), c.shown)
		})
	}
}

func TestShared_DamagedEntryIsIgnored(t *testing.T) {
	v := withOneOfStars(t)
	for _, note := range []string{"?", "\x01", "\x01\xff\xff\xff\xff"} {
		v.Must(v.Shared.PutCached(t.Context(), ann, []byte(note), time.Minute))
		asksFor(v, "behind a damaged note", asks(v, elsewhere, fresh), "survey", "edges")
		fixture.Same(t, "the feed", homeElsewhere(v), 1)
	}
}

// A put fails while the server is down. The page is shown all the same.
func TestShared_FailedPutHarmsNoPage(t *testing.T) {
	v := withOneOfStars(t)
	failed := 0
	cacheElsewhere(v).Trace.SharedPutFailed = func(err error) {
		if feed.CodeOf(err) == feed.CodeUnavailable {
			failed++
		}
	}
	v.Flaky.FailAt = 2
	fixture.Same(t, "the feed", homeElsewhere(v), 1)
	fixture.Is(t, "the puts that failed", failed, 1)
	var later []func()
	cacheElsewhere(v).Async = func(note func(context.Context)) { later = append(later, func() { note(t.Context()) }) }
	fixture.Same(t, "the feed", homeElsewhere(v), 1)
	asksFor(v, "before the put has succeeded", asks(v, elsewhere, fresh), "survey", "edges")
	for _, do := range later {
		do()
	}
	asksFor(v, "when the put has succeeded", asks(v, elsewhere, fresh), "version")
}

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
func TestScroll_SkipsNothingAcrossProcesses(t *testing.T) {
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
	}}.Run(t, 100_000)
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
