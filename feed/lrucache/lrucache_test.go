package lrucache_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/lrucache"
)

// posts is a store that counts what it is asked for.
type posts struct {
	stored map[feed.ContentID]feed.Post
	asked  []feed.ContentID
	// during runs while a load is under way.
	during func()
}

func (p *posts) Posts(_ context.Context, ids []feed.ContentID) ([]*feed.Post, error) {
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
	return out, nil
}

func newPosts(t *testing.T, ttl time.Duration) (*posts, *lrucache.Posts, lrucache.Evictor) {
	t.Helper()
	store := &posts{stored: map[feed.ContentID]feed.Post{
		1: {ID: 1, Text: "by a big-V", AuthorPulled: true},
		2: {ID: 2, Text: "by somebody"},
	}}
	c := lrucache.NewPosts(store, lrucache.Options{Size: 10, TTL: ttl})
	return store, c, lrucache.Evictor{Posts: c, Users: lrucache.NewUsers(nil, lrucache.DefaultUsers())}
}

func load(t *testing.T, c *lrucache.Posts, ids ...feed.ContentID) []string {
	t.Helper()
	got, err := c.Posts(context.Background(), ids)
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

func TestPostsKeepsBigVsOnlyAndAnswersInOrder(t *testing.T) {
	store, c, _ := newPosts(t, time.Hour)
	want := []string{"by somebody", "-", "by a big-V"}
	for range 2 {
		if diff := cmp.Diff(want, load(t, c, 2, 3, 1)); diff != "" {
			t.Fatal(diff)
		}
	}
	if diff := cmp.Diff([]feed.ContentID{2, 3, 1, 2, 3}, store.asked); diff != "" {
		t.Errorf("the store was asked for other ids than expected:\n%s", diff)
	}
	if got, want := c.Stats(), (lrucache.Stats{Hits: 1, Misses: 5}); got != want {
		t.Errorf("stats are %+v, want %+v", got, want)
	}
}

func TestAnEvictedPostIsReadAgain(t *testing.T) {
	store, c, evictor := newPosts(t, time.Hour)
	load(t, c, 1)
	store.stored[1] = feed.Post{ID: 1, Text: "edited", AuthorPulled: true}
	if got := load(t, c, 1); got[0] != "by a big-V" {
		t.Fatalf("before the eviction the cache answered %q", got)
	}
	evictor.Evict([]feed.ContentID{1}, nil)
	if got := load(t, c, 1); got[0] != "edited" {
		t.Errorf("after the eviction the cache answered %q", got)
	}
	store.stored[1] = feed.Post{ID: 1, Text: "edited again", AuthorPulled: true}
	evictor.Purge()
	if got := load(t, c, 1); got[0] != "edited again" {
		t.Errorf("after the purge the cache answered %q", got)
	}
}

func TestALoadThatAnEvictionOvertookIsNotKept(t *testing.T) {
	store, c, evictor := newPosts(t, time.Hour)
	store.during = func() {
		store.during = nil
		store.stored[1] = feed.Post{ID: 1, Text: "edited", AuthorPulled: true}
		evictor.Evict([]feed.ContentID{1}, nil)
	}
	load(t, c, 1)
	if got := load(t, c, 1); got[0] != "edited" {
		t.Errorf("the cache kept %q, which was read before the edit", got)
	}
}

func TestUsersKeepsBigVsOnly(t *testing.T) {
	store := &users{}
	c := lrucache.NewUsers(store, lrucache.Options{Size: 10, TTL: time.Hour})
	for range 2 {
		if _, err := c.Users(context.Background(), []feed.UserID{1, 2}); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]feed.UserID{1, 2, 2}, store.asked); diff != "" {
		t.Error(diff)
	}
	if got, want := c.Stats(), (lrucache.Stats{Hits: 1, Misses: 3}); got != want {
		t.Errorf("stats are %+v, want %+v", got, want)
	}
}

// users is a store in which user 1 is a big-V.
type users struct{ asked []feed.UserID }

func (u *users) Users(_ context.Context, ids []feed.UserID) ([]*feed.User, error) {
	u.asked = append(u.asked, ids...)
	out := make([]*feed.User, len(ids))
	for i, id := range ids {
		out[i] = &feed.User{ID: id, Pulled: id == 1}
	}
	return out, nil
}

func (u *users) UserByHandle(context.Context, string) (*feed.User, error) {
	return &feed.User{ID: 1}, nil
}

func (u *users) EnsureUser(_ context.Context, user *feed.User) (*feed.User, error) {
	return user, nil
}
