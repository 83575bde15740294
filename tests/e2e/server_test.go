package e2e

import (
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/tests/harness"
)

func TestSettings_WrongValueNamesAllowedOnes(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--nonsense"}, "unknown flag --nonsense"},
		{[]string{"dance"}, "unexpected argument dance: there is no such command; tideline help lists all"},
		{[]string{"sevre"}, "there is no such command (did you mean serve?)"},
		{[]string{"improt", "users.ndjson"}, "there is no such command (did you mean import?)"},
		{[]string{"help", "wroker"}, "there is no such command (did you mean worker?)"},
		{[]string{"token", "--user=1", "more"}, "unexpected argument more"},
		{[]string{"serve", "--push-treshold=3"}, `did you mean "--push-threshold"?`},
		{[]string{"worker", "--address-rate-limimit=3"}, "(did you mean --address-rate-limit?)"},
		{[]string{"serve", "--sample=3"}, "it is a flag of shadow and doctor"},
		{[]string{"--jwt-secret=at-least-32-bytes-that-nobody-guesses"}, "--jwt-secret is the public example of the documentation"},
		{[]string{"--jwt-secret= AT-least-32-bytes-that-nobody-guesses"}, "--jwt-secret is the public example of the documentation"},
		{[]string{"token", "--user=1", "--jwt-secret=at-least-32-bytes-that-nobody-guesses"}, "--jwt-secret is the public example"},
		{[]string{"worker", "--admin-token=at-least-32-bytes-that-nobody-guesses"}, "--admin-token is the public example"},
		{[]string{"--fanout=sideways"}, `--fanout must be one of "hybrid","push","pull"`},
		{[]string{"--inbox=cellar"}, `--inbox must be one of "redis","sql"`},
		{[]string{"--role=king"}, `--role must be one of "all","api","worker"`},
		{[]string{"--log-level=loud"}, "--log-level"},
		{[]string{"--log-format=xml"}, `--log-format must be one of "text","json"`},
		{[]string{"--push-threshold=-1"}, "--push-threshold must be from 0 to"},
		{[]string{"--active-for=59s"}, "--active-for must be from 1m to 87600h, not 59s"},
		{[]string{"--active-for=87601h"}, "--active-for must be from 1m to 87600h, not 87601h0m0s"},
		{[]string{"--active-for=-720h"}, "--active-for must be from 1m to 87600h, not -720h0m0s"},
		{[]string{"--active-for=30d"}, "--active-for"},
		{[]string{"worker", "--active-for=0s"}, "--active-for must be from 1m to 87600h, not 0s"},
		{[]string{"--subtask-size=0"}, "--subtask-size must be from 1 to 100000, not 0"},
		{[]string{"--push-together=0"}, "--push-together must be from 1 to 1000, not 0"},
		{[]string{"--inbox-cap=x"}, "--inbox-cap"},
		{[]string{"--follow-limit=-5"}, "--follow-limit must be from 0 to"},
		{[]string{"--addr=nowhere"}, "--addr must be HOST:PORT"},
		{[]string{"--addr=:8080"}, "needs --jwt-secret or --jwks-url; without either only 127.0.0.1 and localhost are allowed"},
		{[]string{"--jwt-secret=short"}, "--jwt-secret must have at least 32 bytes, not 5"},
		{[]string{"--jwks-url=http://id.example/keys"}, "--jwks-url must be https://HOST/PATH, or http:// on this machine"},
		{[]string{"--jwks-url=id.example/keys"}, "--jwks-url must be https://HOST/PATH"},
		{[]string{"--jwt-audience=tideline"}, "needs a --jwks-url"},
		{[]string{"--jwt-issuer=https://id.example"}, "needs a --jwks-url"},
		{[]string{"--clock-leeway=-1s"}, "--clock-leeway must be from 0s to 5m0s, not -1s"},
		{[]string{"--clock-leeway=6m"}, "--clock-leeway must be from 0s to 5m0s, not 6m0s"},
		{[]string{"--admin-token=short"}, "--admin-token must have at least 32 bytes, not 5"},
		{[]string{"--service-token=short"}, "--service-token must have at least 32 bytes, not 5"},
		{[]string{"--service-token=at-least-32-bytes-that-nobody-guesses"}, "--service-token is the public example"},
		{[]string{"--service-token=" + harness.Secret, "--jwt-secret=" + harness.Secret}, "--service-token must differ from --jwt-secret"},
		{[]string{"--service-token=" + harness.Secret, "--admin-token=" + harness.Secret}, "--service-token must differ from --admin-token"},
		{[]string{"--service-rate-limit=9999"}, "--service-rate-limit must be 0, or from 10000 to 10000000, not 9999"},
		{[]string{"worker", "--admin-token=short"}, "--admin-token must have at least 32 bytes, not 5"},
		{[]string{"--admin-addr=9090"}, `--admin-addr must be HOST:PORT, such as 127.0.0.1:9090, not "9090"`},
		{[]string{"--admin-addr=:9090"}, "needs an --admin-token; without one only 127.0.0.1 and localhost are allowed"},
		{[]string{"--slow-operation=-1s"}, "--slow-operation must be 0s or longer, not -1s"},
		{[]string{"--drain-delay=-1s"}, "--drain-delay must be from 0s to 10m, not -1s"},
		{[]string{"--otlp-endpoint=collector:4318"}, "--otlp-endpoint must be http://HOST:PORT or https://HOST:PORT"},
		{[]string{"--trace-ratio=2"}, "--trace-ratio must be from 0 to 1, not 2"},
		{[]string{"--cors-origins=*"}, `--cors-origins: "*": not an origin such as https://app.example.org`},
		{[]string{"--cors-origins=https://app.example,https://other.example/path"}, `--cors-origins: "https://other.example/path"`},
		{[]string{"--introspection=perhaps"}, `--introspection must be one of "auto","on","off"`},
		{[]string{"--database-url=mysql://x"}, `--database-url must start with sqlite:// or postgres://, not "mysql://"`},
		{[]string{"--redis-url=http://x"}, `--redis-url must be embedded, redis://`},
		{[]string{"worker"}, "needs a --redis-url they share"},
		{[]string{"worker", "--inbox=sql"}, "needs a --redis-url they share"},
		{[]string{"worker", "--queue-redis-url=redis://127.0.0.1:1"}, "needs a --redis-url they share"},
		{[]string{"import"}, "import needs a file of records"},
		{[]string{"import", "/nowhere/at/all"}, "no such file"},
		{[]string{"token"}, "token needs --user=ID or --service=NAME"},
		{[]string{"token", "--user=1", "--service=content"}, "--user and --service can't be used together"},
		{[]string{"token", "--service=content", "--admin"}, "--service and --admin can't be used together"},
		{[]string{"token", "--service=a b"}, "--service: the name of a service must have 1 to 128 visible ASCII characters"},
		{[]string{"token", "--service=TIDELINE_SERVICE_TOKEN"}, "--service: this name belongs to the opaque service token"},
		{[]string{"token", "--user=0"}, `"0" is not a user id`},
		{[]string{"token", "--user=1", "--ttl=0s"}, "--ttl must be at least 1s"},
	} {
		t.Setenv("TIDELINE_DATA_DIR", t.TempDir())
		code, stdout, stderr := harness.RunMain(t, c.args...)
		if code != 2 || stdout != "" || !strings.Contains(stderr, c.want) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("tideline %s: exit code %d, output %q, and on standard error\n  %s  want one line with %q", strings.Join(c.args, " "), code, stdout, stderr, c.want)
		}
	}
}

