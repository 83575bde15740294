package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

var _ feed.StorageFormats = (*Store)(nil)

// InUse implements [feed.StorageFormats].
func (s *Store) InUse(ctx context.Context) (int64, error) {
	return rowOf[int64](ctx, s, "SELECT inbox_layout FROM feed_state WHERE id = 1")
}

// UseFormat implements [feed.StorageFormats]. It reads the format in use after committing its own
// hold. A process that changes the format locks the row of the old one. So a hold is committed
// before that, and prevents the change, or it sees the new format.
func (s *Store) UseFormat(ctx context.Context, format int64, d time.Duration) (int64, error) {
	now, args := s.now(format, d.Milliseconds())
	_, err := s.change(ctx, `
INSERT INTO inbox_layouts (layout, until) VALUES ($1, `+now+` + $2)
ON CONFLICT (layout) DO UPDATE SET until = excluded.until WHERE inbox_layouts.until < excluded.until`, args...)
	if err != nil {
		return 0, err
	}
	inUse, err := s.InUse(ctx)
	if err != nil || inUse == format {
		return inUse, err
	}
	return inTxOf(ctx, s, func(tx *sql.Tx) (int64, error) { return s.setFormat(ctx, tx, format) })
}

// setFormat changes the format in use, unless a process holds the old one, and returns it.
func (s *Store) setFormat(ctx context.Context, tx *sql.Tx, format int64) (int64, error) {
	inUse, err := one[int64](tx.QueryRowContext(ctx, "SELECT inbox_layout FROM feed_state WHERE id = 1"+s.d.forUpdate))
	if err != nil || inUse == format {
		return inUse, err
	}
	until, err := one[int64](tx.QueryRowContext(ctx, "SELECT until FROM inbox_layouts WHERE layout = $1"+s.d.forUpdate, inUse))
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, err
	}
	// Read the clock after locking the row, which may have taken time.
	present, err := s.readClock(ctx, tx)
	if err != nil || until > present {
		return inUse, err
	}
	if err := exec(ctx, tx, "UPDATE feed_state SET inbox_layout = $1 WHERE id = 1", format); err != nil {
		return 0, err
	}
	return format, s.raiseGeneration(ctx, tx)
}
