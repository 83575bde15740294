package telemetry

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

const outcomeFailed = "failed"

// work counts background work.
type work struct {
	tasks    *prometheus.CounterVec
	took     *prometheus.HistogramVec
	periodic *prometheus.CounterVec
	last     *prometheus.GaugeVec
}

func newWork(f factory) work {
	return work{
		tasks:    f.counters("tasks_total", "Finished tasks.", "type", "outcome"),
		took:     f.histograms("task_seconds", "Duration of tasks.", latencies(), "type"),
		periodic: f.counters("periodic_total", "Runs of periodic jobs.", "work", "outcome"),
		last:     f.gauges("periodic_last_success_timestamp_seconds", "Time of the last success of a periodic job.", "work"),
	}
}

// TaskDone counts a finished task.
func (m *Metrics) TaskDone(typ string, took time.Duration, err error) {
	m.work.tasks.WithLabelValues(typ, outcome(err)).Inc()
	m.work.took.WithLabelValues(typ).Observe(took.Seconds())
}

// Periodic returns do with its runs counted under a name, except those that the end of the
// process interrupts.
func (m *Metrics) Periodic(name string, do func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		err := do(ctx)
		if ctx.Err() != nil {
			return err
		}
		m.work.periodic.WithLabelValues(name, outcome(err)).Inc()
		if err == nil {
			m.work.last.WithLabelValues(name).SetToCurrentTime()
		}
		return err
	}
}

func outcome(err error) string {
	if err != nil {
		return outcomeFailed
	}
	return outcomeOK
}
