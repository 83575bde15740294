package live

import (
	"cmp"

	"github.com/tideline-feeds/tideline/feed"
)

// Position is a place in the order of live feeds: a state, the time that orders within it
// (start while live, planned start while upcoming, end of a replay; milliseconds since the
// epoch), and the session's id.
type Position struct {
	State State
	At    int64
	ID    ID
}

// Compare returns -1 when p comes before other in feeds, +1 when after, 0 when equal.
func (p Position) Compare(other Position) int {
	at := cmp.Compare(other.At, p.At) // the latest first,
	if p.State == Upcoming {
		at = -at // but of what is to come the soonest
	}
	return cmp.Or(cmp.Compare(p.State, other.State), at, cmp.Compare(other.ID, p.ID))
}

// Score returns the one number by which what is live and what is upcoming stand in feed
// order when the highest comes first: the start of what is live, and less than zero the
// planned start of what is upcoming.
func (p Position) Score() int64 {
	if p.State == Upcoming {
		return -p.At
	}
	return p.At
}

// AtScore returns the position of an open session of which [Position.Score] is score.
func AtScore(score int64, id ID) Position {
	if score <= 0 { // nothing was started at the epoch
		return Position{State: Upcoming, At: -score, ID: id}
	}
	return Position{State: Live, At: score, ID: id}
}

// Entry is a session's place in a feed as of some number.
type Entry struct {
	Position
	Host feed.UserID
}
