package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/app"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// parseScrape returns this program's metrics in a scrape.
func parseScrape(text string) map[string]harness.Metric {
	all := map[string]harness.Metric{}
	for _, m := range regexp.MustCompile(`(?m)^# TYPE (tideline_\w+) (\w+)$`).FindAllStringSubmatch(text, -1) {
		all[m[1]] = harness.Metric{Type: m[2]}
	}
	series := regexp.MustCompile(`(?m)^(tideline_\w+?)(?:_bucket|_sum|_count)?\{(.*)\} `)
	for _, m := range series.FindAllStringSubmatch(text, -1) {
		var labels []string
		for _, l := range regexp.MustCompile(`(\w+)="`).FindAllStringSubmatch(m[2], -1) {
			if l[1] != "le" {
				labels = append(labels, l[1])
			}
		}
		slices.Sort(labels)
		all[m[1]] = harness.Metric{Type: all[m[1]].Type, Labels: labels}
	}
	return all
}

// adminOf returns the admin address of a process.
func adminOf(p *testenv.Process) *server {
	address := p.WaitLine(`serving operators.*address"?[=:]"?([0-9.:]+)`)
	return &server{&harness.Server{Process: p, Base: "http://" + address[1]}}
}

// scrape returns a server's metrics.
func (s *server) scrape(t *testing.T) string {
	t.Helper()
	code, body := s.Get(t, "/metrics", operatorToken)
	if code != http.StatusOK {
		t.Fatalf("/metrics returns %d: %s", code, body)
	}
	return body
}

// storeDeadLetter makes a database with a dead letter and a position of a source.
func storeDeadLetter(t *testing.T, env []string) {
	t.Helper()
	runs(t, env, 0, "migrate")
	_, err := openStore(t, env).Ingest(t.Context(), feed.SourceBatch{
		Source: "shop", Move: feed.PositionMove{Partition: "0", Identity: "one", To: "1"},
		Rejected: []feed.Rejected{{Line: 1, Text: []byte("no json"), Reason: "not a JSON object"}},
	})
	harness.Check(t, err)
}

