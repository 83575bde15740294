package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/tideline-feeds/tideline/feed"
)

// inboxHeader is the state of an inbox within a change. The row is locked, and the change stores
// floor and count at its end.
type inboxHeader struct {
	viewer feed.UserID
	floor  feed.Key
	count  int
}

// FinishBuild implements [feed.Inboxes].
func (s *Inboxes) FinishBuild(ctx context.Context, viewer feed.UserID, token string, b feed.Build) (bool, error) {
	const version = 0
	return s.change(ctx, viewer, feed.InboxBuilding, token, version, feed.Amendment{
		Add: b.Keys, Floor: b.Floor, NewVersion: b.Version, WarmUntil: b.WarmUntil,
	})
}

// Amend implements [feed.Inboxes].
func (s *Inboxes) Amend(ctx context.Context, viewer feed.UserID, a feed.Amendment) (bool, error) {
	return s.change(ctx, viewer, feed.InboxReady, a.Token, a.Version, a)
}

// change applies an amendment if the header has the state, the token and the version.
func (s *Inboxes) change(
	ctx context.Context, viewer feed.UserID, state feed.InboxState, token string, version int64, a feed.Amendment,
) (bool, error) {
	return inTxOf(ctx, s.store, func(tx *sql.Tx) (bool, error) {
		h, err := s.lock(ctx, tx, viewer, "state = $2 AND token = $3 AND version = $4", state, token, version)
		if err != nil || h == nil {
			return false, err
		}
		if err := s.merge(ctx, tx, h, a); err != nil {
			return false, err
		}
		return true, exec(ctx, tx, fmt.Sprintf(`
UPDATE %s
SET state = $2, version = $3, warm_until = %s(warm_until, $4), floor_ts = $5, floor_id = $6, entry_count = $7
WHERE user_id = $1`, s.headers, s.store.d.greatest),
			viewer, feed.InboxReady, a.NewVersion, a.WarmUntil, h.floor.TS, h.floor.ID, h.count)
	})
}

// lock locks and returns the header of viewer's inbox, or nil if condition does not hold. The
// parameters of condition begin with $2.
func (s *Inboxes) lock(ctx context.Context, tx *sql.Tx, viewer feed.UserID, condition string, args ...any) (*inboxHeader, error) {
	h := &inboxHeader{viewer: viewer}
	err := tx.QueryRowContext(ctx, `
SELECT floor_ts, floor_id, entry_count FROM `+s.headers+`
WHERE user_id = $1 AND `+condition+s.store.d.forUpdate, append([]any{viewer}, args...)...).
		Scan(&h.floor.TS, &h.floor.ID, &h.count)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return h, err
}

// merge raises the floor to the amendment's, adds the keys above it, removes keys, and trims.
func (s *Inboxes) merge(ctx context.Context, tx *sql.Tx, h *inboxHeader, a feed.Amendment) error {
	if a.Floor.Newer(h.floor) {
		if err := s.raise(ctx, tx, h, a.Floor); err != nil {
			return err
		}
	}
	var above []feed.Key
	for _, k := range a.Add {
		if k.Newer(h.floor) {
			above = append(above, k)
		}
	}
	added, err := s.store.d.insertRows(ctx, tx, s.entries, "DO NOTHING", entriesOf(h.viewer, above)...)
	if err != nil {
		return err
	}
	h.count += int(added)
	if len(a.Remove) > 0 {
		stmt, args := s.dropEntries(entriesOf(h.viewer, a.Remove))
		removed, err := execRows(ctx, tx, stmt, args...)
		if err != nil {
			return err
		}
		h.count -= int(removed)
	}
	return s.trim(ctx, tx, h)
}

// entriesOf returns the columns of entries of one inbox.
func entriesOf(viewer feed.UserID, keys []feed.Key) []column {
	return []column{
		intColumn("user_id", keys, func(feed.Key) feed.UserID { return viewer }),
		intColumn("publish_time", keys, func(k feed.Key) int64 { return k.TS }),
		intColumn("content_id", keys, func(k feed.Key) int64 { return k.ID }),
	}
}

func (s *Inboxes) dropEntries(entries []column) (stmt string, args []any) {
	from, args := s.store.d.table(entries)
	return `
DELETE FROM ` + s.entries + ` WHERE (user_id, publish_time, content_id) IN (
  SELECT r.user_id, r.publish_time, r.content_id FROM ` + from + `)`, args
}

func (s *Inboxes) trim(ctx context.Context, tx *sql.Tx, h *inboxHeader) error {
	surplus := h.count - s.cap
	if surplus <= 0 {
		return nil
	}
	var floor feed.Key
	err := tx.QueryRowContext(ctx, `
SELECT publish_time, content_id FROM `+s.entries+`
WHERE user_id = $1 ORDER BY publish_time, content_id LIMIT 1 OFFSET $2`, h.viewer, surplus-1).
		Scan(&floor.TS, &floor.ID)
	if err != nil {
		return err
	}
	return s.raise(ctx, tx, h, floor)
}

// raise raises the floor and deletes the entries at and below it.
func (s *Inboxes) raise(ctx context.Context, tx *sql.Tx, h *inboxHeader, floor feed.Key) error {
	dropped, err := execRows(ctx, tx, `
DELETE FROM `+s.entries+` WHERE user_id = $1 AND (publish_time, content_id) <= ($2, $3)`, h.viewer, floor.TS, floor.ID)
	h.floor = floor
	h.count -= int(dropped)
	return err
}
