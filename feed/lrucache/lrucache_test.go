package lrucache_test

import (
	"errors"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/lrucache"
)

func TestPosts_KeepStoredPostsInOrder(t *testing.T) {
	w := newWorld(roomy())
	want := []string{"by somebody", "-", "by a big-V"}
	for range 2 {
		fixture.Same(t, "the texts", w.load(t, 2, 3, 1), want...)
	}
	fixture.Same(t, "calls of the store", w.store.asked, 2, 3, 1, 3)
}

// A post that is not stored can never be a hit. Counting it as a miss would make the hit rate
// depend on the callers.
func TestStats_IgnoreMissingPosts(t *testing.T) {
	w := newWorld(roomy())
	for range 4 {
		w.load(t, 2, 3, 1)
	}
	got := w.cache.Stats()
	if got.Bytes <= 0 {
		t.Errorf("two entries take %d bytes", got.Bytes)
	}
	got.Bytes = 0
	fixture.Is(t, "the stats", got, lrucache.Stats{Hits: 6, Misses: 2, Passed: 4, Entries: 2})
}

func TestEvict_DropsLoadInFlight(t *testing.T) {
	for name, forget := range map[string]func(lrucache.Evictor){
		"an eviction": func(e lrucache.Evictor) { e.Evict([]feed.PostID{1}, nil) },
		"a purge":     lrucache.Evictor.Purge,
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(roomy())
			w.store.during = func() {
				w.store.during = nil
				w.edit("edited")
				forget(w.evictor)
			}
			w.shows(t, "overtaken", "by a big-V")
			w.shows(t, "afterwards", "edited")
			w.shows(t, "from then on", "edited")
			fixture.Is(t, "the hits of the read after the eviction", w.cache.Stats().Hits, 1)
		})
	}
}

// Evictions are frequent. They must not keep other keys out of the cache.
func TestEvict_KeepsLoadsOfOtherKeys(t *testing.T) {
	w := newWorld(roomy())
	w.store.during = func() { w.evictor.Evict([]feed.PostID{2, 3}, nil) }
	w.load(t, 1)
	w.hits(t, 1)
}

// The inner read begins after the eviction and ends before the outer one, which must neither
// replace nor drop its result.
func TestEvict_KeepsLaterLoad(t *testing.T) {
	w := newWorld(roomy())
	w.store.during = func() {
		w.store.during = nil
		w.edit("edited")
		w.evictor.Evict([]feed.PostID{1}, nil)
		w.shows(t, "right after the eviction", "edited")
	}
	w.shows(t, "overtaken", "by a big-V")
	w.shows(t, "afterwards", "edited")
}

func TestCache_ReturnsErrorAndKeepsNothing(t *testing.T) {
	w := newWorld(roomy())
	w.store.err = errors.New("the store is away")
	if _, err := w.cache.Posts(t.Context(), []feed.PostID{1}); !errors.Is(err, w.store.err) {
		t.Errorf("the error is %v", err)
	}
	w.store.err = nil
	w.shows(t, "after the failure", "by a big-V")
	w.hits(t, 1)
}

func TestTTL_CountsFromBeginningOfRead(t *testing.T) {
	w := newWorld(lrucache.Options{Size: 10, Bytes: 1 << 20, TTL: 5 * time.Second})
	w.store.during = func() { w.clock.advance(2 * time.Second) } // a slow read
	w.load(t, 1)
	w.store.during = nil
	w.edit("edited")
	w.clock.advance(3*time.Second - 1)
	w.shows(t, "a nanosecond before its time", "by a big-V")
	w.clock.advance(1)
	w.shows(t, "when its time is over", "edited")
}

func TestUsers_KeepAndEvictProfiles(t *testing.T) {
	store := &users{name: "Ann"}
	c := lrucache.NewUsers(store, roomy(), newClock().Now)
	evictor := evictorOf(lrucache.NewPosts(&posts{}, roomy(), newClock().Now), c)
	named := func(want string) {
		t.Helper()
		if got, err := c.Users(t.Context(), []feed.UserID{1, 2}); err != nil || got[0].Name != want {
			t.Errorf("got %+v, %v, want the name %s", got[0], err, want)
		}
	}
	named("Ann")
	store.name = "Anna"
	named("Ann")
	// Handles are not cached.
	if got, err := c.UserByHandle(t.Context(), "ann"); err != nil || got.Name != "Anna" {
		t.Errorf("by handle: %+v, %v", got, err)
	}
	if got, err := c.EnsureUser(t.Context(), &feed.User{ID: 1, Name: "New"}); err != nil || got.Name != "New" {
		t.Errorf("a new user: %+v, %v", got, err)
	}
	evictor.Evict(nil, []feed.UserID{1})
	named("Anna")
	fixture.Same(t, "calls of the store", store.asked, 1, 2, 1)
}

func TestSessions_EvictedWithPostsAndHosts(t *testing.T) {
	store := &sessions{}
	w := newWorld(roomy())
	w.evictor.Sessions = lrucache.NewSessions(store, roomy(), newClock().Now)
	titled := func(when, want string) {
		t.Helper()
		if got, err := w.evictor.Sessions.Sessions(t.Context(), []live.ID{7}); err != nil || got[0].Title != want {
			t.Errorf("%s the session is %+v, %v, want the title %q", when, got[0], err, want)
		}
	}
	for what, evict := range map[string]func(){
		"its id":     func() { w.evictor.Evict([]feed.PostID{1, feed.ReplayRef(7)}, nil) },
		"its host":   func() { w.evictor.Evict(nil, []feed.UserID{1}) },
		"everything": w.evictor.Purge,
	} {
		store.title = "before " + what
		w.evictor.Purge()
		titled("at first", store.title)
		store.title = "after " + what
		w.evictor.Evict([]feed.PostID{7, feed.ReplayRef(8)}, []feed.UserID{2})
		titled("after other evictions", "before "+what)
		evict()
		titled("after the eviction of "+what, store.title)
	}
}

// The caller of a deletion does not know the ids of the account's posts.
func TestEvict_UserDropsTheirPosts(t *testing.T) {
	w := newWorld(roomy())
	w.store.stored[1] = feed.Post{ID: 1, Author: 7, Text: "by seven"}
	w.store.stored[2] = feed.Post{ID: 2, Author: 8, Text: "by eight"}
	w.load(t, 1, 2)
	w.store.stored[1] = feed.Post{ID: 1, Author: 7, Text: "deleted"}
	w.store.asked = nil
	w.store.during = func() {
		w.store.during = nil
		w.store.stored[3] = feed.Post{ID: 3, Author: 7, Text: "deleted"}
		w.evictor.Evict(nil, []feed.UserID{7})
	}
	w.store.stored[3] = feed.Post{ID: 3, Author: 7, Text: "by seven"}
	w.load(t, 3) // is under way when the account is deleted
	fixture.Same(t, "the texts", w.load(t, 1, 2, 3), "deleted", "by eight", "deleted")
	fixture.Same(t, "calls of the store", w.store.asked, 3, 1, 3)
}

func TestCache_FreshReadsPassIt(t *testing.T) {
	w := newWorld(roomy())
	w.load(t, 1)
	w.edit("edited")
	got, err := w.cache.Posts(feed.WithFreshReads(t.Context()), []feed.PostID{1})
	if err != nil || got[0].Text != "edited" {
		t.Errorf("a fresh read returned %+v, %v", got[0], err)
	}
}
