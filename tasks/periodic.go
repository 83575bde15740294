package tasks

import (
	"context"
	"log/slog"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// SweepInterval is how often to look in SQL for due work. Lost work is due after two seconds.
const SweepInterval = time.Second

// BeatInterval is how often to look for lost inboxes, and so how long reads may lack entries.
const BeatInterval = time.Second

// TrimPause is the wait after all inboxes have been trimmed.
const TrimPause = 10 * time.Second

// everyMaxWait limits the pause after failures, unless the interval itself is longer.
const everyMaxWait = 5 * time.Second

// Every calls do, and again at interval after each return, until ctx is done. The pause doubles with
// every failure in a row, up to 5 s. It logs under name when do begins to fail, when the code of its
// errors changes, and when it succeeds again; but each failure of a store, for a handler that knows
// which belong together. do must honour its context. Processes do not coordinate here.
func Every(ctx context.Context, interval time.Duration, name string, log *slog.Logger, do func(context.Context) error) {
	log = log.With("periodic", name)
	failures, before := 0, feed.Code("")
	for ctx.Err() == nil {
		err := do(ctx)
		code := feed.CodeOf(err)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			failures++
		case failures > 0:
			if before != feed.CodeUnavailable {
				log.Info("periodic work succeeds again", "failures", failures)
			}
			failures = 0
		}
		wait := doubled(interval, failures, max(interval, everyMaxWait))
		if err != nil && (code != before || code == feed.CodeUnavailable) {
			log.Error("periodic work failed", "error", err, "failures", failures, "next", wait)
		}
		before = code
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
}
