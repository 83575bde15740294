package changes_test

import (
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/changes"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
)

// Another process may have the post as deleted.
func TestCatchUp_EvictsRestoredPosts(t *testing.T) {
	w, c := newWorld(t), &cache{}
	f := &changes.Follower{Log: w, Cache: c}
	catchUp(t, f)
	for _, state := range []struct {
		name      string
		deletedAt int64
	}{{"arrival", 0}, {"deletion", 2}, {"return", 0}} {
		c.done = nil
		post := &feed.Post{ID: 7, Author: 1, Kind: feed.KindPost, Text: "x", PublishedAt: 1, DeletedAt: state.deletedAt}
		fixture.Got(w.Ingest(t.Context(), feed.SourceBatch{Source: "shop", Batch: feed.Batch{
			Records: []feed.Record{{Line: 1, Post: post}}, Owned: feed.OwnedTypes(), Ordered: true,
		}})).Must(t)
		catchUp(t, f)
		c.takes(t, "the "+state.name, "posts [7] users []")
	}
}
