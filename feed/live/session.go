package live

import (
	"strconv"

	"github.com/tideline-feeds/tideline/feed"
)

// ID identifies a session: 1 … 2^63-1, unique among sessions and not ordered by time. 0 is none.
type ID int64

// ParseID reads a decimal session id, by the rules of [feed.ParsePostID].
func ParseID(s string) (ID, error) {
	id, err := feed.ParsePostID(s)
	return ID(id), err
}

// PublicID is the id of a session as clients see it.
type PublicID feed.PublicID

// PublicID returns the session's id as clients see it.
func (s *Session) PublicID() PublicID { return PublicID{int64(s.ID), s.External} }

// EndedSince reports whether the session has become a replay since an earlier state; nil if it is new. A
// replay is fanned out.
func (s *Session) EndedSince(before *Session) bool {
	return s.State == Replay && (before == nil || before.State != Replay)
}

// Changed returns the row of the change log for a session that is new or has changed.
func (s *Session) Changed(isNew bool) feed.Change {
	kind := feed.ChangeSession
	if isNew {
		kind = feed.ChangeScheduled
	}
	row := feed.Change{Kind: kind, User: s.Host, Post: feed.ReplayRef(int64(s.ID))}
	if s.State == Cancelled {
		row.Other = s.Host
	}
	return row
}

// String returns the id in decimal.
func (id ID) String() string { return strconv.FormatInt(int64(id), 10) }

// State is the state of a session. SQL and cursors hold the numbers, so they never change.
type State int

// The states, in the order of the feed; what is cancelled is in none.
const (
	Live      State = 1
	Upcoming  State = 2
	Replay    State = 3
	Cancelled State = 4
)

// Open reports whether a session in this state is upcoming or live.
func (s State) Open() bool { return s == Upcoming || s == Live }

// Session is one live session as it is now. One from a port may be shared and must not be changed.
type Session struct {
	ID ID
	// External is set only where ids are text.
	External feed.ExternalID
	Host     feed.UserID
	Title    string
	State    State
	// The times are in milliseconds since the epoch, and 0 for a step that has not happened.
	ScheduledAt int64
	StartedAt   int64
	EndedAt     int64
	CancelledAt int64
	// ReplayURL is empty if there is no recording.
	ReplayURL string
	Number    int64
}

// Position returns the session's place in feeds now. A cancelled session has none.
func (s *Session) Position() Position {
	p := Position{State: s.State, At: s.ScheduledAt, ID: s.ID}
	switch s.State {
	case Live:
		p.At = s.StartedAt
	case Replay:
		p.At = s.EndedAt
	}
	return p
}

// Rescheduled returns the session with another time. Like every transition it returns the error
// CONFLICT if the state does not allow it.
func (s Session) Rescheduled(at int64) (Session, error) {
	if s.State != Upcoming {
		return s, impossible("only an upcoming session can be rescheduled", s.State)
	}
	s.ScheduledAt = at
	return s, nil
}

// Started returns the session as live.
func (s Session) Started(now int64) (Session, error) {
	if s.State != Upcoming {
		return s, impossible("only an upcoming session can be started", s.State)
	}
	s.State, s.StartedAt = Live, now
	return s, nil
}

// Ended returns the session as a replay, unchanged if it is one.
func (s Session) Ended(now int64, replayURL string) (Session, error) {
	switch s.State {
	case Replay:
		return s, nil
	case Live:
		// A session must not end before its start, even if the clock was set back.
		s.State, s.EndedAt, s.ReplayURL = Replay, max(now, s.StartedAt), replayURL
		return s, nil
	}
	return s, impossible("only a live session can be ended", s.State)
}

// Cancelled returns the session as cancelled, unchanged if it is.
func (s Session) Cancelled(now int64) (Session, error) {
	switch s.State {
	case Cancelled:
		return s, nil
	case Upcoming:
		s.State, s.CancelledAt = Cancelled, now
		return s, nil
	}
	return s, impossible("only an upcoming session can be cancelled", s.State)
}

func impossible(rule string, is State) error {
	words := map[State]string{Live: "is live", Upcoming: "is upcoming", Replay: "has ended", Cancelled: "was cancelled"}
	return feed.Errorf(feed.CodeConflict, "%s; this one %s", rule, words[is]).At("liveSessionId")
}
