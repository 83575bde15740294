package sqlstore

import (
	"context"
	"database/sql"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// loadSessions returns those of the sessions that are stored, with those of deleted
// accounts. It keeps all others from storing one until the import is committed.
func (s *Store) loadSessions(ctx context.Context, tx *sql.Tx, n names) (map[int64]*feed.LiveRecord, error) {
	found := map[int64]*feed.LiveRecord{}
	if len(n.sessions) == 0 {
		return found, nil
	}
	if _, err := s.lockNumber(ctx, tx); err != nil {
		return nil, err
	}
	sessions, err := collect(ctx, tx, `SELECT `+sessionColumns+` FROM live_sessions AS s WHERE `+s.d.in("s.id", 1),
		[]any{ids(s.d, sortedKeys(n.sessions))}, scanSession[*sql.Rows])
	for _, session := range sessions {
		r := live.Record(*session)
		found[r.ID] = &r
	}
	return found, err
}

// loadOpen returns how many sessions of each host that the batch names are upcoming or live;
// a host without any is left out. Call it after [Store.loadSessions], which keeps the numbers
// as they are until the import is committed.
func (s *Store) loadOpen(ctx context.Context, tx *sql.Tx, n names) (map[feed.UserID]int, error) {
	open := map[feed.UserID]int{}
	if len(n.hosts) == 0 {
		return open, nil
	}
	_, err := collect(ctx, tx, `SELECT host_id, open_sessions FROM live_hosts WHERE `+s.d.in("host_id", 1),
		[]any{ids(s.d, sortedKeys(n.hosts))}, func(rows *sql.Rows) (host feed.UserID, err error) {
			var count int
			err = rows.Scan(&host, &count)
			open[host] = count
			return host, err
		})
	return open, err
}

func (j *judgement) live(r *feed.LiveRecord) ruling {
	have := j.sessions[r.ID]
	switch {
	case have != nil && have.Host != r.Host:
		return refuse("session %d is by user %d", r.ID, have.Host)
	case !j.isUser(r.Host):
		return refuse("no user %d", r.Host)
	case have != nil:
		return compared(feed.DifferentLive(have, r))
	}
	if r.Open() {
		if err := live.MayOpen(j.open[r.Host], feed.RecordRules().OpenMax); err != nil {
			return refuse("%s", feed.Reason(err))
		}
		j.open[r.Host]++
	}
	j.sessions[r.ID] = r
	j.news.sessions = append(j.news.sessions, r)
	return isNew()
}

// writeLive stores new sessions, each by as many transitions as it has gone through. The
// clock of transitions has been locked when the batch was loaded.
func (s *Store) writeLive(ctx context.Context, tx *sql.Tx, list []*feed.LiveRecord) error {
	if len(list) == 0 {
		return nil
	}
	number, err := s.lockNumber(ctx, tx)
	if err != nil {
		return err
	}
	hosts := newLiveTally()
	var sessions, transitions []live.Session
	for _, r := range list {
		var before *live.Session
		for _, step := range live.Steps(*r) {
			number++
			step.Number = number
			hosts.transition(before, step)
			transitions = append(transitions, step)
			before = &step
		}
		sessions = append(sessions, *before)
	}
	if err := s.writeSessions(ctx, tx, sessions); err != nil {
		return err
	}
	if err := s.writeTransitions(ctx, tx, transitions); err != nil {
		return err
	}
	if err := hosts.store(ctx, s.d, tx); err != nil {
		return err
	}
	return setNumber(ctx, tx, number)
}
