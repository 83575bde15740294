package feedtest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// order plays two or three actors with so many steps each, and returns who made each step.
func order(choose Choose, steps ...int) (order []int) {
	left, ready := slices.Clone(steps), []int{0, 1, 2}[:len(steps)]
	for len(ready) > 0 {
		i := choose(ready)
		actor := ready[i]
		order = append(order, actor)
		if left[actor]--; left[actor] == 0 {
			ready = slices.Concat(ready[:i], ready[i+1:])
		}
	}
	return order
}

func TestSchedules_DrawsNoOrderTwice(t *testing.T) {
	countsOrders(t)
	for _, c := range []struct {
		steps []int
		want  int
	}{
		{[]int{3, 2}, 10},
		{[]int{1, 1, 1}, 6},
		// Each of eight steps of either actor may be the last before the other runs.
		{[]int{8, 8}, 2*8 + sampledOrders},
		{[]int{4, 4, 4}, plainOrders + sampledOrders},
	} {
		seen := map[string]bool{}
		runs := Schedules(t, func(choose Choose) bool {
			seen[fmt.Sprint(order(choose, c.steps...))] = true
			return true
		})
		if !Nightly && runs != c.want || len(seen) != runs {
			t.Errorf("%v steps: %d runs of %d orders, want %d", c.steps, runs, len(seen), c.want)
		}
	}
}

// countsOrders skips a test with -short, which plays fewer.
func countsOrders(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("with -short fewer orders are played")
	}
}

func TestSchedules_InterruptOneActorFirst(t *testing.T) {
	countsOrders(t)
	n, seen := 0, map[string]bool{}
	Schedules(t, func(choose Choose) bool {
		played := fmt.Sprint(order(choose, 4, 4))
		if n++; n <= 2*4 {
			seen[played] = true
		}
		return true
	})
	for i := range 4 {
		for a := range 2 {
			first, other := slices.Repeat([]int{a}, i+1), slices.Repeat([]int{1 - a}, 4)
			if want := fmt.Sprint(slices.Concat(first, other, slices.Repeat([]int{a}, 3-i))); !seen[want] {
				t.Errorf("the order %s is not among the first, which are %v", want, seen)
			}
		}
	}
}

// A quarter of the orders of 4 and 12 steps begin with the first actor.
func TestSampler_DrawsEvenly(t *testing.T) {
	s, first := sampler{random: rand.New(rand.NewPCG(1, 2)), lengths: map[int]int{}}, 0
	const draws = 200
	for range draws {
		s.begin()
		if order(s.choose, 4, 12)[0] == 0 {
			first++
		}
		s.end()
	}
	if first < draws/8 || first > draws*3/8 {
		t.Errorf("%d of %d orders begin with the first actor, want about a quarter", first, draws)
	}
}
