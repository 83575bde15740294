package telemetry

import (
	"cmp"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// What an operation is called whose own name is not counted.
const (
	// nameNone: it has none.
	nameNone = "anonymous"
	// nameOther: it is one too many, or too long.
	nameOther = "other"
)

// The bounds of the names of operations. Clients choose them, each is a number of time
// series, and an application has some dozens.
const (
	namesMax    = 100
	nameLongest = 64
)

// outcomeOK is the outcome of what went well.
const outcomeOK = "ok"

// api counts what clients do.
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

// phases time the phases of operations.
type phases struct{ parse, validate, execute prometheus.Observer }

func newAPI(f factory) api {
	phase := f.histograms("operation_phase_seconds", "Time that the phases of operations took.", latencies(), "phase")
	a := api{
		operations:  f.counters("operations_total", "Operations that were answered or refused.", "kind", "name", "outcome"),
		took:        f.histograms("operation_seconds", "Time from the beginning of a request to its answer.", latencies(), "kind", "name"),
		phases:      phases{phase.WithLabelValues("parse"), phase.WithLabelValues("validate"), phase.WithLabelValues("execute")},
		batches:     f.histograms("loader_batch_keys", "Keys that a loader read at once.", sizes(), "loader"),
		limits:      f.counters("limits_hit_total", "What was turned away by a limit.", "limit"),
		subscribers: f.gauge("subscribers", "Subscriptions that run now."),
		events:      f.counter("subscription_events_total", "Events that subscribers were handed."),
		names:       &names{known: map[string]struct{}{}},
	}
	for _, limit := range []string{"viewer", "address", "document", "operations", LimitConnections, LimitUnsent} {
		a.limits.WithLabelValues(limit)
	}
	return a
}

// The names of limits besides those of operations.
const (
	// LimitConnections is the limit of streams and sockets.
	LimitConnections = "connections"
	// LimitUnsent is the limit of bytes that clients have not received.
	LimitUnsent = "unsent"
)

// Operation is an operation that is over.
type Operation struct {
	// Kind is query, mutation or subscription; empty for what is none of these.
	Kind string
	// Name is what the client calls it.
	Name string
	// Code is the code of its first error; empty when it had none.
	Code string
	// Took is the whole time. The others are parts of it, 0 for what it did not come to.
	Took, Parsing, Validation, Execution time.Duration
}

// OperationDone counts an operation.
func (m *Metrics) OperationDone(o Operation) {
	kind, name := cmp.Or(o.Kind, "none"), nameNone
	switch {
	case o.Name == "":
	case o.Code == "" && o.Kind != "":
		name = m.api.names.admit(o.Name)
	default:
		// What fails, as whatever is made up does, takes up no name.
		name = m.api.names.find(o.Name)
	}
	m.api.operations.WithLabelValues(kind, name, cmp.Or(o.Code, outcomeOK)).Inc()
	m.api.took.WithLabelValues(kind, name).Observe(o.Took.Seconds())
	observe(m.api.phases.parse, o.Parsing)
	observe(m.api.phases.validate, o.Validation)
	observe(m.api.phases.execute, o.Execution)
}

// observe counts the time of a phase, unless an operation did not come to it.
func observe(phase prometheus.Observer, took time.Duration) {
	if took > 0 {
		phase.Observe(took.Seconds())
	}
}

// SubscriptionBegan counts a subscriber until the function it returns is called.
func (m *Metrics) SubscriptionBegan() (ended func()) {
	m.api.subscribers.Inc()
	return m.api.subscribers.Dec
}

// EventSent counts an event that a subscriber was handed.
func (m *Metrics) EventSent() { m.api.events.Inc() }

// Connections has every scrape ask how many streams and sockets are open. It is called
// once at most.
func (m *Metrics) Connections(open func() int) {
	m.factory.gaugeFunc("connections", "Streams and sockets that are open.", open)
}

// Unsent has the metrics ask how many bytes of responses clients have not received.
func (m *Metrics) Unsent(bytes func() int) {
	m.factory.gaugeFunc("unsent_bytes", "Bytes of responses that clients have not received yet.", bytes)
}

// LimitHit counts what a limit turned away.
func (m *Metrics) LimitHit(limit string) { m.api.limits.WithLabelValues(limit).Inc() }

// Loaded counts a read of a loader.
func (m *Metrics) Loaded(loader string, keys int) {
	m.api.batches.WithLabelValues(loader).Observe(float64(keys))
}

// names keeps the names of operations that are counted one by one: the first that
// succeed.
type names struct {
	mu    sync.RWMutex
	known map[string]struct{}
}

// find returns the name when it is known, and otherwise that of all others.
func (n *names) find(name string) string {
	n.mu.RLock()
	defer n.mu.RUnlock()
	if _, ok := n.known[name]; ok {
		return name
	}
	return nameOther
}

// admit does so too, and makes the name known while there is room.
func (n *names) admit(name string) string {
	if found := n.find(name); found == name || len(name) > nameLongest {
		return found
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.known) >= namesMax {
		return nameOther
	}
	n.known[name] = struct{}{}
	return name
}
