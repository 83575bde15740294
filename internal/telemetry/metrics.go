package telemetry

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// namespace is what the names of all of this program's own metrics begin with.
const namespace = "tideline"

// Metrics counts what one process does. Make it with [New]; it may be used by many
// goroutines.
type Metrics struct {
	registry *prometheus.Registry
	factory  factory
	api      api
	feeds    feeds
	fanout   fanout
	work     work
}

// New returns metrics that have counted nothing yet, for a program of the given version.
// Those of the Go runtime and of the process are among them.
func New(version string) *Metrics {
	r := prometheus.NewRegistry()
	f := factory{promauto.With(r)}
	f.gauges("build_info", "1, for the version that runs.", "version").WithLabelValues(version).Set(1)
	r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return &Metrics{registry: r, factory: f, api: newAPI(f), feeds: newFeeds(f), fanout: newFanout(f), work: newWork(f)}
}

// Handler answers scrapes. A source that does not answer in time is left out, and the
// rest is told.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError})
}

// factory makes metrics and registers them. Two of one name are a mistake in this
// package, and a panic.
type factory struct{ promauto.Factory }

func (f factory) counter(name, help string) prometheus.Counter {
	return f.NewCounter(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help})
}

func (f factory) counters(name, help string, labels ...string) *prometheus.CounterVec {
	return f.NewCounterVec(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help}, labels)
}

func (f factory) gauge(name, help string) prometheus.Gauge {
	return f.NewGauge(prometheus.GaugeOpts{Namespace: namespace, Name: name, Help: help})
}

func (f factory) gauges(name, help string, labels ...string) *prometheus.GaugeVec {
	return f.NewGaugeVec(prometheus.GaugeOpts{Namespace: namespace, Name: name, Help: help}, labels)
}

// gaugeFunc makes a gauge whose value every scrape asks for.
func (f factory) gaugeFunc(name, help string, value func() int) {
	f.NewGaugeFunc(prometheus.GaugeOpts{Namespace: namespace, Name: name, Help: help}, func() float64 { return float64(value()) })
}

func (f factory) histogram(name, help string, buckets []float64) prometheus.Histogram {
	return f.NewHistogram(prometheus.HistogramOpts{Namespace: namespace, Name: name, Help: help, Buckets: buckets})
}

func (f factory) histograms(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
	return f.NewHistogramVec(prometheus.HistogramOpts{Namespace: namespace, Name: name, Help: help, Buckets: buckets}, labels)
}

// latencies are the buckets of what takes from under a millisecond, as a page from an
// inbox does, to ten seconds, where every operation is cut off.
func latencies() []float64 {
	return []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10}
}

// lags are the buckets of what takes some milliseconds when all is well, and minutes when
// work has piled up.
func lags() []float64 {
	return []float64{.01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 300, 1800}
}

// sizes are the buckets of how many there are of something, up to the largest page and to
// the most that one may follow.
func sizes() []float64 { return []float64{0, 1, 2, 5, 10, 20, 50, 100, 500, 2000} }
