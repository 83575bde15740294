package telemetry

import (
	"cmp"
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/subscribe"
)

// feeds counts reads of home feeds and events of inboxes.
type feeds struct {
	reads      *prometheus.CounterVec
	pulled     prometheus.Histogram
	built      prometheus.Counter
	removed    prometheus.Counter
	rolledBack prometheus.Counter
	dropped    prometheus.Counter
	// versions are viewer versions that were read for the viewer cache.
	versions prometheus.Counter
}

func newFeeds(f factory) feeds {
	versions := f.counters("stamps_total", "Viewer versions read for the viewer cache.", "journal")
	versions.WithLabelValues("known")
	// Nothing polls the change log yet. The series stays for existing dashboards.
	f.counter("stamp_looks_failed_total", "Failed polls of the change log.")
	// There is no viewer cache in Redis any more. Its series stay for existing dashboards, too.
	notes := f.counters("viewer_notes_total", "Lookups in a viewer cache in Redis.", "note")
	notes.WithLabelValues("found")
	notes.WithLabelValues("none")
	f.counter("viewer_notes_failed_total", "Failed writes to a viewer cache in Redis.")
	return feeds{
		reads:      f.counters("feed_reads_total", "Pages of home feeds, by source and state of the inbox.", "source", "inbox"),
		pulled:     f.histogram("feed_pulled_authors", "Outboxes merged into a page.", sizes()),
		built:      f.counter("inboxes_built_total", "Built inboxes."),
		removed:    f.counter("inboxes_removed_total", "Removed inboxes of dormant viewers."),
		rolledBack: f.counter("inboxes_rolled_back_total", "Losses of a Redis server's last writes, which were repeated."),
		dropped:    f.counter("inboxes_dropped_total", "Times that all inboxes were dropped."),
		versions:   versions.WithLabelValues("unknown"),
	}
}

// fanout counts the work of fan-outs.
type fanout struct {
	lag             prometheus.Histogram
	slices          prometheus.Counter
	deliveries      prometheus.Counter
	first           prometheus.Histogram
	firstDeliveries *prometheus.CounterVec
	firstFailures   prometheus.Counter
	shed, lowered   prometheus.Counter
	swept           *prometheus.CounterVec
	enqueueFailures prometheus.Counter
	announced       *prometheus.CounterVec
	ended           *prometheus.CounterVec
}

func newFanout(f factory) fanout {
	out := fanout{
		lag:             f.histogram("fanout_lag_seconds", "Time from a publish to the end of its fan-out.", lags()),
		slices:          f.counter("slices_pushed_total", "Slices of followers pushed to."),
		deliveries:      f.counter("deliveries_total", "Followers pushed to, in all slices."),
		first:           f.histogram("online_first_lag_seconds", "Time from a publish until connected followers have the post in their inbox and the change log.", lags()),
		firstDeliveries: f.counters("online_first_deliveries_total", "Followers who got a post before its fan-out was planned.", "notified"),
		firstFailures:   f.counter("online_first_failures_total", "Posts that could not be pushed to online followers first."),
		shed:            f.counter("fanouts_shed_total", "Posts not pushed because too many slices were waiting."),
		lowered:         f.counter("flags_lowered_total", "Authors whose coverage flag fell."),
		swept:           f.counters("swept_total", "Events and slices that sweeps dispatched again.", "what"),
		enqueueFailures: f.counter("enqueue_failures_total", "Tasks that could not be enqueued."),
		announced:       f.counters("announcements_total", "Posts announced to subscribers.", "outcome"),
		ended:           f.counters("subscriptions_ended_total", "Subscriptions ended because they missed events.", "reason"),
	}
	for _, result := range []string{outcomeOK, outcomeFailed} {
		out.announced.WithLabelValues(result)
	}
	for _, reason := range []string{reasonMissed, reasonReset} {
		out.ended.WithLabelValues(reason)
	}
	out.firstDeliveries.WithLabelValues(notifiedYes)
	out.firstDeliveries.WithLabelValues(notifiedNo)
	out.swept.WithLabelValues("event")
	out.swept.WithLabelValues("slice")
	return out
}

// Whether a follower who got a post first was also notified.
const (
	notifiedYes = "yes"
	notifiedNo  = "no"
)

