package share

import (
	"context"
	"slices"
	"testing"
)

// placesOf answers each key with its place in the list of its call, and says where a key stands
// that was not asked for.
func placesOf(t *testing.T) *Gather[int, int, *loading] {
	return NewGather(New(lanesOfTests, inTurn, isAway), func(_ context.Context, keys Keys[int]) (*loading, func() []int) {
		l := &loading{keys: keys.List, load: func(context.Context, []int) ([]int, error) { return nil, nil }}
		return l, func() []int {
			places := make([]int, len(keys.List))
			for i, key := range keys.List {
				place, there := keys.Place(key)
				if other, is := keys.Place(-key); is || !there {
					t.Errorf("of %v, %d is there: %v, and %d at %d", keys.List, key, there, -key, other)
				}
				places[i] = place
			}
			return places
		}
	})
}

// None finds the keys of another round.
func TestAKeyStandsWhereItIsInItsOwnRound(t *testing.T) {
	g := placesOf(t)
	for round := range 20 {
		keys, want := []int{}, []int{}
		for i := range 3 + round*20 {
			// Every second round asks for what stands nowhere in the one before it.
			keys, want = append(keys, (1+i)*(1-2*(round%2))), append(want, i)
		}
		got, err := g.Read(t.Context(), keys)
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("of round %d the places are %v, %v", round, got, err)
		}
	}
}
