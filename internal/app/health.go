package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/positions"
	"github.com/tideline-feeds/tideline/internal/kit/batch"
	"github.com/tideline-feeds/tideline/internal/kit/warnings"
)

// health reports whether the process is alive, and whether it should get requests.
type health struct {
	// needsQueue reports that the process is not ready without its queue.
	needsQueue bool
	stopping   atomic.Bool
	stores     *batch.Recent[storeStates]
	// sources reports the positions of sources.
	sources *positions.Reports
	// warnings returns the active warnings.
	warnings func() []warnings.Warning
}

func (h *health) stop() { h.stopping.Store(true) }

func (h *health) routes(mux *http.ServeMux) {
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok\n") })
	mux.Handle("GET /readyz", h.ready())
}

const readyTimeout = 2 * time.Second

// Readiness is the response of /readyz.
type Readiness struct {
	Ready bool `json:"ready"`
	// Reasons say why it is not ready; empty if it is.
	Reasons []string `json:"reasons,omitempty"`
	SQL     string   `json:"sql"`
	Redis   string   `json:"redis"`
	Queue   string   `json:"queue"`
	// Warnings do not make the process unready.
	Warnings []warnings.Warning `json:"warnings,omitempty"`
	// Source is what was asked for with ?source=NAME.
	Source *SourceReadiness `json:"source,omitempty"`
}

// SourceReadiness is how far a source is. It shows no positions, because anyone may ask.
type SourceReadiness struct {
	// LagMs is the largest lag of a partition, LagMessages the sum; null if one of them is unknown.
	LagMs       *int64 `json:"lagMs"`
	LagMessages *int64 `json:"lagMessages"`
	DeadLetters int    `json:"deadLetters"`
	// Incomplete says that there were more bad lines than are kept, and that the source has not sent
	// everything again.
	Incomplete bool `json:"incomplete,omitempty"`
}

// ready responds with 200 if the process should get requests, and with 503 otherwise.
func (h *health) ready() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		states, err := h.stores.Get(r.Context())
		if err != nil {
			return // the client has left
		}
		report := h.report(states)
		if q := r.URL.Query(); q.Has("source") {
			report.judgeSource(h.checkSource(r.Context(), q.Get("source"), sourceLimits{moved: q.Get("within"), lag: q.Get("lag")}))
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		if !report.Ready {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		_ = json.NewEncoder(w).Encode(report)
	})
}

// judgeSource adds what is known of a source and why it is not ready, unless that is empty.
func (r *Readiness) judgeSource(source *SourceReadiness, reason string) {
	r.Source = source
	if reason != "" {
		r.Ready, r.Reasons = false, append(r.Reasons, "source: "+reason)
	}
}

// sourceLimits are durations that make a source unready; empty for none.
type sourceLimits struct {
	// moved limits the time since each position has moved, lag the lag.
	moved, lag string
}

// checkSource returns the state of a source, and why it is not ready: it has no position, or exceeds
// a limit. The reason is empty if it is ready, the state nil if it has no position.
func (h *health) checkSource(ctx context.Context, name string, limits sourceLimits) (*SourceReadiness, string) {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	moved, known := parseLimit(limits.moved)
	behind, alsoKnown := parseLimit(limits.lag)
	if !known || !alsoKnown {
		return nil, "within and lag must be durations such as 30s"
	}
	report, found, err := h.sources.StatesWith(ctx, name)
	switch {
	case err != nil:
		return nil, state(err)
	case !found:
		return nil, "it has no position"
	}
	list, letters := report.Of(name)
	lag := feed.TotalLag(list, report.Now)
	out := &SourceReadiness{DeadLetters: letters.Letters, Incomplete: letters.Counted > 0}
	out.LagMs, out.LagMessages = lag.Known()
	switch {
	case slices.ContainsFunc(list, func(p feed.SourcePosition) bool { return report.Now-p.MovedAt > moved }):
		return out, "a position has not moved within " + limits.moved
	case limits.lag != "" && lag.Millis < 0:
		return out, "its lag is unknown"
	case lag.Millis > behind:
		return out, "its lag exceeds " + limits.lag
	}
	return out, ""
}

// parseLimit returns milliseconds; those of an empty text are never exceeded.
func parseLimit(text string) (millis int64, ok bool) {
	if text == "" {
		return math.MaxInt64, true
	}
	d, err := time.ParseDuration(text)
	return d.Milliseconds(), err == nil && d > 0
}

// storeStates are the states of the stores: [StateOK] or a reason.
type storeStates struct {
	sql, redis, queue string
	// writes is the state of writes to SQL.
	writes string
}

func (st *stores) check(ctx context.Context) storeStates {
	return storeStates{
		sql: state(st.sql.Ping(ctx)), writes: state(st.sql.Refused()),
		redis: state(st.redis.CheckWrites(ctx)), queue: state(st.queue.CheckWrites(ctx)),
	}
}

// report judges the states. A process that serves requests stays ready without Redis: reads use the
// reference query, and posts are accepted.
func (h *health) report(s storeStates) Readiness {
	r := Readiness{SQL: s.sql, Redis: s.redis, Queue: s.queue, Warnings: h.warnings()}
	if h.stopping.Load() {
		r.Reasons = append(r.Reasons, "the process is stopping")
	}
	if s.sql != StateOK {
		r.Reasons = append(r.Reasons, "sql: "+s.sql)
	} else {
		// Without writes, the database still serves reads.
		r.SQL = s.writes
	}
	if h.needsQueue && s.queue != StateOK {
		r.Reasons = append(r.Reasons, "queue: "+s.queue)
	}
	r.Ready = len(r.Reasons) == 0
	return r
}

// readyInterval limits how often the stores are checked, since anyone can request /readyz.
const readyInterval = time.Second

// checkedStores keeps the states of the stores for that long.
func checkedStores(check func(context.Context) storeStates, clock func() time.Time) *batch.Recent[storeStates] {
	return &batch.Recent[storeStates]{
		Read:  func(ctx context.Context) (storeStates, error) { return check(ctx), nil },
		Clock: clock, For: readyInterval, Within: readyTimeout,
	}
}

// StateOK is the state of a store that works.
const StateOK = "ok"

// state describes an error without revealing an address.
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
