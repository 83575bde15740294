package telemetry

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

type upstream struct {
	calls   *prometheus.HistogramVec
	objects *prometheus.CounterVec
	open    *prometheus.GaugeVec
}

func newUpstream(f factory) upstream {
	return upstream{
		calls:   f.histograms("upstream_call_seconds", "Duration of calls to other services.", latencies(), "service", "outcome"),
		objects: f.counters("upstream_objects_total", "Objects whose content other services have, by where it came from: cache, call, stale or missing.", "service", "from"),
		open:    f.gauges("upstream_open", "1 while a service is not called because it has failed.", "service"),
	}
}

// UpstreamCalled counts a call to another service.
func (m *Metrics) UpstreamCalled(service string, took time.Duration, err error) {
	outcome := outcomeOK
	if err != nil {
		outcome = "failed"
	}
	m.upstream.calls.WithLabelValues(service, outcome).Observe(took.Seconds())
}

// UpstreamObjects counts the objects of one read, by where their content came from.
func (m *Metrics) UpstreamObjects(service string, cached, called, stale, missing int) {
	for from, n := range map[string]int{"cache": cached, "call": called, "stale": stale, "missing": missing} {
		if n > 0 {
			m.upstream.objects.WithLabelValues(service, from).Add(float64(n))
		}
	}
}

// UpstreamOpen reports whether a service is not called because it has failed.
func (m *Metrics) UpstreamOpen(service string, open bool) {
	value := 0.0
	if open {
		value = 1
	}
	m.upstream.open.WithLabelValues(service).Set(value)
}