func TestSettings_EnvironmentIsCheckedLikeFlags(t *testing.T) {
	t.Setenv("TIDELINE_SUBTASK_SIZE", "0")
	code, _, stderr := harness.RunMain(t, "serve")
	if code != 2 || !strings.Contains(stderr, "--subtask-size must be from 1") {
		t.Errorf("exit code %d, %q", code, stderr)
	}
}

func TestSettings_HidePasswordOfWrongURL(t *testing.T) {
	for _, args := range [][]string{
		{"--database-url=user:hunter2@host/db"},
		{"--redis-url=hunter2@host"},
		{"migrate", "--database-url=postgres://user:hunter2@127.0.0.1:1/none?connect_timeout=1"},
		{"migrate", "--database-url=postgres://user:hunter2@%zz/none"},
	} {
		code, stdout, stderr := harness.RunMain(t, args...)
		if code == 0 || strings.Contains(stdout+stderr, "hunter2") {
			t.Errorf("tideline %s: exit code %d, %s", args, code, stderr)
		}
	}
}

func TestVersionAndHelp_PrintToStandardOutput(t *testing.T) {
	for arg, want := range map[string]string{
		"version": "tideline ", "version --licenses": "Apache License", "-v": "tideline ", "--version": "tideline ", "serve -v": "tideline ",
		"--help": "Usage: tideline", "-h": "Usage: tideline", "help": "Usage: tideline <command>",
		"help serve": "Usage: tideline serve", "help help": "Usage: tideline help", "help token": "Usage: tideline token",
	} {
		if code, stdout, stderr := harness.RunMain(t, strings.Fields(arg)...); code != 0 || !strings.Contains(stdout, want) || stderr != "" {
			t.Errorf("tideline %s: exit code %d, %q, %q", arg, code, stdout, stderr)
		}
	}
}

