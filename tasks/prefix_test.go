package tasks_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/hibiken/asynq"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/tasks"
)

// deployment is a queue and a worker of one prefix, and what the worker did.
type deployment struct {
	queue  *tasks.Queue
	worker *tasks.Worker
	done   chan string
}

func deploy(t *testing.T, conn asynq.RedisConnOpt, prefix string) deployment {
	t.Helper()
	d := deployment{queue: newQueue(t, conn, tasks.QueueOptions{Prefix: prefix}), done: make(chan string, 100)}
	d.worker = startWorker(t, conn, telling(d.done), tasks.Options{Prefix: prefix, DrainInterval: 20 * time.Millisecond})
	return d
}

// does enqueues a task of each kind for one id, which the deployment must do.
func (d deployment) does(t *testing.T, by *tasks.Queue, id feed.PostID) {
	t.Helper()
	check(t, by.Dispatch(t.Context(), event(id, 0)))
	check(t, by.Dispatch(t.Context(), large(event(id, 0)...)))
	check(t, by.Push(t.Context(), append(large(slice(id, 1, 0)), slice(id, 0, 0))))
	check(t, by.Build(t.Context(), feed.UserID(id)))
	var got []string
	for range 5 {
		got = append(got, receive(t, d.done, "task"))
	}
	want := fmt.Sprintf("[build %[1]d dispatch %[1]d plan %[1]d push %[1]d 0 push %[1]d 1]", id)
	if slices.Sort(got); fmt.Sprint(got) != want {
		t.Errorf("the tasks done are %v, want %v", got, want)
	}
}

func TestPrefix_SeparatesDeployments(t *testing.T) {
	onEveryRedis(t, func(t *testing.T, conn asynq.RedisConnOpt, _ *tasks.Queue) {
		blue, green := deploy(t, conn, "blue:"), deploy(t, conn, "green:")
		for id := range feed.PostID(5) {
			blue.does(t, blue.queue, 1+id)
			green.does(t, green.queue, 101+id)
		}
		for _, d := range []deployment{blue, green} {
			if n, err := d.queue.Workers(t.Context()); n != 1 || err != nil {
				t.Errorf("%d workers (%v), want one", n, err)
			}
			for _, state := range inspected(t, d.queue) {
				if !state.Listed || !slices.Contains(allQueues, state.Name) {
					t.Errorf("the queue is %+v, want one that is listed, without the prefix", state)
				}
			}
			d.worker.Shutdown()
			same(t, "tasks of another deployment", len(d.done), 0)
		}
		assertStates(t, conn, "blue:push", states{completed: 5})
		assertStates(t, conn, "blue:push-large", states{completed: 5})
		assertStates(t, conn, "green:build", states{completed: 5})
	})
}

func TestPrefix_OldQueuesAreDrained(t *testing.T) {
	t.Parallel() // it waits for most of its time
	conn := realRedis(t)
	old := newQueue(t, conn)
	for id := range feed.PostID(20) {
		check(t, old.Dispatch(t.Context(), event(200+id, 0)))
	}
	d := deploy(t, conn, "blue:")
	for range 20 {
		receive(t, d.done, "task of an old queue")
	}
	assertSoonUnserved(t, conn)
	// The drained queues are left to others, and the worker's own go on.
	check(t, old.Dispatch(t.Context(), event(300, 0)))
	d.does(t, d.queue, 7)
	d.worker.Shutdown()
	assertStates(t, conn, tasks.QueueDispatch, states{pending: 1, completed: 20})
}

// assertSoonUnserved waits until no worker serves a queue without a prefix.
func assertSoonUnserved(t *testing.T, conn asynq.RedisConnOpt) {
	t.Helper()
	i := newInspector(t, conn)
	eventually.True(t, "the old queues are left", func() bool {
		servers := fixture.Got(i.Servers()).Must(t)
		return !slices.ContainsFunc(servers, func(s *asynq.ServerInfo) bool {
			return slices.ContainsFunc(allQueues, func(name string) bool { return s.Queues[name] > 0 })
		})
	})
}

func TestPrefix_FailedTasksAreDrainedToo(t *testing.T) {
	conn := realRedis(t)
	check(t, newQueue(t, conn).Build(t.Context(), 7))
	tries := make(chan feed.UserID, 10)
	startWorker(t, conn, buildsOnly(func(_ context.Context, viewer feed.UserID) error {
		tries <- viewer
		if len(tries) < 2 {
			return errors.New("broken")
		}
		return nil
	}), tasks.Options{Prefix: "blue:", DrainInterval: time.Millisecond, Rand: func() float64 { return 0 }})
	eventually.True(t, "the task was tried again", func() bool { return len(tries) == 2 })
}

func TestValidPrefix(t *testing.T) {
	for prefix, want := range map[string]bool{
		"": true, "blue:": true, "eu-1.feeds_": true, "{blue}": false, "a b": false, "é": false,
		"0123456789012345678901234567890123456789": true, "01234567890123456789012345678901234567890": false,
	} {
		same(t, "the prefix "+prefix+" is valid", tasks.ValidPrefix(prefix), want)
	}
}

// An old and a new worker share the queues of an API process that is new, and then of one that is
// old. Either may take a task; every task is done and none counts as failed.
func TestVersions_WorkersShareQueues(t *testing.T) {
	conn := realRedis(t)
	atOnce := func() float64 { return 0 }
	byOlder, older := startBuilder(t, conn, tasks.Options{PayloadVersion: 1, Rand: atOnce})
	newQ, oldQ := newQueue(t, conn, tasks.QueueOptions{PayloadVersion: 2}), newQueue(t, conn)
	for viewer := range feed.UserID(10) {
		check(t, newQ.Build(t.Context(), 1+viewer))
	}
	check(t, oldQ.Build(t.Context(), 11))
	// The old worker is alone so far, and what it can do it does.
	same(t, "built by the old worker alone", receive(t, byOlder, "build of an old payload"), 11)
	byNewer, newer := startBuilder(t, conn, tasks.Options{PayloadVersion: 2, Rand: atOnce})
	for range 10 {
		receive(t, byNewer, "build of a new payload")
	}
	older.Shutdown()
	check(t, oldQ.Build(t.Context(), 12))
	same(t, "built by the new worker", receive(t, byNewer, "build of an old payload"), 12)
	newer.Shutdown()
	same(t, "further builds by the old worker", len(byOlder), 0)
	assertStates(t, conn, tasks.QueueBuild, states{completed: 12})
}

// A task enqueued an hour ago, or without a time, is not kept.
func TestVersions_TaskIsKeptForAnHour(t *testing.T) {
	conn := realRedis(t)
	logged := newLogSignals()
	w := startWorker(t, conn, buildsOnly(nothing), tasks.Options{Log: slog.New(logged)})
	hourAgo := newQueue(t, conn, tasks.QueueOptions{PayloadVersion: 2, Clock: func() time.Time { return time.Now().Add(-time.Hour) }})
	check(t, hourAgo.Build(t.Context(), 7))
	logged.await(t, "a task failed and was archived")
	enqueueRaw(t, conn, tasks.QueueBuild, "inbox_of_later", `{"v":1}`)
	logged.await(t, "a task failed and was archived")
	w.Shutdown()
	assertStates(t, conn, tasks.QueueBuild, states{archived: 2})
}

// nothing takes every task and does nothing.
func nothing(context.Context, feed.UserID) error { return nil }
