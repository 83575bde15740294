package sqlstore

import (
	"context"
	"database/sql"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/batch"
)

// Inboxes is [feed.Inboxes] and [feed.InboxKeeper] in a table of entries and one of
// headers. Make one with [NewInboxes] or [NewReplayInboxes].
//
// Whoever changes an inbox locks its header first, and everything he does is one
// transaction. So an inbox changes by one at a time, its count is right whenever
// anybody can see it, and entries are never without a header. That is why nothing
// here counts entries to find out whether some were lost, as one must in a store
// that may drop a part of what it keeps: what a database loses, it loses by whole
// transactions.
type Inboxes struct {
	store *Store
	cap   int
	// entries and headers are the names of the tables.
	entries, headers string
	// tops reads the newest entries; nil on SQLite, where sharing statements saves nothing.
	tops lookup[inboxTop, feed.Inbox]
}

var _ feed.Inboxes = (*Inboxes)(nil)

// NewInboxes returns the inboxes kept in the store's database. Each keeps at most
// cap entries from its next change on. The store stays the caller's to close.
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

// Read implements [feed.Inboxes] in one statement, because two would see two
// moments.
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

// readInbox returns the statement of [Inboxes.Read]. It yields one row: the header, and the
// entries as one value. In rows of their own each would carry the header again.
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

// inboxTop is one read downwards in an inbox. It is a key that no other read has, since each
// is given a list that is its own.
type inboxTop struct {
	viewer feed.UserID
	r      *feed.Range
}

// askTops reads the inboxes of several readers. What each is given is as of one moment, as in
// a statement of its own.
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

// topsQuery finds each header by itself: a join would be planned, while there are no inboxes,
// to read all of them. It has bounds only where somebody has: a page of an index is compared
// with them from its one end to the other, for whatever of it is asked.
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

// headerColumns are the columns of a header h, as [scanInbox] takes them.
const headerColumns = `h.state, h.token, h.generation, h.version, h.warm_until, h.floor_ts, h.floor_id, h.entry_count`

// scanInbox scans what stands in front of the header, the header and the entries.
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

// directed puts the keys of an inbox, or of a survey, into the direction of the range. The
// statements that gather them promise no order. Asking the database for one makes it sort what it has
// read from its index in order; here, sorting finds nothing to do.
func directed(keys []feed.Key, r feed.Range) []feed.Key {
	slices.SortFunc(keys, func(a, b feed.Key) int {
		if r.Ascending {
			return a.Compare(b)
		}
		return b.Compare(a)
	})
	return keys
}

// BeginBuild implements [feed.Inboxes]. Of two first builds at once the second waits
// in its INSERT until the first is committed, and then finds its header.
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

// Remove implements [feed.Inboxes]. Where there is no header it leaves entries alone:
// there are none, or they belong to an inbox that was begun this very moment and
// whose header it has not locked.
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
