package live

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// sorted are positions in feed order after the zero position: each rule of it, and ids that are not
// in order when read as text.
func sorted() []Position {
	return []Position{
		{},
		{Live, noon + 2, 9},
		{Live, noon, 100},
		{Live, noon, 9},
		{Upcoming, noon - 5, 1},
		{Upcoming, noon, 100},
		{Upcoming, noon, 9},
		{Upcoming, noon + 2, 2000},
		{Replay, noon + 3, 9},
		{Replay, noon, 100},
		{Replay, noon, 9},
	}
}

func TestPosition_OrdersByState(t *testing.T) {
	want := sorted()
	for i, a := range want {
		for j, b := range want {
			got := a.Compare(b)
			if (i < j) != (got < 0) || (i == j) != (got == 0) {
				t.Errorf("%+v compared with %+v is %d", a, b, got)
			}
		}
	}
}

// Of equal scores the larger id comes first, in both states: one descending read of a set
// whose members are ids gives the order of feeds.
func TestPosition_ScoreIsFeedOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) Position {
			state := rapid.SampledFrom([]State{Live, Upcoming}).Draw(t, name)
			return Position{state, rapid.Int64Range(1, 4).Draw(t, name), ID(rapid.Int64Range(1, 3).Draw(t, name))}
		}
		a, b := draw("a"), draw("b")
		if AtScore(a.Score(), a.ID) != a {
			t.Fatalf("%+v has score %d, which is of %+v", a, a.Score(), AtScore(a.Score(), a.ID))
		}
		byScore := slices.Compare([]int64{b.Score(), int64(b.ID)}, []int64{a.Score(), int64(a.ID)})
		if byScore != a.Compare(b) {
			t.Fatalf("%+v compared with %+v is %d, by score %d", a, b, a.Compare(b), byScore)
		}
	})
}
