package upstream

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/kit/circuit"
)

// CallOptions say how a service is called. All fields are required.
type CallOptions struct {
	// Name names the service in metrics and log lines.
	Name string
	// Timeout limits a call, and CallsMax the concurrent calls.
	Timeout  time.Duration
	CallsMax int
	Clock    feed.Clock
	Trace    Trace
}

const (
	// failuresMax is how many calls in a row fail before the circuit opens. One slow call should not
	// cost the pages of a second.
	failuresMax = 3
	// probeEvery is how often a service with an open circuit is tried.
	probeEvery = time.Second
)

// caller makes the calls of one service. It is safe for concurrent use.
type caller struct {
	CallOptions
	limit   *feed.Semaphore
	breaker *circuit.Breaker

	mu sync.Mutex
	// failures is the number of calls that failed since the last success.
	failures int
	// open says that the circuit is open.
	open bool
}

func newCaller(o CallOptions) *caller {
	return &caller{CallOptions: o, limit: feed.NewSemaphore(o.CallsMax, 0), breaker: circuit.New(o.Clock, probeEvery)}
}

var errBusy = errors.New("too many calls are under way")

// do makes a call about a number of objects, unless the circuit is open. A call that ends with ctx says
// nothing about the service.
func (c *caller) do(ctx context.Context, objects int, call func(context.Context) error) error {
	if err := c.breaker.Allow(c.Name); err != nil {
		return err
	}
	if held, err := c.limit.Acquire(ctx); !held {
		return cmp.Or(err, errBusy)
	}
	defer c.limit.Release()
	within, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	began := c.Clock()
	err := call(within)
	if err == nil || ctx.Err() == nil {
		c.report(err, objects, c.Clock().Sub(began))
	}
	return err
}

// report tells the breaker and the trace about a call. A flood of deletions opens the circuit at
// once.
func (c *caller) report(err error, objects int, took time.Duration) {
	c.mu.Lock()
	was := c.open
	if err == nil {
		c.failures, c.open = 0, false
	} else {
		c.failures++
		c.open = c.open || c.failures >= failuresMax || errors.Is(err, ErrFlood)
	}
	open := c.open
	c.mu.Unlock()
	switch {
	case err == nil:
		c.breaker.Report(c.Name, circuit.Working, nil)
	case open:
		c.breaker.Report(c.Name, circuit.Failing, err)
	}
	c.Trace.called(c.Name, objects, took, err)
	if open != was {
		c.Trace.turned(c.Name, open, err)
	}
}

// recovered makes a panic of call an error, because nothing else would recover it on a goroutine of a call.
func recovered(call func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic in a call of a service: %v\n%s", p, debug.Stack())
		}
	}()
	return call()
}

func problemOf(err error) feed.UpstreamProblem {
	if errors.Is(err, context.DeadlineExceeded) || isTimeout(err) {
		return feed.UpstreamTimeout
	}
	return feed.UpstreamUnavailable
}
