package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/positions"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/edge/gateway"
	"github.com/tideline-feeds/tideline/internal/kit/warnings"
	"github.com/tideline-feeds/tideline/internal/testenv/sqlitetest"
)

type steppedClock struct{ now time.Time }

func (c *steppedClock) time() time.Time { return c.now }

func TestNoWorker_WarnsAfterThirtySeconds(t *testing.T) {
	clock := &steppedClock{time.UnixMilli(0)}
	workers, waits := 1, true
	var failure error
	w := &workerWatch{
		workers: func(context.Context) (int, error) { return workers, failure },
		hasWork: func(context.Context) (bool, error) { return waits, nil },
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
		{0, true, WorkerGoneFor - time.Second, ""},
		{0, true, time.Second, NoWorkerMessage},
		{0, false, time.Second, ""},
		{0, true, time.Second, NoWorkerMessage},
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
		t.Errorf("with a failing queue: %v", err)
	}
}

func TestWritesCheck_AdvisesByCause(t *testing.T) {
	cause := errors.New("x")
	for want, err := range map[string]error{
		"start it":          feed.Unavailable("Redis", cause),
		"make room":         feed.CannotServe("Redis", "is full", cause),
		"take writes":       feed.CannotServe("Redis", "takes no writes, since it is a replica", cause),
		"user and password": feed.CannotServe("Redis", "does not let this program in", cause),
		"read its log":      feed.CannotServe("Redis", "is busy with a script", cause),
	} {
		check := WritesCheck("redis_refuses", "Redis of --redis-url", func(context.Context) error { return err })
		m := warnings.New(slog.New(slog.DiscardHandler), check)
		m.Evaluate(t.Context())
		if got := m.Active(); len(got) != 1 || !strings.Contains(got[0].Action, want) || strings.Contains(got[0].Action, "make room") != (want == "make room") {
			t.Errorf("%v: %+v, want the advice %q", err, got, want)
		}
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

// fixedReport is a [feed.SourceReporter] with one result.
type fixedReport struct {
	feed.SourceReporter
	report feed.SourceReport
}

func (r fixedReport) ReportSources(context.Context) (feed.SourceReport, error) { return r.report, nil }

func TestSourceChecks_NameCountsAndOldest(t *testing.T) {
	hours := func(n int) int64 { return (time.Duration(n) * time.Hour).Milliseconds() }
	at99 := feed.SourceStates{Now: hours(99)}
	for name, c := range map[string]struct {
		report feed.SourceReport
		want   []string
	}{
		"nothing": {feed.SourceReport{SourceStates: at99}, []string{"", "", ""}},
		"new users": {
			feed.SourceReport{SourceStates: at99, Absent: feed.AbsentUsers{Awaited: 1, Oldest: []feed.Awaited[feed.UserID]{{ID: 7, Since: hours(76)}}}}, []string{"", "", ""},
		},
		"users taken back":    {feed.SourceReport{SourceStates: at99, Absent: feed.AbsentUsers{TakenBack: 1}}, []string{"", "", ""}},
		"a load that goes on": {feed.SourceReport{SourceStates: at99, Load: feed.BulkLoad{Since: hours(1), LastAt: hours(99) - 1}}, []string{"", "", ""}},
		"a load that was killed": {
			feed.SourceReport{SourceStates: at99, Load: feed.BulkLoad{Since: hours(1), LastAt: hours(98)}},
			[]string{"", "", "a bulk load did not end; its last batch was 1h0m0s ago, and no inbox is used until it ends"},
		},
		"both": {
			feed.SourceReport{
				SourceStates: feed.SourceStates{Now: hours(99), DeadLetters: []feed.DeadLetterCount{{Letters: 3, Overtaken: 1}, {Letters: 1, Counted: 1}}},
				Absent:       feed.AbsentUsers{Awaited: 2, Oldest: []feed.Awaited[feed.UserID]{{ID: 7, Since: hours(73)}}},
			},
			[]string{
				"5 lines of 2 sources could not be applied; later records overtook 1 of them; 1 were only counted, so what is stored is incomplete until their sources send everything again",
				"records name 2 users who have not arrived; the oldest has been awaited for 26h0m0s",
				"",
			},
		},
	} {
		var got []string
		for _, check := range SourceChecks(fixedReport{report: c.report}) {
			message, err := check.Evaluate(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, message)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

type recorder struct{ stored []sqlstore.Observation }

func (r *recorder) Observe(_ context.Context, o sqlstore.Observation) error {
	r.stored = append(r.stored, o)
	return nil
}

// atOnce runs work immediately.
func atOnce(do func(context.Context)) { do(context.Background()) }

// newTestWatch returns a watch, and the time that it reads.
func newTestWatch(log io.Writer, store *recorder) (*proxyWatch, *time.Time) {
	now := time.Unix(1_777_896_000, 0)
	return newProxyWatch(slog.New(slog.NewTextHandler(log, nil)), func() time.Time { return now }, store, atOnce), &now
}

// doubtThrice has two doubts about one peer, each three times.
func doubtThrice(t *testing.T, w *proxyWatch) {
	t.Helper()
	for range 3 {
		for _, doubt := range []gateway.Doubt{gateway.UntrustedProxy, gateway.SilentProxy} {
			w.doubted(t.Context(), doubt, netip.MustParseAddr("192.0.2.7"))
		}
	}
}

func TestProxyWatch_LogsEachDoubtOnceAnHour(t *testing.T) {
	var log bytes.Buffer
	w, now := newTestWatch(&log, &recorder{})
	for _, want := range []int{2, 2, 4} {
		doubtThrice(t, w)
		if got := strings.Count(log.String(), "peer=192.0.2.7"); got != want {
			t.Errorf("the log has %d lines, want %d:\n%s", got, want, log.String())
		}
		*now = now.Add(proxyLogEvery/2 + time.Second)
	}
	if !strings.Contains(log.String(), "TIDELINE_TRUSTED_PROXIES") {
		t.Errorf("the log has no action: %s", log.String())
	}
}

func TestProxyWatch_StoresEachDoubtOnceAMinute(t *testing.T) {
	store := &recorder{}
	w, now := newTestWatch(io.Discard, store)
	both := []sqlstore.Observation{{Name: "untrusted_proxy", Subject: "192.0.2.7"}, {Name: "silent_proxy", Subject: "192.0.2.7"}}
	for i, want := range [][]sqlstore.Observation{both, nil, both} {
		store.stored = nil
		doubtThrice(t, w)
		if !slices.Equal(store.stored, want) {
			t.Errorf("after %d half minutes the store has %v, want %v", i, store.stored, want)
		}
		*now = now.Add(proxyStoreEvery / 2)
	}
}

// oneObservation is a store of at most one observation.
type oneObservation struct {
	sqlstore.Observation
	ago time.Duration // since it was stored
}

func (o *oneObservation) ObservedWithin(_ context.Context, window time.Duration) ([]sqlstore.Observation, error) {
	if o.Name == "" || o.ago > window {
		return nil, nil
	}
	return []sqlstore.Observation{o.Observation}, nil
}

func (o *oneObservation) DropObservation(_ context.Context, dropped sqlstore.Observation, unseenFor time.Duration) (bool, error) {
	if o.Observation != dropped || o.ago < unseenFor {
		return false, nil
	}
	*o = oneObservation{}
	return true, nil
}

// warned returns the messages of the checks by name.
func warned(t *testing.T, checks []warnings.Check) map[string]string {
	t.Helper()
	messages := map[string]string{}
	for _, c := range checks {
		message, err := c.Evaluate(t.Context())
		check(t, err)
		if message != "" {
			messages[c.Name] = message
		}
	}
	return messages
}

func TestProxyChecks_WarnForADay(t *testing.T) {
	for _, d := range []gateway.Doubt{gateway.UntrustedProxy, gateway.SilentProxy, gateway.AmbiguousProxy} {
		store := &oneObservation{Observation: sqlstore.Observation{Name: string(d), Subject: "192.0.2.7"}}
		for ago, want := range map[time.Duration]int{0: 1, proxyWarnFor: 1, proxyWarnFor + 1: 0} {
			store.ago = ago
			if got := warned(t, proxyChecks(store, false, nil)); len(got) != want || want == 1 && got[string(d)] == "" {
				t.Errorf("%v after %s the warnings are %v", ago, d, got)
			}
		}
	}
}

func TestProxyChecks_NameAddressesToOperatorsOnly(t *testing.T) {
	store := &oneObservation{Observation: sqlstore.Observation{Name: "untrusted_proxy", Subject: "192.0.2.7"}}
	if got := warned(t, proxyChecks(store, false, nil)); strings.Contains(got["untrusted_proxy"], "192.0.2.7") {
		t.Errorf("/readyz shows %q", got)
	}
	if got := warned(t, ProxyChecks(store)); !strings.Contains(got["untrusted_proxy"], "192.0.2.7") {
		t.Errorf("the doctor shows %q", got)
	}
}

func TestProxyChecks_EndWithOtherSettings(t *testing.T) {
	const name = "untrusted_proxy"
	trusted, err := gateway.ParseProxies("192.0.2.0/24")
	check(t, err)
	store := &oneObservation{}
	seen := func(peer string, ago time.Duration) {
		*store = oneObservation{sqlstore.Observation{Name: name, Subject: peer}, ago}
	}
	started := func() []warnings.Check { return proxyChecks(store, false, trusted.Settle) }
	for _, peer := range []string{"198.51.100.7", "192.0.2.7"} {
		seen(peer, 0)
		if got, trusts := warned(t, started()), peer == "192.0.2.7"; (got[name] == "") != trusts {
			t.Errorf("after a start that trusts %s: %v, the warnings are %v", peer, trusts, got)
		}
	}
	running := started()
	warned(t, running)
	// Another process with other settings still has the doubt.
	for ago, want := range map[time.Duration]int{0: 1, proxyStoreEvery: 1, proxySettledAfter: 0} {
		seen("192.0.2.7", ago)
		if got := warned(t, running); len(got) != want {
			t.Errorf("%v after the doubt the warnings are %v", ago, got)
		}
	}
}

// readyz is a [health] whose stores are well.
func readyz() *health {
	well := storeStates{sql: StateOK, redis: StateOK, queue: StateOK, writes: StateOK}
	return &health{
		stores:   checkedStores(func(context.Context) storeStates { return well }, time.Now),
		warnings: func() []warnings.Warning { return nil },
	}
}

// get returns the response to a request of /readyz.
func (h *health) get(ctx context.Context, query string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ready().ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodGet, "/readyz"+query, http.NoBody))
	return w
}

func TestReadyz_ReportsStopAtOnce(t *testing.T) {
	h := readyz()
	for _, want := range []int{http.StatusOK, http.StatusServiceUnavailable} {
		w := h.get(t.Context(), "")
		var got Readiness
		check(t, json.Unmarshal(w.Body.Bytes(), &got))
		if w.Code != want || got.Ready != (want == http.StatusOK) {
			t.Errorf("/readyz returned %d %s, want %d", w.Code, w.Body, want)
		}
		h.stop()
	}
}

func TestReadyz_JudgesSource(t *testing.T) {
	now := time.Unix(1000, 0)
	store := sqlitetest.New(t, func() time.Time { return now })
	for _, b := range []feed.SourceBatch{
		{Source: "orders", Move: feed.PositionMove{Partition: "0", Identity: "x", To: "5", Lag: feed.SourceLag{Millis: 1000, Messages: 3}}},
		{Source: "orders", Move: feed.PositionMove{Partition: "1", Identity: "x", To: "5", Lag: feed.SourceLag{Messages: 4}}},
		{Source: "clicks", Move: feed.PositionMove{Partition: "0", Identity: "x", To: "5", Lag: feed.SourceLag{Millis: -1, Messages: -1}}},
	} {
		b.Rejected = []feed.Rejected{{Line: 1, Text: []byte("x"), Reason: "bad"}}
		if b.Source == "clicks" {
			b.Rejected, b.LettersMax = append(b.Rejected, b.Rejected[0]), 1
		}
		if _, err := store.Ingest(t.Context(), b); err != nil {
			t.Fatal(err)
		}
	}
	h := readyz()
	h.sources = positions.NewReports(store, store, func() time.Time { return now })
	check(t, h.sources.Refresh(t.Context()))
	now = now.Add(time.Minute)
	const orders = `"source":{"lagMs":61000,"lagMessages":7,"deadLetters":2}`
	for query, want := range map[string]struct {
		status int
		text   string
	}{
		"?source=orders": {200, orders}, "?source=orders&within=1m": {200, orders}, "?source=orders&within=59s": {503, "has not moved within 59s"},
		"?source=orders&lag=61s": {200, orders}, "?source=orders&lag=60s": {503, "its lag exceeds 60s"},
		"?source=clicks": {200, `"source":{"lagMs":null,"lagMessages":null,"deadLetters":1,"incomplete":true}`}, "?source=clicks&lag=1h": {503, "its lag is unknown"},
		"?source=other": {503, "no position"}, "?source=": {503, "no position"}, "?source=orders&within=soon": {503, "must be durations"},
		"?source=orders&lag=soon": {503, "must be durations"}, "": {200, `"ready":true`},
	} {
		if w := h.get(t.Context(), query); w.Code != want.status || !strings.Contains(w.Body.String(), want.text) || strings.Contains(w.Body.String(), `"5"`) {
			t.Errorf("%s: status %d, want %v: %s", query, w.Code, want, w.Body)
		}
	}
}

// countedStates counts reads of the states of one source, which fail at first.
type countedStates struct {
	feed.SourceReporter
	reads int
	fails error
}

func (c *countedStates) SourceStates(context.Context) (feed.SourceStates, error) {
	c.reads++
	return feed.SourceStates{Positions: []feed.SourcePosition{{Source: "orders", Partition: "0", Position: "5"}}}, c.fails
}

func TestReadyz_ReadsOnlyKnownSources(t *testing.T) {
	now := time.Unix(1000, 0)
	stored := &countedStates{fails: feed.Errorf(feed.CodeUnavailable, "down")}
	h := readyz()
	h.sources = positions.NewReports(nil, stored, func() time.Time { return now })
	asks := func(source string, status, reads int) {
		t.Helper()
		now = now.Add(time.Minute)
		for range 3 {
			if w := h.get(t.Context(), "?source="+source); w.Code != status || stored.reads != reads {
				t.Errorf("source %q: status %d after %d reads, want %d after %d: %s", source, w.Code, stored.reads, status, reads, w.Body)
			}
		}
	}
	asks("orders", http.StatusServiceUnavailable, 0)
	_ = h.sources.Refresh(t.Context())
	asks("orders", http.StatusServiceUnavailable, 1)
	stored.fails, now = nil, now.Add(time.Minute)
	check(t, h.sources.Refresh(t.Context()))
	asks("other", http.StatusServiceUnavailable, 2)
	asks("", http.StatusServiceUnavailable, 2)
	asks("orders", http.StatusOK, 3)
	stored.fails = feed.Errorf(feed.CodeUnavailable, "down")
	asks("orders", http.StatusServiceUnavailable, 4)
}
