package telemetry

import (
	"cmp"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Names of operations that do not have a series of their own.
const (
	// nameNone is for operations without a name.
	nameNone = "anonymous"
	// nameOther is for names beyond the bounds.
	nameOther = "other"
)

// Clients choose names, and each name adds several time series. An application has some dozens.
const (
	namesMax    = 100
	nameLongest = 64
)

const outcomeOK = "ok"

type api struct {
	operations  *prometheus.CounterVec
	took        *prometheus.HistogramVec
	phases      phases
	batches     *prometheus.HistogramVec
	limits      *prometheus.CounterVec
	subscribers prometheus.Gauge
	events      prometheus.Counter
	names       *names
}

type phases struct{ parse, validate, execute prometheus.Observer }

func newAPI(f factory) api {
	phase := f.histograms("operation_phase_seconds", "Duration of the phases of operations.", latencies(), "phase")
	a := api{
		operations:  f.counters("operations_total", "Finished and refused operations.", "kind", "name", "outcome"),
		took:        f.histograms("operation_seconds", "Duration of operations, from the beginning of the request to the response.", latencies(), "kind", "name"),
		phases:      phases{phase.WithLabelValues("parse"), phase.WithLabelValues("validate"), phase.WithLabelValues("execute")},
		batches:     f.histograms("loader_batch_keys", "Keys per batch of a loader.", sizes(), "loader"),
		limits:      f.counters("limits_hit_total", "Refusals by a limit.", "limit"),
		subscribers: f.gauge("subscribers", "Running subscriptions."),
		events:      f.counter("subscription_events_total", "Events delivered to subscribers."),
		names:       newNames(namesMax),
	}
	for _, limit := range []string{"viewer", "address", "service", "document", "operations", LimitConnections, LimitUnsent} {
		a.limits.WithLabelValues(limit)
	}
	return a
}

// Limits that do not belong to operations.
const (
	// LimitConnections bounds streams and sockets.
	LimitConnections = "connections"
	// LimitUnsent bounds the bytes that clients have not received.
	LimitUnsent = "unsent"
)

// Operation is a finished operation.
type Operation struct {
	// Kind is query, mutation or subscription; empty if it could not be determined.
	Kind string
	// Name is the client's name for it.
	Name string
	// Code is the code of the first error; empty for success.
	Code string
	// Took is the total time. The others are its phases, 0 for those that it did not reach.
	Took, Parsing, Validation, Execution time.Duration
}

// OperationDone counts an operation and its duration.
func (m *Metrics) OperationDone(o Operation) {
	kind, name := cmp.Or(o.Kind, "none"), nameNone
	switch {
	case o.Name == "":
	case o.Code == "" && o.Kind != "":
		name = m.api.names.admit(o.Name)
	default:
		// Failed operations add no names, because their names can be arbitrary.
		name = m.api.names.find(o.Name)
	}
	m.api.operations.WithLabelValues(kind, name, cmp.Or(o.Code, outcomeOK)).Inc()
	m.api.took.WithLabelValues(kind, name).Observe(o.Took.Seconds())
	observe(m.api.phases.parse, o.Parsing)
	observe(m.api.phases.validate, o.Validation)
	observe(m.api.phases.execute, o.Execution)
}

// observe counts a phase, unless the operation did not reach it.
func observe(phase prometheus.Observer, took time.Duration) {
	if took > 0 {
		phase.Observe(took.Seconds())
	}
}

// SubscriptionBegan counts a subscriber until ended is called.
func (m *Metrics) SubscriptionBegan() (ended func()) {
	m.api.subscribers.Inc()
	return m.api.subscribers.Dec
}

// EventSent counts an event that a subscriber received.
func (m *Metrics) EventSent() { m.api.events.Inc() }

// Connections adds the number of open streams and sockets. Call it at most once.
func (m *Metrics) Connections(open func() int) {
	m.factory.gaugeFunc("connections", "Open streams and sockets.", open)
}

// Unsent adds the number of bytes that clients have not received. Call it at most once.
func (m *Metrics) Unsent(bytes func() int) {
	m.factory.gaugeFunc("unsent_bytes", "Bytes of responses that clients have not received yet, and that idle operations keep.", bytes)
}

// LimitHit counts a refusal by a limit.
func (m *Metrics) LimitHit(limit string) { m.api.limits.WithLabelValues(limit).Inc() }

// Loaded counts a batch of a loader.
func (m *Metrics) Loaded(loader string, keys int) {
	m.api.batches.WithLabelValues(loader).Observe(float64(keys))
}

// names are the names with series of their own: the first ones that succeed, up to max.
type names struct {
	max   int
	mu    sync.RWMutex
	known map[string]struct{}
}

func newNames(most int) *names { return &names{max: most, known: map[string]struct{}{}} }

// find returns the name if it is known, or else nameOther.
func (n *names) find(name string) string {
	n.mu.RLock()
	defer n.mu.RUnlock()
	if _, ok := n.known[name]; ok {
		return name
	}
	return nameOther
}

// admit is find, but adds the name if there is room.
func (n *names) admit(name string) string {
	if found := n.find(name); found == name || len(name) > nameLongest {
		return found
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.known) >= n.max {
		return nameOther
	}
	n.known[name] = struct{}{}
	return name
}
