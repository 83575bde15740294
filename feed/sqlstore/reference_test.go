package sqlstore_test

import (
	"fmt"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// The limit per author must not count excluded posts, or a page would be short although the feed
// goes on.
func TestFeed_PageFullWhenNewestHidden(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		fillWithHiddenReposts(t, s)
		keys, err := s.Feed(t.Context(), townViewer, feed.Range{Below: feed.Top, Limit: 3})
		if err != nil {
			t.Fatal(err)
		}
		want := []feed.Key{{TS: townStart + 3, ID: 3}, {TS: townStart + 2, ID: 2}, {TS: townStart + 1, ID: 1}}
		same(t, keys, want)
	})
}

// fillWithHiddenReposts gives the viewer's only followee three posts and then ten newer reposts of
// a muted user.
func fillWithHiddenReposts(t *testing.T, s *sqlstore.Store) {
	t.Helper()
	followee, muted := townAuthor(0), townAuthor(1)
	batch := []feed.Record{
		{User: townUser(townViewer)},
		{User: townUser(followee)},
		{User: townUser(muted)},
		{Follow: &feed.FollowRecord{Follower: townViewer, Followee: followee, CreatedAt: townStart}},
		{Relation: &feed.RelationRecord{Kind: feed.RelationMute, User: townViewer, Target: muted, CreatedAt: townStart}},
		{Post: &feed.Post{ID: 100, Author: muted, Kind: feed.KindPost, Text: "mine", PublishedAt: townStart}},
	}
	for i := range 13 {
		p := &feed.Post{ID: feed.PostID(i + 1), Author: followee, Kind: feed.KindPost, Text: "tide", PublishedAt: townStart + int64(i+1)}
		if i >= 3 {
			p.Kind, p.RepostOf = feed.KindRepost, 100
		}
		batch = append(batch, feed.Record{Post: p})
	}
	importAll(t, s, batch)
}

// The store never creates such chains, but posts that arrive in any order may form one, and a read
// must end.
func TestFeed_LeavesOutEndlessChains(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		importAll(t, s, []feed.Record{
			{User: townUser(townViewer)},
			{Post: &feed.Post{ID: 1, Author: townViewer, Kind: feed.KindPost, Text: "tide", PublishedAt: townStart}},
			{Post: &feed.Post{ID: 2, Author: townViewer, Kind: feed.KindRepost, RepostOf: 1, PublishedAt: townStart + 1}},
			{Post: &feed.Post{ID: 3, Author: townViewer, Kind: feed.KindPost, Text: "tide", PublishedAt: townStart + 2}},
		})
		// Post 10 reposts 3, and each of the others the one before.
		depth := int64(feed.DefaultPolicy().RepostDepth)
		for _, stmt := range []string{
			"UPDATE contents SET kind = 'REPOST', repost_of = 2 WHERE id = 1",
			fmt.Sprintf(`
INSERT INTO contents (id, author_id, kind, text, repost_of, published_at)
WITH RECURSIVE n (id) AS (SELECT 10 UNION ALL SELECT id + 1 FROM n WHERE id < 11 + %d)
SELECT id, %d, 'REPOST', '', CASE WHEN id = 10 THEN 3 ELSE id - 1 END, %d + id FROM n`, depth, townViewer, townStart),
		} {
			if err := s.Exec(t.Context(), stmt); err != nil {
				t.Fatal(err)
			}
		}
		keys, err := s.Feed(t.Context(), townViewer, feed.Range{Below: feed.Top, Limit: 99})
		if err != nil {
			t.Fatal(err)
		}
		var want []feed.Key
		for id := 9 + depth; id >= 10; id-- {
			want = append(want, feed.Key{TS: townStart + id, ID: id})
		}
		same(t, keys, append(want, feed.Key{TS: townStart + 2, ID: 3}))
	})
}
