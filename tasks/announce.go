package tasks

import (
	"context"
	"slices"
	"time"

	"github.com/hibiken/asynq"

	"github.com/tideline-feeds/tideline/feed"
)

// AnnounceInterval is how often to see that the queues are listed. It costs one command,
// and five seconds are soon for the operator who looks at the web UI after Redis has
// lost its data.
const AnnounceInterval = 5 * time.Second

// announceTimeout is the shortest there is, for a task that does nothing.
const announceTimeout = time.Second

// Announce makes those of the queues known that Redis does not list. The list is what
// the web UI and [Queue.Inspect] go by. A client of asynq adds a queue to it with the
// first task that it enqueues there and never again, so once Redis has lost the list,
// tasks come and go in queues that nobody sees.
//
// A queue that is not listed gets a [TypeAnnounce] task from a client that has not
// enqueued anything before. Many processes may do so at once: a task whose id is taken
// announces its queue too.
func (q *Queue) Announce(ctx context.Context) error {
	missing, err := q.unlisted(ctx)
	if err != nil || len(missing) == 0 {
		return err
	}
	fresh := *q
	fresh.client = asynq.NewClient(q.conn)
	// Nothing is lost with a connection that does not close well.
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
	// asynq's inspector takes no context; its client's own timeouts bound it.
	if err := ctx.Err(); err != nil {
		return nil, feed.Unavailable("the task queue", err)
	}
	listed, err := q.inspector.Queues()
	if err != nil {
		return nil, feed.Unavailable("the task queue", err)
	}
	return slices.DeleteFunc(queues(q.pushes), func(name string) bool { return slices.Contains(listed, name) }), nil
}
