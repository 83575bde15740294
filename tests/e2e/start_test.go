package e2e

import (
	"context"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/internal/app"
	"github.com/tideline-feeds/tideline/tests/harness"
)

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
	t.Run("public files and responses are compressed and tagged", func(t *testing.T) {
		for path, caching := range map[string]string{
			"/graphiql/LICENCES.txt": "no-cache",
			"/schema.graphql":        "public, max-age=300",
			"/graphql?query=%7B__type(name%3A%22Post%22)%7Bfields%7Bname%20description%7D%7D%7D": "public, no-cache",
		} {
			zipped := s.send(t, http.MethodGet, path, "", "Accept-Encoding: gzip", "GraphQL-Preflight: 1")
			if zipped.StatusCode != http.StatusOK || zipped.Header.Get("Content-Encoding") != "gzip" || zipped.Header.Get("Cache-Control") != caching {
				t.Errorf("the response to GET %s is %d, %v", path, zipped.StatusCode, zipped.Header)
			}
			again := s.send(t, http.MethodGet, path, "", "If-None-Match: "+zipped.Header.Get("ETag"), "GraphQL-Preflight: 1")
			if again.StatusCode != http.StatusNotModified || again.body != "" {
				t.Errorf("GET %s with the tag returns %d", path, again.StatusCode)
			}
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
