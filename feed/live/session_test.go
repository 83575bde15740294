package live

import (
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

const noon int64 = 1_700_000_000_000

// sessionIn is a session in a state.
func sessionIn(s State) Session {
	session := Session{ID: 7, Host: 9, Title: "title", State: s, ScheduledAt: noon, Number: 3}
	switch s {
	case Live:
		session.StartedAt = noon + 1
	case Replay:
		session.StartedAt, session.EndedAt, session.ReplayURL = noon+1, noon+2, "https://tideline.example/r"
	case Cancelled:
		session.CancelledAt = noon + 3
	}
	return session
}

func TestSession_AllowsOnlyPossibleTransitions(t *testing.T) {
	const now = noon + 10
	transitions := map[string]struct {
		do func(Session) (Session, error)
		// from are the states in which it happens, and the state that follows; same are
		// those in which nothing is left to do.
		from, to State
		same     State
	}{
		"reschedule": {func(s Session) (Session, error) { return s.rescheduled(now) }, Upcoming, Upcoming, 0},
		"start":      {func(s Session) (Session, error) { return s.started(now) }, Upcoming, Live, 0},
		"end":        {func(s Session) (Session, error) { return s.ended(now, "https://tideline.example/new") }, Live, Replay, Replay},
		"cancel":     {func(s Session) (Session, error) { return s.cancelled(now) }, Upcoming, Cancelled, Cancelled},
	}
	for name, c := range transitions {
		for _, state := range []State{Upcoming, Live, Replay, Cancelled} {
			before := sessionIn(state)
			after, err := c.do(before)
			switch state {
			case c.from:
				if err != nil || after.State != c.to || after == before {
					t.Errorf("%s in state %d: %+v, %v", name, state, after, err)
				}
			case c.same:
				if err != nil || after != before {
					t.Errorf("%s again: %+v, %v", name, after, err)
				}
			default:
				if feed.CodeOf(err) != feed.CodeConflict || after != before {
					t.Errorf("%s in state %d: %+v, %v, want a conflict", name, state, after, err)
				}
			}
		}
	}
}

func TestSession_TransitionsSetTimes(t *testing.T) {
	s := sessionIn(Upcoming)
	s, err := s.rescheduled(noon + 5)
	if err != nil || s.ScheduledAt != noon+5 || s.Position() != (Position{Upcoming, noon + 5, 7}) {
		t.Errorf("rescheduled: %+v, %v", s, err)
	}
	s, err = s.started(noon + 6)
	if err != nil || s.StartedAt != noon+6 || s.Position() != (Position{Live, noon + 6, 7}) {
		t.Errorf("started: %+v, %v", s, err)
	}
	s, err = s.ended(noon+8, "https://tideline.example/r")
	if err != nil || s.EndedAt != noon+8 || s.ReplayURL != "https://tideline.example/r" || s.Position() != (Position{Replay, noon + 8, 7}) {
		t.Errorf("ended: %+v, %v", s, err)
	}
}

func TestSession_NeverEndsBeforeStart(t *testing.T) {
	s, err := sessionIn(Live).ended(noon-100, "")
	if err != nil || s.EndedAt != s.StartedAt {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestSteps_FollowTimesOfRecord(t *testing.T) {
	for _, state := range []State{Upcoming, Live, Replay, Cancelled} {
		want := sessionIn(state)
		want.Number = 0
		steps := Steps(Record(want))
		if last := steps[len(steps)-1]; last != want {
			t.Errorf("the last step is %+v, want %+v", last, want)
		}
		if len(steps) != map[State]int{Upcoming: 1, Live: 2, Replay: 3, Cancelled: 2}[state] || steps[0].State != Upcoming {
			t.Errorf("the steps to state %d are %+v", state, steps)
		}
	}
}
