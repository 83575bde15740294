package sqlstore

import (
	"context"
	"database/sql"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// lockNumber returns the number of the last transition and blocks others until the commit.
func (s *Store) lockNumber(ctx context.Context, tx *sql.Tx) (int64, error) {
	return one[int64](tx.QueryRowContext(ctx, `SELECT number FROM live_clock WHERE id = 1`+s.d.forUpdate))
}

// transit stores a transition after the last one, whose number is locked, and returns the session.
// before is nil for a new session.
func (s *Store) transit(ctx context.Context, tx *sql.Tx, last int64, before *live.Session, after live.Session) (*live.Session, error) {
	after.Number = last + 1
	return &after, s.writeLive(ctx, tx, last, []sessionSteps{{before: before, steps: []live.Session{after}}}, true)
}

// sessionSteps are transitions of one session. before is its stored state, or nil.
type sessionSteps struct {
	before *live.Session
	steps  []live.Session
	// textOnly says that only texts change. The session keeps its number, so that scrolls keep showing
	// a replay.
	textOnly bool
}

// writeLive stores transitions after the last one, whose number is locked, and may log them.
func (s *Store) writeLive(ctx context.Context, tx *sql.Tx, last int64, list []sessionSteps, logs bool) error {
	hosts := liveTally{}
	var sessions, transitions []live.Session
	var changes []feed.Change
	for _, r := range list {
		before := r.before
		for _, step := range r.steps {
			last++
			step.Number = last
			hosts.transition(before, step)
			transitions = append(transitions, step)
			if r.textOnly {
				step.Number = before.Number
			}
			before = &step
		}
		sessions = append(sessions, *before)
		if logs {
			changes = append(changes, before.Changed(r.before == nil))
		}
	}
	return inOrder(
		func() error { return s.writeSessions(ctx, tx, sessions) },
		func() error { return s.writeTransitions(ctx, tx, transitions) },
		func() error { return hosts.store(ctx, s.d, tx) },
		func() error {
			return s.execLogging(ctx, tx, changes, `UPDATE live_clock SET number = $1 WHERE id = 1`, last)
		},
	)
}

// writeSessions stores the current state of sessions, replacing earlier states.
func (s *Store) writeSessions(ctx context.Context, tx *sql.Tx, list []live.Session) error {
	columns := append(sessionColumns.take(pointers(list)), intColumn("score", list, scoreOf))
	return insertAll(ctx, s.d, tx, "live_sessions", "(id) DO UPDATE "+setFrom("excluded", columns), columns)
}

// writeTransitions appends the state of sessions after a transition.
func (s *Store) writeTransitions(ctx context.Context, tx *sql.Tx, list []live.Session) error {
	madeAt, err := s.readClock(ctx, tx)
	if err != nil {
		return err
	}
	return insertAll(ctx, s.d, tx, "live_transitions", "DO NOTHING", []column{
		intColumn("number", list, func(s live.Session) int64 { return s.Number }),
		intColumn("session_id", list, func(s live.Session) live.ID { return s.ID }),
		intColumn("host_id", list, func(s live.Session) feed.UserID { return s.Host }),
		intColumn("state", list, func(s live.Session) live.State { return s.State }),
		intColumn("score", list, scoreOf),
		intColumn("made_at", list, func(live.Session) int64 { return madeAt }),
	})
}

func scoreOf(s live.Session) int64 { return s.Position().Score() }

// liveTally collects the changes of live_hosts and stores them by ascending id.
type liveTally map[feed.UserID]*hostChange

type hostChange struct{ number, opened int64 }

// transition counts a transition. Call it in the order of transitions.
func (h liveTally) transition(before *live.Session, after live.Session) {
	host := entry(h, after.Host)
	host.number = after.Number
	if before != nil && before.State.Open() {
		host.opened--
	}
	if after.State.Open() {
		host.opened++
	}
}

func (h liveTally) store(ctx context.Context, d dialect, tx *sql.Tx) error {
	hosts := sortedKeys(h)
	_, err := d.insertRows(ctx, tx, "live_hosts", `(host_id) DO UPDATE SET
	number = excluded.number, open_sessions = live_hosts.open_sessions + excluded.open_sessions`,
		intColumn("host_id", hosts, func(id feed.UserID) feed.UserID { return id }),
		intColumn("number", hosts, func(id feed.UserID) int64 { return h[id].number }),
		intColumn("open_sessions", hosts, func(id feed.UserID) int64 { return h[id].opened }))
	return err
}
