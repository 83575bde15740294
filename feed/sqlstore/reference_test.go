package sqlstore_test

import (
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
		must(t, err)
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
