package sqlstore_test

import (
	"fmt"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// addAwaited adds users and posts that have been awaited since time 1.
func addAwaited(t *testing.T, s *sqlstore.Store, n int) {
	t.Helper()
	numbers := fmt.Sprintf("WITH RECURSIVE n (id) AS (SELECT 1000000 UNION ALL SELECT id + 1 FROM n WHERE id < 1000000 + %d - 1)", n)
	for _, stmt := range []string{
		"INSERT INTO users (id, handle, handle_fold, name, created_at, absent, awaited_at) " + numbers +
			" SELECT id, '', 'none/' || id, '', 0, 1, 1 FROM n",
		"INSERT INTO awaited_posts (id, awaited_at) " + numbers + " SELECT id, 1 FROM n",
		"VACUUM",
		"ANALYZE",
	} {
		must(t, s.Exec(t.Context(), stmt))
	}
}

// A report must not sort or hold a million placeholders.
func TestReportSources_ReadsOldestFromIndex(t *testing.T) {
	const n = 3000
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		addAwaited(t, s, n)
		mustPlan(t, b, s.Explain, sqlstore.AwaitedStatements(), map[string]wantedPlan{
			"users": reads("idx_users_awaited").scanning("users"), "posts": reads("idx_awaited_posts").scanning("awaited_posts"),
		})
		r, err := s.ReportSources(t.Context())
		must(t, err)
		if r.Absent.Awaited != n || r.Posts.Awaited != n {
			t.Errorf("got %d users and %d posts, want %d of each", r.Absent.Awaited, r.Posts.Awaited, n)
		}
		if len(r.Absent.Oldest) != feed.OldestAwaited || r.Posts.Oldest[9] != (feed.Awaited[feed.PostID]{ID: 1_000_009, Since: 1}) {
			t.Errorf("the oldest are %v and %v", r.Absent.Oldest, r.Posts.Oldest)
		}
	})
}

// Two batches may overlap: one refers to a post that the other stores.
func TestCleanup_DropsAwaitedPostsThatAreStored(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		batch := feed.SourceBatch{Source: "shop", Batch: feed.Batch{Owned: feed.OwnedTypes(), Ordered: true, Records: []feed.Record{
			{Post: &feed.Post{ID: 1, Author: 2, Kind: feed.KindPost, Text: "a", PublishedAt: 1}},
			{Reaction: &feed.ReactionRecord{Reaction: feed.ReactionLike, User: 2, Post: 3, CreatedAt: 1}},
		}}}
		_, err := s.Ingest(t.Context(), batch)
		must(t, err)
		must(t, s.Exec(t.Context(), "INSERT INTO awaited_posts (id, awaited_at) SELECT 1, awaited_at FROM awaited_posts"))
		_, err = s.Cleanup(t.Context(), 0, 0, 10)
		must(t, err)
		r, err := s.ReportSources(t.Context())
		must(t, err)
		if r.Posts.Awaited != 1 || r.Posts.Oldest[0].ID != 3 {
			t.Errorf("the awaited posts are %+v, want post 3", r.Posts)
		}
	})
}
