package inbox

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// PurgeInterval is how often to call [Maintenance.PurgeRows], a third of the time after which another
// process takes over the lead.
const PurgeInterval = 10 * time.Second

const (
	// purgeFor limits a call, so that purging takes at most a third of a connection's time.
	purgeFor = PurgeInterval / 2
	// purgeDoublings limits the rows of a transaction: 1,600 take some hundredths of a second.
	purgeDoublings = 4
	// trimBatch is how many changes a transaction trims, in some milliseconds, during which no changes
	// get numbers.
	trimBatch = 1000
	// loadIdle is how long after its last batch a bulk load counts as killed. A batch takes seconds.
	loadIdle = 10 * time.Minute
)

// rowKind is a kind of rows that are purged together.
type rowKind int

const (
	rowsOfPlans rowKind = iota
	rowsOfHandles
	rowsOfVersions
	rowsOfChanges
	rowKinds
)

// rowPurge sets the pace of purges.
type rowPurge struct {
	mu sync.Mutex // held for all of PurgeRows
	// full is how many batches in a row were full.
	full [rowKinds]int
}

// PurgeRows drops old plans and idempotency keys, the reservations of freed handles, the versions
// of ended edges, and old changes. It ends a bulk load that was killed. Call it every
// [PurgeInterval].
//
// The kinds take turns, so none waits for the backlog of another. Batches of a kind double while they
// are full, because each waits for the disk, which may take as long as a hundred rows.
func (m *Maintenance) PurgeRows(ctx context.Context) error {
	m.purge.mu.Lock()
	defer m.purge.mu.Unlock()
	return m.lead(ctx, leadRows, func(ctx context.Context) error {
		if _, err := m.Loads.EndLoad(ctx, loadIdle); err != nil {
			return err
		}
		began, failed := m.Clock(), error(nil)
		drop := m.drops(began)
		for open := len(drop); open > 0 && m.Clock().Sub(began) < purgeFor; {
			for kind := range rowKinds {
				if drop[kind] == nil {
					continue
				}
				more, err := drop[kind](ctx, m.Policy.UpkeepBatch<<min(m.purge.full[kind], purgeDoublings))
				failed = errors.Join(failed, err)
				if m.purge.full[kind]++; !more || err != nil {
					drop[kind], m.purge.full[kind] = nil, 0
					open--
				}
			}
		}
		return failed
	})
}

// drops returns a function for each kind that drops up to limit rows which are old at now, and returns
// whether there may be more.
func (m *Maintenance) drops(now time.Time) [rowKinds]func(ctx context.Context, limit int) (more bool, err error) {
	before := func(kept time.Duration) int64 { return feed.Millis(now.Add(-kept)) }
	p := m.Policy
	return [rowKinds]func(context.Context, int) (bool, error){
		rowsOfPlans: func(ctx context.Context, limit int) (bool, error) {
			return m.Cleaner.Cleanup(ctx, before(p.PlansKept), before(p.IdempotencyFor), limit)
		},
		rowsOfHandles: func(ctx context.Context, limit int) (bool, error) {
			return m.Cleaner.DropFreedHandles(ctx, before(p.HandlesHeldFor), limit)
		},
		rowsOfVersions: func(ctx context.Context, limit int) (bool, error) {
			return m.Cleaner.DropEndedVersions(ctx, before(p.ReorderWindow), limit)
		},
		rowsOfChanges: func(ctx context.Context, limit int) (bool, error) {
			return m.Changes.TrimChanges(ctx, before(p.ChangesKept), max(limit, trimBatch))
		},
	}
}
