package feed

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func anyKey() *rapid.Generator[Key] {
	return rapid.Custom(func(t *rapid.T) Key {
		return Key{TS: rapid.Int64Range(0, 3).Draw(t, "ts"), ID: rapid.SampledFrom([]int64{1, 2, 9, 10, math.MaxInt64 - 1, math.MaxInt64}).Draw(t, "id")}
	})
}

func TestKey_OrdersByTimeThenID(t *testing.T) {
	want := []Key{{5, 1}, {3, 10833}, {3, 1673}, {3, 627}, {1, math.MaxInt64}}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, func(a, b Key) int { return b.Compare(a) })
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
	r := Range{Above: Key{1, 5}, Below: Key{2, 5}}
	for key, want := range map[Key]bool{{1, 5}: false, {1, 6}: true, {2, 4}: true, {2, 5}: false, {0, 9}: false} {
		if got := r.Holds(key); got != want {
			t.Errorf("Holds(%v) = %v, want %v", key, got, want)
		}
	}
	if (Range{Above: Key{1, 5}, Below: Key{1, 7}}).Empty() || !(Range{Above: Key{1, 5}, Below: Key{1, 6}}).Empty() {
		t.Error("Empty does not tell a range with one key from one with none")
	}
}

func TestParseID_AcceptsOnlyDecimalIDs(t *testing.T) {
	for in, want := range map[string]PostID{"1": 1, "9223372036854775807": math.MaxInt64} {
		if got, err := ParsePostID(in); err != nil || got != want {
			t.Errorf("ParsePostID(%q) = %v, %v", in, got, err)
		}
	}
	for _, in := range []string{"", "0", "-1", "+1", "01", "9223372036854775808", "1e3", "x", " 1"} {
		if _, err := ParsePostID(in); CodeOf(err) != CodeInvalid {
			t.Errorf("ParsePostID(%q) gives %v, want INVALID", in, err)
		}
	}
}
