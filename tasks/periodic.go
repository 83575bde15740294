package tasks

import (
	"context"
	"log/slog"
	"time"
)

// SweepInterval is how often to look in SQL for work that is due again. A second
// is short beside the two that lost work takes to be due, and long beside the cost of a
// sweep that finds nothing.
const SweepInterval = time.Second

// BeatInterval is how often to look whether inboxes were lost: what a read may lack then
// it lacks for a second.
const BeatInterval = time.Second

// TrimInterval is how often to look at the next slice of all inboxes. Slices of a
// hundred a second cost nothing that anybody notices, and are a million in three hours:
// soon, for inboxes that nobody has read for months.
const TrimInterval = time.Second

// PurgeInterval is how often to drop old rows. They have waited for a day or a week by
// then, and to find that there are none takes a look at two indexes; but who does it is
// missed when he has not called for five seconds.
const PurgeInterval = time.Second

// everyMaxWait is the longest pause after failures, unless the interval itself is
// longer: the end of an outage is noticed within five seconds, and what tries until then
// asks for next to nothing.
const everyMaxWait = 5 * time.Second

// Every calls do at once and then again and again, interval after the previous
// call returned, until ctx is done; then it returns, once do has. A failure is not
// fatal: the pause doubles with every failure in a row, up to 5 s, and is interval again
// after a success. Of failures in a row the first, second, fourth and so on are logged
// under name: of an hour's outage ten. do must heed its context.
//
// Processes do not agree here on who runs do, and there is no jitter to keep them
// apart: two sweepers do no harm, because each takes its rows for itself, and work for
// one process alone begins by asking, in one statement, who leads.
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
