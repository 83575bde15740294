package app

import (
	"context"
	"log/slog"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/lrucache"
	"github.com/tideline-feeds/tideline/internal/edge/gateway"
	"github.com/tideline-feeds/tideline/internal/telemetry"
	"github.com/tideline-feeds/tideline/resolvers"
	"github.com/tideline-feeds/tideline/tasks"
)

// watchSettings configure logging of slow operations, and shutdown.
type watchSettings struct {
	SlowOperation time.Duration `env:"TIDELINE_SLOW_OPERATION" default:"1s" placeholder:"DURATION" help:"Log queries and mutations that take longer, with the hash of their document; 0 for none (${default})."`
	DrainDelay    time.Duration `env:"TIDELINE_DRAIN_DELAY" default:"0s" placeholder:"DURATION" help:"How long a stopping server still accepts requests while /readyz reports that it stops, so that load balancers can react (${default})."`
}

// longestDrain exceeds the reaction time of any load balancer.
const longestDrain = 10 * time.Minute

func (s watchSettings) Check() error {
	if s.SlowOperation < 0 {
		return BadSetting("--slow-operation must be 0s or longer, not %v", s.SlowOperation)
	}
	if s.DrainDelay < 0 || s.DrainDelay > longestDrain {
		return BadSetting("--drain-delay must be from 0s to 10m, not %v", s.DrainDelay)
	}
	return nil
}

// trace logs only the hash of a document, whose text may contain arguments.
func (s watchSettings) trace(m *telemetry.Metrics, log *slog.Logger) resolvers.Trace {
	return resolvers.Trace{
		OperationDone: func(ctx context.Context, o resolvers.Operation) {
			m.OperationDone(telemetry.Operation{
				Kind: o.Kind, Name: o.Name, Code: o.Code,
				Took: o.Took, Parsing: o.Parsing, Validation: o.Validation, Execution: o.Execution,
			})
			if s.SlowOperation > 0 && o.Took > s.SlowOperation {
				log.WarnContext(ctx, "slow operation", "document", o.Document(), "kind", o.Kind, "name", o.Name, "code", o.Code,
					"took", o.Took, "parsing", o.Parsing, "validation", o.Validation, "execution", o.Execution)
			}
		},
		SubscriptionBegan: m.SubscriptionBegan, EventSent: m.EventSent, LimitHit: m.LimitHit, Loaded: m.Loaded,
	}
}

func logAttrs(ctx context.Context) []slog.Attr {
	var attrs []slog.Attr
	if id := gateway.RequestIDFrom(ctx); id != "" {
		attrs = append(attrs, slog.String("requestId", id))
	}
	if viewer := gateway.ViewerFrom(ctx); viewer != "" {
		attrs = append(attrs, slog.String("viewer", viewer))
	}
	if service := resolvers.ServiceFrom(ctx); service != "" {
		attrs = append(attrs, slog.String("service", service))
	}
	if trace := telemetry.TraceID(ctx); trace != "" {
		attrs = append(attrs, slog.String("traceId", trace))
	}
	return attrs
}

// Only workers report the state of shared stores, because each read has a cost.
func (c *Server) sources(a *services, st *stores, kept caches) telemetry.Sources {
	cached := func(stats func() lrucache.Stats) func() telemetry.CacheStats {
		return func() telemetry.CacheStats { return telemetry.CacheStats(stats()) }
	}
	s := telemetry.Sources{Caches: map[string]func() telemetry.CacheStats{
		"posts":         cached(kept.posts.Stats),
		"users":         cached(kept.users.Stats),
		"post_counters": cached(func() lrucache.Stats { posts, _ := kept.counters.Stats(); return posts }),
		"user_counters": cached(func() lrucache.Stats { _, users := kept.counters.Stats(); return users }),
		// This cache no longer exists. Its series stay, at 0.
		"written":       cached(func() lrucache.Stats { return lrucache.Stats{} }),
		"viewers":       cached(kept.viewers.Stats),
		"live_feeds":    cached(kept.live.Stats),
		"live_sessions": cached(kept.sessions.Stats),
		"followees":     cached(kept.followees.Stats),
	}}
	if c.Role == roleAPI {
		return s
	}
	s.Queues = func(ctx context.Context) ([]telemetry.QueueState, error) {
		states, err := a.queue.Inspect(ctx)
		return queueStates(states), err
	}
	s.Pending = func(ctx context.Context) (feed.Pending, error) {
		waits, err := a.queue.Waits(ctx)
		if err != nil {
			return feed.Pending{}, err
		}
		now := feed.Millis(time.Now())
		return st.sql.Pending(ctx, now, waits.DueBy(now))
	}
	s.Generation = func(ctx context.Context) (int64, error) {
		version, err := st.sql.ViewerVersion(ctx, 0)
		return version.Generation, err
	}
	s.Changes = func(ctx context.Context) (feed.WaitingChanges, error) {
		return st.sql.WaitingChanges(ctx, telemetry.ChangesMax)
	}
	s.Flags = st.sql.CountFlags
	s.Ingest = st.sql.ReportSources
	return s
}

func queueStates(states []tasks.QueueState) []telemetry.QueueState {
	out := make([]telemetry.QueueState, len(states))
	for i, s := range states {
		out[i] = telemetry.QueueState{Name: s.Name, Oldest: s.Oldest, Tasks: map[string]int{
			"pending": s.Pending, "scheduled": s.Scheduled, "retry": s.Retry,
			"active": s.Active - s.Orphaned, "orphaned": s.Orphaned, "archived": s.Archived,
		}}
	}
	return out
}
