package app

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/memstore"
	"github.com/tideline-feeds/tideline/feed/positions"
	"github.com/tideline-feeds/tideline/internal/warnings"
)

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
	store := memstore.New(func() time.Time { return now })
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
