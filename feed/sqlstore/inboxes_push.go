package sqlstore

import (
	"context"
	"database/sql"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// pushMost is how many viewers one transaction serves. It locks their inboxes, on SQLite the whole
// database, until all keys are in all of them; and for a much longer list PostgreSQL scans the
// table instead of using the index.
const pushMost = 1000

// Push implements [feed.Inboxes] in one transaction per thousand viewers. Each key takes at most
// five statements per transaction, and a few more for an inbox whose cap has been lowered.
func (s *Inboxes) Push(ctx context.Context, viewers []feed.UserID, keys ...feed.Key) (int, error) {
	served := 0
	for some := range slices.Chunk(viewers, pushMost) {
		if err := s.pushTo(ctx, some, keys); err != nil {
			return served, err
		}
		served += len(some)
	}
	return served, nil
}

// pushTo adds the keys to the inboxes of all viewers, or of none.
func (s *Inboxes) pushTo(ctx context.Context, viewers []feed.UserID, keys []feed.Key) error {
	// An inbox that takes a key takes all newer ones. So the newest key locks all inboxes that will
	// be locked, in the usual order.
	newestFirst := slices.SortedFunc(slices.Values(keys), func(a, b feed.Key) int { return b.Compare(a) })
	return s.store.inTx(ctx, func(tx *sql.Tx) error {
		for _, k := range newestFirst {
			if err := s.pushOne(ctx, tx, viewers, k); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *Inboxes) pushOne(ctx context.Context, tx *sql.Tx, viewers []feed.UserID, k feed.Key) error {
	open, err := s.lockBelow(ctx, tx, viewers, k)
	if err != nil || len(open) == 0 {
		return err
	}
	added, err := s.add(ctx, tx, open, k)
	if err != nil {
		return err
	}
	return s.makeRoom(ctx, tx, added)
}

// lockBelow locks and returns the headers of the inboxes whose floor is below k, by viewer.
func (s *Inboxes) lockBelow(ctx context.Context, tx *sql.Tx, viewers []feed.UserID, k feed.Key) ([]inboxHeader, error) {
	return collect(ctx, tx, `
SELECT user_id, floor_ts, floor_id, entry_count FROM `+s.headers+`
WHERE `+s.store.d.in("user_id", 1)+` AND (floor_ts, floor_id) < ($2, $3)
ORDER BY user_id`+s.store.d.forUpdate, []any{ids(s.store.d, viewers), k.TS, k.ID},
		into(func(h *inboxHeader) []any { return []any{&h.viewer, &h.floor.TS, &h.floor.ID, &h.count} }))
}

// add adds k to the inboxes and returns those that did not have it, with their new count.
func (s *Inboxes) add(ctx context.Context, tx *sql.Tx, open []inboxHeader, k feed.Key) ([]inboxHeader, error) {
	news, err := collect(ctx, tx, `
INSERT INTO `+s.entries+` (user_id, publish_time, content_id)
SELECT viewer.id, $2, $3 FROM `+s.store.d.unnest("viewer")+` WHERE TRUE
ON CONFLICT DO NOTHING RETURNING user_id`, []any{ids(s.store.d, viewersOf(open)), k.TS, k.ID}, one[feed.UserID])
	if err != nil {
		return nil, err
	}
	isNew := setOf(news)
	added := open[:0]
	for _, h := range open {
		if isNew[h.viewer] {
			h.count++
			added = append(added, h)
		}
	}
	return added, nil
}

// makeRoom completes adding an entry to each inbox: it stores counts, trims, and raises floors.
func (s *Inboxes) makeRoom(ctx context.Context, tx *sql.Tx, added []inboxHeader) error {
	var grown, full []inboxHeader
	for _, h := range added {
		switch {
		case h.count <= s.cap:
			grown = append(grown, h)
		case h.count == s.cap+1:
			full = append(full, h)
		default:
			if err := s.shrink(ctx, tx, h); err != nil {
				return err
			}
		}
	}
	if len(grown) > 0 {
		err := exec(ctx, tx, `UPDATE `+s.headers+` SET entry_count = entry_count + 1 WHERE `+s.store.d.in("user_id", 1),
			ids(s.store.d, viewersOf(grown)))
		if err != nil {
			return err
		}
	}
	return s.dropOldest(ctx, tx, full)
}

// dropOldest deletes the oldest entry of each of the inboxes. They were full before an entry was
// added, so their stored count stays.
func (s *Inboxes) dropOldest(ctx context.Context, tx *sql.Tx, full []inboxHeader) error {
	if len(full) == 0 {
		return nil
	}
	raised, err := collect(ctx, tx, s.raiseFloors(), []any{ids(s.store.d, viewersOf(full))},
		into(func(h *inboxHeader) []any { return []any{&h.viewer, &h.floor.TS, &h.floor.ID} }))
	if err != nil {
		return err
	}
	stmt, args := s.dropFloors(raised)
	return exec(ctx, tx, stmt, args...)
}

// raiseFloors returns a statement that raises the floor of each inbox in $1 to its oldest entry. No
// entry is at or below the floor; the condition skips deleted entries at the start of the index.
func (s *Inboxes) raiseFloors() string {
	return `
UPDATE ` + s.headers + ` AS h SET (floor_ts, floor_id) = (
  SELECT e.publish_time, e.content_id FROM ` + s.entries + ` AS e
  WHERE e.user_id = h.user_id
    AND (e.publish_time, e.content_id) > (h.floor_ts, h.floor_id)
  ORDER BY e.publish_time, e.content_id LIMIT 1)
WHERE ` + s.store.d.in("user_id", 1) + `
RETURNING user_id, floor_ts, floor_id`
}

// dropFloors returns a statement that deletes the entry at the floor of each inbox.
func (s *Inboxes) dropFloors(raised []inboxHeader) (stmt string, args []any) {
	return s.dropEntries([]column{
		intColumn("user_id", raised, func(h inboxHeader) feed.UserID { return h.viewer }),
		intColumn("publish_time", raised, func(h inboxHeader) int64 { return h.floor.TS }),
		intColumn("content_id", raised, func(h inboxHeader) int64 { return h.floor.ID }),
	})
}

// shrink trims an inbox whose cap was lowered, and stores its floor and count.
func (s *Inboxes) shrink(ctx context.Context, tx *sql.Tx, h inboxHeader) error {
	if err := s.trim(ctx, tx, &h); err != nil {
		return err
	}
	return exec(ctx, tx, `
UPDATE `+s.headers+` SET floor_ts = $2, floor_id = $3, entry_count = $4 WHERE user_id = $1`,
		h.viewer, h.floor.TS, h.floor.ID, h.count)
}

func viewersOf(headers []inboxHeader) []feed.UserID {
	return mapped(headers, func(h inboxHeader) feed.UserID { return h.viewer })
}
