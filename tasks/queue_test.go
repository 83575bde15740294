package tasks_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hibiken/asynq"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tasks"
)

// assertPending compares the sorted ids of the waiting tasks of a queue.
func assertPending(t *testing.T, conn asynq.RedisConnOpt, queue, want string) {
	t.Helper()
	var ids []string
	for _, text := range pending(t, newInspector(t, conn), queue) {
		id, _, _ := strings.Cut(text, " ")
		ids = append(ids, id)
	}
	same(t, "pending in "+queue, strings.Join(ids, " "), want)
}

// assertScheduled fails the test unless one build task is scheduled, for a time.
func assertScheduled(t *testing.T, conn asynq.RedisConnOpt, at time.Time) {
	t.Helper()
	scheduled := fixture.Got(newInspector(t, conn).ListScheduledTasks(tasks.QueueBuild)).Must(t)
	if len(scheduled) != 1 || !scheduled[0].NextProcessAt.Equal(at) {
		t.Errorf("scheduled are %+v, want one task at %v", scheduled, at)
	}
}

// pending returns the waiting tasks of a queue as "id payload", sorted.
func pending(t *testing.T, i *asynq.Inspector, queue string) []string {
	t.Helper()
	infos := fixture.Got(i.ListPendingTasks(queue, asynq.PageSize(1000))).Must(t)
	var all []string
	for _, info := range infos {
		all = append(all, info.ID+" "+string(info.Payload))
	}
	slices.Sort(all)
	return all
}

func TestDispatch_EnqueuedOncePerDispatch(t *testing.T) {
	onEveryRedis(t, func(t *testing.T, conn asynq.RedisConnOpt, q *tasks.Queue) {
		for _, dispatches := range []int{0, 0, 1, 2, 1} {
			check(t, q.Dispatch(t.Context(), event(123, dispatches)))
			pushOne(t, q, 123, 4, dispatches)
		}
		// The ids of replays do not collide with those of posts.
		check(t, q.Replays().Dispatch(t.Context(), event(feed.ReplayRef(123), 0)))
		pushOne(t, q, feed.ReplayRef(123), 4, 0)
		assertPending(t, conn, tasks.QueueDispatch, "dispatch:-123:d0 dispatch:123:d0 dispatch:123:d1 dispatch:123:d2")
		assertPending(t, conn, tasks.QueuePush, "push:-123:4:d0 push:123:4:d0 push:123:4:d1 push:123:4:d2")
	})
}

// asynq keeps an archived task, and its id, for 90 days.
func TestDispatch_ArchivedTaskBlocksNone(t *testing.T) {
	conn := realRedis(t)
	q, i := newQueue(t, conn), newInspector(t, conn)
	check(t, q.Dispatch(t.Context(), event(123, 1)))
	check(t, i.ArchiveTask(tasks.QueueDispatch, "dispatch:123:d1"))

	check(t, q.Dispatch(t.Context(), event(123, 1)))
	same(t, "pending after the archived dispatch", len(pending(t, i, tasks.QueueDispatch)), 0)
	check(t, q.Dispatch(t.Context(), event(123, 2)))
	same(t, "pending after the next dispatch", len(pending(t, i, tasks.QueueDispatch)), 1)
}

func TestBuild_EnqueuedOnceInTenSeconds(t *testing.T) {
	onEveryRedis(t, func(t *testing.T, conn asynq.RedisConnOpt, _ *tasks.Queue) {
		now := time.Unix(1_700_000_000, 0)
		q := newQueue(t, conn, tasks.QueueOptions{Clock: func() time.Time { return now }})
		for _, step := range []time.Duration{0, 0, 9999 * time.Millisecond, time.Millisecond} {
			now = now.Add(step)
			check(t, q.Build(t.Context(), 7))
			check(t, q.WarmUp(t.Context(), 7))
		}
		check(t, q.Build(t.Context(), 8))
		assertPending(t, conn, tasks.QueueBuild,
			"build:7:170000000 build:7:170000001 "+
				"build:8:170000001 warm_up:7:170000000 warm_up:7:170000001")
	})
}