// Reasons for the end of a subscription.
const (
	// reasonMissed: posts may be missing from a subscription without a token.
	reasonMissed = "missed"
	// reasonReset: the change log cannot continue from a token.
	reasonReset = "reset"
)

// Trace returns a trace that counts, and that calls next.
func (m *Metrics) Trace(next feed.Trace) feed.Trace {
	return feed.Trace{
		PageRead:     both(m.pageRead, next.PageRead),
		InboxBuilt:   both(func(feed.UserID, int) { m.feeds.built.Inc() }, next.InboxBuilt),
		InboxRemoved: one(m.feeds.removed, next.InboxRemoved),
		InboxesRolledBack: func(server string, to int64, n int) {
			m.feeds.rolledBack.Inc()
			if next.InboxesRolledBack != nil {
				next.InboxesRolledBack(server, to, n)
			}
		},
		InboxesDropped: both(func(string, string) { m.feeds.dropped.Inc() }, next.InboxesDropped),
		Shed:           one(m.fanout.shed, next.Shed),
		FlagLowered:    both(func(feed.UserID, feed.CoverageFlag) { m.fanout.lowered.Inc() }, next.FlagLowered),
		SlicePushed:    both(m.slicePushed, next.SlicePushed),
		PushedFirst: func(post feed.PostID, n, told int, lag time.Duration) {
			m.pushedFirst(n, told, lag)
			if next.PushedFirst != nil {
				next.PushedFirst(post, n, told, lag)
			}
		},
		PushFirstFailed: both(func(feed.PostID, error) { m.fanout.firstFailures.Inc() }, next.PushFirstFailed),
		FannedOut: both(func(_ feed.PostID, lag time.Duration) {
			m.fanout.lag.Observe(lag.Seconds())
		}, next.FannedOut),
		VersionRead: func() {
			m.feeds.versions.Inc()
			if next.VersionRead != nil {
				next.VersionRead()
			}
		},
		Swept:         both(m.swept, next.Swept),
		EnqueueFailed: one(m.fanout.enqueueFailures, next.EnqueueFailed),
		Announced: both(func(_ feed.PostID, err error) {
			m.fanout.announced.WithLabelValues(outcome(err)).Inc()
		}, next.Announced),
		SubscriptionsEnded: both(m.subscriptionsEnded, next.SubscriptionsEnded),
		Ingested:           both(m.ingested, next.Ingested),
	}
}

// sourcePull is the source of a page from the inbox and from outboxes of authors that it does not
// cover.
const sourcePull = "pull"

func (m *Metrics) pageRead(_ feed.UserID, r feed.Reading) {
	source := string(r.Source)
	if r.Source == feed.SourceInbox && r.Pulled > 0 {
		source = sourcePull
	}
	m.feeds.reads.WithLabelValues(source, cmp.Or(string(r.Found), "unread")).Inc()
	m.feeds.pulled.Observe(float64(r.Pulled))
}

func (m *Metrics) slicePushed(_ feed.SliceRef, n int) {
	m.fanout.slices.Inc()
	m.fanout.deliveries.Add(float64(n))
}

func (m *Metrics) pushedFirst(n, told int, lag time.Duration) {
	m.fanout.firstDeliveries.WithLabelValues(notifiedYes).Add(float64(told))
	m.fanout.firstDeliveries.WithLabelValues(notifiedNo).Add(float64(n - told))
	if told > 0 {
		m.fanout.first.Observe(lag.Seconds())
	}
}

func (m *Metrics) swept(events, slices int) {
	m.fanout.swept.WithLabelValues("event").Add(float64(events))
	m.fanout.swept.WithLabelValues("slice").Add(float64(slices))
}

func (m *Metrics) subscriptionsEnded(n int, why error) {
	reason := reasonMissed
	if errors.Is(why, subscribe.ErrReset) {
		reason = reasonReset
	}
	m.fanout.ended.WithLabelValues(reason).Add(float64(n))
}

// both calls two functions, of which the second can be nil.
func both[A, B any](first, second func(A, B)) func(A, B) {
	if second == nil {
		return first
	}
	return func(a A, b B) { first(a, b); second(a, b) }
}

// one increments a counter and calls a function, which can be nil.
func one[A any](c prometheus.Counter, second func(A)) func(A) {
	return func(a A) {
		c.Inc()
		if second != nil {
			second(a)
		}
	}
}
