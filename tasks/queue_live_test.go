package tasks_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hibiken/asynq"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/tasks"
)

// refreshesOnly handles refreshes by fn, and nothing else comes.
func refreshesOnly(fn func(context.Context, []feed.UserID) error) tasks.Handlers {
	h := buildsOnly(nil)
	h.Build, h.Refresh = h.ReplayBuild, fn
	return h
}

// The clock is fixed in the past.
func TestReplays_TasksOfBothInboxesCoexist(t *testing.T) {
	onEveryRedis(t, func(t *testing.T, conn asynq.RedisConnOpt) {
		q := newQueue(t, conn, tasks.QueueOptions{Clock: func() time.Time { return time.Unix(1_700_000_000, 0) }})
		for range 2 {
			for _, inboxes := range []feed.Queue{q, q.Replays()} {
				check(t, inboxes.Build(t.Context(), 7))
				check(t, inboxes.Reconcile(t.Context(), 7))
				check(t, inboxes.WarmUp(t.Context(), 7))
			}
		}
		want := []string{
			`build:7:170000000 {"v":1,"viewerId":"7"}`,
			`reconcile:7:170000000 {"v":1,"viewerId":"7"}`,
			`reconcile:7:170000001 {"v":1,"viewerId":"7"}`,
			`replay_build:7:170000000 {"v":1,"viewerId":"7"}`,
			`replay_reconcile:7:170000000 {"v":1,"viewerId":"7"}`,
			`replay_reconcile:7:170000001 {"v":1,"viewerId":"7"}`,
			`replay_warm_up:7:170000000 {"v":1,"viewerId":"7"}`,
			`warm_up:7:170000000 {"v":1,"viewerId":"7"}`,
		}
		if diff := cmp.Diff(want, pending(t, newInspector(t, conn), tasks.QueueBuild)); diff != "" {
			t.Errorf("build queue (-want +got):\n%s", diff)
		}
	})
}

func TestReplays_IDsDoNotCollideWithPosts(t *testing.T) {
	conn := realRedis(t)
	q := newQueue(t, conn)
	check(t, q.Dispatch(t.Context(), event(123, 0)))
	check(t, q.Replays().Dispatch(t.Context(), event(feed.ReplayRef(123), 0)))
	check(t, q.Push(t.Context(), []feed.Dispatchable[feed.SliceRef]{slice(123, 4, 0), slice(feed.ReplayRef(123), 4, 0)}))
	i := newInspector(t, conn)
	want := []string{`dispatch:-123:d0 {"v":1,"contentId":"-123"}`, `dispatch:123:d0 {"v":1,"contentId":"123"}`}
	if diff := cmp.Diff(want, pending(t, i, tasks.QueueDispatch)); diff != "" {
		t.Errorf("dispatch queue (-want +got):\n%s", diff)
	}
	want = []string{`push:-123:4:d0 {"v":1,"contentId":"-123","task":4}`, `push:123:4:d0 {"v":1,"contentId":"123","task":4}`}
	if diff := cmp.Diff(want, pending(t, i, tasks.QueuePush)); diff != "" {
		t.Errorf("push queue (-want +got):\n%s", diff)
	}
}

// A sweep goes by what waits in either lane, because the lanes share the queues.
func TestReplays_WaitsEqualQueues(t *testing.T) {
	onEveryRedis(t, func(t *testing.T, conn asynq.RedisConnOpt) {
		q := newQueue(t, conn)
		check(t, q.Dispatch(t.Context(), event(123, 0)))
		eventually.True(t, "something has waited for a millisecond", func() bool {
			waits, err := q.Replays().Waits(t.Context())
			check(t, err)
			return waits.Dispatch > 0 && waits.Push == 0
		})
	})
}

func TestRefresh_SharedUntilItBegins(t *testing.T) {
	onEveryRedis(t, func(t *testing.T, conn asynq.RedisConnOpt) {
		q := newQueue(t, conn, tasks.QueueOptions{Clock: func() time.Time { return time.Unix(1_700_000_000, 0) }})
		hosts := []feed.UserID{8, 7}
		for range 3 {
			check(t, q.Refresh(t.Context(), hosts))
			check(t, q.Refresh(t.Context(), []feed.UserID{7, 8}))
		}
		if hosts[0] != 8 {
			t.Errorf("the caller's hosts are in another order: %v", hosts)
		}
		check(t, q.Refresh(t.Context(), []feed.UserID{7}))
		ids := map[string]int{}
		for _, task := range pending(t, newInspector(t, conn), tasks.QueueBuild) {
			_, bucketAndPayload, _ := strings.Cut(strings.TrimPrefix(task, "live_refresh:"), ":")
			ids[bucketAndPayload]++
		}
		want := map[string]int{
			`170000000 {"v":1,"hostIds":["8","7"]}`: 1,
			`170000001 {"v":1,"hostIds":["7","8"]}`: 1,
			`170000000 {"v":1,"hostIds":["7"]}`:     1,
		}
		if diff := cmp.Diff(want, ids); diff != "" {
			t.Errorf("build queue (-want +got):\n%s", diff)
		}
	})
}

// A session starts, its host's set is written, and within the same ten seconds it ends.
func TestRefresh_RunsAgainAfterFinished(t *testing.T) {
	onEveryRedis(t, func(t *testing.T, conn asynq.RedisConnOpt) {
		q := newQueue(t, conn, tasks.QueueOptions{Clock: func() time.Time { return time.Unix(1_700_000_000, 0) }})
		for try := range 2 {
			refreshed := make(chan []feed.UserID, 1)
			w := startWorker(t, conn, refreshesOnly(func(_ context.Context, hosts []feed.UserID) error {
				refreshed <- hosts
				return nil
			}), tasks.Options{})
			check(t, q.Refresh(t.Context(), []feed.UserID{7}))
			receive(t, refreshed, fmt.Sprint("refresh after change ", try))
			w.Shutdown() // the task has finished by then
		}
		assertStates(t, conn, tasks.QueueBuild, states{})
	})
}

func TestRefresh_WithoutHostsNeedsNoRedis(t *testing.T) {
	q := newQueue(t, asynq.RedisClientOpt{Addr: "127.0.0.1:1"})
	check(t, q.Refresh(t.Context(), nil))
}
