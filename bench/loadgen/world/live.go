package world

import (
	"cmp"
	"slices"
	"time"
)

// The states of live sessions, in the order of a live feed.
const (
	Live = iota
	Upcoming
	Replay
)

// Session is a live session.
type Session struct {
	ID, Host int64
	State    int
	// At orders the sessions of one state, in milliseconds since the epoch. It is the start of a
	// live session and the end of a replay. For an upcoming session it only gives the order:
	// [Size.Write] plans it for a later time.
	At int64
}

// Sessions returns the sessions of a host: one upcoming and two replays. Every tenth user also has
// a live one.
func (s Size) Sessions(host int64) []Session {
	if !s.Live {
		return nil
	}
	at := func(days, minutes int64) int64 {
		return began + (time.Duration(days)*24*time.Hour + time.Duration(minutes)*time.Minute).Milliseconds()
	}
	minutes := host % 1440
	out := []Session{
		// Keep plans out of the time of any measurement.
		{ID: host*slots + 1, Host: host, State: Upcoming, At: at(20*365, minutes)},
		{ID: host*slots + 2, Host: host, State: Replay, At: at(10+host%30, minutes)},
		{ID: host*slots + 3, Host: host, State: Replay, At: at(50+host%30, minutes)},
	}
	if host%10 == 0 {
		out = append(out, Session{ID: host*slots + 4, Host: host, State: Live, At: at(170, minutes)})
	}
	return out
}

// LiveFeed computes the first n sessions of a viewer's live feed. Live sessions come first, newest
// start first, then upcoming ones, soonest first. Replays follow, latest end first. At equal times
// larger ids come first.
func (s Size) LiveFeed(viewer int64, n int) []Session {
	all := s.Sessions(viewer)
	for _, id := range s.Followees(viewer) {
		all = append(all, s.Sessions(id)...)
	}
	slices.SortFunc(all, func(a, b Session) int {
		byTime := cmp.Compare(b.At, a.At)
		if a.State == Upcoming {
			byTime = -byTime
		}
		return cmp.Or(cmp.Compare(a.State, b.State), byTime, cmp.Compare(b.ID, a.ID))
	})
	return all[:min(n, len(all))]
}
