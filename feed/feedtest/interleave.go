package feedtest

import (
	"runtime"
	"runtime/debug"
)

// Actor is a read, a task or a series of changes. Other actors may run between two of its store
// calls.
type Actor = func()

// Interleave runs actors on one service, one at a time. Before every store call of a read or a
// task, choose selects the next actor. Its argument is the number of unfinished actors, at least 2.
// It returns an index. The actions of an actor between two calls are one step. The same choices
// repeat a run, and all choices together make all possible runs.
//
// If an actor panics, Interleave stops the others and panics in the caller. Package rapid ends a
// test by a panic.
func (s *Service) Interleave(actors []Actor, choose func(n int) int) {
	run := &interleaving{}
	for _, do := range actors {
		run.start(do)
	}
	s.yield = run.yield
	defer func() {
		s.yield = nil
		run.end()
	}()
	for len(run.ready) > 0 {
		i := 0
		if n := len(run.ready); n > 1 {
			i = choose(n)
		}
		run.step(i)
	}
}

// Yield lets the other actors run, as a store call does.
func (s *Service) Yield() { s.pause() }

// Atomically runs do in one step.
func (s *Service) Atomically(do func()) {
	was := s.yield
	s.yield = nil
	defer func() { s.yield = was }()
	do()
}

// interleaving runs actors in goroutines. At most one of them is not waiting.
type interleaving struct {
	// ready are the unfinished actors.
	ready []*actor
	// current is the running actor.
	current *actor
	// aborted makes waiting actors exit.
	aborted bool
}

// actor is one goroutine. One channel starts its turn, the other reports the end of the turn.
type actor struct {
	turn, over chan struct{}
	done       bool
	panicked   any
}

// errAborted unwinds an aborted actor.
type errAborted struct{}

func (r *interleaving) start(do Actor) {
	a := &actor{turn: make(chan struct{}), over: make(chan struct{})}
	r.ready = append(r.ready, a)
	go func() {
		defer close(a.over)
		defer func() {
			a.done = true
			a.panicked = recover()
		}()
		<-a.turn
		if !r.aborted {
			do()
		}
	}()
}

// step runs one step of the i-th ready actor.
func (r *interleaving) step(i int) {
	a := r.ready[i]
	r.current = a
	a.turn <- struct{}{}
	<-a.over
	if !a.done {
		return
	}
	r.ready = append(r.ready[:i:i], r.ready[i+1:]...)
	if a.panicked != nil {
		panic(a.panicked)
	}
}

// yield ends the current actor's turn and returns at its next turn.
func (r *interleaving) yield() {
	a := r.current
	a.over <- struct{}{}
	<-a.turn
	if r.aborted {
		panic(errAborted{})
	}
}

// end ends the waiting goroutines.
func (r *interleaving) end() {
	r.aborted = true
	for _, a := range r.ready {
		a.turn <- struct{}{}
		<-a.over
	}
}

// EverySchedule calls run with every sequence of choices, in the order of an odometer. A run must
// behave the same for the same choices. EverySchedule returns the number of runs. It stops if run
// returns false.
//
// Do not use it in parallel tests: it limits the process to one processor. Only one actor runs at a
// time, and waking an actor on a second processor takes as long as its turn.
func EverySchedule(run func(choose func(n int) int) bool) (runs int) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	// Each run leaves little garbage. Collecting it after each run took a quarter of the time.
	defer debug.SetGCPercent(debug.SetGCPercent(1000))
	type place struct{ digit, digits int }
	var places []place
	for {
		at := 0
		more := run(func(n int) int {
			if at == len(places) {
				places = append(places, place{0, n})
			}
			at++
			return places[at-1].digit
		})
		runs++
		places = places[:at]
		for len(places) > 0 && places[len(places)-1].digit == places[len(places)-1].digits-1 {
			places = places[:len(places)-1]
		}
		if !more || len(places) == 0 {
			return runs
		}
		places[len(places)-1].digit++
	}
}
