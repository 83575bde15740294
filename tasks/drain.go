package tasks

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hibiken/asynq"
)

// drainConcurrency is for each old queue.
const drainConcurrency = 2

// drain serves the queues without a prefix, which processes used before they had one, until each is
// empty. What is enqueued there later, SQL dispatches again under the new names.
func (w *Worker) drain(old names) error {
	inspector := asynq.NewInspector(w.conn)
	servers := map[string]*asynq.Server{}
	for _, queue := range old.all() {
		before := len(w.servers)
		if err := w.serve(queue, drainConcurrency, w.jobsOf(old, queue)); err != nil {
			return errors.Join(err, inspector.Close())
		}
		if len(w.servers) > before {
			servers[queue] = w.servers[before]
		}
	}
	w.draining.Go(func() {
		defer func() { _ = inspector.Close() }()
		ticker := time.NewTicker(w.opts.DrainInterval)
		defer ticker.Stop()
		for len(servers) > 0 {
			select {
			case <-w.closing.Done():
				return
			case <-ticker.C:
			}
			for queue, server := range servers {
				if empty, err := isEmpty(inspector, queue); err == nil && empty {
					server.Shutdown()
					delete(servers, queue)
					w.opts.Log.Info("an old queue is empty", "queue", queue)
				}
			}
		}
	})
	return nil
}

// isEmpty reports whether a queue has no task that is to be done.
func isEmpty(i *asynq.Inspector, queue string) (bool, error) {
	listed, err := i.Queues()
	if err == nil && !slices.Contains(listed, queue) {
		return true, nil
	}
	info, err := i.GetQueueInfo(queue)
	if err != nil {
		return false, fmt.Errorf("look into queue %s: %w", queue, err)
	}
	return info.Pending+info.Active+info.Scheduled+info.Retry == 0, nil
}
