package e2e

import (
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/app"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// metric is the description of one metric, by the docs or by a server.
type metric struct {
	Type   string
	Labels []string
}

// documentedMetrics returns the table of docs/metrics.md.
func documentedMetrics(t *testing.T) map[string]metric {
	t.Helper()
	text, err := os.ReadFile("docs/metrics.md")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]metric{}
	for _, m := range regexp.MustCompile("(?m)^\\| `(tideline_\\w+)` \\| (\\w+) \\| (.*?) ?\\| .+ \\|$").FindAllStringSubmatch(string(text), -1) {
		all[m[1]] = metric{m[2], quoted(m[3])}
	}
	return all
}

// quoted returns the texts in backquotes, sorted.
func quoted(text string) []string {
	var out []string
	for _, m := range regexp.MustCompile("`(\\w+)`").FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	slices.Sort(out)
	return out
}

// parseScrape returns this program's metrics in a scrape.
func parseScrape(text string) map[string]metric {
	all := map[string]metric{}
	for _, m := range regexp.MustCompile(`(?m)^# TYPE (tideline_\w+) (\w+)$`).FindAllStringSubmatch(text, -1) {
		all[m[1]] = metric{Type: m[2]}
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
		all[m[1]] = metric{all[m[1]].Type, labels}
	}
	return all
}

// watched starts a server whose operator endpoints are at base, without credentials.
func watched(t *testing.T, env ...string) (s *server, admin *server) {
	t.Helper()
	s = startServer(t, append([]string{
		"TIDELINE_DATA_DIR=" + t.TempDir(), "TIDELINE_JWT_SECRET=" + harness.Secret, "TIDELINE_ADMIN_ADDR=127.0.0.1:0",
	}, env...)...)
	return s, adminOf(s.Process)
}

// adminOf returns the admin address of a process.
func adminOf(p *testenv.Process) *server {
	address := p.WaitLine(`serving operators.*address"?[=:]"?([0-9.:]+)`)
	return &server{&harness.Server{Process: p, Base: "http://" + address[1]}}
}

// scrape returns a server's metrics.
func (s *server) scrape(t *testing.T) string {
	t.Helper()
	code, body := s.Get(t, "/metrics", "")
	if code != http.StatusOK {
		t.Fatalf("/metrics returns %d: %s", code, body)
	}
	return body
}

