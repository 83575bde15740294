package sqlstore

import (
	"context"
	"database/sql"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

var _ feed.Revocations = (*Store)(nil)

// Revoke implements [feed.Revocations].
func (s *Store) Revoke(ctx context.Context, r feed.Revocation, ttl time.Duration) error {
	return s.inTx(ctx, func(tx *sql.Tx) error {
		revoked, err := s.revoke(ctx, tx, r, ttl)
		if err != nil || revoked == 0 {
			return err
		}
		return s.log(ctx, tx, feed.Change{Kind: feed.ChangeRevoked, User: r.User})
	})
}

// revoke returns 0 if the token has been revoked before, and otherwise 1.
func (s *Store) revoke(ctx context.Context, tx *sql.Tx, r feed.Revocation, ttl time.Duration) (int64, error) {
	now, args := s.now(r.User, r.Token, ttl.Milliseconds())
	return execRows(ctx, tx, `
INSERT INTO revocations (user_id, token, revoked_at, until) VALUES ($1, $2, `+now+`, `+now+` + $3)
ON CONFLICT (user_id, token) DO NOTHING`, args...)
}

// IsRevoked implements [feed.Revocations].
func (s *Store) IsRevoked(ctx context.Context, r feed.Revocation) (bool, error) {
	rows, err := fetch(ctx, s, `SELECT 1 FROM revocations WHERE user_id = $1 AND token = $2`, []any{r.User, r.Token}, one[int])
	return len(rows) > 0, err
}

// RevokedWithin implements [feed.Revocations].
func (s *Store) RevokedWithin(ctx context.Context, window time.Duration) ([]feed.Revocation, error) {
	now, args := s.now(window.Milliseconds())
	return query(ctx, s, `SELECT user_id, token FROM revocations WHERE revoked_at >= `+now+` - $1`, args,
		into(func(r *feed.Revocation) []any { return []any{&r.User, &r.Token} }))
}

// dropRevocations drops up to limit revocations of tokens that have expired and returns how many.
func (s *Store) dropRevocations(ctx context.Context, limit int) (dropped int64, err error) {
	now, args := s.now(limit)
	return s.change(ctx, `
WITH old AS (
  SELECT user_id, token FROM revocations WHERE until < `+now+` ORDER BY until LIMIT $1`+s.d.skipLocked+`
)
DELETE FROM revocations WHERE (user_id, token) IN (SELECT user_id, token FROM old)`, args...)
}
