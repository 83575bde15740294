//go:build nightly

package e2e

import (
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

func TestWarnings_ReachLogReadyzMetricAndDoctor(t *testing.T) {
	t.Parallel()
	inboxes := testenv.StartRedis(t, testenv.RedisOptions{Args: []string{"--maxmemory-policy", "allkeys-lru"}})
	queues := testenv.StartRedis(t, testenv.RedisOptions{Args: []string{"--maxmemory-policy", "volatile-ttl"}})
	env := shared(t, "TIDELINE_REDIS_URL="+inboxes.URL(), "TIDELINE_QUEUE_REDIS_URL="+queues.URL(), "TIDELINE_PUSH_TRESHOLD=7")
	s := startServer(t, env...)
	want := map[string]string{
		"unknown_setting":    "TIDELINE_PUSH_TRESHOLD (did you mean TIDELINE_PUSH_THRESHOLD?)",
		"redis_policy":       "the Redis of --redis-url runs with maxmemory-policy allkeys-lru",
		"queue_redis_policy": "the Redis of --queue-redis-url runs with maxmemory-policy volatile-ttl",
	}
	ready := s.readyWarnings(t)
	_, scrape := s.Get(t, "/metrics", operatorToken)
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
