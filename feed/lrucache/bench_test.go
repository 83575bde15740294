package lrucache_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/lrucache"
)

// filled is a full cache of the default size.
func filled(b *testing.B) (*lrucache.Posts, lrucache.Evictor) {
	b.Helper()
	w := newWorld(roomy())
	o := lrucache.DefaultPosts()
	o.TTL = time.Hour
	cache := lrucache.NewPosts(w.store, o, time.Now)
	for id := range feed.PostID(o.Size) {
		w.store.stored[id] = feed.Post{ID: id, Author: 1}
		if _, err := cache.Posts(b.Context(), []feed.PostID{id}); err != nil {
			b.Fatal(err)
		}
	}
	return cache, evictorOf(cache, lrucache.NewUsers(&users{}, o, time.Now))
}

// BenchmarkPage reads a page of posts that are all cached.
func BenchmarkPage(b *testing.B) {
	cache, _ := filled(b)
	var ids []feed.PostID
	for id := range feed.PostID(20) {
		ids = append(ids, 49_000+id)
	}
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if _, err := cache.Posts(b.Context(), ids); err != nil {
				b.Error(err)
			}
		}
	})
}

// BenchmarkPages reads pages of posts that are spread over the cache.
func BenchmarkPages(b *testing.B) {
	cache, _ := filled(b)
	draw := rand.New(rand.NewPCG(1, 1))
	pages := make([][]feed.PostID, 5_000)
	for i := range pages {
		for range 20 {
			pages[i] = append(pages[i], feed.PostID(draw.IntN(lrucache.DefaultPosts().Size)))
		}
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := cache.Posts(b.Context(), pages[i%len(pages)]); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkEvictUser evicts a user without cached posts.
func BenchmarkEvictUser(b *testing.B) {
	_, evictor := filled(b)
	for b.Loop() {
		evictor.Evict(nil, []feed.UserID{2})
	}
}
