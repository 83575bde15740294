package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
)

// ChangeLog tells which viewer versions have changed, of a [Store] on PostgreSQL, which makes it
// ([Store.ChangeLog]).
//
// Triggers note every change in stamp_changes, with the transaction that made it. A position
// is a snapshot: what it does not see and a later one does was committed between the two,
// however long the transaction took, in whatever order they ended.
type ChangeLog struct{ store *Store }

var _ feed.ChangeLog = (*ChangeLog)(nil)

// ChangeLog returns the store's log; nil on SQLite, where only one process reads and a stamp
// costs no round trip.
func (s *Store) ChangeLog() *ChangeLog {
	if !s.d.isPostgres() {
		return nil
	}
	return &ChangeLog{s}
}

// pollMax is how many changes a poll takes, or passes over because the one before has told
// of them; a hundred thousand a second make some three hundred between two polls. More of
// them are there when nobody has looked for long, or while a transaction lasts for minutes,
// and it is cheaper then to read all stamps again.
const pollMax = 10_000

// pollQuery reads the rows that may be new, from the first transaction on that had not ended
// at the position $1, by the index. A position is of one run of a server and of one table:
// a replica that takes over has other transactions under the same numbers, and a backup that
// is restored tells of others. What such a backup has brought from another server is of
// transactions that are still to come here. A run also ends when one of the server's processes
// dies: it starts no second time, but what had not come to its disk is undone, and the numbers
// of these transactions are given away once more. Its statistics begin anew then.
const pollQuery = `
SELECT pg_current_snapshot()::text, concat_ws('/', EXTRACT(EPOCH FROM pg_postmaster_start_time()), 'stamp_changes'::regclass::oid,
              EXTRACT(EPOCH FROM pg_stat_get_bgwriter_stat_reset_time())),
       state.generation, state.marks, %s, clock.number, CASE WHEN EXISTS (SELECT 1 FROM purges) THEN 1 ELSE 0 END,
       recent.looked, COALESCE(recent.changed, '')
FROM feed_state AS state CROSS JOIN live_clock AS clock CROSS JOIN (
    SELECT count(*) AS looked, string_agg(user_id::text, ',') FILTER (WHERE NOT pg_visible_in_snapshot(changed_in, $1::text::pg_snapshot)) AS changed
    FROM (SELECT changed_in, user_id FROM stamp_changes
          WHERE changed_in >= pg_snapshot_xmin($1::text::pg_snapshot) AND changed_in < pg_snapshot_xmax(pg_current_snapshot())
          LIMIT $2) AS rows) AS recent
WHERE state.id = 1 AND clock.id = 1`

// Poll implements [feed.ChangeLog].
func (l *ChangeLog) Poll(ctx context.Context, since string) (feed.Poll, error) {
	// Nothing is new to who has no position: he does not know what was there before.
	snapshot, server, whole := strings.Cut(since, "@")
	if !whole {
		snapshot = "1:1:"
	}
	now, args := l.store.now(snapshot, pollMax+1)
	if !whole {
		args[1] = 0
	}
	found, err := fetch(ctx, l.store, fmt.Sprintf(pollQuery, now), args, func(row scanner) (feed.Poll, error) {
		var poll feed.Poll
		var position, at, changed string
		var leaving, looked int64
		err := row.Scan(&position, &at, &poll.Generation, &poll.Flags, &poll.Now, &poll.Transitions, &leaving, &looked, &changed)
		if err != nil {
			return poll, err
		}
		poll.Leaving = leaving != 0
		poll.Position = position + "@" + at
		if poll.Whole = whole && at == server && looked <= pollMax; poll.Whole {
			poll.Changed, err = parseIDs(changed)
		}
		return poll, err
	})
	if err != nil {
		return feed.Poll{}, err
	}
	if len(found) != 1 {
		return feed.Poll{}, errNoState
	}
	return found[0], nil
}

// errNoState says that rows are not there which migrations make.
var errNoState = errors.New("the database lacks the row of its state")

// dropChanges drops up to limit changes that nobody asks for any more and returns how many
// there were. What was changed before a horizon was over when the horizon was drawn, however
// long it had taken.
func (s *Store) dropChanges(ctx context.Context, limit int) (int64, error) {
	if !s.d.isPostgres() {
		return 0, nil
	}
	return inTxOf(ctx, s, func(tx *sql.Tx) (int64, error) {
		now, args := s.now(feed.ChangesKeptFor.Milliseconds())
		horizon, err := one[string](tx.QueryRowContext(ctx, fmt.Sprintf(horizonQuery, now)+s.d.skipLocked, args...))
		if errors.Is(err, sql.ErrNoRows) {
			return 0, nil
		} else if err != nil {
			return 0, err
		}
		dropped, err := execRows(ctx, tx, dropChangesQuery, horizon, limit)
		if err != nil || dropped == int64(limit) {
			return dropped, err
		}
		now, args = s.now()
		return dropped, exec(ctx, tx, `UPDATE stamp_holds SET horizon = pg_snapshot_xmin(pg_current_snapshot()), horizon_at = `+now+` WHERE id = 1`, args...)
	})
}

// horizonQuery reads a horizon that is old enough. One that is still to come is another
// server's, from a backup.
const horizonQuery = `
SELECT CASE WHEN horizon > pg_snapshot_xmax(pg_current_snapshot()) THEN '0' ELSE horizon::text END
FROM stamp_holds WHERE id = 1 AND horizon_at <= %s - $1`

const dropChangesQuery = `
WITH old AS (
  SELECT changed_in, user_id FROM stamp_changes
  WHERE changed_in < $1::text::xid8 OR changed_in >= pg_snapshot_xmax(pg_current_snapshot())
  ORDER BY changed_in, user_id LIMIT $2
)
DELETE FROM stamp_changes WHERE (changed_in, user_id) IN (SELECT changed_in, user_id FROM old)`
