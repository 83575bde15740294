package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/tideline-feeds/tideline/feed"
)

var _ feed.ReadPositions = (*Store)(nil)

// MarkRead implements [feed.ReadPositions]. Under the lock of the user's row, each time is later than the
// highest one that is stored.
func (s *Store) MarkRead(ctx context.Context, user feed.UserID, device string, p feed.ReadPosition, limit int) (int64, error) {
	return inTxOf(ctx, s, func(tx *sql.Tx) (int64, error) {
		stored, err := s.lockPresent(ctx, tx, []feed.UserID{user})
		if err != nil {
			return 0, err
		}
		if len(stored) == 0 {
			return 0, errNoUser()
		}
		now, args := s.now(user, device, p.Cursor, p.SyncToken)
		at, err := one[int64](tx.QueryRowContext(ctx, fmt.Sprintf(`
INSERT INTO read_positions (user_id, device, cursor, sync_token, marked_at)
VALUES ($1, $2, $3, $4, %s(%s, (SELECT COALESCE(MAX(marked_at), 0) + 1 FROM read_positions WHERE user_id = $1)))
ON CONFLICT (user_id, device) DO UPDATE SET cursor = excluded.cursor, sync_token = excluded.sync_token, marked_at = excluded.marked_at
RETURNING marked_at`, s.d.greatest, now), args...))
		if err != nil {
			return 0, err
		}
		return at, exec(ctx, tx, `
DELETE FROM read_positions WHERE user_id = $1 AND marked_at <= (
  SELECT marked_at FROM read_positions WHERE user_id = $1 ORDER BY marked_at DESC LIMIT 1 OFFSET $2)`, user, limit)
	})
}

// ReadPosition implements [feed.ReadPositions].
func (s *Store) ReadPosition(ctx context.Context, user feed.UserID, device string) (*feed.ReadPosition, error) {
	var p feed.ReadPosition
	err := s.row(ctx, `SELECT cursor, sync_token, marked_at FROM read_positions WHERE user_id = $1 AND device = $2`,
		[]any{user, device}, &p.Cursor, &p.SyncToken, &p.At)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return &p, err
}
