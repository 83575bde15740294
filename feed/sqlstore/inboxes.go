package sqlstore

import (
	"context"
	"database/sql"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
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
}

var _ feed.Inboxes = (*Inboxes)(nil)

// NewInboxes returns the inboxes kept in the store's database. Each keeps at most
// cap entries from its next change on. The store stays the caller's to close.
func NewInboxes(s *Store, cap int) *Inboxes {
	return &Inboxes{store: s, cap: cap, entries: "inbox", headers: "inbox_headers"}
}

// NewReplayInboxes is [NewInboxes] for the replays of live sessions, in tables of their own.
func NewReplayInboxes(s *Store, cap int) *Inboxes {
	return &Inboxes{store: s, cap: cap, entries: "replay_inbox", headers: "replay_inbox_headers"}
}

// Read implements [feed.Inboxes] in one statement, because two would see two
// moments.
func (s *Inboxes) Read(ctx context.Context, viewer feed.UserID, r feed.Range) (feed.Inbox, error) {
	found, err := fetch(ctx, s.store, s.readInbox(r), rangeArgs(int64(viewer), r), scanInbox)
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
SELECT h.state, h.token, h.generation, h.version, h.warm_until, h.floor_ts, h.floor_id, h.entry_count, (
  SELECT ` + s.store.d.pairs("e.publish_time", "e.content_id") + ` FROM (
    SELECT publish_time, content_id FROM ` + s.entries + `
    WHERE user_id = $1 AND ` + within("publish_time", "content_id") + `
    ` + ordered("publish_time", "content_id", r) + `
  ) AS e)
FROM ` + s.headers + ` AS h WHERE h.user_id = $1`
}

func scanInbox(row scanner) (feed.Inbox, error) {
	var in feed.Inbox
	var keys keyList
	err := row.Scan(&in.State, &in.Token, &in.Generation, &in.Version, &in.WarmUntil,
		&in.Floor.TS, &in.Floor.ID, &in.Count, &keys)
	if len(keys) > 0 {
		in.Keys = keys
	}
	return in, err
}

// directed puts the keys that [Inboxes.readInbox] yielded into the direction of the range.
// Gathering them promises no order. Asking the database for one makes it sort what it has
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
func (s *Inboxes) BeginBuild(ctx context.Context, viewer feed.UserID, m feed.BuildMark, staleBefore int64) (bool, error) {
	var began int64
	err := s.store.inTx(ctx, func(tx *sql.Tx) error {
		var err error
		began, err = exec(ctx, tx, `
INSERT INTO `+s.headers+` (user_id, state, token, generation, started_at) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (user_id) DO UPDATE
SET state = excluded.state, token = excluded.token, generation = excluded.generation,
    started_at = excluded.started_at, version = 0, warm_until = 0, floor_ts = 0, floor_id = 0, entry_count = 0
WHERE `+s.headers+`.state <> excluded.state OR `+s.headers+`.started_at <= $6`,
			viewer, feed.InboxBuilding, m.Token, m.Generation, m.StartedAt, staleBefore)
		if err != nil || began == 0 {
			return err
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM `+s.entries+` WHERE user_id = $1`, viewer)
		return err
	})
	return began == 1 && err == nil, err
}

// Remove implements [feed.Inboxes]. Where there is no header it leaves entries alone:
// there are none, or they belong to an inbox that was begun this very moment and
// whose header it has not locked.
func (s *Inboxes) Remove(ctx context.Context, viewer feed.UserID) error {
	return s.store.inTx(ctx, func(tx *sql.Tx) error { return s.remove(ctx, tx, viewer) })
}

func (s *Inboxes) remove(ctx context.Context, tx *sql.Tx, viewer feed.UserID) error {
	removed, err := exec(ctx, tx, `DELETE FROM `+s.headers+` WHERE user_id = $1`, viewer)
	if err != nil || removed == 0 {
		return err
	}
	_, err = tx.ExecContext(ctx, `DELETE FROM `+s.entries+` WHERE user_id = $1`, viewer)
	return err
}
