package redisstore_test

import (
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// BenchmarkAnnounce announces a post without listeners, and to one listening process.
func BenchmarkAnnounce(b *testing.B) {
	url := testenv.Redis(b)
	a := redisstore.NewAnnouncements(open(b, url))
	announce := func(b *testing.B) {
		for b.Loop() {
			must(b, a.Announce(b.Context(), feed.Announcement{Post: 1 << 62, Author: 1}))
		}
	}
	b.Run("nobody listens", announce)
	ready := make(chan struct{})
	go func() { _ = a.Listen(b.Context(), func() { close(ready) }, func(feed.Announcement) {}) }()
	<-ready
	b.Run("one listens", announce)
}
