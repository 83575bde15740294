package apply

import (
	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// sessions are live sessions with their changes, in the order of the first change of each.
type sessions struct {
	stored  map[int64]*live.Session
	changed map[int64]*SessionChange
	order   []*SessionChange
}

func newSessions(stored map[int64]*live.Session) sessions {
	return sessions{stored: stored, changed: map[int64]*SessionChange{}}
}

func (s *sessions) get(id int64) *live.Session {
	if c := s.changed[id]; c != nil {
		return &c.After
	}
	return s.stored[id]
}

func (s *sessions) set(steps []live.Session, after live.Session) {
	id := int64(after.ID)
	c := s.changed[id]
	if c == nil {
		c = &SessionChange{Before: s.stored[id]}
		s.changed[id] = c
		s.order = append(s.order, c)
	}
	c.Steps, c.After = append(c.Steps, steps...), after
	if len(c.Steps) > 0 {
		c.Steps[len(c.Steps)-1] = after
	}
}

func (f *fold) addSession(r *feed.LiveRecord) feed.RecordResult {
	if !f.isUser(r.Host) {
		return feed.ResultBad("%s", f.noUser(r.Host))
	}
	return f.added(f.session(r))
}

// added does what the record of an object of a type that Tideline owns does, unless that differs from a stored one.
func (f *fold) added(s step, d feed.Difference) feed.RecordResult {
	if !d.None() && !f.batch.Update {
		return feed.ResultStored(d, false, nil)
	}
	if s.set != nil {
		s.set()
	}
	return s.is
}

// session returns what a record does, and how it differs from a stored session.
func (f *fold) session(r *feed.LiveRecord) (s step, d feed.Difference) {
	have := f.sessions.get(r.ID)
	if have == nil {
		return f.newSession(r), d
	}
	if have.Host != r.Host {
		return bad("session %s is by user %s", feed.PublicID{Number: r.ID, External: r.External}, f.userID(have.Host)), d
	}
	stored := live.Record(*have)
	if d = feed.DifferentLive(&stored, r); d.None() {
		return known(), d
	}
	steps, after, err := live.Further(*have, *r)
	if err != nil {
		return bad("%s", feed.Reason(err)), d
	}
	return step{feed.ResultUpdated(d.Fields...), func() {
		if have.State.Open() && !after.State.Open() {
			f.open[r.Host]--
		}
		f.sessions.set(steps, after)
	}}, d
}

func (f *fold) newSession(r *feed.LiveRecord) step {
	if r.Open() {
		if err := live.MayOpen(f.open[r.Host], f.rules.OpenMax); err != nil {
			return bad("%s", feed.Reason(err))
		}
	}
	return step{feed.ResultNew(), func() {
		if r.Open() {
			f.open[r.Host]++
		}
		steps := live.Steps(*r)
		f.sessions.set(steps, steps[len(steps)-1])
	}}
}

// wholeSession applies a record of a session that a source owns. One that was taken back is
// cancelled, which hides it as a deletion does.
func (f *fold) wholeSession(r *feed.Record) step {
	record := *r.Live
	if r.EndedAt != 0 {
		have := f.sessions.get(record.ID)
		if have == nil {
			return known()
		}
		record = live.Record(*have)
		record.CancelledAt = r.EndedAt
	}
	if f.deleted(record.Host) {
		return bad("the account of user %s was deleted", f.userID(record.Host))
	}
	s, _ := f.session(&record)
	if change := s.set; change != nil {
		s.set = func() { f.expect(record.Host); change() }
	}
	return s
}
