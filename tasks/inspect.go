package tasks

import (
	"context"
	"slices"
	"time"

	"github.com/hibiken/asynq"

	"github.com/tideline-feeds/tideline/feed"
)

// QueueState counts the tasks of one queue. SQL dispatches archived and orphaned tasks again.
type QueueState struct {
	// Name is without the prefix of the deployment.
	Name string
	// Listed is false if Redis does not list the queue ([Queue.Announce]); then no task is counted.
	Listed bool
	// Pending wait for a worker, Scheduled for their time, Retry for another try.
	Pending, Scheduled, Retry int
	// Workers hold Active tasks; those of Orphaned ones have been silent for half a minute.
	Active, Orphaned int
	// Archived have failed for good.
	Archived int
	// Oldest is the age of the task at the head of the queue; 0 if there is none.
	Oldest time.Duration
}

// Waits implements [feed.Queue]. Of several queues of one kind it returns the longest wait.
func (q *Queue) Waits(ctx context.Context) (feed.Waits, error) {
	missing, err := q.unlisted(ctx)
	if err != nil {
		return feed.Waits{}, err
	}
	var w feed.Waits
	for _, name := range q.names.all() {
		wait := &w.Push
		switch {
		case slices.Contains(missing, name), name == q.names.build:
			continue
		case name == q.names.dispatch, name == q.names.dispatchLarge:
			wait = &w.Dispatch
		case slices.Contains(q.names.pushesLarge, name):
			wait = &w.PushLarge
		}
		info, err := q.inspector.GetQueueInfo(name)
		if err != nil {
			return feed.Waits{}, feed.Unavailable("the task queue", err)
		}
		*wait = max(*wait, info.Latency)
	}
	return w, nil
}

// mostOrphans limits the active tasks that are checked: those of sixty workers.
const mostOrphans = 1000

// Inspect returns the state of each queue, including all queues of push tasks.
func (q *Queue) Inspect(ctx context.Context) ([]QueueState, error) {
	missing, err := q.unlisted(ctx)
	if err != nil {
		return nil, err
	}
	var states []QueueState
	for _, name := range q.names.all() {
		state := QueueState{Name: q.names.short(name), Listed: !slices.Contains(missing, name)}
		if state.Listed {
			if err := q.count(ctx, name, &state); err != nil {
				return nil, err
			}
		}
		states = append(states, state)
	}
	return states, nil
}

func (q *Queue) count(ctx context.Context, name string, state *QueueState) error {
	if err := ctx.Err(); err != nil {
		return feed.Unavailable("the task queue", err)
	}
	info, err := q.inspector.GetQueueInfo(name)
	if err != nil {
		return feed.Unavailable("the task queue", err)
	}
	state.Pending, state.Scheduled, state.Retry = info.Pending, info.Scheduled, info.Retry
	state.Active, state.Archived, state.Oldest = info.Active, info.Archived, info.Latency
	active, err := q.inspector.ListActiveTasks(name, asynq.PageSize(mostOrphans))
	if err != nil {
		return feed.Unavailable("the task queue", err)
	}
	for _, task := range active {
		if task.IsOrphaned {
			state.Orphaned++
		}
	}
	return nil
}

// Workers counts the processes of the last ten seconds, by one command per server of asynq.
func (q *Queue) Workers(ctx context.Context) (int, error) {
	if err := ctx.Err(); err != nil {
		return 0, feed.Unavailable("the task queue", err)
	}
	servers, err := q.inspector.Servers()
	if err != nil {
		return 0, feed.Unavailable("the task queue", err)
	}
	type process struct {
		host string
		pid  int
	}
	// A worker starts a server for each queue. Other programs may use the same Redis.
	processes := map[process]bool{}
	for _, s := range servers {
		if slices.ContainsFunc(q.names.all(), func(name string) bool { return s.Queues[name] > 0 }) {
			processes[process{s.Host, s.PID}] = true
		}
	}
	return len(processes), nil
}
