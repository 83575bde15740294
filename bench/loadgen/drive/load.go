package drive

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Request is a prepared request with a check of its response.
type Request struct {
	// Wire is the serialized request.
	Wire []byte
	// Check verifies the body of a response. It must be safe for concurrent use and must not retain
	// the body.
	Check func(body []byte) error
}

// Load configures a run.
type Load struct {
	// Addr is HOST:PORT of the server.
	Addr string
	// Conns is the number of connections.
	Conns int
	// For is the duration of the run. Requests in flight at its end are awaited and counted.
	For time.Duration
	// Rate is the number of requests per second of an open loop, or 0 for a closed loop.
	Rate float64
	// Seed seeds the random choice of requests.
	Seed uint64
	// Next draws the next request. Each connection passes its own source of random numbers.
	Next func(*rand.Rand) *Request
}

// The bounds of a histogram in microseconds, and its significant digits.
const (
	shortest = 1
	longest  = 60_000_000
	digits   = 3
)

// errorsMax is the number of bad responses after which a run ends, because its result is then
// meaningless.
const errorsMax = 10

// Run sends the load and returns the measurement. It returns the first error if responses are bad,
// and ends early after errorsMax of them. The result is valid in both cases.
func Run(ctx context.Context, l Load) (Result, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := &run{Load: l, cancel: cancel, began: time.Now()}
	r.until = r.began.Add(l.For)
	workers := make([]*worker, l.Conns)
	for i := range workers {
		c, err := Dial(ctx, l.Addr)
		if err != nil {
			return Result{}, err
		}
		defer func() { _ = c.Close() }()
		workers[i] = &worker{
			run: r, conn: c, times: hdrhistogram.New(shortest, longest, digits),
			rand: rand.New(rand.NewPCG(l.Seed, uint64(i))),
		}
	}
	// Exclude dialling from the measurement.
	r.began = time.Now()
	r.until = r.began.Add(l.For)
	var group sync.WaitGroup
	for _, w := range workers {
		group.Go(func() { w.work(ctx) })
	}
	group.Wait()
	return r.result(workers)
}

// run is the state that the connections of one load share.
type run struct {
	Load
	cancel       context.CancelFunc
	began, until time.Time
	sent, failed atomic.Int64
	first        atomic.Pointer[error]
}

// due returns the time of the next request, or false after the end of the run. In a closed loop
// that time is now.
func (r *run) due() (time.Time, bool) {
	n := r.sent.Add(1) - 1
	at := time.Now()
	if r.Rate > 0 {
		at = r.began.Add(time.Duration(float64(n) / r.Rate * float64(time.Second)))
	}
	return at, at.Before(r.until)
}

// fail counts a bad response.
func (r *run) fail(err error) {
	r.first.CompareAndSwap(nil, &err)
	if r.failed.Add(1) >= errorsMax {
		r.cancel()
	}
}

// worker is one connection.
type worker struct {
	run   *run
	conn  *Conn
	rand  *rand.Rand
	times *hdrhistogram.Histogram
	bytes int64
	last  time.Time
}

func (w *worker) work(ctx context.Context) {
	for ctx.Err() == nil {
		at, ok := w.run.due()
		if !ok || !sleepUntil(ctx, at) {
			return
		}
		if err := w.once(at); err != nil {
			w.run.fail(err)
			if err := w.conn.reopen(ctx); err != nil {
				return
			}
		}
	}
}

// once sends one request that is due at the given time.
func (w *worker) once(due time.Time) error {
	request := w.run.Next(w.rand)
	body, err := w.conn.Do(request.Wire)
	if err != nil {
		return err
	}
	w.last = time.Now()
	w.bytes += int64(len(body))
	// Clamp times to the bounds of the histogram.
	_ = w.times.RecordValue(min(max(w.last.Sub(due).Microseconds(), shortest), longest))
	return request.Check(body)
}

// sleepUntil waits until the given time. It returns false if ctx ends first.
func sleepUntil(ctx context.Context, at time.Time) bool {
	wait := time.Until(at)
	if wait <= 0 {
		return true
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// result merges the measurements of all connections.
func (r *run) result(workers []*worker) (Result, error) {
	times := hdrhistogram.New(shortest, longest, digits)
	var bytes int64
	last := r.began
	for _, w := range workers {
		times.Merge(w.times)
		bytes += w.bytes
		if w.last.After(last) {
			last = w.last
		}
	}
	out := newResult(r.Load, times, last.Sub(r.began), bytes, r.failed.Load())
	if first := r.first.Load(); first != nil {
		return out, fmt.Errorf("%d bad responses; the first: %w", r.failed.Load(), *first)
	}
	if out.Requests == 0 {
		return out, errors.New("no request got a response")
	}
	return out, nil
}
