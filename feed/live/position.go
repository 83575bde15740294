package live

import (
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"sort"

	"github.com/tideline-feeds/tideline/feed"
)

// Position is a place in the order of live feeds. At orders within the state: the start while live,
// the scheduled start while upcoming, the end of a replay, in milliseconds since the epoch.
type Position struct {
	State State
	At    int64
	ID    ID
}

// Compare returns -1 if p comes before other in feeds, +1 if after, 0 if equal.
func (p Position) Compare(other Position) int {
	at := cmp.Compare(other.At, p.At) // the latest first,
	if p.State == Upcoming {
		at = -at // but of what is to come the soonest
	}
	return cmp.Or(cmp.Compare(p.State, other.State), at, cmp.Compare(other.ID, p.ID))
}

// SortKey returns a string that sorts, byte by byte, as [Position.Compare] does.
func (p Position) SortKey() string {
	at := p.At
	if p.State != Upcoming {
		at = ^at // the latest come first
	}
	place := binary.BigEndian.AppendUint64([]byte{byte(p.State)}, uint64(at))
	return hex.EncodeToString(binary.BigEndian.AppendUint64(place, uint64(^p.ID)))
}

// Score orders live and upcoming sessions, the highest first: the start of a live session, the
// negative scheduled start of an upcoming one.
func (p Position) Score() int64 {
	if p.State == Upcoming {
		return -p.At
	}
	return p.At
}

// AtScore returns the position of an open session with the given [Position.Score].
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

func firstAfter[E interface{ Compare(Position) int }](entries []E, at Position) int {
	return sort.Search(len(entries), func(i int) bool { return entries[i].Compare(at) > 0 })
}
