package app

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"time"

	"github.com/tideline-feeds/tideline/feed/positions"
	"github.com/tideline-feeds/tideline/feed/records/ingest"
	"github.com/tideline-feeds/tideline/internal/edge/gateway"
	"github.com/tideline-feeds/tideline/internal/edge/guard"
	"github.com/tideline-feeds/tideline/internal/kit/fairshare"
	"github.com/tideline-feeds/tideline/tasks"
)

// waitingReads limits the reads that wait for a position. Each takes ten statements in its second.
const waitingReads = 200

// waits returns the places among the reads that wait, of which one holder has a quarter.
func waits() func(ctx context.Context, evict func()) (release func(), ok bool) {
	places := fairshare.New(fairshare.Options{Max: waitingReads})
	return func(ctx context.Context, evict func()) (func(), bool) {
		release, refused := places.Take(holderKey(ctx), 1, evict)
		return release, refused == ""
	}
}

// dataPositions implements [resolvers.Positions].
type dataPositions struct {
	*positions.Waiter
	*positions.Reports
}

// ingestPath takes change records of services.
const ingestPath = "/ingest"

// ingestCharge takes a cost from the budget of a service ([ingest.Limits.Charge]).
type ingestCharge func(ctx context.Context, cost int) (wait time.Duration)

// chargeIngest charges the budget that operations of services have; nil without one.
func (c *Server) chargeIngest(limits guard.Options, a *services, log *slog.Logger) ingestCharge {
	if c.ServiceRateLimit == 0 {
		return nil
	}
	limits.Rates = []guard.Rate{c.serviceRate(sender)}
	limits.Now, limits.Hit, limits.Log = time.Now, a.metrics.LimitHit, log
	return guard.NewCharger(limits).Charge
}

// sender returns the name of the service that sends a request.
func sender(ctx context.Context) string {
	id, _ := gateway.IdentityFrom(ctx)
	return id.Service
}

// intake serves [ingestPath]. The source of records is the service that sends them.
func (a *services) intake(charge ingestCharge, log *slog.Logger) http.Handler {
	return &ingest.Handler{
		Sink: a.sink, Refuse: gateway.Refuse, Log: log, Charge: charge,
		Name: func(r *http.Request) string { return sender(r.Context()) },
	}
}

// ingestTasks returns the handler of tasks with change records; nil if no source owns anything.
func (a *services) ingestTasks() func(context.Context, []json.RawMessage) error {
	if len(a.sink.Policy.Owned) == 0 {
		return nil
	}
	return func(ctx context.Context, records []json.RawMessage) error {
		texts := make([][]byte, len(records))
		for i, r := range records {
			texts[i] = r
		}
		_, err := a.sink.Records(ctx, texts, tasks.QueueIngest)
		return err
	}
}

// wait waits for d or until ctx ends.
func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
