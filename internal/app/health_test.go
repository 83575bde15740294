package app

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/memstore"
	"github.com/tideline-feeds/tideline/feed/positions"
	"github.com/tideline-feeds/tideline/internal/warnings"
)

// countedLook is a check of the stores that counts its calls.
type countedLook struct {
	asked  int
	states storeStates
}

func (c *countedLook) look(context.Context) storeStates {
	c.asked++
	return c.states
}

func TestReadyz_ChecksStoresOncePerSecond(t *testing.T) {
	now := time.Unix(1, 0)
	last := &healthCache{now: func() time.Time { return now }}
	stores := &countedLook{states: storeStates{sql: StateOK}}
	var clients sync.WaitGroup
	for range 50 {
		clients.Go(func() { last.get(t.Context(), stores.look) })
	}
	clients.Wait()
	now = now.Add(readyInterval - 1)
	stores.states.sql = "does not answer"
	if got := last.get(t.Context(), stores.look); got.sql != StateOK || stores.asked != 1 {
		t.Errorf("within a second SQL is %q after %d checks, want one", got.sql, stores.asked)
	}
	now = now.Add(1)
	if got := last.get(t.Context(), stores.look); got.sql != "does not answer" || stores.asked != 2 {
		t.Errorf("after a second SQL is %q after %d checks, want two", got.sql, stores.asked)
	}
}

func TestReadyz_CheckOutlivesItsClient(t *testing.T) {
	gone, leave := context.WithCancel(t.Context())
	leave()
	last := &healthCache{now: time.Now}
	last.get(gone, func(ctx context.Context) storeStates {
		if ctx.Err() != nil {
			t.Error("the check ended with its client")
		}
		return storeStates{}
	})
}

func TestReadyz_ReportsStopAtOnce(t *testing.T) {
	well := storeStates{sql: StateOK, redis: StateOK, queue: StateOK, writes: StateOK}
	h := &health{
		stores:   &healthCache{now: time.Now, at: time.Now().Add(time.Hour), states: well},
		warnings: func() []warnings.Warning { return nil },
	}
	for _, want := range []int{http.StatusOK, http.StatusServiceUnavailable} {
		w := httptest.NewRecorder()
		h.ready().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/readyz", http.NoBody))
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
		if _, err := store.Ingest(t.Context(), b); err != nil {
			t.Fatal(err)
		}
	}
	well := storeStates{sql: StateOK, redis: StateOK, queue: StateOK, writes: StateOK}
	h := &health{
		stores:   &healthCache{now: time.Now, at: time.Now().Add(time.Hour), states: well},
		warnings: func() []warnings.Warning { return nil },
		sources:  &positions.Reports{Commits: store, Sources: store, Clock: func() time.Time { return now }},
	}
	now = now.Add(time.Minute)
	const orders = `"source":{"lagMs":61000,"lagMessages":7,"deadLetters":2}`
	for query, want := range map[string]struct {
		status int
		text   string
	}{
		"?source=orders": {200, orders}, "?source=orders&within=1m": {200, orders}, "?source=orders&within=59s": {503, "has not moved within 59s"},
		"?source=orders&lag=61s": {200, orders}, "?source=orders&lag=60s": {503, "its lag exceeds 60s"},
		"?source=clicks": {200, `"source":{"lagMs":null,"lagMessages":null,"deadLetters":1}`}, "?source=clicks&lag=1h": {503, "its lag is unknown"},
		"?source=other": {503, "no position"}, "?source=": {503, "no position"}, "?source=orders&within=soon": {503, "must be durations"},
		"?source=orders&lag=soon": {503, "must be durations"}, "": {200, `"ready":true`},
	} {
		w := httptest.NewRecorder()
		h.ready().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/readyz"+query, nil))
		if w.Code != want.status || !strings.Contains(w.Body.String(), want.text) || strings.Contains(w.Body.String(), `"5"`) {
			t.Errorf("%s: status %d, want %v: %s", query, w.Code, want, w.Body)
		}
	}
}
