package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// Renew implements [feed.Activity].
func (s *Store) Renew(ctx context.Context, viewer feed.UserID, d time.Duration) (lease feed.Lease, err error) {
	now, args := s.now(viewer, d.Milliseconds())
	err = s.changeRow(ctx, fmt.Sprintf(`
UPDATE users SET active_until = %[1]s(active_until, %[2]s + $2), last_seen_at = %[1]s(last_seen_at, %[2]s)
WHERE id = $1 AND deleted_at = 0
RETURNING active_until, %[2]s`, s.d.greatest, now), args, &lease.Until, &lease.Now)
	if errors.Is(err, sql.ErrNoRows) {
		now, args := s.now()
		err = s.row(ctx, "SELECT "+now, args, &lease.Now)
	}
	return lease, err
}

// Dormant implements [feed.Activity].
func (s *Store) Dormant(ctx context.Context, viewers []feed.UserID, d time.Duration) ([]feed.UserID, error) {
	if len(viewers) == 0 {
		return nil, nil
	}
	stmt, args := s.dormantQuery(viewers, d)
	return query(ctx, s, stmt, args, one[feed.UserID])
}

func (s *Store) dormantQuery(viewers []feed.UserID, d time.Duration) (stmt string, args []any) {
	now, args := s.now(ids(s.d, viewers), d.Milliseconds())
	return `
SELECT viewer.id FROM ` + s.d.unnest("viewer") + ` WHERE NOT EXISTS (
  SELECT 1 FROM users AS u WHERE u.id = viewer.id AND u.deleted_at = 0 AND u.active_until >= ` + now + ` - $2)`, args
}

// Active implements [feed.Activity].
func (s *Store) Active(ctx context.Context, after feed.UserID, limit int) ([]feed.UserID, error) {
	now, args := s.now(after, limit)
	return query(ctx, s, `
SELECT id FROM users WHERE id > $1 AND active_until > `+now+` AND active_until > 0 AND deleted_at = 0 ORDER BY id LIMIT $2`, args, one[feed.UserID])
}

// Lead implements [feed.Leaders]. A process that sees another leader only reads. The second of two
// concurrent candidates waits in its INSERT until the first is committed, and finds its row.
func (s *Store) Lead(ctx context.Context, name, holder string, d time.Duration) (bool, error) {
	now, args := s.now(name, holder)
	others, err := rowOf[bool](ctx, s, `
SELECT EXISTS (SELECT 1 FROM leaders WHERE name = $1 AND holder <> $2 AND until > `+now+`)`, args...)
	if err != nil || others {
		return false, err
	}
	now, args = s.now(name, holder, d.Milliseconds())
	written, err := s.change(ctx, fmt.Sprintf(`
INSERT INTO leaders (name, holder, until) VALUES ($1, $2, %[1]s + $3)
ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
WHERE leaders.holder = excluded.holder OR leaders.until <= %[1]s`, now), args...)
	return written == 1, err
}
