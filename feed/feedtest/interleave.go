package feedtest

import (
	"runtime"
	"runtime/debug"
)

// Actor is a read, a task or a run of changes that interleaves with others. Other actors may run
// between two of its calls to a store.
type Actor = func()

// Interleave runs actors side by side on one service, always one of them at a time.
// Before every call that a read or a task makes to a store, choose says who goes on:
// it gets the number of actors that are not done, at least 2, and returns one of
// them, from 0. What one actor does between two calls is one step, so the same
// choices make the same run, and all choices make all runs there are.
//
// A panic in an actor, which is how package rapid ends a test, ends the others where
// they are and goes on in the caller.
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

// Turn lets the others have their turn, as a call to a store does.
func (s *Service) Turn() { s.pause() }

// Atomically does something in one step.
func (s *Service) Atomically(do func()) {
	was := s.yield
	s.yield = nil
	defer func() { s.yield = was }()
	do()
}

// interleaving is a run of actors, each on a goroutine of its own, of which at most
// one is not waiting.
type interleaving struct {
	// ready are the actors that are not done.
	ready []*actor
	// current is the one whose turn it is.
	current *actor
	// aborted: who is waiting is to end.
	aborted bool
}

// actor is one goroutine: it waits for its turn on one channel, and says on the other
// that the turn is over.
type actor struct {
	turn, over chan struct{}
	done       bool
	panicked   any
}

// errAborted unwinds an actor that is not to go on.
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

// step gives the i-th of those who are ready its turn.
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

// yield ends the current actor's turn and returns when it has the next.
func (r *interleaving) yield() {
	a := r.current
	a.over <- struct{}{}
	<-a.turn
	if r.aborted {
		panic(errAborted{})
	}
}

// end lets the goroutines end that are waiting.
func (r *interleaving) end() {
	r.aborted = true
	for _, a := range r.ready {
		a.turn <- struct{}{}
		<-a.over
	}
}

// EverySchedule calls run with every sequence of choices, one after the other, like an odometer
// whose places have as many digits as there are actors to choose from. A run must do the same for
// the same choices. EverySchedule returns the number of runs, and stops if run returns false.
//
// The process uses one processor meanwhile: only one actor runs at a time, and waking another one
// on a second processor takes as long as its turn. So it must not be used in parallel tests.
func EverySchedule(run func(choose func(n int) int) bool) (runs int) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	// Every run leaves a service behind, which is small. Collecting them one by one took a
	// quarter of the time.
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
