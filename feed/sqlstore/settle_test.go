package sqlstore_test

import (
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
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

// A post arrives after its comment, while an answer to that comment is published, which read the comment before.
func TestSettle_FindsAnswerPublishedMeanwhile(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		for when, settlesFirst := range map[string]bool{"before the post arrives": false, "after it has arrived": true} {
			t.Run(when, func(t *testing.T) {
				s := b.open(t)
				v := feed.ObjectVersion{Number: 1}
				must(t, ingestBatchesOf(t.Context(), s, []feed.Record{
					{User: townUser(1), Version: v},
					{User: townUser(2), Version: v},
					{Version: v, Post: &feed.Post{ID: 2, Author: 2, Kind: feed.KindComment, ReplyTo: 1, Text: "x", PublishedAt: townStart}},
				}, 3))
				arrives := func() {
					must(t, ingestBatchesOf(t.Context(), s, []feed.Record{{Version: v, Post: &feed.Post{
						ID: 1, Author: 1, Kind: feed.KindPost, Text: "x", PublishedAt: townStart, Audience: feed.AudienceFollowers,
					}}}, 1))
				}
				if settlesFirst {
					arrives()
				}
				answer := feed.Post{ID: 3, Author: 2, Kind: feed.KindComment, ReplyTo: 2, Text: "y", PublishedAt: townStart + 1}
				_, err := s.Publish(t.Context(), &answer, feed.Idempotency{}, eventAt(1))
				must(t, err)
				if !settlesFirst {
					arrives()
				}
				posts, err := s.Posts(t.Context(), []feed.PostID{2, 3})
				must(t, err)
				for _, p := range posts {
					same(t, []any{p.Audience, p.AudienceAuthor}, []any{feed.AudienceFollowers, feed.UserID(1)})
				}
			})
		}
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

// A parent with more waiting comments than a batch settles is awaited again until all of them are settled.
func TestSettle_GoesOnInSlices(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		s.Set(sqlstore.SettleMax(2))
		v := feed.ObjectVersion{Number: 1}
		// A comment on each of the first ones, all before the post that they answer.
		comments := []feed.Record{{User: townUser(1), Version: v}, {User: townUser(2), Version: v}}
		var waiting []feed.PostID
		for id := feed.PostID(2); id <= 12; id++ {
			parent := feed.PostID(1)
			if id > 8 {
				parent = id - 7
			}
			comments = append(comments, feed.Record{Version: v, Post: &feed.Post{
				ID: id, Author: 2, Kind: feed.KindComment, ReplyTo: parent, Text: "x", PublishedAt: townStart, Audience: feed.AudienceOfParent,
			}})
			waiting = append(waiting, id)
		}
		must(t, ingestBatchesOf(t.Context(), s, comments, len(comments)))
		unsettled := func() (n int) {
			posts, err := s.Posts(t.Context(), waiting)
			must(t, err)
			for _, p := range posts {
				if p.AudienceAuthor != 1 || p.Audience != feed.AudienceFollowers {
					n++
				}
			}
			return n
		}
		same(t, unsettled(), len(waiting))
		must(t, ingestBatchesOf(t.Context(), s, []feed.Record{{Version: v, Post: &feed.Post{
			ID: 1, Author: 1, Kind: feed.KindPost, Text: "x", PublishedAt: townStart, Audience: feed.AudienceFollowers,
		}}}, 1))
		same(t, unsettled(), len(waiting)-2)
		for more := true; more; {
			before := unsettled()
			var err error
			more, err = s.Cleanup(t.Context(), 0, 0, 2)
			must(t, err)
			if settled := before - unsettled(); settled > 2 {
				t.Errorf("a call has settled %d posts", settled)
			}
		}
		same(t, unsettled(), 0)
	})
}
