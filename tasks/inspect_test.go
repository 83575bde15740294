package tasks_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/tasks"
)

// inspected returns the states of all queues.
func inspected(t *testing.T, q *tasks.Queue) []tasks.QueueState {
	t.Helper()
	states := fixture.Got(q.Inspect(t.Context())).Must(t)
	return states
}

// orphan makes a pending task one that a worker had taken before it died. What it does
// is what asynq's own script does, but for a lease that has ended.
func orphan(t *testing.T, r redis.UniversalClient, queue, id string) {
	t.Helper()
	prefix, ended := "asynq:{"+queue+"}:", float64(time.Now().Add(-time.Second).Unix())
	_, err := r.TxPipelined(t.Context(), func(pipe redis.Pipeliner) error {
		pipe.LRem(t.Context(), prefix+"pending", 1, id)
		pipe.LPush(t.Context(), prefix+"active", id)
		pipe.HSet(t.Context(), prefix+"t:"+id, "state", "active")
		pipe.ZAdd(t.Context(), prefix+"lease", redis.Z{Score: ended, Member: id})
		return nil
	})
	check(t, err)
}

func TestInspect_CountsTasks(t *testing.T) {
	onEveryRedis(t, func(t *testing.T, conn asynq.RedisConnOpt, _ *tasks.Queue) {
		now := time.Now().Add(time.Hour)
		q := newQueue(t, conn, tasks.QueueOptions{Clock: func() time.Time { return now }})
		for task := range 3 {
			pushOne(t, q, 1, task, 0)
		}
		orphan(t, raw(t, conn), tasks.QueuePush, "push:1:0:d0")
		check(t, newInspector(t, conn).ArchiveTask(tasks.QueuePush, "push:1:1:d0"))
		for range 2 {
			check(t, q.Reconcile(t.Context(), 7))
		}
		want := []tasks.QueueState{
			{Name: tasks.QueueDispatch},
			{Name: tasks.QueueDispatchLarge},
			{Name: tasks.QueuePush, Listed: true, Pending: 1, Active: 1, Orphaned: 1, Archived: 1},
			{Name: tasks.QueuePushLarge},
			{Name: tasks.QueueBuild, Listed: true, Pending: 1, Scheduled: 1},
		}
		got := inspected(t, q)
		for i := range got {
			same(t, "a task of "+got[i].Name+" waits", got[i].Oldest > 0, got[i].Pending > 0)
			got[i].Oldest = 0
		}
		same(t, "states", got, want)
	})
}

func TestWaits_SeparatesLargeSlices(t *testing.T) {
	onEveryRedis(t, func(t *testing.T, conn asynq.RedisConnOpt, q *tasks.Queue) {
		check(t, q.Push(t.Context(), large(slice(1, 0, 0))))
		check(t, q.Dispatch(t.Context(), large(event(1, 0)...)))
		// Replays share the queues, so a sweep considers the tasks of both.
		for _, fanouts := range []feed.Queue{q, q.Replays()} {
			w, err := fanouts.Waits(t.Context())
			if err != nil || w.Push != 0 || w.PushLarge == 0 || w.Dispatch == 0 {
				t.Errorf("with the plan and a slice of a large fan-out, the waits are %+v (%v)", w, err)
			}
		}
	})
}

// The sweeper relies on this: a task older than the head of its queue is no longer in it.
func TestWaits_ReportsAgeOfHead(t *testing.T) {
	onEveryRedis(t, func(t *testing.T, conn asynq.RedisConnOpt, q *tasks.Queue) {
		waits := func() feed.Waits {
			t.Helper()
			return fixture.Got(q.Waits(t.Context())).Must(t)
		}
		same(t, "waits in queues that never had a task", waits(), feed.Waits{})
		for task, age := range []time.Duration{3 * time.Hour, 2 * time.Hour, time.Hour} {
			pushOne(t, q, 1, task, 0)
			since := time.Now().Add(-age).UnixNano()
			id := fmt.Sprintf("asynq:{%s}:t:push:1:%d:d0", tasks.QueuePush, task)
			check(t, raw(t, conn).HSet(t.Context(), id, "pending_since", since).Err())
		}
		orphan(t, raw(t, conn), tasks.QueuePush, "push:1:0:d0")
		if w := waits(); w.Dispatch != 0 || w.Push < 2*time.Hour || w.Push >= 3*time.Hour {
			t.Errorf("with two tasks that wait for two hours and one, and an older one at work, the waits are %+v", w)
		}
	})
}

