package http1

import (
	"context"
	"net"
	"sync"
	"time"
)

// watchAfter is how long a request may take before somebody looks whether its client is still
// there. Most take milliseconds and need nobody. Those that count are the ones that pile up
// when a server is slow, while clients give up and ask again.
const watchAfter = 100 * time.Millisecond

// watch ends requests whose clients have gone, or whose time is over. It reads on behind a
// request, as net/http does, but only when the request takes long.
type watch struct {
	net   net.Conn
	timer *time.Timer

	mu sync.Mutex
	// ctx is that of the request that is under way; nil for none.
	ctx *requestContext
	// deadline ends it; nil until somebody looks.
	deadline *time.Timer
	// into is where there is room for what comes meanwhile.
	into []byte
	// reading is closed when came is known; nil while nobody looks.
	reading chan struct{}
	came    came
}

// came is what a client did while its request was answered.
type came struct {
	// looked says that somebody has looked, by which deadlines for reading have changed.
	looked bool
	// read is how many bytes it sent.
	read int
}

// request begins to watch a request. What the client sends meanwhile goes to the beginning of
// into, where there is room for something.
func (w *watch) request(into []byte, ctx *requestContext) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ctx, w.deadline, w.into, w.reading, w.came = ctx, nil, into, nil, came{}
	if w.timer == nil {
		w.timer = time.AfterFunc(watchAfter, w.look)
		return
	}
	w.timer.Reset(watchAfter)
}

// look waits for the client to send more or to go.
func (w *watch) look() {
	w.mu.Lock()
	into, ctx := w.into, w.ctx
	// It may come late and find the next request: that one is watched a little early.
	if ctx == nil || w.reading != nil {
		w.mu.Unlock()
		return
	}
	if by, ok := ctx.Deadline(); ok {
		w.deadline = time.AfterFunc(time.Until(by), func() { ctx.end(context.DeadlineExceeded) })
	}
	done := make(chan struct{})
	w.reading = done
	_ = w.net.SetReadDeadline(time.Time{}) // before end sets its own; fails as reading does
	w.mu.Unlock()
	defer close(done)
	n, err := w.net.Read(into)
	w.came = came{looked: true, read: n}
	if err != nil {
		ctx.end(context.Canceled) // which has ended when end is the reason
	}
}

// end stops watching, and returns what the client did meanwhile.
func (w *watch) end() came {
	w.timer.Stop()
	w.mu.Lock()
	if w.deadline != nil {
		w.deadline.Stop()
	}
	w.ctx, w.deadline, w.into = nil, nil, nil
	reading := w.reading
	w.mu.Unlock()
	if reading == nil {
		return came{}
	}
	_ = w.net.SetReadDeadline(time.Unix(1, 0)) // long ago; it fails when reading has failed
	<-reading
	return w.came
}
