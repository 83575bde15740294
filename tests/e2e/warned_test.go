//go:build nightly

package e2e

import (
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/internal/eventually"
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

// The doctor serves no requests, so it reads of the proxy from the database.
func TestProxyWarnings_EndOnceTheProxyIsTrusted(t *testing.T) {
	t.Parallel()
	env := embedded(t, noDemo)
	const (
		query    = `{ viewer { __typename } }`
		distrust = "warning: an untrusted address sends proxy headers; its clients share one budget (last seen from 127.0.0.1)"
		silence  = "warning: a trusted proxy does not name its client; its clients share one budget (last seen from 127.0.0.1)"
	)
	s := startServer(t, env...)
	runs(t, env, 0, "doctor", "no warnings: checked ambiguous_proxy, ")
	s.ask(t, query, there)
	s.awaitWarning(t, env, "untrusted_proxy", distrust)
	if _, scrape := s.Get(t, "/metrics", operatorToken); !strings.Contains(scrape, `tideline_warning{name="untrusted_proxy"} 1`) {
		t.Error("the metrics have no untrusted_proxy")
	}
	if _, body := s.Get(t, "/readyz", ""); strings.Contains(body, "127.0.0.1") {
		t.Errorf("/readyz shows the address: %s", body)
	}
	s.Process.Interrupt()
	s.Process.Wait()

	s = startServer(t, append(env, "TIDELINE_TRUSTED_PROXIES=127.0.0.1")...)
	s.ask(t, query, there)
	runs(t, env, 0, "doctor", "no warnings: checked ")
	if got := s.readyWarnings(t); len(got) > 0 {
		t.Errorf("after the proxy is trusted /readyz has %v", got)
	}
	s.ask(t, query)
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
