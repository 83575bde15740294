package transport

import "time"

// workers run functions on goroutines that they keep for a while. A response needs a large stack,
// and growing one takes as long as a tenth of the response.
type workers struct {
	// idle has a receiver for each idle goroutine, and kept a token.
	idle chan func()
	kept chan struct{}
}

const (
	// workersMax is how many are kept: as many as subscriptions of a process respond at a time.
	workersMax = 64
	// keepWorker is far longer than the pause between the turns of two subscriptions, and short
	// enough that a process at rest soon has no such stacks.
	keepWorker = 100 * time.Millisecond
)

func newWorkers() workers {
	return workers{idle: make(chan func()), kept: make(chan struct{}, workersMax)}
}

// run runs f on another goroutine, and does not wait.
func (w workers) run(f func()) {
	select {
	case w.idle <- f:
	default:
		go w.work(f)
	}
}

func (w workers) work(f func()) {
	for f != nil {
		f()
		f = w.next()
	}
}

// next waits for a function, and returns nil if the goroutine is not to be kept.
func (w workers) next() func() {
	select {
	case w.kept <- struct{}{}:
	default:
		return nil
	}
	defer func() { <-w.kept }()
	expired := time.NewTimer(keepWorker)
	defer expired.Stop()
	select {
	case f := <-w.idle:
		return f
	case <-expired.C:
		return nil
	}
}
