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

// Request is something to send.
type Request struct {
	// Wire is the whole request, as it goes over the connection.
	Wire []byte
	// Check says what is wrong with an answer's body. It is called by several goroutines
	// and must not keep the body.
	Check func(body []byte) error
}

// Load says what to send, and how.
type Load struct {
	// Addr is HOST:PORT of the server.
	Addr string
	// Conns is how many connections are open.
	Conns int
	// For is how long to send; requests under way then are waited for and counted.
	For time.Duration
	// Rate is how many requests a second to send in an open loop; 0 for a closed loop.
	Rate float64
	// Seed draws the requests.
	Seed uint64
	// Next draws the next request. Each connection has a source of random numbers of its
	// own.
	Next func(*rand.Rand) *Request
}

// The bounds of a histogram, in microseconds, and its digits.
const (
	shortest = 1
	longest  = 60_000_000
	digits   = 3
)

// errorsMax is after how many bad answers a run is given up: what is measured then is not
// what was to be measured.
const errorsMax = 10

// Run sends the load and returns what it took. Bad answers are an error: of the first one,
// after at most errorsMax of them. The result is valid nevertheless.
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
	// Dialling is not part of what is measured.
	r.began = time.Now()
	r.until = r.began.Add(l.For)
	var group sync.WaitGroup
	for _, w := range workers {
		group.Go(func() { w.work(ctx) })
	}
	group.Wait()
	return r.result(workers)
}

// run is what the connections of one load share.
type run struct {
	Load
	cancel       context.CancelFunc
	began, until time.Time
	sent, failed atomic.Int64
	first        atomic.Pointer[error]
}

// due returns when the next request is to be sent, and false when there is none any more.
// In a closed loop that is at once.
func (r *run) due() (time.Time, bool) {
	n := r.sent.Add(1) - 1
	at := time.Now()
	if r.Rate > 0 {
		at = r.began.Add(time.Duration(float64(n) / r.Rate * float64(time.Second)))
	}
	return at, at.Before(r.until)
}

// fail counts a bad answer.
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

// once sends one request that was due at some time.
func (w *worker) once(due time.Time) error {
	request := w.run.Next(w.rand)
	body, err := w.conn.Do(request.Wire)
	if err != nil {
		return err
	}
	w.last = time.Now()
	w.bytes += int64(len(body))
	// What is longer than the longest counts as that.
	_ = w.times.RecordValue(min(max(w.last.Sub(due).Microseconds(), shortest), longest))
	return request.Check(body)
}

// sleepUntil waits for a time, and returns false when ctx ended before.
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

// result puts together what the connections have seen.
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
		return out, fmt.Errorf("%d bad answers; the first: %w", r.failed.Load(), *first)
	}
	if out.Requests == 0 {
		return out, errors.New("no request was answered")
	}
	return out, nil
}
