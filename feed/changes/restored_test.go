package changes_test

import (
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/changes"
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
		_, err := w.Ingest(t.Context(), feed.SourceBatch{Source: "shop", Batch: feed.Batch{
			Records: []feed.Record{{Line: 1, Post: post}}, Owned: feed.OwnedTypes(), Ordered: true,
		}})
		if err != nil {
			t.Fatal(err)
		}
		catchUp(t, f)
		c.takes(t, "the "+state.name, "posts [7] users []")
	}
}
