package e2e

import (
	"strings"
	"testing"

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

// readyWarnings returns the warnings of a server's /readyz, which must answer 200.
func (s *server) readyWarnings(t *testing.T) map[string]warnings.Warning {
	t.Helper()
	code, got := s.Ready(t)
	if code != 200 || !got.Ready {
		t.Fatalf("/readyz answers %d %+v", code, got)
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
				t.Errorf("%s does not say %q:\n%s", where, message, text)
			}
		}
		if !strings.Contains(scrape, `tideline_warning{name="`+name+`"} 1`) {
			t.Errorf("the metrics have no %s", name)
		}
	}
	if len(ready) != len(want) || !strings.Contains(scrape, `tideline_warning{name="no_worker"} 0`) {
		t.Errorf("with a worker there are also %v", ready)
	}
}
