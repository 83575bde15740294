package sqlstore

import (
	"context"
	"database/sql"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/kit/batch"
)

// Inboxes implements [feed.Inboxes] and [feed.InboxTrimmer] in a table of entries and one of
// headers. Make one with [NewInboxes] or [NewReplayInboxes].
//
// Every change of an inbox locks its header first and is one transaction. So changes of one inbox
// are serialized, its visible count is always right, and entries always have a header. Unlike a
// cache, a database loses whole transactions only, so there is no check for lost entries.
type Inboxes struct {
	store *Store
	cap   int
	// entries and headers are the names of the tables.
	entries, headers string
	// tops reads the newest entries; nil on SQLite, where sharing statements saves nothing.
	tops lookup[inboxTop, feed.Inbox]
}

var _ feed.Inboxes = (*Inboxes)(nil)

// NewInboxes returns the inboxes in the store's database. Each is trimmed to cap entries when it
// changes. The caller closes the store.
func NewInboxes(s *Store, cap int) *Inboxes {
	return newInboxes(s, cap, "inbox", "inbox_headers")
}

// NewReplayInboxes is [NewInboxes] for the replays of live sessions, in tables of their own.
func NewReplayInboxes(s *Store, cap int) *Inboxes {
	return newInboxes(s, cap, "replay_inbox", "replay_inbox_headers")
}

func newInboxes(s *Store, cap int, entries, headers string) *Inboxes {
	in := &Inboxes{store: s, cap: cap, entries: entries, headers: headers}
	if s.lookups.others != nil {
		in.tops = newLookup(s.lookups.batcher, in.askTops)
	}
	return in
}

// Read implements [feed.Inboxes] in one statement, because two would see two snapshots.
func (s *Inboxes) Read(ctx context.Context, viewer feed.UserID, r feed.Range) (feed.Inbox, error) {
	if s.tops != nil && !r.Ascending {
		return s.tops.One(ctx, inboxTop{viewer, &r})
	}
	found, err := fetch(ctx, s.store, s.readInbox(r), rangeArgs(int64(viewer), r), func(row scanner) (feed.Inbox, error) { return scanInbox(row) })
	if err != nil || len(found) == 0 {
		return feed.Inbox{}, err
	}
	in := found[0]
	in.Keys = directed(in.Keys, r)
	return in, nil
}

// readInbox returns the statement of [Inboxes.Read]. It yields one row with the header and the
// entries as one value. Rows per entry would repeat the header.
func (s *Inboxes) readInbox(r feed.Range) string {
	return `
SELECT ` + headerColumns + `, (
  SELECT ` + s.store.d.pairs("e.publish_time", "e.content_id") + ` FROM (
    SELECT publish_time, content_id FROM ` + s.entries + `
    WHERE user_id = $1 AND ` + within("publish_time", "content_id") + `
    ` + ordered("publish_time", "content_id", r) + `
  ) AS e)
FROM ` + s.headers + ` AS h WHERE h.user_id = $1`
}

// inboxTop is a read of the newest entries of an inbox. The pointer makes every read a key of its
// own, because each caller gets a list that it may change.
type inboxTop struct {
	viewer feed.UserID
	r      *feed.Range
}

// askTops reads the inboxes of several viewers, each in one snapshot.
func (s *Inboxes) askTops(asked batch.Keys[inboxTop]) reading[feed.Inbox] {
	keys := asked.List
	columns := []column{
		placeColumn(len(keys)),
		intColumn("viewer", keys, func(k inboxTop) feed.UserID { return k.viewer }),
		intColumn("most", keys, func(k inboxTop) int { return k.r.Limit }),
	}
	above := slices.ContainsFunc(keys, func(k inboxTop) bool { return k.r.Above != feed.Bottom })
	if above {
		columns = append(columns, keyColumns("above", keys, func(k inboxTop) feed.Key { return k.r.Above })...)
	}
	below := slices.ContainsFunc(keys, func(k inboxTop) bool { return k.r.Below != feed.Top })
	if below {
		columns = append(columns, keyColumns("below", keys, func(k inboxTop) feed.Key { return k.r.Below })...)
	}
	from, args := s.store.d.table(columns)
	return readInto(len(keys), s.topsQuery(from, above, below), args, func(found []feed.Inbox, row scanner) error {
		var place int
		in, err := scanInbox(row, &place)
		if err != nil {
			return err
		}
		in.Keys = directed(in.Keys, feed.Range{})
		found[place] = in
		return nil
	})
}

