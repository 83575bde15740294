package viewercache

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
)

// someEntry draws an entry, without posts, which are not encoded.
func someEntry() *rapid.Generator[*Entry] {
	return rapid.Custom(func(t *rapid.T) *Entry {
		number := rapid.Int64Min(0)
		user := rapid.Custom(func(t *rapid.T) feed.UserID { return feed.UserID(rapid.Int64Min(1).Draw(t, "user")) })
		k := &Entry{
			version: feed.ViewerVersion{
				Version: number.Draw(t, "version"), Own: number.Draw(t, "own"), Flags: number.Draw(t, "marks"),
				Generation: number.Draw(t, "generation"),
			},
			since: number.Draw(t, "since"),
		}
		if rapid.Bool().Draw(t, "with whom to pull") {
			k.pulled = &pulledAuthors{
				since: number.Draw(t, "since"), cold: rapid.Bool().Draw(t, "cold"), authors: rapid.SliceOfN(user, 0, 5).Draw(t, "pulled"),
			}
		}
		if rapid.Bool().Draw(t, "with his own") {
			key := rapid.Custom(func(t *rapid.T) feed.Key { return feed.Key{TS: number.Draw(t, "time"), ID: number.Draw(t, "id")} })
			k.own = &ownOutbox{keys: rapid.SliceOfN(key, 0, 5).Draw(t, "keys"), all: rapid.Bool().Draw(t, "all")}
		}
		others := rapid.SliceOfNDistinct(user, 0, 5, rapid.ID).Draw(t, "others")
		found := make([]feed.Edge, len(others))
		for i := range found {
			found[i] = decodeEdge(rapid.Byte().Draw(t, "edge"))
		}
		k.edges = k.edges.with(others, found)
		return k
	})
}

// comparing compares unexported fields, and takes nil and empty lists for equal.
func comparing() cmp.Option {
	return cmp.Options{
		cmp.AllowUnexported(Entry{}, pulledAuthors{}, ownOutbox{}, edgeTo{}),
		cmp.Transformer("keys", func(keys []feed.Key) string { return fmt.Sprint(keys) }),
		cmp.Transformer("users", func(users []feed.UserID) string { return fmt.Sprint(users) }),
	}
}

func TestEncoding_RoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := someEntry().Draw(t, "cached")
		if diff := cmp.Diff(want, decode(want.encode()), comparing()); diff != "" {
			t.Fatalf("the entry, and what is decoded:\n%s", diff)
		}
	})
}

// Redis may hold anything. An entry that is cut off, too long, or of another version of the
// program is ignored and fails no read.
func TestEncoding_IgnoresMalformedEntries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		encoded := someEntry().Draw(t, "cached").encode()
		cut := rapid.IntRange(0, len(encoded)-1).Draw(t, "cut at")
		if k := decode(encoded[:cut]); k != nil {
			t.Fatalf("%d bytes of %d decode to %+v", cut, len(encoded), k)
		}
		if k := decode(append(slices.Clone(encoded), 0)); k != nil {
			t.Fatalf("with a further byte, it decodes to %+v", k)
		}
		other := slices.Clone(encoded)
		other[0]++
		if k := decode(other); k != nil {
			t.Fatalf("an entry of another version decodes to %+v", k)
		}
		decode(append([]byte{encodingFormat}, rapid.SliceOf(rapid.Byte()).Draw(t, "anything")...))
	})
}

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
				found[i] = decodeEdge(rapid.Byte().Draw(t, "edge"))
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