// TestServe_FirstStart runs the program as a new user does, with a data directory as its only
// setting, and uses it by HTTP.
func TestServe_FirstStart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := startServer(t, "TIDELINE_DATA_DIR="+dir)

	t.Run("every printed address works", func(t *testing.T) {
		for path, want := range map[string]string{
			"/":               "Tideline",
			"/graphiql":       "<!doctype html>",
			"/healthz":        "ok",
			"/readyz":         `"sql":"ok"`,
			"/schema.graphql": "type Viewer",
		} {
			if code, body := s.Get(t, path, ""); code != http.StatusOK || !strings.Contains(strings.ToLower(body), strings.ToLower(want)) {
				t.Errorf("GET %s returns %d: %.200s", path, code, body)
			}
		}
	})
	t.Run("the schema is the published one", func(t *testing.T) {
		want, err := os.ReadFile("schema.graphql")
		if err != nil {
			t.Fatal(err)
		}
		if _, got := s.Get(t, "/schema.graphql", ""); got != string(want) {
			t.Errorf("schema.graphql differs from the server's schema: %s", cmp.Diff(string(want), got))
		}
	})
	t.Run("a public outbox needs no token", func(t *testing.T) {
		var got struct {
			User struct {
				Name     string
				Counters struct{ Followers int }
				Posts    struct {
					Edges []struct{ Node struct{ Text string } }
				}
			}
		}
		s.Query(t, "", `{ user(handle: "star1") { name counters { followers } posts(first: 3) { edges { node { text } } } } }`, nil, &got)
		if len(got.User.Posts.Edges) != 3 || got.User.Counters.Followers < 200 {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("the token command signs in", func(t *testing.T) {
		code, token, stderr := harness.RunMain(t, "token", "--user", "10", "--data-dir", dir)
		if code != 0 {
			t.Fatal(stderr)
		}
		token = strings.TrimSpace(token)
		if ids := s.Home(t, token, 100, 300); len(ids) != 300 {
			t.Errorf("the home feed of a demo user has %d entries in its first three pages", len(ids))
		}
		if code, _ := s.Get(t, "/tasks", token); code != http.StatusForbidden {
			t.Errorf("/tasks returns %d without the admin claim", code)
		}
		_, admin, _ := harness.RunMain(t, "token", "--user", "10", "--admin", "--data-dir", dir)
		if code, body := s.Get(t, "/tasks", strings.TrimSpace(admin)); code != http.StatusOK || !strings.Contains(body, "Asynq") {
			t.Errorf("/tasks returns %d with the admin claim: %.200s", code, body)
		}
	})
	t.Run("a second server on the same data is refused", func(t *testing.T) {
		code, _, stderr := harness.RunMain(t, "serve", "--addr=127.0.0.1:0", "--data-dir", dir)
		if code != 2 || !strings.Contains(stderr, "another server is running on "+dir) {
			t.Errorf("exit code %d, %s", code, stderr)
		}
	})
	t.Run("a signal stops it cleanly", func(t *testing.T) {
		s.Process.Interrupt()
		if code := s.Process.Wait(); code != 0 {
			t.Errorf("the exit code is %d, want 0", code)
		}
	})
}

// TestServe_KeepsPostsAfterKill kills the embedded server together with its Redis, and starts it
// again on the same data.
func TestServe_KeepsPostsAfterKill(t *testing.T) {
	t.Parallel()
	env := []string{"TIDELINE_DATA_DIR=" + t.TempDir(), "TIDELINE_JWT_SECRET=" + harness.Secret}
	s := startServer(t, env...)
	reader, author := harness.TokenFor(t, 10), harness.TokenFor(t, 20)
	s.Follow(t, reader, 20)
	s.Home(t, reader, 20, 20)
	id := s.Publish(t, author, "before the kill")
	s.Process.Kill()

	s = startServer(t, env...)
	if ids := s.Home(t, reader, 20, 20); len(ids) == 0 || ids[0] != id {
		t.Errorf("after the restart the feed begins with %v, want %s", ids, id)
	}
}
