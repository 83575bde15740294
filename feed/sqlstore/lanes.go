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

// lanes are what the rounds of one or several gathers run on. A trip on a lane takes the
// oldest round of every kind that waits: where a trip is one round trip to the database, all
// of them cost little more than the first.
type lanes struct {
	run runner
	// width is how many trips are under way at once.
	width int

	mu sync.Mutex
	// busy is how many are.
	busy   int
	queues []queue
}

// queue is a gather, as its lanes see it.
type queue interface {
	// next takes the oldest round that waits; nil when none does. The mutex is held.
	next() ride
}

// ride is a round, whatever it reads.
type ride interface {
	// begin returns its statement.
	begin() *statement
	// end tells its readers that it has been run, or why not.
	end(err error)
	boarded() *passenger
}

// passenger is what lanes know of a round. Their mutex guards all of it but ctx.
type passenger struct {
	ctx context.Context
	// readers is how many wait for it.
	readers int
	// trip is the one it is on; nil before that.
	trip *trip
	over bool
}

func (p *passenger) boarded() *passenger { return p }

// trip is some rounds that run together. It is broken off when nobody waits for any of them.
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

// next takes the oldest round of every kind; nil when none waits. The mutex is held.
func (l *lanes) next() (context.Context, *trip) {
	t := &trip{}
	for _, q := range l.queues {
		if r := q.next(); r != nil {
			r.boarded().trip = t
			t.rides = append(t.rides, r)
		}
	}
	if len(t.rides) == 0 {
		return nil, nil
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

// errNotRun is why a round fails whose statement was not run, and nobody said why.
var errNotRun = errors.New("the statement was not run")

// ride runs the rounds. A panic is an error of the rounds that have not been run by then:
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
