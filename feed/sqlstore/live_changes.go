package sqlstore

import (
	"context"
	"fmt"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// Standing implements [live.Changes].
func (l *Live) Standing(ctx context.Context, viewer feed.UserID) (live.Standing, error) {
	found, err := l.store.gathered.standings.Read(ctx, []feed.UserID{viewer})
	if err != nil {
		return live.Standing{}, err
	}
	return found[0], nil
}

func (s *Store) askStandings(viewers []feed.UserID) reading[live.Standing] {
	text, args := s.standingsQuery(viewers)
	return eachOnce(viewers, text, args, func(row scanner, id *feed.UserID, st *live.Standing) error {
		var leaving int64
		err := row.Scan(id, &st.Generation, &st.Number, &st.At, &st.Version, &leaving)
		st.Leaving = leaving != 0
		return err
	})
}

// standingsQuery looks for whom a viewer follows among those who leave, of whom there are
// nearly always none, and not the other way round.
func (s *Store) standingsQuery(viewers []feed.UserID) (stmt string, args []any) {
	now, args := s.now(ids(s.d, viewers))
	return `
SELECT viewer.id, state.generation, clock.number, ` + now + `, COALESCE(u.version, 0),
       CASE WHEN u.deleted_at > 0 THEN 1 ELSE
           (SELECT COUNT(*) FROM purges AS p WHERE EXISTS (
               SELECT 1 FROM follows AS f WHERE f.follower_id = viewer.id AND f.followee_id = p.user_id AND f.active = 1)) END
FROM ` + s.d.unnest("viewer") + `
CROSS JOIN feed_state AS state CROSS JOIN live_clock AS clock LEFT JOIN users AS u ON u.id = viewer.id
WHERE state.id = 1 AND clock.id = 1`, args
}

// Since implements [live.Changes].
func (l *Live) Since(ctx context.Context, number int64, limit int) ([]live.HostMark, error) {
	found, err := l.store.gathered.transitions.Read(ctx, []after{{number, limit}})
	if err != nil {
		return nil, err
	}
	return found[0], nil
}

// after names the transitions later than a number, up to a limit.
type after struct {
	number int64
	limit  int
}

// askTransitions takes a query for each key, of which there is nearly always one: those who
// ask at once know of the same.
func (s *Store) askTransitions(keys []after) reading[[]live.HostMark] {
	found := make([][]live.HostMark, len(keys))
	text, args := transitionsQuery(keys)
	row := func(row scanner) error {
		var place int
		var m live.HostMark
		if err := row.Scan(&place, &m.Host, &m.Number); err != nil {
			return err
		}
		found[place] = append(found[place], m)
		return nil
	}
	return reading[[]live.HostMark]{
		statement{text: text, args: args, row: row},
		func() [][]live.HostMark { return found },
	}
}

// transitionsQuery yields rows (place of the key, host, number), in ascending order of both.
func transitionsQuery(keys []after) (text string, args []any) {
	queries := make([]string, len(keys))
	for i, k := range keys {
		queries[i] = fmt.Sprintf(`
SELECT * FROM (SELECT %d AS place, host_id, number FROM live_transitions WHERE number > $%d ORDER BY number LIMIT $%d) AS after_%d`,
			i, 2*i+1, 2*i+2, i)
		args = append(args, k.number, k.limit)
	}
	return strings.Join(queries, "\nUNION ALL") + "\nORDER BY 1, 3", args
}
