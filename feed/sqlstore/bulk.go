package sqlstore

import (
	"context"
	"database/sql"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

var _ feed.BulkLoads = (*Store)(nil)

// markLoad begins or continues a bulk load. It locks the row until the commit, so batches of loads
// and the end of the load wait for each other.
func (s *Store) markLoad(ctx context.Context, tx *sql.Tx) error {
	now, args := s.now()
	return exec(ctx, tx, `
UPDATE feed_state SET bulk_at = `+now+`, bulk_since = CASE WHEN bulk_since = 0 THEN `+now+` ELSE bulk_since END WHERE id = 1`, args...)
}

// EndLoad implements [feed.BulkLoads].
func (s *Store) EndLoad(ctx context.Context, idle time.Duration) (bool, error) {
	return inTxOf(ctx, s, func(tx *sql.Tx) (bool, error) {
		now, args := s.now(idle.Milliseconds())
		ended, err := execRows(ctx, tx, `
UPDATE feed_state SET bulk_since = 0, bulk_at = 0 WHERE id = 1 AND bulk_since > 0 AND bulk_at <= `+now+` - $1`, args...)
		if err != nil || ended == 0 {
			return false, err
		}
		return true, s.raiseGeneration(ctx, tx)
	})
}
