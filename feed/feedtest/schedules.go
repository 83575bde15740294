package feedtest

import (
	"flag"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"
)

const (
	// sampledOrders is how many orders [Schedules] plays of a test with more.
	sampledOrders = 20
	// mostOrders is more than any test has, and [Schedules] fails there.
	mostOrders = 100_000
)

// Schedules calls run with sequences of choices until it returns false or, with the build tag
// nightly, with every possible sequence. Otherwise it draws a sample: all sequences are about as
// likely, and none is drawn twice. The flag -rapid.checks sets the size of the sample. A run must
// behave the same for the same choices.
//
// Schedules returns the number of runs and logs it with the seed of the sample, which the flag
// -rapid.seed repeats.
//
// Do not use it in parallel tests: it limits the process to one processor. Only one actor runs at a
// time, and waking an actor on a second processor takes as long as its turn.
func Schedules(t *testing.T, run func(choose Choose) bool) (runs int) {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	// Each run leaves little garbage. Collecting it after each run took a quarter of the time.
	defer debug.SetGCPercent(debug.SetGCPercent(1000))
	seed, most := rand.Uint64(), sampledOrders
	if Nightly {
		most = mostOrders
	}
	for name, set := range map[string]func(v any){
		"rapid.checks": func(v any) { most = v.(int) },    //nolint:forcetypeassert // package rapid defines it
		"rapid.seed":   func(v any) { seed = v.(uint64) }, //nolint:forcetypeassert // package rapid defines it
	} {
		if isSet(name) {
			set(flag.Lookup(name).Value.(flag.Getter).Get())
		}
	}
	s := sampler{random: rand.New(rand.NewPCG(seed, 0)), lengths: map[int]int{}}
	for more := true; more && !s.root.played && runs < most; runs++ {
		s.begin()
		more = run(s.choose)
		s.end()
	}
	t.Logf("%d orders, all: %t, seed %d", runs, s.root.played, seed)
	if runs == mostOrders {
		t.Errorf("stopped after %d orders, want fewer in total", runs)
	}
	return runs
}

// sampler draws sequences of choices and none twice.
type sampler struct {
	random *rand.Rand
	root   place
	// path has the places of the current sequence.
	path []*place
	// lengths is the most steps that each actor took in a run, and taken its steps in the current one.
	lengths, taken map[int]int
}

// place is what a sequence of choices leads to.
type place struct {
	// next has a place for each choice, nil if it was never made.
	next []*place
	// played is set when all sequences that continue this one were drawn.
	played bool
}

func (s *sampler) begin() {
	s.path, s.taken = []*place{&s.root}, map[int]int{}
}

// choose draws an actor. If actors have a and b steps left, as far as is known from earlier runs, a of
// a+b sequences begin with a step of the first.
func (s *sampler) choose(actors []int) int {
	at := s.path[len(s.path)-1]
	if at.next == nil {
		at.next = make([]*place, len(actors))
	}
	weights, total := make([]int, len(actors)), 0
	for i, a := range actors {
		if at.next[i] == nil || !at.next[i].played {
			weights[i] = max(s.lengths[a]-s.taken[a], 1)
			total += weights[i]
		}
	}
	chosen, drawn := 0, s.random.IntN(total)
	for drawn >= weights[chosen] {
		drawn -= weights[chosen]
		chosen++
	}
	if at.next[chosen] == nil {
		at.next[chosen] = &place{}
	}
	s.path = append(s.path, at.next[chosen])
	s.taken[actors[chosen]]++
	return chosen
}

// end marks the sequence as drawn.
func (s *sampler) end() {
	for a, n := range s.taken {
		s.lengths[a] = max(s.lengths[a], n)
	}
	for i := len(s.path) - 1; i >= 0; i-- {
		p := s.path[i]
		if slices.ContainsFunc(p.next, func(next *place) bool { return next == nil || !next.played }) {
			return
		}
		p.played, p.next = true, nil
	}
}