// storeDeadLetter makes a database with a dead letter and a position of a source.
func storeDeadLetter(t *testing.T, dir string) {
	t.Helper()
	store, err := app.OpenSQL(t.Context(), app.DatabaseSettings{DataDir: dir}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	_, err = store.Ingest(t.Context(), feed.SourceBatch{
		Source: "shop", Move: feed.PositionMove{Partition: "0", Identity: "one", To: "1"},
		Rejected: []feed.Rejected{{Line: 1, Text: []byte("no json"), Reason: "not a JSON object"}},
	})
	if err := errors.Join(err, store.Close()); err != nil {
		t.Fatal(err)
	}
}

// The docs and a running server have the same metrics, with the same types and labels.
func TestDocs_ListEveryMetric(t *testing.T) {
	dir := t.TempDir()
	storeDeadLetter(t, dir)
	shop := httptest.NewServer(&shopPosts{texts: map[string]string{}})
	defer shop.Close()
	s, admin := watched(t, append(from(shop.URL, "COUNTERS"), "TIDELINE_UPSTREAM_PROTOCOL=json", "TIDELINE_DATA_DIR="+dir)...)
	reader := harness.TokenFor(t, 10)
	s.Query(t, reader, `{ viewer { homeFeed(first: 5) { nodes { counters { likes } author { handle } } } } }`, nil, &struct{}{})
	s.Publish(t, harness.TokenFor(t, 20), "counted")
	eventually.True(t, "the publish is delivered", func() bool {
		return regexp.MustCompile(`(?m)^tideline_fanout_lag_seconds_count [1-9]`).MatchString(admin.scrape(t))
	})
	if diff := cmp.Diff(documentedMetrics(t), parseScrape(admin.scrape(t))); diff != "" {
		t.Errorf("docs/metrics.md (-docs +server):\n%s", diff)
	}
}

// expressions returns the Prometheus expressions of the dashboard and the alerts.
func expressions(t *testing.T) []string {
	t.Helper()
	var board struct {
		Panels []struct {
			Targets []struct{ Expr string }
		}
	}
	text, err := os.ReadFile("docs/grafana/dashboard.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &board); err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, p := range board.Panels {
		for _, target := range p.Targets {
			all = append(all, target.Expr)
		}
	}
	alerts, err := os.ReadFile("docs/grafana/alerts.yml")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(?m)^ +expr: (.+)$`).FindAllStringSubmatch(string(alerts), -1) {
		all = append(all, m[1])
	}
	return all
}

// The dashboard and the alerts use documented metrics only, which exist by the test above, and
// every metric is in one of them.
func TestDashboard_UsesExistingMetrics(t *testing.T) {
	known, asked := documentedMetrics(t), map[string]bool{}
	name := regexp.MustCompile(`(tideline_\w+)(?:\{([^}]*)\})?`)
	for _, expr := range expressions(t) {
		for _, m := range name.FindAllStringSubmatch(expr, -1) {
			found, base := known[m[1]], m[1]
			for _, part := range []string{"_bucket", "_sum", "_count"} {
				if whole, is := strings.CutSuffix(m[1], part); is && known[whole].Type == "histogram" {
					found, base = known[whole], whole
				}
			}
			if found.Type == "" || found.Type == "histogram" && base == m[1] {
				t.Errorf("%s uses %s, which does not exist", expr, m[1])
			}
			asked[base] = true
			for _, l := range regexp.MustCompile(`(\w+)[=!]`).FindAllStringSubmatch(m[2], -1) {
				if !slices.Contains(found.Labels, l[1]) {
					t.Errorf("%s uses the label %s of %s, which has only %v", expr, l[1], base, found.Labels)
				}
			}
		}
	}
	for metric, m := range known {
		if slices.Contains(m.Labels, "job") || slices.Contains(m.Labels, "instance") {
			t.Errorf("labels of %s have names that Prometheus uses itself: %v", metric, m.Labels)
		}
		// Cache sizes in entries and slice counts add little to bytes and deliveries; they are for
		// debugging.
		closer := []string{"tideline_cache_entries", "tideline_cache_evictions_total", "tideline_slices_pushed_total", "tideline_periodic_total"}
		if !asked[metric] && !slices.Contains(closer, metric) {
			t.Errorf("neither the dashboard nor an alert uses %s", metric)
		}
	}
}

func TestOperatorEndpoints_NeedTokenOrLocalAddress(t *testing.T) {
	const token = "a token of operators, of 32 bytes"
	s, admin := watched(t, "TIDELINE_ADMIN_TOKEN="+token)
	for path, want := range map[string]string{
		"/metrics": "tideline_build_info", "/tasks": "Asynq", "/debug/pprof/": "goroutine", "/healthz": "ok", "/readyz": `"ready":true`,
	} {
		if code, body := admin.Get(t, path, ""); code != http.StatusOK || !strings.Contains(body, want) {
			t.Errorf("on the admin address %s returns %d: %.200s", path, code, body)
		}
		stranger := admin.send(t, http.MethodGet, path, "", "X-Forwarded-For: 192.0.2.7")
		open := path == "/healthz" || path == "/readyz"
		if open != (stranger.StatusCode == http.StatusOK) {
			t.Errorf("on the admin address %s returns %d to other clients", path, stranger.StatusCode)
		}
		operator := admin.send(t, http.MethodGet, path, "", "X-Forwarded-For: 192.0.2.7", "Authorization: Bearer "+token)
		if operator.StatusCode != http.StatusOK {
			t.Errorf("on the admin address %s returns %d to remote operators", path, operator.StatusCode)
		}
	}
	for _, c := range []struct {
		path, token string
		want        int
	}{
		{"/metrics", token, http.StatusOK},
		{"/metrics", "", http.StatusUnauthorized},
		{"/metrics", harness.TokenFor(t, 10), http.StatusForbidden},
		{"/debug/pprof/", "", http.StatusNotFound},
	} {
		if code, body := s.Get(t, c.path, c.token); code != c.want {
			t.Errorf("on the main address %s returns %d, want %d: %.200s", c.path, code, c.want, body)
		}
	}
}

func TestOperatorEndpoints_WorkerHasThem(t *testing.T) {
	t.Parallel()
	p := testenv.Program(t, []string{testenv.Binary(t), "worker"}, []string{
		"TIDELINE_DATABASE_URL=" + testenv.Postgres(t), "TIDELINE_REDIS_URL=" + testenv.Redis(t), "TIDELINE_ADMIN_ADDR=127.0.0.1:0",
	})
	admin := adminOf(p)
	if code, body := admin.Get(t, "/readyz", ""); code != http.StatusOK {
		t.Errorf("/readyz returns %d: %s", code, body)
	}
	for _, want := range []string{`tideline_queue_age_seconds{queue="push"}`, `tideline_pending{what="overdue"} 0`, "tideline_generation "} {
		if body := admin.scrape(t); !strings.Contains(body, want) {
			t.Errorf("the scrape lacks %s", want)
		}
	}
}

// A server without its database cannot serve, and a stopping one must get no new requests.
func TestReadiness_NamesReason(t *testing.T) {
	t.Parallel()
	database, redis := testenv.Postgres(t), testenv.Redis(t)
	toDatabase, toRedis := testenv.StartProxy(t, database), testenv.StartProxy(t, redis)
	s, admin := watched(t, "TIDELINE_DATABASE_URL="+toDatabase.URL(database), "TIDELINE_REDIS_URL="+toRedis.URL(redis), "TIDELINE_DRAIN_DELAY=5s")
	wantReady := func(on *server, status int, reasons ...string) {
		t.Helper()
		code, body := on.Get(t, "/readyz", "")
		var got app.Readiness
		if err := json.Unmarshal([]byte(body), &got); err != nil {
			t.Fatalf("%v: %s", err, body)
		}
		if code != status || got.Ready != (status == http.StatusOK) || !slices.Equal(got.Reasons, reasons) {
			t.Errorf("/readyz returns %d: %s; want %d for %q", code, body, status, reasons)
		}
	}
	wantReady(s, http.StatusOK)
	toRedis.Cut()
	wantReady(s, http.StatusOK)
	toRedis.Heal()
	toDatabase.Cut()
	// The server pings its stores once a second.
	eventually.True(t, "the server notices the lost database", func() bool {
		code, _ := s.Get(t, "/readyz", "")
		return code == http.StatusServiceUnavailable
	})
	wantReady(s, http.StatusServiceUnavailable, "sql: the database cannot be reached")
	if code, _ := s.Get(t, "/healthz", ""); code != http.StatusOK {
		t.Errorf("/healthz returns %d, but a restart would not help", code)
	}
	toDatabase.Heal()
	eventually.True(t, "the server reconnects to the database", func() bool {
		code, _ := s.Get(t, "/readyz", "")
		return code == http.StatusOK
	})
	s.Process.Interrupt()
	s.Process.WaitLine("stopping; still accepting requests")
	wantReady(s, http.StatusServiceUnavailable, "the process is stopping")
	wantReady(admin, http.StatusServiceUnavailable, "the process is stopping")
	if code := s.Process.Wait(); code != 0 {
		t.Errorf("the exit code is %d, want 0", code)
	}
}

func TestSlowLog_HasOnlyTheHash(t *testing.T) {
	s, _ := watched(t, "TIDELINE_SLOW_OPERATION=1ns", "TIDELINE_LOG_FORMAT=json")
	s.Publish(t, harness.TokenFor(t, 10), "a secret among friends")
	line := s.Process.WaitLine(`^(\{.*"msg":"slow operation".*\})$`)[1]
	var got struct{ Document, Kind, RequestID, Viewer string }
	if err := json.Unmarshal([]byte(line), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Document) != 64 || got.Kind != "mutation" || got.RequestID == "" || got.Viewer != "10" {
		t.Errorf("the log line is %s", line)
	}
	s.Process.WaitLine(`"msg":"request".*"path":"/graphql".*"viewer":"10"`)
	if strings.Contains(s.Process.Output(), "secret among friends") || strings.Contains(s.Process.Output(), "publishPost") {
		t.Error("the log has the post's text or the document")
	}
}
