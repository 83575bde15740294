package lrucache_test

import (
	"context"
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
	got, err := w.cache.Posts(t.Context(), ids)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, p := range got {
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
