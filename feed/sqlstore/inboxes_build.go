package sqlstore

import (
	"context"
	"database/sql"
	"errors"

	"github.com/tideline-feeds/tideline/feed"
)

// inboxHeader is what a change of one inbox goes by. Its holder has locked the row,
// and writes back floor and count when he is done.
type inboxHeader struct {
	viewer feed.UserID
	floor  feed.Key
	count  int
}

// FinishBuild implements [feed.Inboxes].
func (s *Inboxes) FinishBuild(ctx context.Context, viewer feed.UserID, token string, b feed.Build) (bool, error) {
	var finished bool
	err := s.store.inTx(ctx, func(tx *sql.Tx) error {
		h, err := s.lockBuilding(ctx, tx, viewer, token)
		finished = h != nil
		if err != nil || h == nil {
			return err
		}
		if err := s.merge(ctx, tx, h, b); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `
UPDATE inbox_headers SET state = $2, version = $3, floor_ts = $4, floor_id = $5, entry_count = $6
WHERE user_id = $1`, viewer, feed.InboxReady, b.Version, h.floor.TS, h.floor.ID, h.count)
		return err
	})
	return finished && err == nil, err
}

// lockBuilding locks and returns the header of an inbox that is building under
// token, nil when it is not.
func (s *Inboxes) lockBuilding(ctx context.Context, tx *sql.Tx, viewer feed.UserID, token string) (*inboxHeader, error) {
	h := &inboxHeader{viewer: viewer}
	err := tx.QueryRowContext(ctx, `
SELECT floor_ts, floor_id, entry_count FROM inbox_headers
WHERE user_id = $1 AND state = $2 AND token = $3`+s.store.d.forUpdate, viewer, feed.InboxBuilding, token).
		Scan(&h.floor.TS, &h.floor.ID, &h.count)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return h, err
}

// merge raises the floor to the build's, adds what the build found above it, and
// trims.
func (s *Inboxes) merge(ctx context.Context, tx *sql.Tx, h *inboxHeader, b feed.Build) error {
	if b.Floor.Newer(h.floor) {
		if err := h.raise(ctx, tx, b.Floor); err != nil {
			return err
		}
	}
	var above []feed.Key
	for _, k := range b.Keys {
		if k.Newer(h.floor) {
			above = append(above, k)
		}
	}
	if len(above) > 0 {
		added, err := s.store.d.insertRows(ctx, tx, "inbox", "DO NOTHING",
			intColumn("user_id", above, func(feed.Key) feed.UserID { return h.viewer }),
			intColumn("publish_time", above, func(k feed.Key) int64 { return k.TS }),
			intColumn("content_id", above, func(k feed.Key) int64 { return k.ID }))
		if err != nil {
			return err
		}
		h.count += int(added)
	}
	return s.trim(ctx, tx, h)
}

// trim drops the oldest entries beyond the cap and raises the floor to the newest of
// them.
func (s *Inboxes) trim(ctx context.Context, tx *sql.Tx, h *inboxHeader) error {
	surplus := h.count - s.cap
	if surplus <= 0 {
		return nil
	}
	var floor feed.Key
	err := tx.QueryRowContext(ctx, `
SELECT publish_time, content_id FROM inbox
WHERE user_id = $1 ORDER BY publish_time, content_id LIMIT 1 OFFSET $2`, h.viewer, surplus-1).
		Scan(&floor.TS, &floor.ID)
	if err != nil {
		return err
	}
	return h.raise(ctx, tx, floor)
}

// raise lifts the floor to a higher one and drops what is not above that.
func (h *inboxHeader) raise(ctx context.Context, tx *sql.Tx, floor feed.Key) error {
	dropped, err := exec(ctx, tx, `
DELETE FROM inbox WHERE user_id = $1 AND (publish_time, content_id) <= ($2, $3)`, h.viewer, floor.TS, floor.ID)
	h.floor = floor
	h.count -= int(dropped)
	return err
}
