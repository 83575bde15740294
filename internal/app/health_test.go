package app

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/internal/warnings"
)

// countedLook is a look at stores that counts how often they are asked.
type countedLook struct {
	asked  int
	states storeStates
}

func (c *countedLook) look(context.Context) storeStates {
	c.asked++
	return c.states
}

func TestReadyz_AsksStoresOncePerSecond(t *testing.T) {
	now := time.Unix(1, 0)
	last := &lastLook{now: func() time.Time { return now }}
	stores := &countedLook{states: storeStates{sql: StateOK}}
	var clients sync.WaitGroup
	for range 50 {
		clients.Go(func() { last.get(t.Context(), stores.look) })
	}
	clients.Wait()
	now = now.Add(readyEvery - 1)
	stores.states.sql = "does not answer"
	if got := last.get(t.Context(), stores.look); got.sql != StateOK || stores.asked != 1 {
		t.Errorf("within a second SQL is %q after %d looks, want one look", got.sql, stores.asked)
	}
	now = now.Add(1)
	if got := last.get(t.Context(), stores.look); got.sql != "does not answer" || stores.asked != 2 {
		t.Errorf("after a second SQL is %q after %d looks, want a second look", got.sql, stores.asked)
	}
}

func TestReadyz_LooksAlthoughTheClientLeaves(t *testing.T) {
	gone, leave := context.WithCancel(t.Context())
	leave()
	last := &lastLook{now: time.Now}
	last.get(gone, func(ctx context.Context) storeStates {
		if ctx.Err() != nil {
			t.Error("the look ends with the client that asked first")
		}
		return storeStates{}
	})
}

// The look may be a second old, but a process that stops says so at once.
func TestReadyz_StopsAtOnce(t *testing.T) {
	well := storeStates{sql: StateOK, redis: StateOK, queue: StateOK, writes: StateOK}
	h := &health{
		stores:   &lastLook{now: time.Now, at: time.Now().Add(time.Hour), states: well},
		warnings: func() []warnings.Warning { return nil },
	}
	for _, want := range []int{http.StatusOK, http.StatusServiceUnavailable} {
		w := httptest.NewRecorder()
		h.ready().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/readyz", http.NoBody))
		var got Readiness
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		if w.Code != want || got.Ready != (want == http.StatusOK) {
			t.Errorf("/readyz answers %d %s, want %d", w.Code, w.Body, want)
		}
		h.stop()
	}
}
