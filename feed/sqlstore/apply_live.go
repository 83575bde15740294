package sqlstore

import (
	"context"
	"database/sql"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/records/apply"
)

// loadSessions returns the stored sessions, including those of deleted accounts, and blocks other
// transitions until the import is committed.
func (s *Store) loadSessions(ctx context.Context, tx *sql.Tx, n apply.Names) (map[int64]*live.Session, error) {
	if len(n.Sessions) == 0 {
		return nil, nil
	}
	if _, err := s.lockNumber(ctx, tx); err != nil {
		return nil, err
	}
	return loadByID(ctx, s.d, tx, sortedKeys(n.Sessions), `SELECT `+sessionColumns.names("s.")+` FROM live_sessions AS s WHERE `+s.d.in("s.id", 1),
		sessionColumns.scan(), func(session *live.Session) int64 { return int64(session.ID) })
}

// loadOpen returns the number of open sessions of each host in the batch, without hosts that have
// none. Call it after [Store.loadSessions], which blocks changes of the numbers.
func (s *Store) loadOpen(ctx context.Context, tx *sql.Tx, n apply.Names) (map[feed.UserID]int, error) {
	if len(n.Hosts) == 0 {
		return map[feed.UserID]int{}, nil
	}
	return collectMap[feed.UserID](ctx, tx, `SELECT host_id, open_sessions FROM live_hosts WHERE `+s.d.in("host_id", 1),
		[]any{ids(s.d, sortedKeys(n.Hosts))}, itself[int])
}

// writeSessionChanges stores transitions, and changed texts as transitions too, so that caches of live
// feeds lose them. load has locked the clock of transitions.
func (w *writer) writeSessionChanges(ctx context.Context) error {
	var list []sessionSteps
	for _, c := range w.changes.Sessions {
		changed := sessionSteps{before: c.Before, steps: c.Steps}
		if len(c.Steps) == 0 {
			changed.steps, changed.textOnly = []live.Session{c.After}, true
		}
		list = append(list, changed)
	}
	if len(list) == 0 {
		return nil
	}
	last, err := w.s.lockNumber(ctx, w.tx)
	if err != nil {
		return err
	}
	return w.s.writeLive(ctx, w.tx, last, list, w.live)
}
