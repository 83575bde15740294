package feed_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
)

// listOf is a Lister over keys in any order.
func listOf(keys []feed.Key) feed.Lister {
	return func(_ context.Context, r feed.Range) ([]feed.Key, error) {
		var in []feed.Key
		for _, k := range keys {
			if r.Holds(k) {
				in = append(in, k)
			}
		}
		slices.SortFunc(in, feed.Key.Compare)
		if !r.Ascending {
			slices.Reverse(in)
		}
		return in[:min(len(in), r.Limit)], nil
	}
}

// example is testdata/worked-example.json.
type example struct {
	PageSize int
	Outboxes map[string][][2]int64
	Inbox    [][2]int64
	Pages    [][][2]int64
	SlideUp  struct {
		Inbox [][2]int64
		Pages [][]int64
	}
}

func keysOf(pairs [][2]int64) []feed.Key {
	out := make([]feed.Key, len(pairs))
	for i, p := range pairs {
		out[i] = feed.Key{TS: p[1] * 1000, ID: p[0]}
	}
	return out
}

func readExample(t *testing.T) (ex example) {
	t.Helper()
	b, err := os.ReadFile("testdata/worked-example.json")
	if err = errors.Join(err, json.Unmarshal(b, &ex)); err != nil {
		t.Fatal(err)
	}
	return ex
}

// pagesOf fails the test unless lists are merged to these pages of ids.
func pagesOf(t *testing.T, lists []feed.Lister, size int, want [][]int64) {
	t.Helper()
	r := feed.Range{Above: feed.Bottom, Below: feed.Top, Limit: size}
	for n, page := range want {
		var ids []int64
		got := mergedRun(t, r, lists, size)
		for _, k := range got {
			ids = append(ids, k.ID)
		}
		if !slices.Equal(ids, page) {
			t.Fatalf("page %d is %v, want %v", n+1, ids, page)
		}
		if len(got) > 0 {
			r = r.After(got[len(got)-1])
		}
	}
}

func TestMerge_PagesWorkedExample(t *testing.T) {
	ex := readExample(t)
	lists := []feed.Lister{listOf(keysOf(ex.Inbox))}
	for _, author := range slices.Sorted(maps.Keys(ex.Outboxes)) {
		lists = append(lists, listOf(keysOf(ex.Outboxes[author])))
	}
	var want [][]int64
	for _, page := range ex.Pages {
		var ids []int64
		for _, key := range page {
			ids = append(ids, key[0])
		}
		want = append(want, ids)
	}
	pagesOf(t, lists, ex.PageSize, want)
}

func TestMerge_AscendsThroughEqualTimes(t *testing.T) {
	ex := readExample(t)
	pagesOf(t, []feed.Lister{listOf(keysOf(ex.SlideUp.Inbox))}, ex.PageSize, ex.SlideUp.Pages)
}

func mergedRun(t interface{ Fatal(...any) }, r feed.Range, lists []feed.Lister, n int) []feed.Key {
	var sources []*feed.ListStream
	for _, l := range lists {
		sources = append(sources, feed.NewListStream(l, r))
	}
	got, err := feed.Take(context.Background(), feed.Merge(r, sources...), n)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// Known systems lose entries when they merge sources that are fetched to different depths. This
// compares with sorting everything.
func TestMerge_EqualsSortedUnion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var lists []feed.Lister
		all := map[feed.Key]bool{}
		for range rapid.IntRange(1, 4).Draw(t, "sources") {
			keys := rapid.SliceOfDistinct(anyKey(), rapid.ID[feed.Key]).Draw(t, "keys")
			lists = append(lists, listOf(keys))
			for _, k := range keys {
				all[k] = true
			}
		}
		r := feed.Range{Above: feed.Bottom, Below: feed.Top, Ascending: rapid.Bool().Draw(t, "ascending"), Limit: rapid.IntRange(1, 5).Draw(t, "chunk")}
		want, err := listOf(slices.Collect(maps.Keys(all)))(context.Background(), feed.Range{Above: feed.Bottom, Below: feed.Top, Ascending: r.Ascending, Limit: 1000})
		if err != nil {
			t.Fatal(err)
		}
		if got := mergedRun(t, r, lists, len(all)+1); !slices.Equal(got, want) {
			t.Fatalf("merged %v, want %v", got, want)
		}
	})
}

func TestCollect_ReplacesHiddenKeys(t *testing.T) {
	var keys []feed.Key
	for i := int64(1); i <= 500; i++ {
		keys = append(keys, feed.Key{TS: i, ID: i})
	}
	r := feed.Range{Above: feed.Bottom, Below: feed.Top, Limit: 3}
	everyHundredth := func(_ context.Context, keys []feed.Key) ([]feed.Key, error) {
		return slices.DeleteFunc(keys, func(k feed.Key) bool { return k.ID%100 != 0 }), nil
	}
	for want := 1; want <= 6; want++ {
		got, err := feed.Collect(t.Context(), feed.NewListStream(listOf(keys), r), want, everyHundredth)
		if err != nil || len(got) != min(want, 5) || got[0].ID != 500 {
			t.Errorf("asked for %d, got %v, %v", want, got, err)
		}
	}
}

