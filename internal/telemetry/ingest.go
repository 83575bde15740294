package telemetry

import (
	"cmp"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/tideline-feeds/tideline/feed"
)

// ingest counts the records of sources.
type ingest struct {
	records *prometheus.CounterVec
	lag     *prometheus.GaugeVec
	// slotBytes and slotState describe the slots of mirrors.
	slotBytes, slotState *prometheus.GaugeVec
	// sources bounds the series, because records may name their source.
	sources *names
}

// typeNone is the type of a line that is no record.
const typeNone = "none"

// sourcesMax bounds the sources with series of their own. Every service that sends records is one, and
// has up to thirty series. A deployment has a handful.
const sourcesMax = 20

func newIngest(f factory) ingest {
	in := ingest{
		records:   f.counters("ingested_records_total", "Records of sources, by type and outcome.", "source", "type", "outcome"),
		lag:       f.gauges("ingest_lag_seconds", "Age of the last applied message of a bus; 0 if there are no further ones.", "source", "partition"),
		slotBytes: f.gauges("mirror_slot_retained_bytes", "Log that the source of a mirror keeps for its slot.", "source"),
		slotState: f.gauges("mirror_slot_state", "1 for the state of the slot of a mirror.", "source", "state"),
		sources:   newNames(sourcesMax),
	}
	in.records.WithLabelValues(nameOther, typeNone, string(feed.OutcomeBad))
	in.lag.WithLabelValues(nameOther, "")
	in.slotBytes.WithLabelValues(nameOther)
	in.slotState.WithLabelValues(nameOther, "missing")
	return in
}

// SourceLag reports how far this process is behind a partition of a bus.
func (m *Metrics) SourceLag(source, partition string, behind time.Duration) {
	m.ingest.lag.WithLabelValues(source, partition).Set(behind.Seconds())
}

// MirrorSlot reports the state of the slot of a mirror, and the log that its source keeps, in bytes.
func (m *Metrics) MirrorSlot(source, state string, retained int64) {
	m.ForgetMirrorSlot(source)
	m.ingest.slotBytes.WithLabelValues(source).Set(float64(retained))
	m.ingest.slotState.WithLabelValues(source, state).Set(1)
}

// ForgetMirrorSlot removes what MirrorSlot has reported, since another process reports it.
func (m *Metrics) ForgetMirrorSlot(source string) {
	labels := prometheus.Labels{"source": source}
	m.ingest.slotBytes.DeletePartialMatch(labels)
	m.ingest.slotState.DeletePartialMatch(labels)
}

// applied reports whether a batch had a record that is not bad. A source without any, whose name can
// be arbitrary, adds no series.
func applied(done feed.Ingested) bool {
	for of, n := range done.Counts {
		if of.Outcome != feed.OutcomeBad && n > 0 {
			return true
		}
	}
	return false
}

// mostLetters returns the sources with the most dead letters, and the rest as one.
func mostLetters(counts []feed.DeadLetterCount) []feed.DeadLetterCount {
	if len(counts) <= sourcesMax {
		return counts
	}
	counts = slices.Clone(counts)
	slices.SortFunc(counts, func(a, b feed.DeadLetterCount) int {
		return cmp.Or(cmp.Compare(b.Letters, a.Letters), cmp.Compare(a.Source, b.Source))
	})
	rest := feed.DeadLetterCount{Source: nameOther}
	for _, c := range counts[sourcesMax:] {
		rest.Letters += c.Letters
		rest.Counted += c.Counted
	}
	return append(counts[:sourcesMax], rest)
}

func (m *Metrics) ingested(source string, done feed.Ingested) {
	name := m.ingest.sources.find(source)
	if applied(done) {
		name = m.ingest.sources.admit(source)
	}
	for of, n := range done.Counts {
		typ := cmp.Or(string(of.Type), typeNone)
		m.ingest.records.WithLabelValues(name, typ, string(of.Outcome)).Add(float64(n))
	}
}
