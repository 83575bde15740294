package sqlstore

import (
	"context"
	"database/sql"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

func (s *Store) purgeTransitions(ctx context.Context, tx *sql.Tx, gone leaver, limit int, _ tally) (int, error) {
	removed, err := execRows(ctx, tx, `
DELETE FROM live_transitions WHERE number IN (SELECT number FROM live_transitions WHERE host_id = $1 LIMIT $2)`, gone.user, limit)
	return int(removed), err
}

// purgeSessions empties the account's sessions, except for their ids, and removes the fan-outs of
// their replays, which could never finish. At the end it removes the counters of the host.
func (s *Store) purgeSessions(ctx context.Context, tx *sql.Tx, gone leaver, limit int, _ tally) (int, error) {
	list, err := collect(ctx, tx, `
SELECT -s.id, COALESCE((SELECT p.slices FROM plans AS p WHERE p.content_id = -s.id), 0)
FROM live_sessions AS s WHERE s.host_id = $1 AND s.number > 0 ORDER BY s.number LIMIT $2`,
		[]any{gone.user, limit}, into((*oldPlan).columns))
	if err != nil {
		return 0, err
	}
	names := fewSlices(list)
	if err := s.emptySessions(ctx, tx, names); err != nil || len(names) < len(list) {
		return limit, err
	}
	if len(list) < limit {
		err = exec(ctx, tx, `DELETE FROM live_hosts WHERE host_id = $1`, gone.user)
	}
	return len(list), err
}

// emptySessions locks slices before their plans, like the end of a slice.
func (s *Store) emptySessions(ctx context.Context, tx *sql.Tx, names []feed.PostID) error {
	if len(names) == 0 {
		return nil
	}
	if err := s.dropFanOuts(ctx, tx, names, "plan_slices", "plans", "events"); err != nil {
		return err
	}
	sessions := mapped(names, func(name feed.PostID) int64 {
		session, _ := name.Session()
		return session
	})
	filled := func(f field[live.Session]) bool { return !f.fixed && f.name != "state" }
	return exec(ctx, tx, "UPDATE live_sessions SET state = $2, score = 0, "+sessionColumns.cleared(filled)+
		" WHERE "+s.d.in("id", 1), ids(s.d, sessions), live.Cancelled)
}