func TestInspect_RunningTaskIsNoOrphan(t *testing.T) {
	onEveryRedis(t, func(t *testing.T, conn asynq.RedisConnOpt, q *tasks.Queue) {
		h, running, release := blocking()
		w := startWorker(t, conn, h, tasks.Options{})
		check(t, q.Build(t.Context(), 7))
		receive(t, running, "start of the build")
		state := inspected(t, q)[4]
		close(release)
		w.Shutdown()
		same(t, "the state", state, tasks.QueueState{Name: tasks.QueueBuild, Listed: true, Active: 1})
	})
}

// asynq takes a minute or more to notice an orphan, and holds its id until then.
func TestInspect_OrphanDelaysNoDispatch(t *testing.T) {
	onEveryRedis(t, func(t *testing.T, conn asynq.RedisConnOpt, q *tasks.Queue) {
		pushOne(t, q, 1, 0, 0)
		orphan(t, raw(t, conn), tasks.QueuePush, "push:1:0:d0")
		pushOne(t, q, 1, 0, 1)
		pushed := make(chan feed.SliceRef, 10)
		startWorker(t, conn, pushes(pushed), tasks.Options{})
		same(t, "pushed", receive(t, pushed, "push"), feed.SliceRef{Post: 1})
	})
}

func TestWorkers_CountsProcessesThatServe(t *testing.T) {
	onEveryRedis(t, func(t *testing.T, conn asynq.RedisConnOpt, q *tasks.Queue) {
		workers := func() int {
			t.Helper()
			return fixture.Got(q.Workers(t.Context())).Must(t)
		}
		same(t, "workers before any started", workers(), 0)
		other := asynq.NewServer(conn, asynq.Config{Queues: map[string]int{"mail": 1}, LogLevel: asynq.FatalLevel})
		check(t, other.Start(asynq.NewServeMux()))
		t.Cleanup(other.Shutdown)
		w := startWorker(t, conn, tasks.Handlers{Dispatch: func(context.Context, feed.PostID) error { return nil }}, tasks.Options{})
		eventually.True(t, "the one that runs is counted", func() bool { return workers() == 1 }) // it says so after Start
		w.Shutdown()
		same(t, "workers after it shut down", workers(), 0)
	})
}

// allQueues are the names of all queues, sorted.
var allQueues = []string{tasks.QueueBuild, tasks.QueueDispatch, tasks.QueueDispatchLarge, tasks.QueuePush, tasks.QueuePushLarge}

// listed returns the queues that Redis lists, sorted.
func listed(t *testing.T, i *asynq.Inspector) []string {
	t.Helper()
	names := fixture.Got(i.Queues()).Must(t)
	slices.Sort(names)
	return names
}

// raw returns a client to look at what the queue keeps, or to break it.
func raw(t *testing.T, conn asynq.RedisConnOpt) redis.UniversalClient {
	t.Helper()
	r := conn.MakeRedisClient().(redis.UniversalClient)
	t.Cleanup(func() { check(t, r.Close()) })
	return r
}

// A client of asynq, and a server, go on for ever as if Redis still knew their queues.
func TestAnnounce_ListsQueuesAfterDataLoss(t *testing.T) {
	onEveryRedis(t, func(t *testing.T, conn asynq.RedisConnOpt, q *tasks.Queue) {
		t.Parallel() // it waits for a heartbeat for most of its time
		built, _ := startBuilder(t, conn, tasks.Options{})
		i := newInspector(t, conn)
		check(t, q.Build(t.Context(), 7))
		receive(t, built, "build before the loss")

		check(t, raw(t, conn).FlushAll(t.Context()).Err())
		check(t, q.Build(t.Context(), 8))
		receive(t, built, "build after the loss")
		if got := listed(t, i); len(got) != 0 {
			t.Fatalf("Redis lists %v by itself, so there is nothing to repair", got)
		}
		check(t, q.Announce(t.Context()))
		same(t, "listed", listed(t, i), allQueues)
		check(t, q.Build(t.Context(), 9))
		same(t, "built", receive(t, built, "build after the repair"), 9)
		eventually.True(t, "the worker's server is listed again", func() bool {
			servers, err := i.Servers()
			return err == nil && len(servers) == 1
		})
	})
}

