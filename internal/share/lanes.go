package share

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"time"
)

// Runner runs calls, none of which depends on another, and tells the end of each, in their
// order, as it comes.
type Runner[C any] func(ctx context.Context, calls []C, ended func(i int, err error))

// Lanes are what calls run on. A trip on a lane takes along what waits in every queue: where
// it is one round trip to a server, all of it costs little more than the first. Make them
// with [New], and their queues with [NewGather] and [NewErrands] before the first call.
type Lanes[C any] struct {
	run    Runner[C]
	width  int
	common func(error) bool
	// patience is for how long those who wait leave it to the trip under way to come back for
	// them; 0 when they do not. later calls a function when that has passed.
	patience time.Duration
	later    func(time.Duration, func())

	mu sync.Mutex
	// under are the trips under way, and begun is how many there have been.
	under []*trip[C]
	begun int
	// watching says that somebody looks, after patience, whether those who wait were met.
	watching bool
	queues   []queue[C]
}

// New returns lanes for so many trips at once. A failure that is common is everybody's whom
// it meets: that of a server that is away, for example. Whoever meets another one, which may
// be about what somebody else has asked, asks again by himself.
func New[C any](width int, run Runner[C], common func(error) bool) *Lanes[C] {
	return &Lanes[C]{run: run, width: width, common: common}
}

// Patient has one trip under way at a time as long as each is back within some time, so that
// as many as can be meet in one, and returns l. Trips that take longer are left to themselves,
// and those who wait go on another lane.
func (l *Lanes[C]) Patient(patience time.Duration) *Lanes[C] {
	l.patience = patience
	l.later = func(d time.Duration, do func()) { time.AfterFunc(d, do) }
	return l
}

// queue is what waits for a lane. Its methods are called with the mutex held.
type queue[C any] interface {
	// waits says whether there is anything to go.
	waits() bool
	// next takes what is to go on the next trip, and appends it.
	next(rides []ride[C]) []ride[C]
	// drop takes out what is not to go any more.
	drop(ride[C])
}

// ride is a call and those who wait for it.
type ride[C any] interface {
	// begin returns the call.
	begin() C
	// end tells the readers that it has ended.
	end(err error)
	boarded() *passenger[C]
}

// passenger is what lanes know of a ride.
type passenger[C any] struct {
	// ctx carries what that of the first reader does, and never ends.
	ctx context.Context
	// done is closed at the end, and err, the failure, set before that.
	done chan struct{}
	err  error

	// The mutex of the lanes guards the rest. readers is how many wait.
	readers int
	// trip is the one it is on; nil before that.
	trip *trip[C]
	over bool
}

func newPassenger[C any](ctx context.Context) passenger[C] {
	return passenger[C]{ctx: context.WithoutCancel(ctx), done: make(chan struct{})}
}

func (p *passenger[C]) boarded() *passenger[C] { return p }

// arrive tells the readers.
func (p *passenger[C]) arrive(err error) {
	p.err = err
	close(p.done)
}

// await waits for a ride from a queue to end, and returns its failure, or that of the
// context, which wins; when late says something, [context.DeadlineExceeded]. Somebody who does
// not wait any longer leaves the others their ride. One that nobody waits for does not take
// place, and is broken off with those beside it if nobody waits for them either.
func (l *Lanes[C]) await(ctx context.Context, late <-chan time.Time, q queue[C], r ride[C]) error {
	p := r.boarded()
	why := context.DeadlineExceeded
	select {
	case <-p.done:
		if p.err != nil && ctx.Err() != nil {
			return ctx.Err()
		}
		return p.err
	case <-late:
	case <-ctx.Done():
		why = ctx.Err()
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
	return why
}

// mayRetry says whether whoever meets a failure may do better by himself.
func (l *Lanes[C]) mayRetry(ctx context.Context, err error) bool {
	return ctx.Err() == nil && !l.common(err)
}

// trip is some rides together. It is broken off when nobody waits for any of them.
type trip[C any] struct {
	stop  context.CancelFunc
	rides []ride[C]
	// slow says that others do not wait for its return.
	slow bool
}

// left breaks the trip off when nobody waits any more. The mutex is held.
func (t *trip[C]) left() {
	for _, r := range t.rides {
		if p := r.boarded(); p.readers > 0 && !p.over {
			return
		}
	}
	t.stop()
}

// wake begins a trip when a lane is free, and none will soon come back for those who wait. The
// mutex is held.
func (l *Lanes[C]) wake() {
	switch {
	case len(l.under) >= l.width:
	case l.expected():
		l.watch()
	case l.waits():
		go l.travel(l.open())
	}
}

// waits says whether anybody waits for a trip. The mutex is held.
func (l *Lanes[C]) waits() bool { return slices.ContainsFunc(l.queues, queue[C].waits) }

// expected says whether a trip is under way that will soon be back. The mutex is held.
func (l *Lanes[C]) expected() bool {
	return l.patience > 0 && slices.ContainsFunc(l.under, func(t *trip[C]) bool { return !t.slow })
}

// watch looks after a while whether those who wait were met. When no trip has begun meanwhile,
// those under way are slow. The mutex is held.
func (l *Lanes[C]) watch() {
	if l.watching {
		return
	}
	l.watching = true
	begun := l.begun
	l.later(l.patience, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.watching = false
		if !l.waits() {
			return
		}
		if l.begun == begun {
			for _, t := range l.under {
				t.slow = true
			}
		}
		l.wake()
	})
}

// open takes a lane for a trip. The mutex is held.
func (l *Lanes[C]) open() *trip[C] {
	t := &trip[C]{}
	l.under = append(l.under, t)
	l.begun++
	return t
}

// board has all that waits get on a trip; false when nothing does any more.
func (l *Lanes[C]) board(t *trip[C]) (context.Context, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, q := range l.queues {
		t.rides = q.next(t.rides)
	}
	if len(t.rides) == 0 {
		return nil, false
	}
	for _, r := range t.rides {
		r.boarded().trip = t
	}
	ctx, stop := context.WithCancel(t.rides[0].boarded().ctx) //nolint:gosec // whoever makes the trip, or leaves it last, calls stop
	t.stop = stop
	return ctx, true
}

// travel makes a trip, and those that have been waiting for it to end.
func (l *Lanes[C]) travel(t *trip[C]) {
	for t != nil {
		// Whoever could run now may be about to ask for something as well. On an idle machine
		// there is nobody, and it goes on at once.
		runtime.Gosched()
		if ctx, ok := l.board(t); ok {
			l.ride(ctx, t.rides)
			t.stop()
		}
		t = l.after(t)
	}
}

// after returns the trip to make after one that has ended. It is nil when nobody waits, or
// for another trip, and then the lane is free.
func (l *Lanes[C]) after(ended *trip[C]) *trip[C] {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.under = slices.DeleteFunc(l.under, func(t *trip[C]) bool { return t == ended })
	switch {
	case l.expected():
		l.watch()
		return nil
	case l.waits():
		return l.open()
	}
	return nil
}

// errNotRun is why a ride fails whose call was not run, and nobody said why.
var errNotRun = errors.New("the call was not run")

// ride runs the calls. A panic is an error of those that have not ended by then: nobody
// catches it on a goroutine that belongs to no request.
func (l *Lanes[C]) ride(ctx context.Context, rides []ride[C]) {
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
	calls := make([]C, len(rides))
	for i, r := range rides {
		calls[i] = r.begin()
	}
	l.run(ctx, calls, end)
}
