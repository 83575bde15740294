package tasks_test

import (
	"cmp"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/hibiken/asynq"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/tasks"
)

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
