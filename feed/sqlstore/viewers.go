package sqlstore

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
)

// Viewers returns up to limit users with ids above after, in ascending order. It leaves out absent
// users and deleted accounts.
func (s *Store) Viewers(ctx context.Context, after feed.UserID, limit int) ([]feed.UserID, error) {
	return query(ctx, s, `
SELECT id FROM users WHERE id > $1 AND deleted_at = 0 AND absent = 0 ORDER BY id LIMIT $2`, []any{after, limit}, one[feed.UserID])
}
