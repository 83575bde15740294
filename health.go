package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/warnings"
)

// health tells whoever watches the process whether it lives, and whether it should get
// requests.
type health struct {
	st *stores
	// needsQueue: without its queue the process can do nothing.
	needsQueue bool
	stopping   atomic.Bool
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

// readiness is the answer of /readyz.
type readiness struct {
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
		ctx, cancel := context.WithTimeout(r.Context(), readyWithin)
		defer cancel()
		report := h.look(ctx)
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		if !report.Ready {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		_ = json.NewEncoder(w).Encode(report)
	})
}

// look asks the stores. A lost Redis does not make a process unready that serves
// requests: reads go by the reference query, and publishes are taken.
func (h *health) look(ctx context.Context) readiness {
	r := readiness{
		SQL: state(h.st.sql.Ping(ctx)), Redis: state(h.st.redis.CheckWrites(ctx)), Queue: state(h.st.queue.CheckWrites(ctx)),
		Warnings: h.warnings(),
	}
	if h.stopping.Load() {
		r.Reasons = append(r.Reasons, "the process is stopping")
	}
	if r.SQL != stateOK {
		r.Reasons = append(r.Reasons, "sql: "+r.SQL)
	}
	if h.needsQueue && r.Queue != stateOK {
		r.Reasons = append(r.Reasons, "queue: "+r.Queue)
	}
	r.Ready = len(r.Reasons) == 0
	if r.SQL == stateOK {
		// A database that takes no writes goes on serving reads.
		r.SQL = state(h.st.sql.Refused())
	}
	return r
}

// stateOK is the state of a store that answers.
const stateOK = "ok"

// state puts a store's answer in a word or two that tell no address.
func state(err error) string {
	var e *feed.Error
	switch {
	case err == nil:
		return stateOK
	case errors.As(err, &e):
		return fmt.Sprint(e.Message)
	}
	return "does not answer"
}
