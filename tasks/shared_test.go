package tasks_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hibiken/asynq"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tasks"
)

// newPosts returns first dispatches of the only slices of posts 1 to n.
func newPosts(n int) (ds []feed.Dispatchable[feed.SliceRef]) {
	for id := range feed.PostID(n) {
		ds = append(ds, slice(id+1, 0, 0))
	}
	return ds
}

func TestPush_SharesTasksOfManyPosts(t *testing.T) {
	onEveryRedis(t, func(t *testing.T, conn asynq.RedisConnOpt, q *tasks.Queue) {
		const posts = 1250
		check(t, q.Push(t.Context(), newPosts(posts)))
		list := pending(t, newInspector(t, conn), tasks.QueuePush)
		same(t, "tasks, one for each 16 posts", len(list), (posts+15)/16)
		times := map[string]int{}
		for _, text := range list {
			id, raw, _ := strings.Cut(text, " ")
			var p struct {
				ContentID string
				Task      int
				More      []string
			}
			check(t, json.Unmarshal([]byte(raw), &p))
			if id != "push:"+p.ContentID+":0:d0" || p.Task != 0 {
				t.Errorf("a task is %s", text)
			}
			for _, post := range append(p.More, p.ContentID) {
				times[post]++
			}
		}
		for _, d := range newPosts(posts) {
			same(t, "tasks with post "+d.Ref.Post.String(), times[d.Ref.Post.String()], 1)
		}
	})
}

// Workers take tasks at the same time, so few posts have a task each.
func TestPush_FewPostsShareNoTask(t *testing.T) {
	conn := realRedis(t)
	check(t, newQueue(t, conn).Push(t.Context(), newPosts(127)))
	same(t, "tasks of 127 posts", len(pending(t, newInspector(t, conn), tasks.QueuePush)), 127)
}

func TestPush_OtherSlicesShareNoTask(t *testing.T) {
	for name, alone := range map[string]feed.Dispatchable[feed.SliceRef]{
		"a further slice of a post": slice(5000, 1, 0), "a repeated dispatch": slice(5000, 0, 1), "a large fan-out": large(slice(5000, 0, 0))[0],
	} {
		t.Run(name, func(t *testing.T) {
			conn := realRedis(t)
			ds := slices.Insert(newPosts(1024), 500, alone)
			check(t, newQueue(t, conn).Push(t.Context(), ds))
			i := newInspector(t, conn)
			var of []string
			for _, queue := range []string{tasks.QueuePush, tasks.QueuePushLarge} {
				if _, err := i.GetQueueInfo(queue); err != nil {
					continue // nothing was enqueued there
				}
				of = append(of, pending(t, i, queue)...)
			}
			of = slices.DeleteFunc(of, func(text string) bool { return !strings.Contains(text, "5000") })
			if len(of) != 1 || strings.Contains(of[0], "more") {
				t.Errorf("its tasks are %v", of)
			}
		})
	}
}

func TestWorker_PushesRestOfFailedTask(t *testing.T) {
	onEveryRedis(t, func(t *testing.T, conn asynq.RedisConnOpt, _ *tasks.Queue) {
		got := make(chan feed.SliceRef, 10)
		failed := false
		startWorker(t, conn, tasks.Handlers{Push: func(_ context.Context, ref feed.SliceRef) error {
			got <- ref
			if ref.Post == 2 && !failed {
				failed = true
				return feed.Unavailable("a test", context.DeadlineExceeded)
			}
			return nil
		}}, tasks.Options{})
		enqueueRaw(t, conn, tasks.QueuePush, tasks.TypePush, `{"v":1,"contentId":"1","task":0,"more":["2","-3"]}`)
		var refs []feed.SliceRef
		for range 6 {
			refs = append(refs, receive(t, got, "a push"))
		}
		once := []feed.SliceRef{{Post: 1}, {Post: 2}, {Post: -3}}
		same(t, "pushes", refs, append(once, once...))
	})
}

// largeBlocked is a worker whose plans and slices of large fan-outs wait until they are released. It
// sends what it does of other fan-outs.
func largeBlocked(t *testing.T, conn asynq.RedisConnOpt, opts tasks.Options) (done chan string, release func()) {
	t.Helper()
	released, done := make(chan struct{}), make(chan string, 10)
	wait := func(ctx context.Context) error {
		select {
		case <-released:
		case <-ctx.Done():
		}
		return ctx.Err()
	}
	startWorker(t, conn, tasks.Handlers{
		Dispatch: func(_ context.Context, id feed.PostID) error { done <- "dispatch " + id.String(); return nil },
		Plan:     func(ctx context.Context, _ feed.PostID) error { return wait(ctx) },
		Push: func(ctx context.Context, ref feed.SliceRef) error {
			if ref.Post == star {
				return wait(ctx)
			}
			done <- "push " + ref.Post.String()
			return nil
		},
	}, opts)
	return done, func() { close(released) }
}

