package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
)

// ChangeLog reports which viewer versions have changed, in a [Store] on PostgreSQL. Use
// [Store.ChangeLog].
//
// Triggers insert each change into stamp_changes with its transaction id. A position is a snapshot:
// changes that are visible in a later snapshot but not in this one were committed in between,
// however long their transactions took.
type ChangeLog struct{ store *Store }

var _ feed.ChangeLog = (*ChangeLog)(nil)

// ChangeLog returns the store's change log; nil on SQLite, where one process reads and a viewer
// version costs no round trip.
func (s *Store) ChangeLog() *ChangeLog {
	if !s.d.isPostgres() {
		return nil
	}
	return &ChangeLog{s}
}

// pollMax is how many changes a poll reads. At a hundred thousand changes a second there are some
// three hundred between two polls. Beyond it, reading all versions again is cheaper.
const pollMax = 10_000

// pollQuery reads the rows that may be new from the index, from the first transaction that had not
// ended at the position $1. A position is valid for one run of one server and for one table. A
// replica that takes over reuses transaction ids, and so does a restored backup. A crash of a
// server process restarts the others without a new start time, and may lose the last transactions,
// whose ids are used again; but it resets the statistics, whose time is part of the position.
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
	// Without a position no change counts as new.
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

// errNoState says that a row that migrations insert is missing.
var errNoState = errors.New("the table feed_state has no row; migrate the database")

// dropChanges removes up to limit changes that no poll needs any more and returns how many. A
// change before a horizon had ended when the horizon was stored, however long its transaction took.
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

// horizonQuery reads an old enough horizon. One in the future is from another server's backup.
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
