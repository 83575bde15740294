package e2e

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/eventually"
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
