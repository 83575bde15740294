package sqlstore

import (
	"context"
	"database/sql"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// loadSessions returns the hosts of those of the sessions that are stored. It keeps
// everybody else from storing one until the import is committed.
func (s *Store) loadSessions(ctx context.Context, tx *sql.Tx, n names) (map[int64]feed.UserID, error) {
	hosts := map[int64]feed.UserID{}
	if len(n.sessions) == 0 {
		return hosts, nil
	}
	if _, err := s.lockNumber(ctx, tx); err != nil {
		return nil, err
	}
	_, err := collect(ctx, tx, `SELECT id, host_id FROM live_sessions WHERE `+s.d.in("id", 1),
		[]any{ids(s.d, sortedKeys(n.sessions))}, func(rows *sql.Rows) (id int64, err error) {
			var host feed.UserID
			err = rows.Scan(&id, &host)
			hosts[id] = host
			return id, err
		})
	return hosts, err
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

func (j *judgement) live(r *feed.LiveRecord) (verdict, string) {
	if host, ok := j.sessions[r.ID]; ok {
		if host != r.Host {
			return refuse("session %d is by user %d", r.ID, host)
		}
		return recordKnown, ""
	}
	if !j.users[r.Host] {
		return refuse("no user %d", r.Host)
	}
	if r.Open() {
		if err := live.MayOpen(j.open[r.Host], feed.RecordRules().OpenMax); err != nil {
			return recordRefused, feed.Reason(err)
		}
		j.open[r.Host]++
	}
	j.sessions[r.ID] = r.Host
	j.news.sessions = append(j.news.sessions, r)
	return recordStored, ""
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
