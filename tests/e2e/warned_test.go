package e2e

import (
	"net/http"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/internal/warnings"
	"github.com/tideline-feeds/tideline/tests/harness"
)

func TestUnknownSetting_WarnsInEveryCommand(t *testing.T) {
	t.Setenv("TIDELINE_DATABSE_URL", "postgres://db/tideline")
	code, stdout, stderr := harness.RunMain(t, "version")
	if code != 0 || !strings.HasPrefix(stdout, "tideline ") ||
		!strings.Contains(stderr, "warning: no command reads the environment variable TIDELINE_DATABSE_URL (did you mean TIDELINE_DATABASE_URL?)") {
		t.Errorf("exit code %d, %q, %q", code, stdout, stderr)
	}
}

// readyWarnings returns the warnings in a server's /readyz, whose status must be 200.
func (s *server) readyWarnings(t *testing.T) map[string]warnings.Warning {
	t.Helper()
	code, got := s.Ready(t)
	if code != 200 || !got.Ready {
		t.Fatalf("/readyz returns %d %+v", code, got)
	}
	byName := map[string]warnings.Warning{}
	for _, w := range got.Warnings {
		byName[w.Name] = w
	}
	return byName
}

func TestWarnings_ReachLogReadyzMetricAndDoctor(t *testing.T) {
	t.Parallel()
	inboxes := testenv.StartRedis(t, testenv.RedisOptions{Args: []string{"--maxmemory-policy", "allkeys-lru"}})
	queues := testenv.StartRedis(t, testenv.RedisOptions{Args: []string{"--maxmemory-policy", "volatile-ttl"}})
	adminToken := strings.Repeat("operator", 4)
	env := []string{
		"TIDELINE_DATABASE_URL=" + testenv.Postgres(t), "TIDELINE_REDIS_URL=" + inboxes.URL(), "TIDELINE_QUEUE_REDIS_URL=" + queues.URL(),
		"TIDELINE_DATA_DIR=" + t.TempDir(), "TIDELINE_JWT_SECRET=" + harness.Secret, "TIDELINE_ADMIN_TOKEN=" + adminToken,
		"TIDELINE_PUSH_TRESHOLD=7",
	}
	s := startServer(t, env...)
	want := map[string]string{
		"unknown_setting":    "TIDELINE_PUSH_TRESHOLD (did you mean TIDELINE_PUSH_THRESHOLD?)",
		"redis_policy":       "the Redis of --redis-url runs with maxmemory-policy allkeys-lru",
		"queue_redis_policy": "the Redis of --queue-redis-url runs with maxmemory-policy volatile-ttl",
	}
	ready := s.readyWarnings(t)
	_, scrape := s.Get(t, "/metrics", adminToken)
	_, report := harness.Command(t, env, "doctor")
	_, reportJSON := harness.Command(t, env, "doctor", "--json")
	for name, message := range want {
		if got := ready[name]; !strings.Contains(got.Message, message) || got.Action == "" {
			t.Errorf("/readyz has %+v for %s", got, name)
		}
		for where, text := range map[string]string{
			"the log": s.Process.Output(), "the doctor": report, "the doctor's JSON": reportJSON,
		} {
			if !strings.Contains(text, message) {
				t.Errorf("%s lacks %q:\n%s", where, message, text)
			}
		}
		if !strings.Contains(scrape, `tideline_warning{name="`+name+`"} 1`) {
			t.Errorf("the metrics have no %s", name)
		}
	}
	if len(ready) != len(want) || !strings.Contains(scrape, `tideline_warning{name="no_worker"} 0`) {
		t.Errorf("with a worker /readyz also has %v", ready)
	}
}

// The doctor serves no requests, so it reads of the proxy from the database.
func TestProxyWarnings_EndOnceTheProxyIsTrusted(t *testing.T) {
	t.Parallel()
	adminToken := strings.Repeat("operator", 4)
	env := []string{
		"TIDELINE_DATA_DIR=" + t.TempDir(), "TIDELINE_JWT_SECRET=" + harness.Secret, "TIDELINE_DEMO=false", "TIDELINE_ADMIN_TOKEN=" + adminToken,
	}
	const (
		query    = `{"query":"{ viewer { __typename } }"}`
		behind   = "X-Forwarded-For: 203.0.113.9"
		distrust = "warning: an untrusted address sends proxy headers; its clients share one budget (last seen from 127.0.0.1)"
		silence  = "warning: a trusted proxy does not name its client; its clients share one budget (last seen from 127.0.0.1)"
	)
	s := startServer(t, env...)
	harness.DoctorSays(t, env, nil, 0, "no warnings: checked ambiguous_proxy, ")
	s.send(t, http.MethodPost, "/graphql", query, behind)
	s.awaitWarning(t, env, "untrusted_proxy", distrust)
	if _, scrape := s.Get(t, "/metrics", adminToken); !strings.Contains(scrape, `tideline_warning{name="untrusted_proxy"} 1`) {
		t.Error("the metrics have no untrusted_proxy")
	}
	if _, body := s.Get(t, "/readyz", ""); strings.Contains(body, "127.0.0.1") {
		t.Errorf("/readyz shows the address: %s", body)
	}
	s.Process.Interrupt()
	s.Process.Wait()

	s = startServer(t, append(env, "TIDELINE_TRUSTED_PROXIES=127.0.0.1")...)
	s.send(t, http.MethodPost, "/graphql", query, behind)
	harness.DoctorSays(t, env, nil, 0, "no warnings: checked ")
	if got := s.readyWarnings(t); len(got) > 0 {
		t.Errorf("after the proxy is trusted /readyz has %v", got)
	}
	s.send(t, http.MethodPost, "/graphql", query)
	s.awaitWarning(t, env, "silent_proxy", silence)
}

// awaitWarning waits until the doctor prints a line, and its JSON and the server's /readyz have the
// warning.
func (s *server) awaitWarning(t *testing.T, env []string, name, line string) {
	t.Helper()
	eventually.True(t, "the doctor warns of "+name, func() bool {
		_, report := harness.Command(t, env, "doctor")
		_, reportJSON := harness.Command(t, env, "doctor", "--json")
		return strings.Contains(report, line) && strings.Contains(reportJSON, `"name": "`+name+`"`)
	})
	eventually.True(t, "/readyz warns of "+name, func() bool { return s.readyWarnings(t)[name].Action != "" })
}
