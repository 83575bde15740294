package ingest

import (
	"context"

	"golang.org/x/sync/errgroup"
)

// workersMax is how many batches of a snapshot are applied at the same time. While the database stores
// one, this process prepares another.
const workersMax = 2

// workers run functions at the same time, up to the first that fails. The zero value is ready for use
// by one goroutine.
type workers struct {
	group *errgroup.Group
	ctx   context.Context
}

// run begins do once fewer than [workersMax] others run. After a failure, it returns that of [workers.wait].
func (w *workers) run(ctx context.Context, do func(context.Context) error) error {
	if w.group == nil {
		w.group, w.ctx = errgroup.WithContext(ctx)
		w.group.SetLimit(workersMax)
	}
	within := w.ctx
	w.group.Go(func() error { return do(within) })
	if within.Err() != nil {
		return w.wait()
	}
	return nil
}

// wait waits for all functions, and returns the error of the first that failed.
func (w *workers) wait() error {
	if w.group == nil {
		return nil
	}
	group := w.group
	w.group = nil
	return group.Wait()
}