// topsQuery looks up each header in a LATERAL subquery: PostgreSQL would plan a join, made while
// there are no inboxes, as a scan. It has bounds only if a read has them, because PostgreSQL
// compares all entries of an index page with them.
func (s *Inboxes) topsQuery(from string, above, below bool) string {
	var bounds string
	if above {
		bounds = ` AND (publish_time, content_id) > (r.above_ts, r.above_id)`
	}
	if below {
		bounds += ` AND (publish_time, content_id) < (r.below_ts, r.below_id)`
	}
	return `
SELECT r.place, ` + headerColumns + `, (
  SELECT ` + s.store.d.pairs("e.publish_time", "e.content_id") + ` FROM (
    SELECT publish_time, content_id FROM ` + s.entries + `
    WHERE user_id = r.viewer` + bounds + `
    ORDER BY publish_time DESC, content_id DESC LIMIT r.most
  ) AS e)
FROM ` + from + ` CROSS JOIN LATERAL (SELECT * FROM ` + s.headers + ` WHERE user_id = r.viewer LIMIT 1) AS h`
}

// headerColumns are the columns of a header h, in the order of [scanInbox].
const headerColumns = `h.state, h.token, h.generation, h.version, h.warm_until, h.floor_ts, h.floor_id, h.entry_count`

// scanInbox scans the targets in front, the header and the entries.
func scanInbox(row scanner, front ...any) (feed.Inbox, error) {
	var in feed.Inbox
	var keys keyList
	err := row.Scan(append(front, &in.State, &in.Token, &in.Generation, &in.Version, &in.WarmUntil,
		&in.Floor.TS, &in.Floor.ID, &in.Count, &keys)...)
	if len(keys) > 0 {
		in.Keys = keys
	}
	return in, err
}

// directed sorts the keys of an inbox, or of a survey, in the direction of the range. The
// aggregates guarantee no order. With ORDER BY the database would sort what it has read in order;
// here the sort finds sorted keys.
func directed(keys []feed.Key, r feed.Range) []feed.Key {
	slices.SortFunc(keys, func(a, b feed.Key) int {
		if r.Ascending {
			return a.Compare(b)
		}
		return b.Compare(a)
	})
	return keys
}

// BeginBuild implements [feed.Inboxes]. Of two concurrent first builds the second waits in its
// INSERT until the first is committed, and then finds its header.
func (s *Inboxes) BeginBuild(ctx context.Context, viewer feed.UserID, m feed.BuildHeader, staleBefore int64) (bool, error) {
	return inTxOf(ctx, s.store, func(tx *sql.Tx) (bool, error) {
		began, err := execRows(ctx, tx, `
INSERT INTO `+s.headers+` (user_id, state, token, generation, started_at) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (user_id) DO UPDATE
SET state = excluded.state, token = excluded.token, generation = excluded.generation,
    started_at = excluded.started_at, version = 0, warm_until = 0, floor_ts = 0, floor_id = 0, entry_count = 0
WHERE `+s.headers+`.state <> excluded.state OR `+s.headers+`.started_at <= $6`,
			viewer, feed.InboxBuilding, m.Token, m.Generation, m.StartedAt, staleBefore)
		if err != nil || began == 0 {
			return false, err
		}
		return true, exec(ctx, tx, `DELETE FROM `+s.entries+` WHERE user_id = $1`, viewer)
	})
}

// Remove implements [feed.Inboxes]. Without a header it leaves entries alone: there are none, or
// they belong to an inbox that is just being created.
func (s *Inboxes) Remove(ctx context.Context, viewer feed.UserID) error {
	return s.store.inTx(ctx, func(tx *sql.Tx) error { return s.remove(ctx, tx, viewer) })
}

func (s *Inboxes) remove(ctx context.Context, tx *sql.Tx, viewer feed.UserID) error {
	removed, err := execRows(ctx, tx, `DELETE FROM `+s.headers+` WHERE user_id = $1`, viewer)
	if err != nil || removed == 0 {
		return err
	}
	return exec(ctx, tx, `DELETE FROM `+s.entries+` WHERE user_id = $1`, viewer)
}
