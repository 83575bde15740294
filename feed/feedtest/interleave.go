package feedtest

import (
	"runtime"
	"runtime/debug"
)

// Actor is a read, a task or a run of changes that interleaves with others. Other actors may run
// between two of its calls to a store.
type Actor = func()

// Interleave runs actors on one service, one at a time. Before every call of a read or a task to a
// store, choose selects the next actor: it gets the number of unfinished actors, at least 2, and
// returns the index of one. The actions of an actor between two calls are one step, so the same
// choices repeat a run, and all choices together make all possible runs.
//
// A panic in an actor, by which package rapid ends a test, stops the others and continues in the
// caller.
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

// Turn lets the other actors run, as a call to a store does.
func (s *Service) Turn() { s.pause() }

// Atomically runs do in one step.
func (s *Service) Atomically(do func()) {
	was := s.yield
	s.yield = nil
	defer func() { s.yield = was }()
	do()
}

// interleaving is a run of actors on goroutines, of which at most one is not waiting.
type interleaving struct {
	// ready are the actors that are not done.
	ready []*actor
	// current is the one whose turn it is.
	current *actor
	// aborted makes waiting actors end.
	aborted bool
}

// actor is one goroutine: it waits for its turn on one channel, and says on the other
// that the turn is over.
type actor struct {
	turn, over chan struct{}
	done       bool
	panicked   any
}

// errAborted unwinds an actor that must end.
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

// step runs a step of the i-th ready actor.
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

// end ends the waiting goroutines.
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
	// Each run leaves a small service as garbage. Collecting it each time took a quarter of the
	// time.
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
