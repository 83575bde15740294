package viewercache_test

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/timeline"
	"github.com/tideline-feeds/tideline/feed/viewercache"
)

// oneEntry keeps the entry of one viewer.
type oneEntry struct{ of *viewercache.Entry }

func (o *oneEntry) Get(feed.UserID) *viewercache.Entry      { return o.of }
func (o *oneEntry) Put(_ feed.UserID, e *viewercache.Entry) { o.of = e }

// fixedEdges are relations that never change, and the users whose edges were read last.
type fixedEdges struct {
	feed.Relations
	edges map[feed.UserID]feed.Edge
	asked []feed.UserID
}

func (f *fixedEdges) ViewerVersion(context.Context, feed.UserID) (feed.ViewerVersion, error) {
	return feed.ViewerVersion{Version: 1, Now: 1}, nil
}

func (f *fixedEdges) Edges(_ context.Context, _ feed.UserID, others []feed.UserID) ([]feed.Edge, error) {
	f.asked = others
	found := make([]feed.Edge, len(others))
	for i, other := range others {
		found[i] = f.edges[other]
	}
	return found, nil
}

// keptMax is how many edges of a viewer are kept at most.
const keptMax = 300

func TestCache_FindsAndLimitsEdges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		store := &fixedEdges{edges: map[feed.UserID]feed.Edge{}}
		for user := feed.UserID(1); user <= 500; user++ {
			store.edges[user] = feed.Edge{Follows: rapid.Bool().Draw(t, "follows"), Mutes: user%3 == 0, HiddenBy: user%7 == 0}
		}
		cache := &viewercache.Cache{Direct: &timeline.Direct{Relations: store}, Local: &oneEntry{}}
		kept := map[feed.UserID]bool{}
		for range rapid.IntRange(1, 8).Draw(t, "reads") {
			others := rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) feed.UserID { return feed.UserID(rapid.Int64Range(1, 500).Draw(t, "user")) }), 1, 120, rapid.ID).Draw(t, "others")
			missing := slices.DeleteFunc(slices.Clone(others), func(o feed.UserID) bool { return kept[o] })
			if len(kept)+len(missing) > keptMax {
				clear(kept)
			}
			for _, other := range missing {
				kept[other] = true
			}
			store.asked = nil
			found, err := cache.State(ann).Edges(context.Background(), others)
			if err != nil || !slices.Equal(store.asked, missing) && len(store.asked)+len(missing) > 0 {
				t.Fatalf("asked for %v, %v; want %v", store.asked, err, missing)
			}
			for i, other := range others {
				if found[i] != store.edges[other] {
					t.Fatalf("the edge to %d is %+v, want %+v", other, found[i], store.edges[other])
				}
			}
		}
	})
}
