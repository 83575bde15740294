package main

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/internal/warnings"
)

// environmentOf reads variables as the named command does.
func environmentOf(t *testing.T, command string, variables ...string) environment {
	t.Helper()
	parser, err := kong.New(&commands{})
	check(t, err)
	i := slices.IndexFunc(parser.Model.Children, func(n *kong.Node) bool { return n.Name == command })
	return readEnvironment(variables, parser.Model, parser.Model.Children[i])
}

func TestEnvironment_NamesUnknownSettings(t *testing.T) {
	for variable, want := range map[string]string{
		"TIDELINE_PUSH_TRESHOLD=1":     "TIDELINE_PUSH_TRESHOLD (did you mean TIDELINE_PUSH_THRESHOLD?)",
		"TIDELINE_JWT_SECERT=x":        "TIDELINE_JWT_SECERT (did you mean TIDELINE_JWT_SECRET?)",
		"TIDELINE_DATABSE_URL=x":       "TIDELINE_DATABSE_URL (did you mean TIDELINE_DATABASE_URL?)",
		"TIDELINE_REDIS=x":             "TIDELINE_REDIS (did you mean TIDELINE_REDIS_URL?)",
		"TIDELINE_HEALHT_URL=x":        "TIDELINE_HEALHT_URL (did you mean TIDELINE_HEALTH_URL?)",
		"tideline_addr=x":              "tideline_addr (did you mean TIDELINE_ADDR?)",
		"TIDELINE_COLOUR_OF_THE_SEA=x": "TIDELINE_COLOUR_OF_THE_SEA",
		"TIDELINE_PORT=8080":           "TIDELINE_PORT",
	} {
		if got := environmentOf(t, "serve", variable).unknown; !slices.Equal(got, []string{want}) {
			t.Errorf("%s: %q, want %q", variable, got, want)
		}
	}
}

func TestEnvironment_IgnoresWhatIsNoSetting(t *testing.T) {
	e := environmentOf(t, "worker", "PATH=/bin", "TIDELINE_LOG_LEVEL=debug",
		"TIDELINE_API_SERVICE_HOST=10.0.0.1", "TIDELINE_API_SERVICE_PORT=8080", "TIDELINE_API_SERVICE_PORT_HTTP=8080",
		"TIDELINE_API_PORT=tcp://10.0.0.1:8080", "TIDELINE_API_PORT_8080_TCP=tcp://10.0.0.1:8080",
		"TIDELINE_API_PORT_8080_TCP_ADDR=10.0.0.1", "TIDELINE_PORT_8080_TCP_PROTO=tcp")
	if len(e.unknown)+len(e.others) > 0 {
		t.Errorf("they come to %+v", e)
	}
}

func TestEnvironment_TellsOtherCommandsApart(t *testing.T) {
	e := environmentOf(t, "worker", "TIDELINE_JWT_SECRET=x", "TIDELINE_HEALTH_URL=x", "TIDELINE_REDIS_URL=x")
	if want := []string{"TIDELINE_HEALTH_URL", "TIDELINE_JWT_SECRET"}; !slices.Equal(e.others, want) || len(e.unknown) > 0 {
		t.Errorf("they come to %+v, want %q of other commands", e, want)
	}
}

func TestUnknownSetting_WarnsInEveryCommand(t *testing.T) {
	t.Setenv("TIDELINE_DATABSE_URL", "postgres://db/tideline")
	code, stdout, stderr := runMain(t, "version")
	if code != 0 || !strings.HasPrefix(stdout, "tideline ") ||
		!strings.Contains(stderr, "warning: no command reads the environment variable TIDELINE_DATABSE_URL (did you mean TIDELINE_DATABASE_URL?)") {
		t.Errorf("exit code %d, %q, %q", code, stdout, stderr)
	}
}

// steppedClock is a clock that a test sets.
type steppedClock struct{ now time.Time }

func (c *steppedClock) time() time.Time { return c.now }

func TestNoWorker_WarnsAfterThirtySeconds(t *testing.T) {
	clock := &steppedClock{time.UnixMilli(0)}
	workers, waits := 1, true
	var failure error
	w := &workerWatch{
		workers: func(context.Context) (int, error) { return workers, failure },
		waits:   func(context.Context) (bool, error) { return waits, nil },
		clock:   clock.time,
	}
	for _, step := range []struct {
		workers int
		waits   bool
		after   time.Duration
		want    string
	}{
		{1, true, time.Hour, ""},
		{0, true, time.Hour, ""},
		{0, true, workerGoneFor - time.Second, ""},
		{0, true, time.Second, noWorkerMessage},
		{0, false, time.Second, ""},
		{0, true, time.Second, noWorkerMessage},
		{1, true, time.Second, ""},
		{0, true, time.Second, ""},
	} {
		workers, waits = step.workers, step.waits
		clock.now = clock.now.Add(step.after)
		if got, err := w.look(t.Context()); err != nil || got != step.want {
			t.Errorf("%v with %d workers, work %v: %q, %v, want %q", step.after, step.workers, step.waits, got, err, step.want)
		}
	}
	failure = errors.New("no answer")
	if _, err := w.look(t.Context()); !errors.Is(err, failure) {
		t.Errorf("when the queue does not answer: %v", err)
	}
}

func TestRedisPolicy_NamesOtherPolicies(t *testing.T) {
	for want, policies := range map[string][]string{
		"": {"noeviction", "noeviction"},
		"the Redis of --redis-url runs with maxmemory-policy allkeys-lru":                                    {"allkeys-lru"},
		"the Redis of --redis-url runs with maxmemory-policy allkeys-lru on 1 of 3 servers":                  {"noeviction", "allkeys-lru", "noeviction"},
		"the Redis of --redis-url runs with maxmemory-policy allkeys-lru and volatile-lru on 3 of 3 servers": {"volatile-lru", "allkeys-lru", "volatile-lru"},
	} {
		if got := policyMessage("--redis-url", policies); got != want {
			t.Errorf("%v: %q, want %q", policies, got, want)
		}
	}
}

// readyWarnings returns the warnings of a server's /readyz, which must answer 200.
func (s *server) readyWarnings(t *testing.T) map[string]warnings.Warning {
	t.Helper()
	code, body := s.get(t, "/readyz", "")
	var got readiness
	if err := json.Unmarshal([]byte(body), &got); err != nil || code != 200 || !got.Ready {
		t.Fatalf("/readyz answers %d %s", code, body)
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
		"TIDELINE_DATA_DIR=" + t.TempDir(), "TIDELINE_JWT_SECRET=" + testSecret, "TIDELINE_ADMIN_TOKEN=" + adminToken,
		"TIDELINE_PUSH_TRESHOLD=7",
	}
	s := startServer(t, env...)
	want := map[string]string{
		"unknown_setting":    "TIDELINE_PUSH_TRESHOLD (did you mean TIDELINE_PUSH_THRESHOLD?)",
		"redis_policy":       "the Redis of --redis-url runs with maxmemory-policy allkeys-lru",
		"queue_redis_policy": "the Redis of --queue-redis-url runs with maxmemory-policy volatile-ttl",
	}
	ready := s.readyWarnings(t)
	_, scrape := s.get(t, "/metrics", adminToken)
	_, report := command(t, env, "doctor")
	_, reportJSON := command(t, env, "doctor", "--json")
	for name, message := range want {
		if got := ready[name]; !strings.Contains(got.Message, message) || got.Action == "" {
			t.Errorf("/readyz has %+v for %s", got, name)
		}
		for where, text := range map[string]string{
			"the log": s.process.Output(), "the doctor": report, "the doctor's JSON": reportJSON,
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
