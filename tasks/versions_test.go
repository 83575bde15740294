package tasks_test

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/tasks"
)

// An old and a new worker share the queues of an API process that is new, and then of one that is
// old. Either may take a task; every task is done and none counts as failed.
func TestVersions_WorkersShareQueues(t *testing.T) {
	conn := realRedis(t)
	var mu sync.Mutex
	by := map[string]int{}
	all := make(chan feed.UserID, 100)
	worker := func(name string, version int) *tasks.Worker {
		return startWorker(t, conn, buildsOnly(func(_ context.Context, viewer feed.UserID) error {
			mu.Lock()
			defer mu.Unlock()
			by[name]++
			all <- viewer
			return nil
		}), tasks.Options{PayloadVersion: version, Rand: func() float64 { return 0 }})
	}
	older := worker("old", 1)
	newer := newQueue(t, conn, tasks.QueueOptions{PayloadVersion: 2})
	for viewer := range feed.UserID(10) {
		check(t, newer.Build(t.Context(), 1+viewer))
	}
	old := newQueue(t, conn)
	check(t, old.Build(t.Context(), 11))
	// The old worker is alone so far, and what it can do it does.
	if viewer := receive(t, all, "build of an old payload"); viewer != 11 {
		t.Errorf("the old worker did what is for a newer one: %d", viewer)
	}
	newWorker := worker("new", 2)
	for range 10 {
		receive(t, all, "build of a new payload")
	}
	older.Shutdown()
	check(t, old.Build(t.Context(), 12))
	receive(t, all, "build of an old payload by the new worker")
	newWorker.Shutdown()
	mu.Lock()
	defer mu.Unlock()
	if by["old"] != 1 || by["new"] != 11 {
		t.Errorf("done by these workers: %v", by)
	}
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
