package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/warnings"
)

// health tells load balancers and supervisors whether the process lives, and whether it
// should get requests.
type health struct {
	st *stores
	// needsQueue: without its queue the process can do nothing.
	needsQueue bool
	stopping   atomic.Bool
	stores     *lastLook
	// warnings returns what an operator should know of.
	warnings func() []warnings.Warning
}

// stop makes the process unready, while it finishes what it has begun.
func (h *health) stop() { h.stopping.Store(true) }

// routes adds /healthz and /readyz.
func (h *health) routes(mux *http.ServeMux) {
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok\n") })
	mux.Handle("GET /readyz", h.ready())
}

// readyWithin bounds the look at the stores.
const readyWithin = 2 * time.Second

// Readiness is the answer of /readyz.
type Readiness struct {
	Ready bool `json:"ready"`
	// Reasons say why it is not ready; there are none when it is.
	Reasons []string `json:"reasons,omitempty"`
	SQL     string   `json:"sql"`
	Redis   string   `json:"redis"`
	Queue   string   `json:"queue"`
	// Warnings do not make the process unready.
	Warnings []warnings.Warning `json:"warnings,omitempty"`
}

// ready answers 200 when the process should get requests, and 503 with the reasons
// otherwise.
func (h *health) ready() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		report := h.report(h.stores.get(r.Context(), h.look))
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		if !report.Ready {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		_ = json.NewEncoder(w).Encode(report)
	})
}

// storeStates are the states of the stores; stateOK for a store that is well.
type storeStates struct {
	sql, redis, queue string
	// writes says whether SQL takes writes.
	writes string
}

// look asks the stores.
func (h *health) look(ctx context.Context) storeStates {
	return storeStates{
		sql: state(h.st.sql.Ping(ctx)), writes: state(h.st.sql.Refused()),
		redis: state(h.st.redis.CheckWrites(ctx)), queue: state(h.st.queue.CheckWrites(ctx)),
	}
}

// report judges the states. A lost Redis does not make a process unready that serves
// requests: reads go by the reference query, and publishes are taken.
func (h *health) report(s storeStates) Readiness {
	r := Readiness{SQL: s.sql, Redis: s.redis, Queue: s.queue, Warnings: h.warnings()}
	if h.stopping.Load() {
		r.Reasons = append(r.Reasons, "the process is stopping")
	}
	if s.sql != StateOK {
		r.Reasons = append(r.Reasons, "sql: "+s.sql)
	} else {
		// A database that takes no writes goes on serving reads.
		r.SQL = s.writes
	}
	if h.needsQueue && s.queue != StateOK {
		r.Reasons = append(r.Reasons, "queue: "+s.queue)
	}
	r.Ready = len(r.Reasons) == 0
	return r
}

// readyEvery is how often the stores are asked, however many requests of /readyz come in:
// anyone may send them, and load balancers ask no more than once a second.
const readyEvery = time.Second

// lastLook keeps what the stores said last. Its methods may be called concurrently.
type lastLook struct {
	now func() time.Time

	mu     sync.Mutex
	at     time.Time
	states storeStates
}

// get returns states that are at most readyEvery old. Callers that come while the stores are
// asked wait, for at most readyWithin. A caller that leaves does not end the look, whose
// result others take.
func (l *lastLook) get(ctx context.Context, look func(context.Context) storeStates) storeStates {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now := l.now(); l.at.IsZero() || now.Sub(l.at) >= readyEvery {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readyWithin)
		defer cancel()
		l.states = look(ctx)
		l.at = l.now()
	}
	return l.states
}

// StateOK is the state of a store that answers.
const StateOK = "ok"

// state puts a store's answer in a word or two that tell no address.
func state(err error) string {
	var e *feed.Error
	switch {
	case err == nil:
		return StateOK
	case errors.As(err, &e):
		return fmt.Sprint(e.Message)
	}
	return "does not answer"
}
