package ingest

import (
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// workersMax is how many batches of a snapshot are applied at the same time. While the database stores
// one, this process prepares another, and the commit of a third waits for the disk: with ten million
// rows, three keep two processors busy, and two do not.
const workersMax = 3

// workers run functions at the same time, up to the first that fails.
type workers struct {
	group  errgroup.Group
	failed atomic.Bool
}

func newWorkers() *workers {
	w := &workers{}
	w.group.SetLimit(workersMax)
	return w
}

// run begins do once fewer than [workersMax] others run. After a failure, it returns that of wait.
func (w *workers) run(do func() error) error {
	w.group.Go(func() error {
		err := do()
		if err != nil {
			w.failed.Store(true)
		}
		return err
	})
	if w.failed.Load() {
		return w.wait()
	}
	return nil
}

// wait waits for all functions, and returns the error of the first that failed.
func (w *workers) wait() error { return w.group.Wait() }
