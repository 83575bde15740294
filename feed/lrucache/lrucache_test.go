package lrucache_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/lrucache"
)

// posts is a store that counts calls.
type posts struct {
	stored map[feed.PostID]feed.Post
	asked  []feed.PostID
	// during runs while a load is in flight, after it has read.
	during func()
	err    error
}

func (p *posts) Posts(_ context.Context, ids []feed.PostID) ([]*feed.Post, error) {
	p.asked = append(p.asked, ids...)
	out := make([]*feed.Post, len(ids))
	for i, id := range ids {
		if post, ok := p.stored[id]; ok {
			out[i] = &post
		}
	}
	if p.during != nil {
		p.during()
	}
	return out, p.err
}

// users is a store in which user 1 is a popular author.
type users struct {
	asked []feed.UserID
	name  string
}

func (u *users) Users(_ context.Context, ids []feed.UserID) ([]*feed.User, error) {
	u.asked = append(u.asked, ids...)
	out := make([]*feed.User, len(ids))
	for i, id := range ids {
		out[i] = &feed.User{ID: id, Name: u.name, Flag: flagOf(id)}
	}
	return out, nil
}

// flagOf makes user 1 alone a popular author.
func flagOf(id feed.UserID) feed.CoverageFlag {
	if id == 1 {
		return feed.FlagSelective
	}
	return feed.FlagNone
}

func (u *users) UserByHandle(context.Context, string) (*feed.User, error) {
	return &feed.User{ID: 1, Name: u.name}, nil
}

func (u *users) EnsureUser(_ context.Context, user *feed.User) (*feed.User, error) {
	return user, nil
}

// clock is a clock that a test advances.
type clock struct{ now time.Time }

func newClock() *clock { return &clock{now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)} }

func (c *clock) Now() time.Time { return c.now }

func (c *clock) advance(d time.Duration) { c.now = c.now.Add(d) }

// world is a store with a post by a popular author and one by another, behind a cache.
type world struct {
	store   *posts
	cache   *lrucache.Posts
	evictor lrucache.Evictor
	clock   *clock
}

// roomy has limits that tests do not reach by accident.
func roomy() lrucache.Options {
	return lrucache.Options{Size: 1000, Bytes: 1 << 20, TTL: time.Hour}
}

func newWorld(o lrucache.Options) *world {
	w := &world{clock: newClock(), store: &posts{stored: map[feed.PostID]feed.Post{
		1: {ID: 1, Author: authorOf(1), Text: "by a big-V"},
		2: {ID: 2, Author: authorOf(2), Text: "by somebody"},
	}}}
	w.cache = lrucache.NewPosts(w.store, o, w.clock.Now)
	w.evictor = evictorOf(w.cache, lrucache.NewUsers(&users{}, o, w.clock.Now))
	return w
}

func evictorOf(posts *lrucache.Posts, users *lrucache.Users) lrucache.Evictor {
	return lrucache.Evictor{Posts: posts, Users: users, Sessions: lrucache.NewSessions(&sessions{}, roomy(), time.Now)}
}

// sessions is a store in which each session has a title and host 1.
type sessions struct{ title string }

func (s *sessions) Sessions(_ context.Context, ids []live.ID) ([]*live.Session, error) {
	out := make([]*live.Session, len(ids))
	for i, id := range ids {
		out[i] = &live.Session{ID: id, Host: 1, Title: s.title}
	}
	return out, nil
}

// edit changes the text of the popular author's post in the store.
func (w *world) edit(text string) {
	w.store.stored[1] = feed.Post{ID: 1, Text: text}
}

// load returns the texts of posts, "-" for one that is not stored.
func (w *world) load(t *testing.T, ids ...feed.PostID) []string {
	t.Helper()
	var texts []string
	for _, p := range fixture.Got(w.cache.Posts(t.Context(), ids)).Must(t) {
		if p == nil {
			texts = append(texts, "-")
			continue
		}
		texts = append(texts, p.Text)
	}
	return texts
}

// hits fails the test unless the cache has post 1 alone, and this is the n-th hit.
func (w *world) hits(t *testing.T, n uint64) {
	t.Helper()
	w.load(t, 1)
	if s := w.cache.Stats(); s.Hits != n || s.Entries != 1 {
		t.Errorf("stats are %+v, want %d hits of one entry", s, n)
	}
}

// has fails the test unless the cache has the posts.
func (w *world) has(t *testing.T, ids ...feed.PostID) {
	t.Helper()
	w.store.asked = nil
	if w.load(t, ids...); len(w.store.asked) != 0 {
		t.Errorf("the store was called for %v of %v", w.store.asked, ids)
	}
}

// shows fails the test unless the cache returns the popular author's post with the text.
func (w *world) shows(t *testing.T, when, text string) {
	t.Helper()
	fixture.Is(t, when, w.load(t, 1)[0], text)
}

// A post that is not stored can never be a hit. Counting it as a miss would make the hit rate
// depend on the callers.
func TestStats_IgnoreMissingPosts(t *testing.T) {
	w := newWorld(roomy())
	for range 4 {
		fixture.Same(t, "the texts in order", w.load(t, 2, 3, 1), "by somebody", "-", "by a big-V")
	}
	fixture.Same(t, "calls of the store", w.store.asked, 2, 3, 1, 3, 3, 3)
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
	fixture.Got(w.cache.Posts(t.Context(), []feed.PostID{1})).Fails(t, w.store.err)
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