func TestReconcile_ArchivedDelaysTenSeconds(t *testing.T) {
	conn := realRedis(t)
	now := time.Now().Add(time.Hour).Truncate(10 * time.Second)
	q, i := newQueue(t, conn, tasks.QueueOptions{Clock: func() time.Time { return now }}), newInspector(t, conn)
	check(t, q.Reconcile(t.Context(), 7))
	check(t, i.ArchiveTask(tasks.QueueBuild, fmt.Sprintf("reconcile:7:%d", now.Unix()/10)))

	now = now.Add(3 * time.Second)
	check(t, q.Reconcile(t.Context(), 7))
	assertScheduled(t, conn, now.Add(7*time.Second))
}

func TestPush_EnqueuesEverySlice(t *testing.T) {
	onEveryRedis(t, func(t *testing.T, conn asynq.RedisConnOpt, q *tasks.Queue) {
		var want []string
		for task := range 150 {
			want = append(want, fmt.Sprintf("push:1:%d:d0", task))
		}
		slices.Sort(want)
		check(t, q.Push(t.Context(), newSlices(150)))
		assertPending(t, conn, tasks.QueuePush, strings.Join(want, " "))
	})
}

// asynq enqueues each task with a round trip of its own.
func TestDispatch_SharesRoundTrips(t *testing.T) {
	const posts = 2000
	conn := connTo(t, testenv.StartRedis(t, testenv.RedisOptions{}).URL())
	q := newQueue(t, conn)
	check(t, q.Dispatch(t.Context(), event(posts+1, 0)))
	before := readsOf(t, conn)
	var list []feed.Dispatchable[feed.PostID]
	for id := range feed.PostID(posts) {
		list = append(list, event(id+1, 0)...)
	}
	check(t, q.Dispatch(t.Context(), list))
	reads := readsOf(t, conn) - before
	info := fixture.Got(newInspector(t, conn).GetQueueInfo(tasks.QueueDispatch)).Must(t)
	same(t, "pending", info.Pending, posts+1)
	// A pipeline has up to 64 tasks, which Redis reads 16 KB at a time.
	if reads > posts/5 {
		t.Errorf("Redis read %d times for %d tasks", reads, posts)
	}
}

// readsOf returns how often a Redis has read from its connections.
func readsOf(t *testing.T, conn asynq.RedisConnOpt) int {
	t.Helper()
	info := fixture.Got(raw(t, conn).Info(t.Context(), "stats").Result()).Must(t)
	_, rest, _ := strings.Cut(info, "total_reads_processed:")
	digits, _, _ := strings.Cut(rest, "\r")
	return fixture.Got(strconv.Atoi(digits)).Must(t)
}

// A publish waits for the enqueue, so a queue that is gone must say so soon. After the outage, sweeps
// push what is due in batches.
func TestQueue_UnavailableWithoutRedis(t *testing.T) {
	t.Parallel() // it waits for most of its time
	server := testenv.StartRedis(t, testenv.RedisOptions{})
	q := newQueue(t, connTo(t, server.URL()))
	check(t, q.Announce(t.Context()))
	server.Kill()
	calls := eachKind(t.Context(), q)
	calls["Announce"] = q.Announce(t.Context())
	_, calls["Inspect"] = q.Inspect(t.Context())
	for method, err := range calls {
		if feed.CodeOf(err) != feed.CodeUnavailable {
			t.Errorf("%s: got %v, want %s", method, err, feed.CodeUnavailable)
		}
	}
	server.Restart()
	eventually.Succeeds(t, "a push of a batch", func() error { return q.Push(t.Context(), newSlices(30)) })
}

func TestQueue_NothingNeedsNoRedis(t *testing.T) {
	q := newQueue(t, asynq.RedisClientOpt{Addr: "127.0.0.1:1"})
	check(t, q.Push(t.Context(), nil))
	check(t, q.Refresh(t.Context(), nil))
}

func TestQueue_TasksHaveLimits(t *testing.T) {
	conn := realRedis(t)
	q := newQueue(t, conn)
	pushOne(t, q, 1, 0, 0)
	info := fixture.Got(newInspector(t, conn).GetTaskInfo(tasks.QueuePush, "push:1:0:d0")).Must(t)
	if info.MaxRetry != 1 || info.Timeout != 30*time.Second || info.Retention != 15*time.Minute {
		t.Errorf("got %d retries, timeout %v, retention %v", info.MaxRetry, info.Timeout, info.Retention)
	}
}

