package tasks

import (
	"context"
	"slices"
	"time"

	"github.com/hibiken/asynq"

	"github.com/tideline-feeds/tideline/feed"
)

// AnnounceInterval is how often to check that Redis lists the queues. A check costs one command.
const AnnounceInterval = 5 * time.Second

const announceTimeout = time.Second

// Announce adds to Redis' list of queues those that it lacks. A client of asynq lists a queue only
// with its first task there, so a new client enqueues a [TypeAnnounce] task.
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

func (q *Queue) unlisted(ctx context.Context) ([]string, error) {
	// asynq's inspector takes no context; its client's own timeouts limit it.
	if err := ctx.Err(); err != nil {
		return nil, feed.Unavailable("the task queue", err)
	}
	listed, err := q.inspector.Queues()
	if err != nil {
		return nil, feed.Unavailable("the task queue", err)
	}
	return slices.DeleteFunc(q.names.all(), func(name string) bool { return slices.Contains(listed, name) }), nil
}
