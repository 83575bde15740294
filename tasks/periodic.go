package tasks

import (
	"context"
	"log/slog"
	"time"
)

// SweepInterval is how often to look in SQL for work that is due again. A second is short
// compared with the two that lost work takes to be due, and long compared with a sweep that finds
// nothing.
const SweepInterval = time.Second

// BeatInterval is how often to check whether inboxes were lost, and so how long reads may lack
// entries.
const BeatInterval = time.Second

// TrimInterval is how often to trim the next slice of inboxes. A hundred inboxes a second are a
// negligible load, and a million in three hours: soon for inboxes that were not read for months.
const TrimInterval = time.Second

// PurgeInterval is how often to drop old rows. They have waited for a day or a week, and a check
// costs two index lookups; but another process takes over if the leader has not called for five
// seconds.
const PurgeInterval = time.Second

// everyMaxWait limits the pause after failures, unless the interval itself is longer. The end of
// an outage is noticed within it.
const everyMaxWait = 5 * time.Second

// Every calls do, and again at interval after each return, until ctx is done. The pause doubles
// with every failure in a row, up to 5 s. Of failures in a row the first, second, fourth and so
// on are logged under name. do must honour its context.
//
// Processes do not coordinate here, and there is no jitter. Concurrent sweeps do no harm, because
// each takes its own rows; work for one process begins by asking who leads.
func Every(ctx context.Context, interval time.Duration, name string, log *slog.Logger, do func(context.Context) error) {
	log = log.With("periodic", name)
	failures := 0
	for ctx.Err() == nil {
		err := do(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			failures++
		case failures > 0:
			log.Info("periodic work succeeds again", "failures", failures)
			failures = 0
		}
		wait := doubled(interval, failures, max(interval, everyMaxWait))
		if failures&(failures-1) == 0 && err != nil {
			log.Error("periodic work failed", "error", err, "failures", failures, "next", wait)
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
}
