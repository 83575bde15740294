package telemetry

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/tideline-feeds/tideline/feed"
)

// CacheStats are the counts of a cache since the start, and its current size.
type CacheStats struct {
	Hits, Misses, Passed, Evictions uint64
	Entries                         int
	Bytes                           int64
}

// QueueState is the state of a queue: its tasks by state, and the age of the oldest waiting one.
type QueueState struct {
	Name   string
	Tasks  map[string]int
	Oldest time.Duration
}

// ChangesMax bounds the cost of counting changes without numbers.
const ChangesMax = 10_000

// Sources are read by every scrape. Those that are nil are omitted.
type Sources struct {
	Caches map[string]func() CacheStats
	// Warnings returns for every warning whether it holds, by name.
	Warnings func() map[string]bool
	// Queues, Pending and Generation are the same for all processes that share stores.
	Queues     func(context.Context) ([]QueueState, error)
	Pending    func(context.Context) (feed.Pending, error)
	Generation func(context.Context) (int64, error)
	// Changes are those without numbers, of which it counts up to [ChangesMax]; like the ones above.
	Changes func(context.Context) (feed.WaitingChanges, error)
	// Flags counts the authors with a coverage flag; like the ones above.
	Flags func(context.Context) ([]feed.FlagCount, error)
	// Ingest describes the systems that send records; like the ones above.
	Ingest func(context.Context) (feed.SourceReport, error)
}

// scrapeTimeout bounds reads of stores. Prometheus gives up after ten seconds, and an
// unresponsive queue must not hide the counts of the process.
const scrapeTimeout = 3 * time.Second

// Watch adds the sources. Call it at most once.
func (m *Metrics) Watch(s Sources) { m.registry.MustRegister(&sources{Sources: s, descs: newDescs()}) }

type descs struct {
	cacheReads, cacheEvictions, cacheEntries, cacheBytes *prometheus.Desc
	queueTasks, queueAge                                 *prometheus.Desc
	pending, generation, up, warning                     *prometheus.Desc
	changesWaiting, changesAge                           *prometheus.Desc
	deadLetters, lettersCounted, absentUsers             *prometheus.Desc
	positionAge                                          *prometheus.Desc
	positionLag, positionWaiting                         *prometheus.Desc
	flaggedAuthors, flaggedSince                         *prometheus.Desc
}

func newDescs() descs {
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc(prometheus.BuildFQName(namespace, "", name), help, labels, nil)
	}
	return descs{
		cacheReads:      desc("cache_reads_total", "Reads through a cache.", "cache", "result"),
		cacheEvictions:  desc("cache_evictions_total", "Entries evicted to make room for others.", "cache"),
		cacheEntries:    desc("cache_entries", "Entries in a cache.", "cache"),
		cacheBytes:      desc("cache_bytes", "Estimated memory of the entries of a cache.", "cache"),
		queueTasks:      desc("queue_tasks", "Tasks in a queue, by state.", "queue", "state"),
		queueAge:        desc("queue_age_seconds", "Age of the oldest waiting task of a queue.", "queue"),
		pending:         desc("pending", "Pending work of fan-outs.", "what"),
		generation:      desc("generation", "Generation of inboxes, which increases when all are dropped."),
		up:              desc("source_up", "Whether a source responded to the scrape.", "source"),
		changesWaiting:  desc("changes_waiting", "Changes without a number in the change log, up to 10,000."),
		changesAge:      desc("changes_waiting_seconds", "Age of the oldest change without a number."),
		deadLetters:     desc("dead_letters", "Lines of sources that could not be applied.", "source"),
		lettersCounted:  desc("dead_letters_not_kept", "Lines that could not be applied and were only counted, since the source sent everything again.", "source"),
		absentUsers:     desc("absent_users", "Users who have not arrived, or were taken back.", "what"),
		positionAge:     desc("position_age_seconds", "Time since the position of a source moved.", "source", "partition"),
		positionLag:     desc("position_lag_seconds", "Age of the last applied message of a source; 0 if there are no further ones.", "source", "partition"),
		positionWaiting: desc("position_lag_messages", "Messages of a source that are not applied.", "source", "partition"),
		flaggedAuthors:  desc("flagged_authors", "Authors whose posts are not pushed to all followers.", "flag", "reason"),
		flaggedSince:    desc("flagged_since_seconds", "When the first of these authors got the flag, as a Unix time; 0 if unknown.", "flag", "reason"),
		warning:         desc("warning", "Whether a warning holds; the log and /readyz have its text.", "name"),
	}
}

// sources is the collector of [Sources].
type sources struct {
	Sources
	descs descs
}

