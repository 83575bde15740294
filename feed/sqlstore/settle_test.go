package sqlstore_test

import (
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

// The batches of a comment and of its parent may run at the same time, and neither sees the other.
func TestSettle_FindsCommentsOfConcurrentBatches(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		comment := &feed.Post{ID: 2, Author: 2, Kind: feed.KindComment, ReplyTo: 1, Text: "x", PublishedAt: townStart, Audience: feed.AudienceOfParent}
		must(t, ingestBatchesOf(t.Context(), s, []feed.Record{
			{User: townUser(1), Version: feed.ObjectVersion{Number: 1}},
			{User: townUser(2), Version: feed.ObjectVersion{Number: 1}},
			{Post: comment, Version: feed.ObjectVersion{Number: 1}},
		}, 3))
		must(t, s.Exec(t.Context(), `
INSERT INTO contents (id, author_id, kind, text, published_at, audience, audience_author) VALUES (1, 1, 'POST', 'x', 1, 1, 1)`))
		_, err := s.Cleanup(t.Context(), 0, 0, 10)
		must(t, err)
		posts, err := s.Posts(t.Context(), []feed.PostID{2})
		must(t, err)
		same(t, []any{posts[0].Audience, posts[0].AudienceAuthor}, []any{feed.AudienceFollowers, feed.UserID(1)})
	})
}

// A bulk import asks this for each of its posts.
func TestSettle_ReadsItsIndexes(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := townTemplate.open(t, b)
		mustPlan(t, b, s.Explain, s.SettleStatements(), map[string]wantedPlan{
			"comments": reads("idx_unsettled_comments").neverScanning("contents", "p"),
			"reposts":  reads("idx_unsettled_reposts").neverScanning("contents", "p"),
		})
	})
}
