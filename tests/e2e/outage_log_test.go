//go:build nightly

package e2e

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

func TestOutages_LogBeginAndEndOnce(t *testing.T) {
	t.Parallel()
	postgres, redis := testenv.StartPostgres(t), testenv.StartRedis(t, testenv.RedisOptions{})
	env := []string{
		"TIDELINE_DATABASE_URL=" + postgres.URL(), "TIDELINE_REDIS_URL=" + redis.URL(), "TIDELINE_JWT_SECRET=" + harness.Secret,
		"TIDELINE_DEMO=false", "TIDELINE_DATA_DIR=" + t.TempDir(),
	}
	api := startServer(t, append(slices.Clone(env), "TIDELINE_ROLE=api")...)
	worker := harness.StartWorker(t, env)
	token := harness.TokenFor(t, 1)
	api.Publish(t, token, "before")
	for _, store := range []struct {
		outage        string
		kill, restart func()
	}{{"Redis cannot be reached", redis.Kill, redis.Restart}, {"the database cannot be reached", postgres.Kill, postgres.Restart}} {
		logged := func(line string) {
			t.Helper()
			for _, p := range []*testenv.Process{api.Process, worker} {
				eventually.True(t, line+" is logged", func() bool { return strings.Contains(p.Output(), line) })
			}
		}
		store.kill()
		for range 50 { // some fail, others are served without the store
			_ = api.ask(t, `{ viewer { homeFeed(first: 5) { nodes { text } } } }`, as(token))
		}
		logged(`outage="` + store.outage + `"`)
		store.restart()
		logged(`msg="an outage ended" outage="` + store.outage + `"`)
	}
	for name, p := range map[string]*testenv.Process{"api": api.Process, "worker": worker} {
		lines := regexp.MustCompile(`(?m)^.* level=(?:ERROR|WARN) .*$`).FindAllString(p.Output(), -1)
		// Redis, the task queue and the database; what was lost with Redis; and the warnings about both.
		if text := strings.Join(lines, "\n"); len(lines) > 6 || strings.Contains(text, "make room") || strings.Contains(text, "other settings") {
			t.Errorf("%s logs %d lines:\n%s", name, len(lines), text)
		}
	}
}
