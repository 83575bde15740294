package lrucache_test

import (
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/lrucache"
)

// filled is a cache of the size that Tideline runs with, full.
func filled(b *testing.B) (*lrucache.Posts, lrucache.Evictor) {
	b.Helper()
	w := newWorld(roomy())
	o := lrucache.DefaultPosts()
	o.TTL = time.Hour
	cache := lrucache.NewPosts(w.store, o, time.Now)
	for id := range feed.ContentID(o.Size) {
		w.store.stored[id] = feed.Post{ID: id, Author: 1, AuthorMark: feed.MarkSelective}
		if _, err := cache.Posts(b.Context(), []feed.ContentID{id}); err != nil {
			b.Fatal(err)
		}
	}
	return cache, lrucache.Evictor{Posts: cache, Users: lrucache.NewUsers(&users{}, o, time.Now)}
}

// BenchmarkPage reads a page's worth of contents that are all held.
func BenchmarkPage(b *testing.B) {
	cache, _ := filled(b)
	var ids []feed.ContentID
	for id := range feed.ContentID(20) {
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

// BenchmarkEvictUser looks for the contents of somebody who has none there.
func BenchmarkEvictUser(b *testing.B) {
	_, evictor := filled(b)
	for b.Loop() {
		evictor.Evict(nil, []feed.UserID{2})
	}
}
