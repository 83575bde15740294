package live_test

import (
	"testing"

	"github.com/tideline-feeds/tideline/feed/live"
)

// BenchmarkCachedPage reads a cached first page of twenty from stores in memory, to measure the
// domain.
func BenchmarkCachedPage(b *testing.B) {
	s := newStage(b)
	for id := live.ID(1); id <= 15; id++ {
		s.schedule(bob, id)
		s.schedule(cem, 100+id)
	}
	s.start(bob, 1, 2)
	s.start(cem, 101)
	s.end(bob, 1)
	size := 20
	read := func() {
		if page, err := s.Live.Feed.Page(b.Context(), ann, live.Query{First: &size}); err != nil || len(page.Entries) != size {
			b.Fatalf("a page of %+v, %v", page, err)
		}
	}
	read()
	for b.Loop() {
		read()
	}
	b.ReportAllocs()
}
