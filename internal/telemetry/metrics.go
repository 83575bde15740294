package telemetry

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// namespace is the prefix of all metrics of this program.
const namespace = "tideline"

// Metrics counts what one process does. Make it with [New]. It is safe for concurrent use.
type Metrics struct {
	registry *prometheus.Registry
	factory  factory
	api      api
	feeds    feeds
	fanout   fanout
	work     work
	ingest   ingest
	upstream upstream
}

// New returns metrics for a program of the given version, including those of the Go runtime and
// the process.
func New(version string) *Metrics {
	r := prometheus.NewRegistry()
	f := factory{promauto.With(r)}
	f.gauges("build_info", "Always 1, with the version of the program.", "version").WithLabelValues(version).Set(1)
	r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return &Metrics{registry: r, factory: f, api: newAPI(f), feeds: newFeeds(f), fanout: newFanout(f), work: newWork(f), ingest: newIngest(f), upstream: newUpstream(f)}
}

// Handler serves scrapes. It omits sources that do not respond in time.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError})
}

// factory creates and registers metrics. It panics on duplicate names.
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

// gaugeFunc adds a gauge that each scrape reads.
func (f factory) gaugeFunc(name, help string, value func() int) {
	f.NewGaugeFunc(prometheus.GaugeOpts{Namespace: namespace, Name: name, Help: help}, func() float64 { return float64(value()) })
}

func (f factory) histogram(name, help string, buckets []float64) prometheus.Histogram {
	return f.NewHistogram(prometheus.HistogramOpts{Namespace: namespace, Name: name, Help: help, Buckets: buckets})
}

func (f factory) histograms(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
	return f.NewHistogramVec(prometheus.HistogramOpts{Namespace: namespace, Name: name, Help: help, Buckets: buckets}, labels)
}

// latencies are buckets for operations: a page from an inbox takes less than a millisecond, and
// ten seconds is the timeout.
func latencies() []float64 {
	return []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10}
}

// lags are buckets for delays: milliseconds normally, minutes with a backlog.
func lags() []float64 {
	return []float64{.01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 300, 1800}
}

// sizes are buckets for counts, up to the largest page and the follow limit.
func sizes() []float64 { return []float64{0, 1, 2, 5, 10, 20, 50, 100, 500, 2000} }