// Describe implements [prometheus.Collector].
func (s *sources) Describe(out chan<- *prometheus.Desc) {
	d := s.descs
	for _, desc := range []*prometheus.Desc{
		d.cacheReads, d.cacheEvictions, d.cacheEntries, d.cacheBytes,
		d.queueTasks, d.queueAge, d.pending, d.generation, d.up, d.warning, d.changesWaiting, d.changesAge,
		d.deadLetters, d.lettersCounted, d.absentUsers, d.positionAge, d.positionLag, d.positionWaiting,
		d.flaggedAuthors, d.flaggedSince,
	} {
		out <- desc
	}
}

// Collect implements [prometheus.Collector].
func (s *sources) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), scrapeTimeout)
	defer cancel()
	c := collection{out: out, descs: s.descs}
	for name, stats := range s.Caches {
		c.cache(name, stats())
	}
	if s.Warnings != nil {
		c.warnings(s.Warnings())
	}
	if s.Queues != nil {
		queues, err := s.Queues(ctx)
		c.up("queues", err)
		for _, q := range queues {
			c.queue(q)
		}
	}
	if s.Pending != nil {
		if pending, err := s.Pending(ctx); c.up("pending", err) {
			c.pending(pending)
		}
	}
	if s.Generation != nil {
		if generation, err := s.Generation(ctx); c.up("generation", err) {
			c.gauge(s.descs.generation, float64(generation))
		}
	}
	if s.Changes != nil {
		if waiting, err := s.Changes(ctx); c.up("changes", err) {
			c.gauge(s.descs.changesWaiting, float64(waiting.Changes))
			c.gauge(s.descs.changesAge, waiting.Oldest.Seconds())
		}
	}
	if s.Flags != nil {
		if counts, err := s.Flags(ctx); c.up("flags", err) {
			c.flags(counts)
		}
	}
	if s.Ingest != nil {
		if report, err := s.Ingest(ctx); c.up("ingest", err) {
			c.ingest(&report)
		}
	}
}

// collection collects the response to one scrape.
type collection struct {
	out   chan<- prometheus.Metric
	descs descs
}

func (c collection) gauge(d *prometheus.Desc, value float64, labels ...string) {
	c.out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
}

func (c collection) counter(d *prometheus.Desc, value uint64, labels ...string) {
	c.out <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(value), labels...)
}

// up reports whether a source responded, as a metric and as its result.
func (c collection) up(source string, err error) bool {
	c.gauge(c.descs.up, oneIf(err == nil), source)
	return err == nil
}

func (c collection) cache(name string, s CacheStats) {
	c.counter(c.descs.cacheReads, s.Hits, name, "hit")
	c.counter(c.descs.cacheReads, s.Misses, name, "miss")
	c.counter(c.descs.cacheReads, s.Passed, name, "passed")
	c.counter(c.descs.cacheEvictions, s.Evictions, name)
	c.gauge(c.descs.cacheEntries, float64(s.Entries), name)
	c.gauge(c.descs.cacheBytes, float64(s.Bytes), name)
}

func (c collection) queue(q QueueState) {
	for state, n := range q.Tasks {
		c.gauge(c.descs.queueTasks, float64(n), q.Name, state)
	}
	c.gauge(c.descs.queueAge, q.Oldest.Seconds(), q.Name)
}

func (c collection) pending(p feed.Pending) {
	for what, n := range map[string]int{"events": p.Events, "slices": p.Slices, "running": p.Running, "overdue": p.Overdue} {
		c.gauge(c.descs.pending, float64(n), what)
	}
}

func (c collection) ingest(r *feed.SourceReport) {
	for _, d := range mostLetters(r.DeadLetters) {
		c.gauge(c.descs.deadLetters, float64(d.Letters), d.Source)
		c.gauge(c.descs.lettersCounted, float64(d.Counted), d.Source)
	}
	c.gauge(c.descs.absentUsers, float64(r.Absent.Awaited), "awaited")
	c.gauge(c.descs.absentUsers, float64(r.Absent.TakenBack), "taken_back")
	for i := range r.Positions {
		p := &r.Positions[i]
		c.gauge(c.descs.positionAge, seconds(r.Now-p.MovedAt), p.Source, p.Partition)
		millis, messages := p.Lag(r.Now).Known()
		if millis != nil {
			c.gauge(c.descs.positionLag, seconds(*millis), p.Source, p.Partition)
		}
		if messages != nil {
			c.gauge(c.descs.positionWaiting, float64(*messages), p.Source, p.Partition)
		}
	}
}

func seconds(millis int64) float64 { return float64(millis) / 1000 }

func (c collection) flags(counts []feed.FlagCount) {
	for _, n := range counts {
		c.gauge(c.descs.flaggedAuthors, float64(n.Authors), n.Flag.String(), n.Reason.String())
		c.gauge(c.descs.flaggedSince, float64(n.Since/1000), n.Flag.String(), n.Reason.String())
	}
}

func (c collection) warnings(states map[string]bool) {
	for name, holds := range states {
		c.gauge(c.descs.warning, oneIf(holds), name)
	}
}

func oneIf(holds bool) float64 {
	if holds {
		return 1
	}
	return 0
}
