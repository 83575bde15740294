package telemetry

import (
	"cmp"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/tideline-feeds/tideline/feed"
)

// ingest counts the records of sources.
type ingest struct {
	records *prometheus.CounterVec
	lag     *prometheus.GaugeVec
	// sources bounds the series, because records may name their source.
	sources *names
}

// typeNone is the type of a line that is no record.
const typeNone = "none"

func newIngest(f factory) ingest {
	in := ingest{
		records: f.counters("ingested_records_total", "Records of sources, by type and outcome.", "source", "type", "outcome"),
		lag:     f.gauges("ingest_lag_seconds", "Age of the last applied message of a bus; 0 if there are no further ones.", "source", "partition"),
		sources: &names{known: map[string]struct{}{}},
	}
	in.records.WithLabelValues(nameOther, typeNone, string(feed.OutcomeBad))
	in.lag.WithLabelValues(nameOther, "")
	return in
}

// SourceLag reports how far this process is behind a partition of a bus.
func (m *Metrics) SourceLag(source, partition string, behind time.Duration) {
	m.ingest.lag.WithLabelValues(source, partition).Set(behind.Seconds())
}

func (m *Metrics) ingested(source string, done feed.Ingested) {
	name := m.ingest.sources.admit(source)
	for of, n := range done.Counts {
		typ := cmp.Or(string(of.Type), typeNone)
		m.ingest.records.WithLabelValues(name, typ, string(of.Outcome)).Add(float64(n))
	}
}
