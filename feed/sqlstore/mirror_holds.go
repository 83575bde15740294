package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

var _ feed.MirrorHolds = (*Store)(nil)

// Hold implements [feed.MirrorHolds]. A hold at another place is one that the mirror has not seen.
func (s *Store) Hold(ctx context.Context, source string, h feed.MirrorHold, d time.Duration) (seen bool, err error) {
	return inTxOf(ctx, s, func(tx *sql.Tx) (bool, error) {
		now, err := s.readClock(ctx, tx)
		if err != nil {
			return false, err
		}
		seen, err := one[bool](tx.QueryRowContext(ctx, `
INSERT INTO mirror_holds (source, id, place, ends_at, snapshot) VALUES ($1, $2, $3, $4, $6)
ON CONFLICT (source) DO UPDATE SET id = $2, place = $3, ends_at = $4, snapshot = $6,
  seen = CASE WHEN mirror_holds.id = $2 AND mirror_holds.place = $3 THEN mirror_holds.seen ELSE 0 END
WHERE mirror_holds.id = $2 OR mirror_holds.ends_at <= $5
RETURNING seen = 1`, source, h.ID, int64(h.Place), now+d.Milliseconds(), now, h.Snapshot))
		if errors.Is(err, sql.ErrNoRows) {
			return false, feed.Errorf(feed.CodeConflict, "another comparison holds the mirror %s; wait until it ends", source)
		}
		return seen, err
	})
}

// Release implements [feed.MirrorHolds].
func (s *Store) Release(ctx context.Context, source string, id int64) error {
	_, err := s.change(ctx, `DELETE FROM mirror_holds WHERE source = $1 AND id = $2`, source, id)
	return err
}

// SeeHold implements [feed.MirrorHolds].
func (s *Store) SeeHold(ctx context.Context, source string, h feed.MirrorHold) error {
	_, err := s.change(ctx, `UPDATE mirror_holds SET seen = 1 WHERE source = $1 AND id = $2 AND place = $3`, source, h.ID, int64(h.Place))
	return err
}

// holdOf returns the hold of a source that is in force; zero if there is none.
func (s *Store) holdOf(ctx context.Context, tx *sql.Tx, source string) (h feed.MirrorHold, err error) {
	now, args := s.now(source)
	var place int64
	err = tx.QueryRowContext(ctx, `SELECT id, place, snapshot FROM mirror_holds WHERE source = $1 AND ends_at > `+now, args...).Scan(&h.ID, &place, &h.Snapshot)
	h.Place = uint64(place)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return h, err
}