// The largest inbox takes few fetches and judgements, whatever the size of the page, if all of it is hidden.
func TestCollect_JudgesHiddenKeysInFewChunks(t *testing.T) {
	const largest = 10_000
	keys := make([]feed.Key, largest)
	for i := range keys {
		keys[i] = feed.Key{TS: int64(largest - i), ID: 1}
	}
	for want := 2; want <= feed.DefaultPolicy().PageMax+1; want++ {
		fetches, judgements := 0, 0
		list := func(ctx context.Context, r feed.Range) ([]feed.Key, error) {
			fetches++
			return listOf(keys)(ctx, r)
		}
		stream := feed.NewListStream(list, feed.Range{Below: feed.Top, Limit: want})
		got, err := feed.Collect(t.Context(), stream, want, func(context.Context, []feed.Key) ([]feed.Key, error) {
			judgements++
			return nil, nil
		})
		if err != nil || len(got) > 0 || fetches > 20 || judgements > 20 {
			t.Errorf("a page of %d takes %d fetches and %d judgements, and has %v, %v", want, fetches, judgements, got, err)
		}
	}
}

func TestStream_StopsAtError(t *testing.T) {
	broken := func(context.Context, feed.Range) ([]feed.Key, error) { return nil, fmt.Errorf("broken") }
	r := feed.Range{Above: feed.Bottom, Below: feed.Top, Limit: 3}
	s := feed.Chain(feed.Merge(r, feed.NewListStream(listOf([]feed.Key{{1, 1}}), r), feed.NewListStream(broken, r)))
	if _, err := feed.Take(context.Background(), s, 1); err == nil {
		t.Error("a merge handed out a key although one source could not be read")
	}
}

func anyKey() *rapid.Generator[feed.Key] {
	return rapid.Custom(func(t *rapid.T) feed.Key {
		return feed.Key{TS: rapid.Int64Range(0, 3).Draw(t, "ts"), ID: rapid.SampledFrom([]int64{1, 2, 9, 10, math.MaxInt64 - 1, math.MaxInt64}).Draw(t, "id")}
	})
}

func TestKey_OrdersByTimeThenID(t *testing.T) {
	want := []feed.Key{{5, 1}, {3, 10833}, {3, 1673}, {3, 627}, {1, math.MaxInt64}}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, func(a, b feed.Key) int { return b.Compare(a) })
	if !slices.Equal(got, want) {
		t.Errorf("feed order is %v, want %v", got, want)
	}
}

func TestKey_NextAndPrevAreAdjacent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := anyKey().Draw(t, "key")
		if next := k.Next(); !next.Newer(k) || (next.Prev() != k && next.ID != 0) {
			t.Fatalf("%v is followed by %v, which is preceded by %v", k, next, next.Prev())
		}
		if other := anyKey().Draw(t, "other"); other.Newer(k) && k.Next().Newer(other) {
			t.Fatalf("%v stands between %v and its next key %v", other, k, k.Next())
		}
	})
}

func TestRange_ExcludesItsEnds(t *testing.T) {
	r := feed.Range{Above: feed.Key{1, 5}, Below: feed.Key{2, 5}}
	for key, want := range map[feed.Key]bool{{1, 5}: false, {1, 6}: true, {2, 4}: true, {2, 5}: false, {0, 9}: false} {
		if got := r.Holds(key); got != want {
			t.Errorf("Holds(%v) = %v, want %v", key, got, want)
		}
	}
	if (feed.Range{Above: feed.Key{1, 5}, Below: feed.Key{1, 7}}).Empty() || !(feed.Range{Above: feed.Key{1, 5}, Below: feed.Key{1, 6}}).Empty() {
		t.Error("Empty does not tell a range with one key from one with none")
	}
}

func TestParseID_AcceptsOnlyDecimalIDs(t *testing.T) {
	for in, want := range map[string]feed.PostID{"1": 1, "9223372036854775807": math.MaxInt64} {
		if got, err := feed.ParsePostID(in); err != nil || got != want {
			t.Errorf("ParsePostID(%q) = %v, %v", in, got, err)
		}
	}
	for _, in := range []string{"", "0", "-1", "+1", "01", "9223372036854775808", "1e3", "x", " 1"} {
		if _, err := feed.ParsePostID(in); feed.CodeOf(err) != feed.CodeInvalid {
			t.Errorf("ParsePostID(%q) gives %v, want INVALID", in, err)
		}
	}
}
