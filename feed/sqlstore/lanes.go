package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
)

// statement is one statement to be run.
type statement struct {
	// ctx carries what belongs to whoever asked first, such as a trace, and never ends.
	ctx  context.Context
	text string
	args []any
	// row is called with each row in turn.
	row func(scanner) error
}

// runner runs statements one after the other, each as of a moment of its own, and tells the
// end of each as it comes, in their order.
type runner func(ctx context.Context, statements []*statement, ended func(i int, err error))

// lanes are what reads run on. A trip on a lane takes along what waits of every kind: where
// it is one round trip to the database, all of it costs little more than the first.
type lanes struct {
	run runner
	// width is how many trips are under way at once.
	width int

	mu sync.Mutex
	// busy is how many are.
	busy   int
	queues []queue
}

// queue is what waits for a lane. Its methods are called with the mutex held.
type queue interface {
	// next takes what is to go on the next trip, and appends it.
	next(rides []ride) []ride
	// drop takes out what is not to go any more.
	drop(ride)
}

// ride is a statement and those who wait for it.
type ride interface {
	// begin returns its statement.
	begin() *statement
	// end tells its readers that it has been run, or why not.
	end(err error)
	boarded() *passenger
}

// passenger is what lanes know of a ride.
type passenger struct {
	// ctx carries what that of the first reader does, and never ends.
	ctx context.Context
	// done is closed at the end, and err, the failure, set before that.
	done chan struct{}
	err  error

	// The mutex of the lanes guards the rest. readers is how many wait.
	readers int
	// trip is the one it is on; nil before that.
	trip *trip
	over bool
}

func newPassenger(ctx context.Context) passenger {
	return passenger{ctx: context.WithoutCancel(ctx), done: make(chan struct{})}
}

func (p *passenger) boarded() *passenger { return p }

// arrive tells the readers.
func (p *passenger) arrive(err error) {
	p.err = err
	close(p.done)
}

// await waits for a ride from a queue to end, and returns its failure, or that of the
// context, which wins. Somebody who does not wait any longer leaves the others their ride. One
// that nobody waits for does not take place, and is broken off with those beside it if nobody
// waits for them either.
func (l *lanes) await(ctx context.Context, q queue, r ride) error {
	p := r.boarded()
	select {
	case <-p.done:
		if p.err != nil && ctx.Err() != nil {
			return ctx.Err()
		}
		return p.err
	case <-ctx.Done():
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	p.readers--
	switch {
	case p.readers > 0:
	case p.trip == nil:
		q.drop(r)
	default:
		p.trip.left()
	}
	return ctx.Err()
}

// trip is some rides together. It is broken off when nobody waits for any of them.
type trip struct {
	stop  context.CancelFunc
	rides []ride
}

// left breaks the trip off when nobody waits any more. The mutex is held.
func (t *trip) left() {
	for _, r := range t.rides {
		if p := r.boarded(); p.readers > 0 && !p.over {
			return
		}
	}
	t.stop()
}

// wake begins a trip when a lane is free. The mutex is held.
func (l *lanes) wake() {
	if l.busy >= l.width {
		return
	}
	if ctx, t := l.next(); t != nil {
		l.busy++
		go l.travel(ctx, t)
	}
}

// next makes a trip of what waits; nil when nothing does. The mutex is held.
func (l *lanes) next() (context.Context, *trip) {
	t := &trip{}
	for _, q := range l.queues {
		t.rides = q.next(t.rides)
	}
	if len(t.rides) == 0 {
		return nil, nil
	}
	for _, r := range t.rides {
		r.boarded().trip = t
	}
	ctx, stop := context.WithCancel(t.rides[0].boarded().ctx)
	t.stop = stop
	return ctx, t
}

// travel makes a trip, and those that have been waiting for it to end.
func (l *lanes) travel(ctx context.Context, t *trip) {
	for t != nil {
		l.ride(ctx, t.rides)
		t.stop()
		ctx, t = l.after()
	}
}

// after returns the trip to make after another; nil when nobody waits, and then the lane is
// free.
func (l *lanes) after() (context.Context, *trip) {
	l.mu.Lock()
	defer l.mu.Unlock()
	ctx, t := l.next()
	if t == nil {
		l.busy--
	}
	return ctx, t
}

// errNotRun is why a ride fails whose statement was not run, and nobody said why.
var errNotRun = errors.New("the statement was not run")

// ride runs the statements. A panic is an error of those that have not been run by then:
// nobody catches it on a goroutine that belongs to no request.
func (l *lanes) ride(ctx context.Context, rides []ride) {
	ended, failure := 0, errNotRun
	end := func(i int, err error) {
		rides[i].end(err)
		ended = i + 1
		l.mu.Lock()
		defer l.mu.Unlock()
		rides[i].boarded().over = true
	}
	defer func() {
		if p := recover(); p != nil {
			failure = fmt.Errorf("panic while reading: %v\n%s", p, debug.Stack())
		}
		for ended < len(rides) {
			end(ended, failure)
		}
	}()
	statements := make([]*statement, len(rides))
	for i, r := range rides {
		statements[i] = r.begin()
	}
	l.run(ctx, statements, end)
}
