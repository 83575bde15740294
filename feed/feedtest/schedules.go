package feedtest

import (
	"flag"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

const (
	// plainOrders and sampledOrders limit how many orders [Schedules] plays of a test with more: those
	// in which at most one actor is interrupted, and any others.
	plainOrders, sampledOrders = 30, 10
	// shortOrders and shortSample are for make quick, which sets -short.
	shortOrders, shortSample = 4, 1
	// mostOrders is more than any test has, and [Schedules] fails there.
	mostOrders = 100_000
)

// Schedules calls run with sequences of choices until it returns false or, with the build tag
// nightly, with every possible sequence. Otherwise it draws a sample, and no sequence twice. First come
// those in which at most one actor is interrupted while it could go on. They show most mistakes.
// Of the others, all are about as likely. The flag -rapid.checks sets the number of others. A run must
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
	seed, plain, others := rand.Uint64(), plainOrders, sampledOrders
	if testing.Short() {
		plain, others = shortOrders, shortSample
	}
	for name, set := range map[string]func(v any){
		"rapid.checks": func(v any) { others = v.(int) },  //nolint:forcetypeassert // package rapid defines it
		"rapid.seed":   func(v any) { seed = v.(uint64) }, //nolint:forcetypeassert // package rapid defines it
	} {
		if isSet(name) {
			set(flag.Lookup(name).Value.(flag.Getter).Get())
		}
	}
	s := sampler{random: rand.New(rand.NewPCG(seed, 0)), lengths: map[int]int{}}
	for more := true; more && !s.root.played && runs < mostOrders; runs++ {
		if s.plain = !s.root.plain && runs < plain; !s.plain && !Nightly {
			if others == 0 {
				break
			}
			others--
		}
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
	// plain limits the current sequence to one interruption. interrupted says that it had one, and last is
	// the actor of the last step, -1 at the beginning.
	plain, interrupted bool
	last               int
	// lengths is the most steps that each actor took in a run, and taken its steps in the current one.
	lengths, taken map[int]int
}

// place is what a sequence of choices leads to.
type place struct {
	// next has a place for each choice, nil if it was never made.
	next []*place
	// played is set when all sequences that continue this one were drawn, and plain when all those
	// with at most one interruption were.
	played, plain bool
	// second has the choices after which a sequence has more than one interruption.
	second []bool
}

func (s *sampler) begin() {
	s.path, s.taken, s.interrupted, s.last = []*place{&s.root}, map[int]int{}, false, -1
}

// choose draws an actor. If actors have a and b steps left, as far as is known from earlier runs, a of
// a+b sequences begin with a step of the first.
func (s *sampler) choose(actors []int) int {
	at, running := s.path[len(s.path)-1], slices.Contains(actors, s.last)
	if at.next == nil {
		at.next, at.second = make([]*place, len(actors)), make([]bool, len(actors))
		for i, a := range actors {
			at.second[i] = s.interrupted && running && a != s.last
		}
	}
	weights, total := make([]int, len(actors)), 0
	for i, a := range actors {
		if !at.drawn(i, s.plain) {
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
	s.interrupted = s.interrupted || running && actors[chosen] != s.last
	s.last = actors[chosen]
	s.taken[s.last]++
	return chosen
}

// drawn reports whether all sequences with a choice were drawn. If plain is set, those with more than
// one interruption do not count.
func (p *place) drawn(choice int, plain bool) bool {
	next := p.next[choice]
	if plain {
		return p.second[choice] || next != nil && next.plain
	}
	return next != nil && next.played
}

// end marks the sequence as drawn.
func (s *sampler) end() {
	for a, n := range s.taken {
		s.lengths[a] = max(s.lengths[a], n)
	}
	for i := len(s.path) - 1; i >= 0; i-- {
		p := s.path[i]
		p.played, p.plain = true, true
		for choice := range p.next {
			p.played, p.plain = p.played && p.drawn(choice, false), p.plain && p.drawn(choice, true)
		}
		if p.played {
			p.next = nil
		}
	}
}

// played returns the modes that tests play: with -short only the one that mixes both.
func played() []feed.FanoutMode {
	if testing.Short() {
		return []feed.FanoutMode{feed.FanoutHybrid}
	}
	return modes()
}
