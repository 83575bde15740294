//go:build nightly

package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// sessionRecord is the record of a live session.
func sessionRecord(id, host int, fields string) string {
	return fmt.Sprintf(`{"type":"live","id":"%d","host":"%d","title":"s%d","scheduledAt":"2026-03-01T12:00:%02d.000Z"%s}`, id, host, id, id, fields)
}

// Inboxes in the embedded database outlive their server. Those of replays are examined too.
func TestDoctor_ExaminesReplaysWithoutServer(t *testing.T) {
	t.Parallel()
	env := embedded(t, "TIDELINE_LOG_LEVEL=debug", "TIDELINE_INBOX=sql", noDemo)
	lines := []string{harness.UserRecord(1), harness.UserRecord(2), harness.FollowRecord(2, 1)}
	for id := 11; id <= 13; id++ {
		lines = append(lines, sessionRecord(id, 1, `,"startedAt":"2026-03-01T12:01:00.000Z","endedAt":"2026-03-01T12:02:00.000Z"`))
	}
	harness.ImportLines(t, env, lines...)
	s := startServer(t, env...)
	s.liveFeed(t, harness.TokenFor(t, 2), 2, func() {})
	eventually.True(t, "the replay inbox is built", func() bool { return s.CountLines("replay inbox built") == 1 })
	s.Process.Interrupt()
	s.Process.Wait()
	runs(t, env, 0, "doctor", "replay inboxes of 1 users: 1 warm", "replays: 3 in inboxes, 3 in live feeds", "found nothing", "cannot read the task queues")

	store := openStore(t, env)
	amend(t, sqlstore.NewReplayInboxes(store, feed.DefaultPolicy().InboxCap), 2, nil, func(k feed.Key) bool { return k.ID == 12 })
	runs(t, env, 1, "doctor --user=2", "missing-entry", "missing-in-feed", "user 2  replay of session 12", "found 2 errors")
	runs(t, env, 1, "doctor --json", `"session": "12"`, `"replays": {`)
	runs(t, env, 0, "rebuild", "1 replay inboxes rebuilt")
	runs(t, env, 0, "doctor --all", "found nothing")
}

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
