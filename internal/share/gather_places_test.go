package share

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
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

// Rounds that come after each other have their keys in the same memory. None finds another's.
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
	if len(g.spare) != 1 || len(g.spare[0]) != 0 {
		t.Errorf("%v are kept to be used again", g.spare)
	}
	if _, err := g.Read(t.Context(), slices.Collect(func(yield func(int) bool) {
		for key := 1; key <= spareKeys+1 && yield(key); key++ {
		}
	})); err != nil || len(g.spare) != 0 {
		t.Errorf("%v; %v are kept of a round that was large", err, g.spare)
	}
}

// What is begun before it is waited for goes on one trip, whichever is waited for first.
func TestReadsThatAreBegunTogetherGoOnOneTrip(t *testing.T) {
	k := newTwoKinds()
	first := k.ask(t.Context(), k.far, 1)
	k.wants(t, "the first trip", []int{1})
	near, far := k.near.Begin(t.Context(), []int{2, 3}), k.far.Begin(t.Context(), []int{4})
	k.goOn <- struct{}{}
	k.wants(t, "the trip for those that were begun", []int{2, 3}, []int{4})
	k.goOn <- struct{}{}
	for _, begun := range []Begun[int, int, *loading]{far, near} {
		values, err := begun.Wait(t.Context())
		if diff := cmp.Diff(begun.keys, values); err != nil || diff != "" {
			t.Errorf("%v; the values differ (-want +got):\n%s", err, diff)
		}
	}
	if err := <-first; err != nil {
		t.Error(err)
	}
}

func TestAReadThatIsBegunTooLateOrForNothingIsNone(t *testing.T) {
	k := newTwoKinds()
	if values, err := k.near.Begin(t.Context(), nil).Wait(t.Context()); values != nil || err != nil {
		t.Errorf("of no keys the values are %v, %v", values, err)
	}
	over, end := context.WithCancel(t.Context())
	end()
	if _, err := k.near.Begin(over, []int{1}).Wait(over); err == nil {
		t.Error("a read is begun whose time is over")
	}
}
