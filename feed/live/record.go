package live

import "github.com/tideline-feeds/tideline/feed"

// Record returns the exported record of a session.
func Record(s Session) feed.LiveRecord {
	return feed.LiveRecord{
		ID: int64(s.ID), External: s.External, Host: s.Host, Title: s.Title, ReplayURL: s.ReplayURL,
		ScheduledAt: s.ScheduledAt, StartedAt: s.StartedAt, EndedAt: s.EndedAt, CancelledAt: s.CancelledAt,
	}
}

// MayOpen returns [feed.CodeConflict] if a host with open sessions may not have another one.
func MayOpen(open, openMax int) error {
	if open >= openMax {
		return feed.Errorf(feed.CodeConflict, "at most %d sessions may be upcoming or live at once", openMax)
	}
	return nil
}

// Steps returns the session of a record, without numbers, after each of its transitions.
func Steps(r feed.LiveRecord) []Session {
	s := Session{ID: ID(r.ID), External: r.External, Host: r.Host, Title: r.Title, State: Upcoming, ScheduledAt: r.ScheduledAt}
	steps := []Session{s}
	if r.StartedAt != 0 {
		s.State, s.StartedAt = Live, r.StartedAt
		steps = append(steps, s)
	}
	if r.EndedAt != 0 {
		s.State, s.EndedAt, s.ReplayURL = Replay, r.EndedAt, r.ReplayURL
		steps = append(steps, s)
	}
	if r.CancelledAt != 0 {
		s.State, s.CancelledAt = Cancelled, r.CancelledAt
		steps = append(steps, s)
	}
	return steps
}

// Further returns the transitions of a record that the stored session of the same id has not made,
// and the session after them. Another time of an upcoming session is a transition; other texts are
// not and keep the number. The error is that of [feed.KeptByLive].
func Further(stored Session, r feed.LiveRecord) (steps []Session, after Session, err error) {
	have := Record(stored)
	if err := feed.KeptByLive(&have, &r); err != nil {
		return nil, stored, err
	}
	gone, all := len(Steps(have)), Steps(r)
	after = all[len(all)-1]
	switch {
	case gone < len(all):
		return all[gone:], after, nil
	case after.Position() != stored.Position():
		return all[gone-1:], after, nil
	}
	after.Number = stored.Number
	return nil, after, nil
}
