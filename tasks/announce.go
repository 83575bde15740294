package tasks

import (
	"context"
	"slices"
	"time"

	"github.com/hibiken/asynq"

	"github.com/tideline-feeds/tideline/feed"
)

// AnnounceInterval is how often to check that the queues are listed. A check costs one command;
// five seconds are soon enough for an operator who opens the web UI after Redis lost its data.
const AnnounceInterval = 5 * time.Second

// announceTimeout is the shortest timeout of asynq; the task does nothing.
const announceTimeout = time.Second

// Announce adds to Redis' list of queues those that it lacks. The web UI and [Queue.Inspect] use
// this list. A client of asynq adds a queue with the first task it enqueues there and never
// again, so after Redis lost the list, queues would stay invisible.
//
// A missing queue gets a [TypeAnnounce] task from a new client. Processes may do so concurrently:
// a task whose id is taken lists its queue too.
func (q *Queue) Announce(ctx context.Context) error {
	missing, err := q.unlisted(ctx)
	if err != nil || len(missing) == 0 {
		return err
	}
	fresh := *q
	fresh.client = asynq.NewClient(q.conn)
	defer func() { _ = fresh.client.Close() }()
	for _, name := range missing {
		err := fresh.enqueue(ctx, name, TypeAnnounce, payload{},
			asynq.TaskID("announce"), asynq.Timeout(announceTimeout), asynq.Retention(0))
		if err != nil {
			return err
		}
	}
	return nil
}

// unlisted returns the queues that Redis does not list.
func (q *Queue) unlisted(ctx context.Context) ([]string, error) {
	// asynq's inspector takes no context; its client's own timeouts limit it.
	if err := ctx.Err(); err != nil {
		return nil, feed.Unavailable("the task queue", err)
	}
	listed, err := q.inspector.Queues()
	if err != nil {
		return nil, feed.Unavailable("the task queue", err)
	}
	return slices.DeleteFunc(queues(q.pushes), func(name string) bool { return slices.Contains(listed, name) }), nil
}