func TestAnnounce_LeavesNothingBehind(t *testing.T) {
	onEveryRedis(t, func(t *testing.T, conn asynq.RedisConnOpt, q *tasks.Queue) {
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() {
				if err := q.Announce(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		same(t, "listed", listed(t, newInspector(t, conn)), allQueues)
		startWorker(t, conn, buildsOnly(nothing), tasks.Options{})
		i := newInspector(t, conn)
		eventually.True(t, "the announcement is gone", func() bool {
			info := fixture.Got(i.GetQueueInfo(tasks.QueueBuild)).Must(t)
			return info.Size == 0
		})
		assertStates(t, conn, tasks.QueueBuild, states{})
		// This queue has no handler here, and the task is not announced twice.
		check(t, q.Announce(t.Context()))
		assertStates(t, conn, tasks.QueuePush, states{pending: 1})
	})
}

// names names objects by texts that differ from their numbers.
func names() tasks.Names {
	return tasks.Names{
		Post: func(id feed.PostID) string { return "object a|" + id.String() },
		Users: func(ids ...feed.UserID) []feed.PublicID {
			var out []feed.PublicID
			for _, id := range ids {
				out = append(out, feed.PublicID{Number: int64(id), External: feed.ExternalID("a|" + id.String())})
			}
			return out
		},
	}
}

// serveUI serves the UI at /tasks.
func serveUI(t *testing.T, conn asynq.RedisConnOpt, readOnly bool) *httptest.Server {
	t.Helper()
	handler, closeUI := tasks.UI(conn, "/tasks", readOnly, names())
	mux := http.NewServeMux()
	mux.Handle("/tasks", handler)
	mux.Handle("/tasks/", handler)
	server := httptest.NewServer(mux)
	t.Cleanup(func() {
		server.Close()
		check(t, closeUI())
	})
	return server
}

// send makes a request as a browser on a page of origin would and returns the
// answer with its whole body.
func send(t *testing.T, server *httptest.Server, method, path, origin string) (*http.Response, string) {
	t.Helper()
	r := fixture.Got(http.NewRequestWithContext(t.Context(), method, server.URL+path, nil)).Must(t)
	if origin != "" {
		r.Header.Set("Origin", origin)
	}
	resp := fixture.Got(server.Client().Do(r)).Must(t)
	body, err := io.ReadAll(resp.Body)
	check(t, errors.Join(err, resp.Body.Close()))
	return resp, string(body)
}

// The scripts' chunks are not looked at: they name addresses in messages and links,
// and the policy keeps them from loading any.
func TestUI_LoadsOnlyFromItsServer(t *testing.T) {
	server := serveUI(t, realRedis(t), true)
	_, page := send(t, server, "GET", "/tasks", "")
	const html = "text/html; charset=utf-8"
	for path, want := range map[string]string{
		"/tasks": html, "/tasks/": html, "/tasks/queues/push": html, "/tasks/api/nothing": html, "/tasks/static/missing.svg": html,
		regexp.MustCompile(`/tasks/static/js/main[^"]*\.js`).FindString(page): "application/javascript; charset=utf-8",
		"/tasks/favicon-16x16.png":                    "image/png",
		"/tasks/static/media/logo-color.c2b0c1f3.svg": "image/svg+xml",
		"/tasks/api/queues":                           "application/json",
	} {
		resp, body := send(t, server, "GET", path, "")
		if got := resp.Header.Get("Content-Type"); resp.StatusCode != http.StatusOK || got != want {
			t.Errorf("%s: %s, %s; want %s", path, resp.Status, got, want)
		}
		same(t, "the options of the type of "+path, resp.Header.Get("X-Content-Type-Options"), "nosniff")
		if want != html {
			continue
		}
		foreign := regexp.MustCompile(`(https?:)?//[\w.-]+\.\w+`).FindString(body)
		if foreign != "" || !strings.Contains(body, `<div id="root">`) {
			t.Errorf("%s asks %q, or is not the page: %s", path, foreign, body)
		}
	}
}

func TestUI_PolicyAllowsOnlyOwnScripts(t *testing.T) {
	server := serveUI(t, realRedis(t), true)
	resp, page := send(t, server, "GET", "/tasks", "")
	policy := resp.Header.Get("Content-Security-Policy")
	nonce := regexp.MustCompile(`script-src 'self' 'nonce-([A-Z2-7]{26})'`).FindStringSubmatch(policy)
	if nonce == nil || strings.Contains(policy, "unsafe") || !strings.HasPrefix(policy, "default-src 'none'; ") {
		t.Fatalf("the policy is %q", policy)
	}
	if scripts, marked := strings.Count(page, "<script"), strings.Count(page, `<script nonce="`+nonce[1]+`"`); scripts != 4 || marked != 4 {
		t.Errorf("%d of %d scripts carry the nonce, want 4 of 4", marked, scripts)
	}
	if !strings.Contains(page, `<meta property="csp-nonce" content="`+nonce[1]+`"/>`) {
		t.Error("the maker of the style sheets finds no nonce")
	}
	if again, _ := send(t, server, "GET", "/tasks", ""); again.Header.Get("Content-Security-Policy") == policy {
		t.Error("two pages have the same nonce")
	}
	same(t, "Cache-Control of a page with a nonce", resp.Header.Get("Cache-Control"), "no-store")
}

func TestUI_DescribesPayloads(t *testing.T) {
	onEveryRedis(t, func(t *testing.T, conn asynq.RedisConnOpt, q *tasks.Queue) {
		pushOne(t, q, 123, 4, 0)
		pushOne(t, q, -124, 5, 0)
		ctx, replays := t.Context(), q.Replays()
		check(t, errors.Join(
			q.Dispatch(ctx, event(123, 0)), q.Build(ctx, 7), q.Reconcile(ctx, 8), q.WarmUp(ctx, 9), q.Push(ctx, newPosts(128)),
			q.Dispatch(ctx, event(-124, 0)), replays.Build(ctx, 7), replays.Reconcile(ctx, 8), replays.WarmUp(ctx, 9),
			q.Refresh(ctx, []feed.UserID{7, 8}),
		))
		enqueueRaw(t, conn, tasks.QueueBuild, tasks.TypeBuild, "\x00")
		enqueueRaw(t, conn, tasks.QueueBuild, "other", "x")
		server := serveUI(t, conn, true)
		for queue, want := range map[string][]string{
			tasks.QueueDispatch: {`"payload":"object a|123"`, `"payload":"object a|-124"`},
			tasks.QueuePush:     {`"payload":"object a|123, slice 4"`, `"payload":"object a|-124, slice 5"`, `"payload":"object a|1, slice 0; object a|2, slice 0"`},
			tasks.QueueBuild: {
				`"payload":"inbox of user a|7"`, `"payload":"inbox of user a|8"`, `"payload":"inbox of user a|9"`,
				`"payload":"replay inbox of user a|7"`, `"payload":"replay inbox of user a|8"`, `"payload":"replay inbox of user a|9"`,
				`"payload":"live sessions of users [a|7 a|8]"`,
				`timeline_build payload: invalid character`,
				`unknown task type`,
			},
		} {
			resp, body := send(t, server, "GET", "/tasks/api/queues/"+queue+"/pending_tasks", "")
			for _, words := range want {
				if resp.StatusCode != http.StatusOK || !strings.Contains(body, words) {
					t.Errorf("%s: %s without %s: %s", queue, resp.Status, words, body)
				}
			}
		}
	})
}

func TestUI_EmptyResultIsEmpty(t *testing.T) {
	onEveryRedis(t, func(t *testing.T, conn asynq.RedisConnOpt, q *tasks.Queue) {
		built, w := startBuilder(t, conn, tasks.Options{})
		check(t, q.Build(t.Context(), 7))
		receive(t, built, "build")
		w.Shutdown() // the task is marked as finished by then

		finished := fixture.Got(newInspector(t, conn).ListCompletedTasks(tasks.QueueBuild)).Must(t)
		if len(finished) != 1 {
			t.Fatalf("%d tasks are finished, want 1", len(finished))
		}
		server := serveUI(t, conn, true)
		for _, page := range []string{"completed_tasks", "tasks/" + finished[0].ID} {
			resp, body := send(t, server, "GET", "/tasks/api/queues/"+tasks.QueueBuild+"/"+page, "")
			if resp.StatusCode != http.StatusOK || !strings.Contains(body, `"result":""`) {
				t.Errorf("%s: %s without an empty result: %s", page, resp.Status, body)
			}
		}
	})
}

func TestUI_ReadOnlyChangesNothing(t *testing.T) {
	pauses(t, true, "", http.StatusMethodNotAllowed)
}

func TestUI_RefusesForeignOrigins(t *testing.T) {
	pauses(t, false, "https://elsewhere.example", http.StatusForbidden)
	pauses(t, false, "", http.StatusNoContent)
}

// pauses fails the test unless a request of a page of origin to pause a queue gets the status. No
// origin is the UI's own page.
func pauses(t *testing.T, readOnly bool, origin string, want int) {
	t.Helper()
	conn := realRedis(t)
	check(t, newQueue(t, conn).Build(t.Context(), 7))
	server := serveUI(t, conn, readOnly)
	resp, _ := send(t, server, "POST", "/tasks/api/queues/build:pause", cmp.Or(origin, server.URL))
	info := fixture.Got(newInspector(t, conn).GetQueueInfo(tasks.QueueBuild)).Must(t)
	if resp.StatusCode != want || info.Paused != (want == http.StatusNoContent) {
		t.Errorf("a pause is answered with %s, want %d; the queue is paused: %t", resp.Status, want, info.Paused)
	}
}

func TestUI_RootWithOrWithoutSlashes(t *testing.T) {
	conn := realRedis(t)
	for _, root := range []string{"tasks", "/tasks", "/tasks/"} {
		handler, closeUI := tasks.UI(conn, root, true, names())
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/tasks/", nil))
		if !strings.Contains(answer.Body.String(), `src="/tasks/static/js/`) {
			t.Errorf("root %q: the page's scripts are not below /tasks", root)
		}
		check(t, closeUI())
	}
}
