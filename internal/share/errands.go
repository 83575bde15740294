package share

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// errandsMax is how many errands one trip takes, so that those who come first are not kept
// waiting by all who came with them.
const errandsMax = 64

// Errands are short calls of one reader each. All that wait go on the next trip.
type Errands[C any] struct {
	lanes   *Lanes[C]
	waiting []ride[C]
	// within is how long anybody waits; 0 for as long as his context says.
	within time.Duration
	// timers have ended, and are used again.
	timers sync.Pool
}

// errand is one of them.
type errand[C any] struct {
	passenger[C]
	call C
}

// NewErrands returns errands that go on some lanes.
func NewErrands[C any](l *Lanes[C]) *Errands[C] {
	es := &Errands[C]{lanes: l}
	l.queues = append(l.queues, es)
	return es
}

// Within has nobody wait for longer than that, whatever his context says, and returns es. It
// does what a context with a timeout would, without one for each who waits.
func (es *Errands[C]) Within(d time.Duration) *Errands[C] {
	es.within = d
	return es
}

// Do runs a call that make returns, and, when that fails for what may be somebody else's
// fault, another one. What a call leaves behind it leaves on another goroutine, and only if Do
// returns nil may it be looked at: otherwise the call may still go on. The context that make
// gets carries what ctx does, and never ends.
func (es *Errands[C]) Do(ctx context.Context, make func(ctx context.Context) C) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	e := newErrand(ctx, make)
	es.join(e)
	err := es.await(ctx, e)
	if err != nil && !es.isLate(err) && es.lanes.mayRetry(ctx, err) {
		e = newErrand(ctx, make)
		es.lanes.ride(ctx, []ride[C]{e})
		err = e.err
	}
	return err
}

// await waits for an errand as [Lanes.await] does.
func (es *Errands[C]) await(ctx context.Context, e *errand[C]) error {
	if es.within == 0 {
		return es.lanes.await(ctx, nil, es, e)
	}
	timer, used := es.timers.Get().(*time.Timer)
	if used {
		timer.Reset(es.within)
	} else {
		timer = time.NewTimer(es.within)
	}
	defer func() {
		timer.Stop() // nothing comes from it any more, also when it was about to
		es.timers.Put(timer)
	}()
	return es.lanes.await(ctx, timer.C, es, e)
}

// isLate says whether an error is that of somebody who has waited for as long as anybody does.
func (es *Errands[C]) isLate(err error) bool {
	return es.within > 0 && errors.Is(err, context.DeadlineExceeded)
}

func newErrand[C any](ctx context.Context, make func(ctx context.Context) C) *errand[C] {
	p := newPassenger[C](ctx)
	return &errand[C]{passenger: p, call: make(p.ctx)} //nolint:contextcheck // it is what ctx carries
}

// join has an errand wait for the next trip, and begins one when it may.
func (es *Errands[C]) join(e *errand[C]) {
	es.lanes.mu.Lock()
	defer es.lanes.mu.Unlock()
	e.readers = 1
	es.waiting = append(es.waiting, e)
	es.lanes.wake()
}

// waits implements [queue].
func (es *Errands[C]) waits() bool { return len(es.waiting) > 0 }

// next implements [queue].
func (es *Errands[C]) next(rides []ride[C]) []ride[C] {
	n := min(len(es.waiting), errandsMax)
	rides = append(rides, es.waiting[:n]...)
	es.waiting = slices.Delete(es.waiting, 0, n)
	return rides
}

// drop implements [queue].
func (es *Errands[C]) drop(dropped ride[C]) {
	es.waiting = slices.DeleteFunc(es.waiting, func(r ride[C]) bool { return r == dropped })
}

// begin implements [ride].
func (e *errand[C]) begin() C { return e.call }

// end implements [ride].
func (e *errand[C]) end(err error) { e.arrive(err) }
