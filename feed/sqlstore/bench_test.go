package sqlstore_test

import (
	"context"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// BenchmarkReferenceFeed reads a page of a viewer who follows 300 authors by the reference query.
func BenchmarkReferenceFeed(b *testing.B) {
	benchPages(b, func(ctx context.Context, s *sqlstore.Store, r feed.Range) ([]feed.Key, error) {
		return s.Feed(ctx, townViewer, r)
	})
}

// BenchmarkOutbox reads a page of 30 merged outboxes, more than most pages pull.
func BenchmarkOutbox(b *testing.B) {
	authors := townList()[:30]
	benchPages(b, func(ctx context.Context, s *sqlstore.Store, r feed.Range) ([]feed.Key, error) {
		return s.Outbox(ctx, authors, r)
	})
}

// BenchmarkCovered reads the posts that a build puts into an inbox.
func BenchmarkCovered(b *testing.B) {
	benchPages(b, func(ctx context.Context, s *sqlstore.Store, r feed.Range) ([]feed.Key, error) {
		r.Limit = feed.DefaultPolicy().InboxCap
		return s.Covered(ctx, townViewer, feed.FolloweeFilter{}, r)
	})
}

// reader reads one page.
type reader func(ctx context.Context, s *sqlstore.Store, r feed.Range) ([]feed.Key, error)

func benchPages(b *testing.B, read reader) {
	for _, db := range backends(b) {
		b.Run(db.name, func(b *testing.B) {
			s := townTemplate.open(b, db)
			b.Run("first", func(b *testing.B) { benchPage(b, s, firstPage(), read) })
			b.Run("deep", func(b *testing.B) { benchPage(b, s, deepPage(), read) })
		})
	}
}

func benchPage(b *testing.B, s *sqlstore.Store, r feed.Range, read reader) {
	for b.Loop() {
		if keys, err := read(b.Context(), s, r); err != nil || len(keys) == 0 {
			b.Fatal(len(keys), err)
		}
	}
}
