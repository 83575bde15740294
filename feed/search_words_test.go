package feed_test

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
)

// The longest word is looked up in the index, so the order of a query's words does not matter.
// Names and queries are cut to what is stored.
func TestSearchWords_AreSplitFoldedAndLimited(t *testing.T) {
	fixture.Same(t, "of a handle and a name", feed.SearchWords("Ann_Smith.99", "  Ann O'Neill-ÅBERG  "),
		"ann", "smith", "99", "o", "neill", "åberg")
	fixture.Same(t, "of signs", feed.SearchWords("___", "🌊"), "___", "🌊")
	fixture.Same(t, "of nothing", feed.SearchWords("", "  "))
	fixture.Same(t, "of a query", feed.QueryWords("a LONG query long"), "query", "long", "a")
	fixture.Same(t, "of a blank query", feed.QueryWords(" \n"))
	long := feed.SearchWords(strings.Repeat("é", 65), "a b c d e f g h i j k l m n o p q r s t")
	fixture.Same(t, "how many words a user has", []int{len(long)}, 16)
	fixture.Same(t, "the longest word", long[:1], strings.Repeat("é", 64))
}

func TestWordPlace_GroupsWordsByPrefix(t *testing.T) {
	letter := rapid.StringOf(rapid.RuneFrom([]rune("abyzé名🌊")))
	rapid.Check(t, func(t *rapid.T) {
		prefix := rapid.StringOfN(rapid.RuneFrom([]rune("abyzé名🌊")), 1, 4, -1).Draw(t, "prefix")
		word := prefix + letter.Draw(t, "rest")
		place := feed.WordPlace(word)
		if place > feed.WordPlace(prefix) || place < 1 || place >= 1<<56 {
			t.Fatalf("%q has place %d, and %q has %d", word, place, prefix, feed.WordPlace(prefix))
		}
		r := feed.WithinPrefix(feed.Range{Above: feed.Bottom, Below: feed.Top}, prefix)
		for _, id := range []int64{1, math.MaxInt64} {
			if !r.Holds(feed.Key{TS: place, ID: id}) {
				t.Fatalf("%q is not where words stand that begin with %q", word, prefix)
			}
		}
		// A word that is elsewhere in the alphabet must have a place elsewhere.
		other := letter.Draw(t, "other")
		n := min(len(prefix), 7)
		if inside := r.Holds(feed.Key{TS: feed.WordPlace(other), ID: 1}); inside != (len(other) >= n && other[:n] == prefix[:n]) {
			t.Fatalf("%q stands where words begin with %q: %t", other, prefix, inside)
		}
		if a, b := feed.WordPlace(other), place; a != b && (a > b) != (other < word) {
			t.Fatalf("%q and %q are in the wrong order", other, word)
		}
	})
}

func TestWithinPrefix_StaysWithinRange(t *testing.T) {
	r := feed.Range{Above: feed.Key{TS: feed.WordPlace("tidez"), ID: 5}, Below: feed.Key{TS: feed.WordPlace("tide"), ID: 7}, Limit: 3, Ascending: true}
	if got := feed.WithinPrefix(r, "tid"); got.Above != r.Above || got.Below != r.Below || got.Limit != 3 || !got.Ascending {
		t.Errorf("%+v becomes %+v", r, got)
	}
	if got := feed.WithinPrefix(r, "zebra"); !got.Empty() {
		t.Errorf("%+v is not empty", got)
	}
}
