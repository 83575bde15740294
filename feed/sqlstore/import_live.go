package sqlstore

import (
	"context"
	"database/sql"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// loadSessions returns the stored sessions, including those of deleted accounts, and blocks other
// transitions until the import is committed.
func (s *Store) loadSessions(ctx context.Context, tx *sql.Tx, n names) (map[int64]*live.Session, error) {
	if len(n.sessions) == 0 {
		return nil, nil
	}
	if _, err := s.lockNumber(ctx, tx); err != nil {
		return nil, err
	}
	return loadByID(ctx, s.d, tx, sortedKeys(n.sessions), `SELECT `+sessionColumns.names("s.")+` FROM live_sessions AS s WHERE `+s.d.in("s.id", 1),
		sessionColumns.scan(), func(session *live.Session) int64 { return int64(session.ID) })
}

// loadOpen returns the number of open sessions of each host in the batch, without hosts that have
// none. Call it after [Store.loadSessions], which blocks changes of the numbers.
func (s *Store) loadOpen(ctx context.Context, tx *sql.Tx, n names) (map[feed.UserID]int, error) {
	if len(n.hosts) == 0 {
		return map[feed.UserID]int{}, nil
	}
	return collectMap[feed.UserID](ctx, tx, `SELECT host_id, open_sessions FROM live_hosts WHERE `+s.d.in("host_id", 1),
		[]any{ids(s.d, sortedKeys(n.hosts))}, itself[int])
}

func (j *judgement) live(r *feed.LiveRecord) feed.RecordResult {
	have := j.sessions[r.ID]
	switch {
	case have != nil && have.Host != r.Host:
		return feed.ResultBad("session %d is by user %d", r.ID, have.Host)
	case !j.isUser(r.Host):
		return feed.ResultBad("no user %d", r.Host)
	case have != nil:
		stored := live.Record(*have)
		return feed.ResultStored(feed.DifferentLive(&stored, r), j.update, func() error { return j.updateLive(have, r) })
	}
	if r.Open() {
		if err := live.MayOpen(j.open[r.Host], feed.RecordRules().OpenMax); err != nil {
			return feed.ResultBad("%s", feed.Reason(err))
		}
		j.open[r.Host]++
	}
	steps := live.Steps(*r)
	j.sessions[r.ID] = &steps[len(steps)-1]
	j.news.sessions = append(j.news.sessions, sessionSteps{steps: steps})
	return feed.ResultNew()
}

// updateLive adds the remaining transitions of a stored session, or its changed texts.
func (j *judgement) updateLive(have *live.Session, r *feed.LiveRecord) error {
	steps, after, err := live.Further(*have, *r)
	switch {
	case err != nil:
		return err
	case len(steps) == 0:
		j.news.changed.sessions = append(j.news.changed.sessions, after)
		return nil
	case isOpen(have.State) && !isOpen(after.State):
		j.open[r.Host]--
	}
	j.news.sessions = append(j.news.sessions, sessionSteps{have, steps})
	return nil
}

// importLive stores the transitions of sessions. load has locked the clock of transitions.
func (s *Store) importLive(ctx context.Context, tx *sql.Tx, list []sessionSteps) error {
	if len(list) == 0 {
		return nil
	}
	last, err := s.lockNumber(ctx, tx)
	if err != nil {
		return err
	}
	return s.writeLive(ctx, tx, last, list)
}
