package viewercache

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
)

func TestEdges_AreFoundAndLimited(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := map[feed.UserID]feed.Edge{}
		var cached edges
		for range rapid.IntRange(1, 8).Draw(t, "reads") {
			others := rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) feed.UserID { return feed.UserID(rapid.Int64Range(1, 500).Draw(t, "user")) }), 1, 120, rapid.ID).Draw(t, "others")
			others = slices.DeleteFunc(others, func(o feed.UserID) bool {
				_, met := want[o]
				return met
			})
			found := make([]feed.Edge, len(others))
			if len(want)+len(others) > mostKept {
				clear(want)
			}
			for i, other := range others {
				found[i] = feed.Edge{Follows: rapid.Bool().Draw(t, "follows"), Mutes: rapid.Bool().Draw(t, "mutes"), HiddenBy: rapid.Bool().Draw(t, "hidden")}
				want[other] = found[i]
			}
			cached = cached.with(others, found)
		}
		for other := feed.UserID(1); other <= 500; other++ {
			edge, is := cached.to(other)
			if e, was := want[other]; is != was || edge != e {
				t.Fatalf("the edge to %d is %+v, %v; it was %+v, %v", other, edge, is, e, was)
			}
		}
	})
}
