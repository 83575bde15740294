package sqlstore

import (
	"cmp"
	"context"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/internal/kit/batch"
)

// FeedVersion implements [live.Changes].
func (l *Live) FeedVersion(ctx context.Context, viewer feed.UserID) (live.FeedVersion, error) {
	return l.store.lookups.feedVersions.One(ctx, viewer)
}

func (s *Store) askFeedVersions(viewers batch.Keys[feed.UserID]) reading[live.FeedVersion] {
	text, args := s.feedVersionsQuery(viewers.List)
	return eachOnce(viewers, text, args, func(id *feed.UserID, st *live.FeedVersion) []any {
		return []any{id, &st.Generation, &st.Number, &st.At, &st.Absences, &st.Version, &st.Leaving}
	})
}

// feedVersionsQuery looks up, for each deleted account that is not purged yet, whether the viewer
// follows it. For a join PostgreSQL might begin with all follows of the viewer.
func (s *Store) feedVersionsQuery(viewers []feed.UserID) (stmt string, args []any) {
	now, args := s.now(ids(s.d, viewers))
	return `
SELECT viewer.id, state.generation, clock.number, ` + now + `, clock.absences, COALESCE(u.version, 0),
       CASE WHEN u.deleted_at > 0 THEN 1 ELSE
           (SELECT COALESCE(MAX((SELECT COUNT(*) FROM follows AS f
                WHERE f.follower_id = viewer.id AND f.followee_id = p.user_id AND f.active = 1)), 0) FROM purges AS p) END
FROM ` + s.d.unnest("viewer") + `
CROSS JOIN feed_state AS state CROSS JOIN live_clock AS clock LEFT JOIN users AS u ON u.id = viewer.id
WHERE state.id = 1 AND clock.id = 1`, args
}

// Since implements [live.Changes].
func (l *Live) Since(ctx context.Context, number int64, limit int) ([]live.HostTransition, error) {
	return l.store.lookups.transitions.One(ctx, after{number, limit})
}

// after identifies the transitions after a number, up to a limit.
type after struct {
	number int64
	limit  int
}

const sinceQuery = `SELECT host_id, number FROM live_transitions WHERE number > $1 ORDER BY number LIMIT $2`

// askTransitions reads from the lowest number on, as far as any key needs.
func (s *Store) askTransitions(asked batch.Keys[after]) reading[[]live.HostTransition] {
	keys := asked.List
	lowest, limit := keys[0].number, 0
	for _, k := range keys {
		lowest = min(lowest, k.number)
	}
	for _, k := range keys {
		limit = max(limit, int(k.number-lowest)+k.limit)
	}
	var found []live.HostTransition
	row := func(row scanner) error {
		var m live.HostTransition
		err := row.Scan(&m.Host, &m.Number)
		found = append(found, m)
		return err
	}
	values := func() [][]live.HostTransition {
		out := make([][]live.HostTransition, len(keys))
		for i, k := range keys {
			first, _ := slices.BinarySearchFunc(found, k.number+1, func(m live.HostTransition, n int64) int { return cmp.Compare(m.Number, n) })
			out[i] = found[first:min(first+k.limit, len(found))]
		}
		return out
	}
	return reading[[]live.HostTransition]{statement{text: sinceQuery, args: []any{lowest, limit}, row: row}, values}
}
