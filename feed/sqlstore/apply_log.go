package sqlstore

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
)

const (
	// numberFrom is the default of [Store.numberFrom]. To queue a change, number it and remove it from
	// the queue costs four times as much as to log it with its number. But batches that log numbers
	// commit one after the other.
	numberFrom = 200
	// queuedMax is the number of queued changes from which a batch queues its own, too.
	queuedMax = 1000
)

// storeCounts stores counters, and queues changes unless there are so many that the batch numbers them.
func (w *writer) storeCounts(ctx context.Context) error {
	t := w.count()
	queued := t.logged()
	if w.live && w.s.d.isPostgres() && len(queued) >= w.s.numberFrom {
		w.unlogged, queued = queued, nil
	}
	return t.storeLogging(ctx, w.s, w.tx, queued)
}

// logNumbered logs the changes that storeCounts has not queued. It locks the state of the log, so call it
// right before the commit. Queued changes come first, because they may be earlier ones of the same objects.
func (w *writer) logNumbered(ctx context.Context) error {
	if len(w.unlogged) == 0 {
		return nil
	}
	state, _, err := w.s.lockLog(ctx, w.tx)
	if err != nil {
		return err
	}
	more, last, err := w.s.numberQueued(ctx, w.tx, state, queuedMax)
	if err != nil {
		return err
	}
	if more {
		return w.s.log(ctx, w.tx, w.unlogged...)
	}
	w.s.willLog(w.tx)
	number := last
	numbers := intColumn("number", w.unlogged, func(feed.Change) int64 { number++; return number })
	numberedAt := intColumn("numbered_at", w.unlogged, func(feed.Change) int64 { return w.now })
	if err := w.insert(ctx, "changes", append(changeColumns(w.unlogged), numbers, numberedAt)); err != nil {
		return err
	}
	return exec(ctx, w.tx, `UPDATE change_state SET last = $1 WHERE id = 1`, number)
}
