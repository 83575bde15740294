package fanout_test

import (
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
)

// sends returns a step that ingests the record of post 1, deleted or not, with an event.
func sends(v fixture.Service, deleted bool) func() {
	p := feed.Post{ID: 1, Author: star, Kind: feed.KindPost, Text: "a post", PublishedAt: v.Clock.Millis()}
	return func() {
		record := p
		if deleted {
			record.DeletedAt = v.Clock.Millis()
		}
		_, err := v.Ingester.Ingest(v.Context(), feed.SourceBatch{
			Source: "shop", Dispatch: feed.FirstDispatch{EventDue: v.Clock.Millis()},
			Batch: feed.Batch{Records: []feed.Record{{Line: 1, Post: &record}}, Owned: feed.OwnedTypes(), Ordered: true},
		})
		v.Must(err)
	}
}

// A post is deleted and restored during its first fan-out.
func TestInterleavings_RestoredPostReachesFollowers(t *testing.T) {
	for name, deletedBefore := range map[string]bool{"restored": true, "deleted and restored": false} {
		t.Run(name, func(t *testing.T) {
			fixture.Interleaving{
				Mode:     feed.FanoutPush,
				OneBatch: true,
				Before: func(v fixture.Service) {
					v.Follow(ann, star)
					sends(v, false)()
					if deletedBefore {
						sends(v, true)()
					}
					v.BuildInbox(ann)
				},
				Actors: func(v fixture.Service) []feedtest.Actor {
					again := sends(v, false)
					return []feedtest.Actor{
						func() { v.FanOut(1) },
						func() {
							if !deletedBefore {
								sends(v, true)()
								v.Yield()
							}
							again()
							v.FanOut(1)
						},
					}
				},
				Want: []feed.PostID{1},
			}.RunWith(t, 100_000, true)
		})
	}
}
