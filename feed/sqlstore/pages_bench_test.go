package sqlstore_test

import (
	"context"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// BenchmarkPageReads reads what a page of twenty takes with nothing cached from PostgreSQL: by one
// reader, and by 32 that share round trips.
func BenchmarkPageReads(b *testing.B) {
	s := townTemplate.open(b, postgresBackend(b))
	b.Run("alone", func(b *testing.B) {
		for b.Loop() {
			if err := readPage(b.Context(), s, 0); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("together", func(b *testing.B) {
		b.SetParallelism(16)
		b.RunParallel(func(pb *testing.PB) {
			for page := 0; pb.Next(); page++ {
				if err := readPage(b.Context(), s, page); err != nil {
					b.Error(err)
				}
			}
		})
	})
}

// readPage reads the stages of a page one after the other, as the domain does.
func readPage(ctx context.Context, s *sqlstore.Store, page int) error {
	const size = 20
	posts, authors := make([]feed.PostID, size), make([]feed.UserID, size)
	for i := range size {
		posts[i], authors[i] = feed.PostID(1000+(page*size+i)%townPosts), townAuthor(page*size+i)
	}
	for _, stage := range []func() error{
		func() error {
			version, err := s.ViewerVersion(ctx, townViewer)
			if err != nil {
				return err
			}
			_, err = s.Pulled(ctx, townViewer, feed.Completeness{Generation: version.Generation, Version: 1})
			return err
		},
		func() error { _, err := s.Outbox(ctx, []feed.UserID{townViewer}, firstPage()); return err },
		func() error { _, err := s.Posts(ctx, posts); return err },
		func() error { _, err := s.Edges(ctx, townViewer, authors); return err },
		func() error { _, err := s.Users(ctx, authors); return err },
		func() error { _, err := s.PostCounters(ctx, posts); return err },
	} {
		if err := stage(); err != nil {
			return err
		}
	}
	return nil
}
