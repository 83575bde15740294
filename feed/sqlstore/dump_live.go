package sqlstore

import (
	"context"
	"database/sql"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// dumpLive leaves out what deleted accounts have left, of which nothing but ids stays
// after a purge.
func dumpLive(ctx context.Context, tx *sql.Tx, emit emitter) error {
	return walk[*live.Session]{
		stmt: `
SELECT ` + sessionColumns + ` FROM live_sessions AS s
WHERE s.id > $1 AND s.number > 0 AND s.host_id NOT IN ` + leavers + `
ORDER BY s.id LIMIT $2`,
		start: []any{0},
		key:   func(s *live.Session) []any { return []any{s.ID} },
		scan:  scanSession[*sql.Rows],
	}.records(ctx, tx, func(s *live.Session) feed.Record {
		r := live.Record(*s)
		return feed.Record{Live: &r}
	}, emit)
}