// manySlices take longer than a test may if each of them waits for half a second.
const manySlices = 1000

// newSlices returns first dispatches of n slices of post 1.
func newSlices(n int) (ds []feed.Dispatchable[feed.SliceRef]) {
	for task := range n {
		ds = append(ds, slice(1, task, 0))
	}
	return ds
}

// eachKind calls every method of the queue that writes.
func eachKind(ctx context.Context, q *tasks.Queue) map[string]error {
	return map[string]error{
		"Dispatch":  q.Dispatch(ctx, event(1, 0)),
		"Push":      q.Push(ctx, newSlices(manySlices)),
		"Build":     q.Build(ctx, 7),
		"Reconcile": q.Reconcile(ctx, 7),
		"WarmUp":    q.WarmUp(ctx, 7),
		"Refresh":   q.Refresh(ctx, []feed.UserID{7, 8}),
	}
}

// A Redis that accepts connections and does not answer is given up on at the read
// timeout of its client, without the client's own retries.
func TestQueue_UnavailableWhenRedisHangs(t *testing.T) {
	silent := fixture.Got(net.Listen("tcp", "127.0.0.1:0")).Must(t)
	t.Cleanup(func() { check(t, silent.Close()) })
	q := newQueue(t, asynq.RedisClientOpt{Addr: silent.Addr().String(), ReadTimeout: 500 * time.Millisecond}, tasks.QueueOptions{EnqueueTimeout: time.Second})

	var connections atomic.Int64
	go func() {
		for {
			conn, err := silent.Accept()
			if err != nil {
				return
			}
			connections.Add(1)
			t.Cleanup(func() { _ = conn.Close() })
		}
	}()
	kinds := eachKind(t.Context(), q)
	for method, err := range kinds {
		if feed.CodeOf(err) != feed.CodeUnavailable {
			t.Errorf("%s: got %v, want %s", method, err, feed.CodeUnavailable)
		}
	}
	// A connection on which no answer came is not used again, so a retry needs another one.
	// After the first slice, Push sends no other.
	if n := int(connections.Load()); n > len(kinds) {
		t.Errorf("%d calls were sent by %d connections", len(kinds), n)
	}
}

func TestQueue_ReturnsErrorOfContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	conn := realRedis(t)
	for method, err := range eachKind(ctx, newQueue(t, conn)) {
		if feed.CodeOf(err) != feed.CodeUnavailable || !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v", method, err)
		}
	}
}

// The clock is fixed in the past, so tasks scheduled for the next ten seconds are pending at once.
func TestReplays_TasksOfBothInboxesCoexist(t *testing.T) {
	onEveryRedis(t, func(t *testing.T, conn asynq.RedisConnOpt, _ *tasks.Queue) {
		q := newQueue(t, conn, tasks.QueueOptions{Clock: func() time.Time { return time.Unix(1_700_000_000, 0) }})
		for range 5 {
			for _, inboxes := range []feed.Queue{q, q.Replays()} {
				check(t, inboxes.Build(t.Context(), 7))
				check(t, inboxes.Reconcile(t.Context(), 7))
				check(t, inboxes.WarmUp(t.Context(), 7))
			}
		}
		assertPending(t, conn, tasks.QueueBuild,
			"build:7:170000000 reconcile:7:170000000 reconcile:7:170000001 replay_build:7:170000000 "+
				"replay_reconcile:7:170000000 replay_reconcile:7:170000001 replay_warm_up:7:170000000 warm_up:7:170000000")
	})
}

func TestRefresh_SharedUntilItBegins(t *testing.T) {
	onEveryRedis(t, func(t *testing.T, conn asynq.RedisConnOpt, _ *tasks.Queue) {
		q := newQueue(t, conn, tasks.QueueOptions{Clock: func() time.Time { return time.Unix(1_700_000_000, 0) }})
		hosts := []feed.UserID{8, 7}
		for range 3 {
			check(t, q.Refresh(t.Context(), hosts))
			check(t, q.Refresh(t.Context(), []feed.UserID{7, 8}))
		}
		same(t, "the caller's hosts", hosts, []feed.UserID{8, 7})
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
		same(t, "pending", ids, want)
	})
}