// The docs and a running server have the same metrics, with the same types and labels.
func TestDocs_ListEveryMetric(t *testing.T) {
	t.Parallel()
	env := embedded(t, "TIDELINE_ADMIN_ADDR=127.0.0.1:0", "TIDELINE_UPSTREAM_PROTOCOL=json")
	storeDeadLetter(t, env)
	shop := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"results":[]}`))
	}))
	defer shop.Close()
	s := startServer(t, append(env, from(shop.URL, "COUNTERS")...)...)
	admin := adminOf(s.Process)
	s.ask(t, `{ viewer { homeFeed(first: 5) { nodes { counters { likes } author { handle } } } } }`, as(harness.TokenFor(t, 10)))
	s.Publish(t, harness.TokenFor(t, 20), "counted")
	eventually.True(t, "the publish is delivered", func() bool {
		return regexp.MustCompile(`(?m)^tideline_fanout_lag_seconds_count [1-9]`).MatchString(admin.scrape(t))
	})
	if diff := cmp.Diff(harness.DocumentedMetrics(t), parseScrape(admin.scrape(t))); diff != "" {
		t.Errorf("docs/metrics.md (-docs +server):\n%s", diff)
	}
}

func TestOperatorEndpoints_NeedToken(t *testing.T) {
	t.Parallel()
	s := startServer(t, embedded(t, noDemo, "TIDELINE_ADMIN_ADDR=127.0.0.1:0", "TIDELINE_SLOW_OPERATION=1ns", "TIDELINE_LOG_FORMAT=json")...)
	admin := adminOf(s.Process)
	for path, want := range map[string]string{
		"/metrics": "tideline_build_info", "/tasks": "Asynq", "/debug/pprof/": "goroutine", "/healthz": "ok", "/readyz": `"ready":true`,
	} {
		if code, body := admin.Get(t, path, operatorToken); code != http.StatusOK || !strings.Contains(body, want) {
			t.Errorf("on the admin address %s returns %d: %.200s", path, code, body)
		}
		open := path == "/healthz" || path == "/readyz"
		if code, _ := admin.Get(t, path, ""); open != (code == http.StatusOK) {
			t.Errorf("on the admin address %s returns %d without the token", path, code)
		}
	}
	for _, c := range []struct {
		path, token string
		want        int
	}{
		{"/metrics", operatorToken, http.StatusOK},
		{"/metrics", "", http.StatusUnauthorized},
		{"/metrics", harness.TokenFor(t, 10), http.StatusForbidden},
		{"/debug/pprof/", "", http.StatusNotFound},
	} {
		if code, body := s.Get(t, c.path, c.token); code != c.want {
			t.Errorf("on the main address %s returns %d, want %d: %.200s", c.path, code, c.want, body)
		}
	}

	t.Run("the log has the hash of a slow document only", func(t *testing.T) {
		s.Publish(t, harness.TokenFor(t, 10), "a secret among friends")
		line := s.Process.WaitLine(`^(\{.*"msg":"slow operation".*\})$`)[1]
		var got struct{ Document, Kind, RequestID, Viewer string }
		harness.Check(t, json.Unmarshal([]byte(line), &got))
		if len(got.Document) != 64 || got.Kind != "mutation" || got.RequestID == "" || got.Viewer != "10" {
			t.Errorf("the log line is %s", line)
		}
		s.Process.WaitLine(`"msg":"request".*"path":"/graphql".*"viewer":"10"`)
		if strings.Contains(s.Process.Output(), "secret among friends") || strings.Contains(s.Process.Output(), "publishPost") {
			t.Error("the log has the post's text or the document")
		}
	})
}

// A server without its database cannot serve, and a stopping one must get no new requests.
func TestReadiness_NamesReason(t *testing.T) {
	t.Parallel()
	env := shared(t, noDemo, "TIDELINE_DRAIN_DELAY=10m", "TIDELINE_ADMIN_ADDR=127.0.0.1:0")
	database, redis := setting(env, "TIDELINE_DATABASE_URL"), setting(env, "TIDELINE_REDIS_URL")
	toDatabase, toRedis := testenv.StartProxy(t, database), testenv.StartProxy(t, redis)
	env = append(env, "TIDELINE_DATABASE_URL="+toDatabase.URL(database), "TIDELINE_REDIS_URL="+toRedis.URL(redis))
	s := startServer(t, env...)
	admin := adminOf(s.Process)
	// becomes waits for a state: the server pings its stores once a second.
	becomes := func(on *server, status int, reasons ...string) {
		t.Helper()
		eventually.Succeeds(t, "/readyz", func() error {
			if code, got := on.Ready(t); code != status || got.Ready != (status == http.StatusOK) || !slices.Equal(got.Reasons, reasons) {
				return errors.New(http.StatusText(code) + ": " + strings.Join(got.Reasons, ", "))
			}
			return nil
		})
	}
	becomes(s, http.StatusOK)
	toRedis.Cut()
	if code, got := s.Ready(t); code != http.StatusOK {
		t.Errorf("without Redis /readyz returns %d %+v", code, got)
	}
	toRedis.Heal()
	toDatabase.Cut()
	becomes(s, http.StatusServiceUnavailable, "sql: the database cannot be reached")
	if code, _ := s.Get(t, "/healthz", ""); code != http.StatusOK {
		t.Errorf("/healthz returns %d, but a restart would not help", code)
	}
	toDatabase.Heal()
	becomes(s, http.StatusOK)
	worker := adminOf(harness.StartWorker(t, env))
	becomes(worker, http.StatusOK)
	for _, want := range []string{`tideline_queue_age_seconds{queue="push"}`, `tideline_pending{what="overdue"} 0`, "tideline_generation "} {
		if body := worker.scrape(t); !strings.Contains(body, want) {
			t.Errorf("the scrape of a worker lacks %s", want)
		}
	}
	s.Process.Interrupt()
	s.Process.WaitLine("stopping; still accepting requests")
	for _, on := range []*server{s, admin} {
		if code, got := on.Ready(t); code != http.StatusServiceUnavailable || !slices.Equal(got.Reasons, []string{"the process is stopping"}) {
			t.Errorf("while it stops /readyz returns %d %+v", code, got)
		}
	}
	s.Process.Kill()
}

// TestServe_FirstStart runs the program as a new user does, with a data directory as its only
// setting, and uses it by HTTP.
func TestServe_FirstStart(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	s := startServer(t, "TIDELINE_DATA_DIR="+dir)

	t.Run("every printed address works", func(t *testing.T) {
		for path, want := range map[string]string{
			"/":               "tideline",
			"/graphiql":       "<!doctype html>",
			"/healthz":        "ok",
			"/readyz":         `"sql":"ok"`,
			"/schema.graphql": "type viewer",
		} {
			if code, body := s.Get(t, path, ""); code != http.StatusOK || !strings.Contains(strings.ToLower(body), want) {
				t.Errorf("GET %s returns %d: %.200s", path, code, body)
			}
		}
		if _, got := s.Get(t, "/schema.graphql", ""); got != harness.Doc(t, "schema.graphql") {
			t.Errorf("schema.graphql differs from the server's schema: %s", cmp.Diff(harness.Doc(t, "schema.graphql"), got))
		}
	})
	t.Run("a public outbox needs no token", func(t *testing.T) {
		var got struct {
			User struct {
				Counters struct{ Followers int }
				Posts    struct{ Nodes []struct{ Text string } }
			}
		}
		s.Query(t, "", `{ user(handle: "star1") { counters { followers } posts(first: 3) { nodes { text } } } }`, nil, &got)
		if len(got.User.Posts.Nodes) != 3 || got.User.Counters.Followers < 200 {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("introspection works on this machine, and not through a proxy", func(t *testing.T) {
		const schema = `{ __schema { queryType { name } } }`
		if here, proxied := s.ask(t, schema), s.ask(t, schema, "Via: 1.1 proxy"); !strings.Contains(here.body, `"Query"`) || strings.Contains(proxied.body, `"Query"`) {
			t.Errorf("the responses are %s and %s", here.body, proxied.body)
		}
	})
	t.Run("the token command signs in", func(t *testing.T) { s.signsIn(t, dir) })
	t.Run("its files are private", func(t *testing.T) { wantPrivate(t, dir) })
	t.Run("commands find its Redis", func(t *testing.T) {
		runs(t, []string{"TIDELINE_DATA_DIR=" + dir}, 0, "doctor", "with an inbox", "found nothing")
	})
	t.Run("a second server on the same data is refused", func(t *testing.T) {
		code, _, stderr := harness.RunMain(t, "serve", "--addr=127.0.0.1:0", "--data-dir", dir)
		if code != 2 || !strings.Contains(stderr, "another server is running on "+dir) {
			t.Errorf("exit code %d, %s", code, stderr)
		}
	})
	t.Run("a signal stops it cleanly", func(t *testing.T) {
		// Sockets would never end. Their clients connect to the next server.
		conn := s.socket(t, "")
		s.Process.Interrupt()
		if _, _, err := conn.Read(context.Background()); websocket.CloseStatus(err) != websocket.StatusGoingAway {
			t.Errorf("the socket is closed with %v", err)
		}
		if code := s.Process.Wait(); code != 0 {
			t.Errorf("the exit code is %d, want 0", code)
		}
		if _, err := os.Stat(filepath.Join(dir, "redis.url")); !os.IsNotExist(err) {
			t.Errorf("the stopped server left the address of its Redis (error %v)", err)
		}
		if _, stderr := tokenOf(t, dir); !strings.Contains(stderr, noServer+dir) {
			t.Errorf("the token command does not warn: %q", stderr)
		}
	})
}

const noServer = "no server on this machine uses the secret in "

// tokenOf runs tideline token with the secret of a data directory, and returns the token and what
// is on standard error.
func tokenOf(t *testing.T, dir string, args ...string) (token, stderr string) {
	t.Helper()
	code, stdout, stderr := harness.RunMain(t, append([]string{"token", "--user=10", "--data-dir=" + dir}, args...)...)
	if code != 0 || strings.Count(stdout, "\n") != 1 {
		t.Fatalf("exit code %d, %q, %q", code, stdout, stderr)
	}
	return strings.TrimSpace(stdout), stderr
}

// signsIn checks the tokens of a user and of an administrator.
func (s *server) signsIn(t *testing.T, dir string) {
	t.Helper()
	token, stderr := tokenOf(t, dir)
	if ids := s.Home(t, token, 100, 300); len(ids) != 300 || stderr != "" {
		t.Errorf("the home feed of a demo user has %d entries in its first three pages; standard error has %q", len(ids), stderr)
	}
	if code, _ := s.Get(t, "/tasks", token); code != http.StatusForbidden {
		t.Errorf("/tasks returns %d without the admin claim", code)
	}
	admin, _ := tokenOf(t, dir, "--admin")
	if code, body := s.Get(t, "/tasks", admin); code != http.StatusOK || !strings.Contains(body, "Asynq") {
		t.Errorf("/tasks returns %d with the admin claim: %.200s", code, body)
	}
	moderator, _ := tokenOf(t, dir, "--moderator")
	for token, want := range map[string]string{token: "", moderator: "MODERATOR", admin: "MODERATOR ADMIN"} {
		var got struct{ Viewer struct{ Roles []string } }
		s.Query(t, token, `{ viewer { roles } }`, nil, &got)
		if roles := strings.Join(got.Viewer.Roles, " "); roles != want {
			t.Errorf("a token has the roles %q, want %q", roles, want)
		}
	}
}

// wantPrivate checks that other users of the machine cannot read a server's files.
func wantPrivate(t *testing.T, dir string) {
	t.Helper()
	seen := map[string]bool{}
	harness.Check(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		harness.Check(t, err)
		info, err := d.Info()
		harness.Check(t, err)
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
		seen[filepath.Base(path)] = true
		return nil
	}))
	for _, name := range []string{"data", "tideline.db", "tideline.db-wal", "tideline.db-shm", "token.secret", "redis.url", "server.lock"} {
		if !seen[name] {
			t.Errorf("there is no %s among %v", name, seen)
		}
	}
}

// TestServe_KeepsPostsAfterKill kills the embedded server together with its Redis, and starts it
// again on the same data, whose database an earlier version let other users read.
func TestServe_KeepsPostsAfterKill(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	env := embedded(t, "TIDELINE_DATA_DIR="+dir)
	s := startServer(t, env...)
	reader, author := harness.TokenFor(t, 10), harness.TokenFor(t, 20)
	s.Follow(t, reader, 20)
	s.Home(t, reader, 20, 20)
	id := s.Publish(t, author, "before the kill")
	s.Process.Kill()
	if url, err := (app.DatabaseSettings{DataDir: dir}).ReadRedisURL(t.Context()); err == nil {
		t.Errorf("commands find the Redis of the killed server at %s", url)
	}
	harness.Check(t, os.Chmod(filepath.Join(dir, "tideline.db"), 0o644))

	s = startServer(t, env...)
	if ids := s.Home(t, reader, 20, 20); len(ids) == 0 || ids[0] != id {
		t.Errorf("after the restart the feed begins with %v, want %s", ids, id)
	}
	// The server's secret is that of its settings.
	if _, stderr := tokenOf(t, dir, "--jwt-secret="+harness.Secret); stderr != "" {
		t.Errorf("with the server's secret the token command prints %q", stderr)
	}
	if _, stderr := tokenOf(t, dir); !strings.Contains(stderr, noServer+dir) {
		t.Errorf("with another secret the token command does not warn: %q", stderr)
	}
	if info, err := os.Stat(filepath.Join(dir, "tideline.db")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the database has mode %v (error %v)", info.Mode(), err)
	}
}

// With PgBouncer's defaults, which permit 20 connections to a database.
func TestServe_WorksBehindSessionPooler(t *testing.T) {
	t.Parallel()
	env := shared(t)
	pooled := testenv.StartPgBouncer(t, setting(env, "TIDELINE_DATABASE_URL"), "pool_mode = session")
	s := startServer(t, append(env, "TIDELINE_DATABASE_URL="+pooled)...)
	token := harness.TokenFor(t, 7)
	post := s.Publish(t, token, "through a pooler")
	if got := s.Home(t, token, 20, 5); !slices.Equal(got, []string{post}) {
		t.Errorf("the home feed has %v, want %s", got, post)
	}
}

func TestMirrorCheck_WorksBehindSessionPooler(t *testing.T) {
	t.Parallel()
	source := testenv.LogicalPostgres(t)
	conn, err := pgx.Connect(t.Context(), source)
	harness.Check(t, err)
	_, err = conn.Exec(t.Context(), `CREATE TABLE people (id int PRIMARY KEY, name text); INSERT INTO people VALUES (1, 'Ann')`, pgx.QueryExecModeSimpleProtocol)
	harness.Check(t, err)
	harness.Check(t, conn.Close(t.Context()))
	file := filepath.Join(t.TempDir(), "map.yaml")
	mapping := `inputs: {public.people: [{type: user, fields: {id: =row.id, name: =row.name, createdAt: "2026-01-01T00:00:00Z"}}]}`
	harness.Check(t, os.WriteFile(file, []byte(mapping), 0o600))
	code, out := harness.Command(t, []string{"TIDELINE_MIRROR_SOURCE=" + testenv.StartPgBouncer(t, source, "pool_mode = session")}, "mirror", "check", "--map", file)
	if code != 0 || !strings.Contains(out, `"name":"Ann"`) {
		t.Errorf("the check ends with %d: %s", code, out)
	}
}
