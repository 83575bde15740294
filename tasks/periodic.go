package tasks

import (
	"context"
	"log/slog"
	"time"
)

// SweepInterval is how often to look in SQL for due work. Lost work is due after two seconds.
const SweepInterval = time.Second

// BeatInterval is how often to look for lost inboxes, and so how long reads may lack entries.
const BeatInterval = time.Second

// TrimPause is the wait after all inboxes have been trimmed.
const TrimPause = 10 * time.Second

// everyMaxWait limits the pause after failures, unless the interval itself is longer.
const everyMaxWait = 5 * time.Second

// Every calls do, and again at interval after each return, until ctx is done. The pause doubles
// with every failure in a row, up to 5 s; the first, second, fourth and so on are logged under
// name. do must honour its context. Processes do not coordinate here.
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