// star is the post with the large fan-out.
const star = feed.PostID(9)

func TestLarge_DelaysNoOtherFanout(t *testing.T) {
	conn := realRedis(t)
	for prefix, slices := range map[string]int{"one:": 3000, "spread:": 100} {
		spread := prefix == "spread:"
		q := newQueue(t, conn, tasks.QueueOptions{Spread: spread, Prefix: prefix})
		var backlog []feed.Dispatchable[feed.SliceRef]
		for task := range slices {
			backlog = append(backlog, slice(star, task, 0))
		}
		check(t, q.Push(t.Context(), large(backlog...)))
		for range 100 {
			check(t, q.Dispatch(t.Context(), large(event(star, 0)...)))
		}
		done, release := largeBlocked(t, conn, tasks.Options{Spread: spread, Prefix: prefix})
		pushOne(t, q, 7, 0, 0)
		same(t, "first", receive(t, done, "push of an ordinary author"), "push 7")
		check(t, q.Dispatch(t.Context(), event(8, 0)))
		same(t, "then", receive(t, done, "dispatch of another author"), "dispatch 8")
		release()
	}
}

// On a Cluster of three masters the push tasks of a fan-out are spread over all of them, and a
// worker with the option takes all.
func TestSpread_UsesAllMastersOfCluster(t *testing.T) {
	t.Parallel() // joining a cluster takes some seconds, in which nothing happens here
	conn := clusterConn(t)
	q := newQueue(t, conn, tasks.QueueOptions{Spread: true})
	want := map[feed.SliceRef]bool{}
	var all []feed.Dispatchable[feed.SliceRef]
	for task := range 30 {
		all = append(all, slice(7, task, 0))
		want[feed.SliceRef{Post: 7, Task: task}] = true
	}
	check(t, q.Push(t.Context(), all))
	inspector, masters := newInspector(t, conn), map[string]bool{}
	for _, state := range inspected(t, q) {
		if !strings.HasPrefix(state.Name, tasks.QueuePush) || strings.HasPrefix(state.Name, tasks.QueuePushLarge) {
			continue
		}
		nodes := fixture.Got(inspector.ClusterNodes(state.Name)).Must(t)
		masters[nodes[0].Addr] = true
		if state.Pending != 10 || state.Oldest == 0 {
			t.Errorf("the queue of ten of thirty push tasks is %+v", state)
		}
	}
	same(t, "masters with push tasks", len(masters), 3)
	if w, err := q.Waits(t.Context()); err != nil || w.Push == 0 || w.Dispatch != 0 {
		t.Errorf("the waits are %+v (%v)", w, err)
	}
	pushed := make(chan feed.SliceRef, 100)
	startWorker(t, conn, pushes(pushed), tasks.Options{Spread: true})
	for len(want) > 0 {
		delete(want, receive(t, pushed, "push task"))
	}
}

// A slice that is dispatched again goes to another queue, whose server may answer.
func TestSpread_RepeatedDispatchChangesQueue(t *testing.T) {
	conn := realRedis(t)
	q := newQueue(t, conn, tasks.QueueOptions{Spread: true})
	var in []string
	for dispatch := range 3 {
		pushOne(t, q, -3, 1, dispatch)
		for _, state := range inspected(t, q) {
			if state.Pending > 0 && !slices.Contains(in, state.Name) {
				in = append(in, state.Name)
			}
		}
	}
	if slices.Sort(in); !slices.Equal(in, []string{"push", "push-2", "push-3"}) {
		t.Errorf("the dispatches of one slice are in the queues %v", in)
	}
	if w, err := q.Waits(t.Context()); err != nil || w.Push == 0 {
		t.Errorf("the waits are %+v (%v)", w, err)
	}
}

func clusterConn(t *testing.T) asynq.RedisConnOpt {
	t.Helper()
	addrs, ok := strings.CutPrefix(testenv.StartRedisCluster(t, 0).URL(), "redis-cluster://")
	if !ok {
		t.Fatal(errors.New("the cluster has no URL"))
	}
	return asynq.RedisClusterClientOpt{Addrs: strings.Split(addrs, ","), DialTimeout: time.Second}
}

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
