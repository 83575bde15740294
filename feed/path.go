package feed

import (
	"encoding/binary"
	"hash/fnv"
	"math"
)

// Path is what served the earlier pages of a scroll through a home feed. Its cursors
// carry it, so that every later page is served by what can show at least as much:
// within a scroll nothing is skipped that its first page, at any depth, could have
// shown (docs/exact-hybrid.md has the argument).
//
// The zero Path binds nothing: the scroll begins here.
type Path struct {
	// Reference: the scroll goes by the reference query, which also shows contents
	// whose push is pending. It stays there unless Leaves is set.
	Reference bool
	// Leaves allows the scroll to leave the reference query for an inbox whose build
	// began after the reference query was last asked: one with another digest than
	// Seen, which is that of the inbox that stood then, 0 for none.
	Leaves bool
	Seen   uint64
	// Inbox: the scroll goes by the inbox. It took from the reference query what is
	// at or below Floor, pulled whom an inbox complete up to Version does not cover,
	// and, when Cold, authors with [MarkSelective].
	Inbox   bool
	Floor   Key
	Version int64
	Cold    bool
	// Dated: Made says when something was last read for the last page that not every process
	// may have known yet, in seconds on the clock of the source of truth; 0 when all that the
	// page went by had been read a lease before ([StampLease]).
	Dated bool
	Made  int64
}

// The ids at the end of all there are say, as the id of a floor in a cursor, that the path is
// dated: the second is counted from the last one down. The floor is rounded up, to one of the
// last keys of its millisecond, or is none at all in the first millisecond there is, when
// nothing was published. So whoever does not know this goes by a floor that is as good.
const (
	lastID  = math.MaxInt64
	dateIDs = lastID - 1<<40
)

// madeAsk is for how many seconds, of which the first has begun, pages are made by asking
// behind a page whose Made is not 0. Who read it first has not read on for longer by then than
// any lease lasts.
const madeAsk = 2

// askUntil returns until when a page behind the path must not go by a lease, in milliseconds
// on the clock of the source of truth; 0 when it may at once.
func (p Path) askUntil() int64 {
	switch {
	case !p.bound() || p.Dated && p.Made == 0:
		return 0
	case p.Dated:
		return (p.Made + madeAsk) * 1000
	}
	return math.MaxInt64
}

// toldFloor returns the floor as cursors tell it.
func (p Path) toldFloor() Key {
	switch {
	case p.Floor.ID > dateIDs:
		return Key{TS: p.Floor.TS + 1}
	case p.Dated && (p.Floor == Bottom || p.Floor.TS > 0):
		return Key{TS: p.Floor.TS, ID: lastID - p.Made}
	}
	return p.Floor
}

// takeFloor takes a floor as cursors tell it.
func (p *Path) takeFloor(told Key) {
	p.Floor = told
	if told.ID < dateIDs {
		return
	}
	p.Dated, p.Made = true, lastID-told.ID
	p.Floor.ID = dateIDs
	if told.TS == 0 {
		p.Floor = Bottom
	}
}

// pathMax is the most bytes that a path takes in a cursor.
const pathMax = 3 * 8

// bound says whether the scroll has begun before.
func (p Path) bound() bool { return p.Reference || p.Inbox }

// admits says whether the scroll may go by the inbox.
func (p Path) admits(in *Inbox) bool {
	return !p.Reference || p.Leaves && p.Seen != in.digest()
}

// through returns the path of a scroll that came by p and goes on through the inbox
// as it is at the time now: it shows whatever either of them can show.
func (p Path) through(in *Inbox, now int64) Path {
	next := Path{Inbox: true, Floor: in.Floor, Version: in.Version, Cold: !in.warm(now)}
	if p.Inbox {
		next.Floor = Newest(p.Floor, in.Floor)
		next.Version = min(p.Version, in.Version)
		next.Cold = p.Cold || next.Cold
		next.Dated, next.Made = p.Dated, p.Made
	}
	return next
}

// digest tells inboxes of different builds apart; it is 0 when there is none. Two
// tokens have the same digest with a chance of one in 2^64.
func (in *Inbox) digest() uint64 {
	if in.State == InboxAbsent {
		return 0
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(in.Token)) // a hash never fails
	return max(h.Sum64(), 1)
}

// encode appends the path to b and returns the cursor's flags.
func (p Path) encode(b []byte) (flags byte, out []byte) {
	if p.Reference {
		flags |= flagReference
	}
	if p.Reference && p.Leaves {
		flags |= flagLeaves
		b = binary.BigEndian.AppendUint64(b, p.Seen)
	}
	if p.Inbox {
		flags |= flagInbox
		if p.Cold {
			flags |= flagCold
		}
		floor := p.toldFloor()
		for _, n := range []int64{floor.TS, floor.ID, p.Version} {
			b = binary.BigEndian.AppendUint64(b, uint64(n))
		}
	}
	return flags, b
}

// decodePath reads what encode wrote.
func decodePath(flags byte, b []byte) (p Path, ok bool) {
	if flags&^flagsKnown != 0 {
		return p, false
	}
	switch flags &^ flagCold {
	case 0, flagReference:
		return Path{Reference: flags == flagReference}, flags&flagCold == 0 && len(b) == 0
	case flagReference | flagLeaves:
		if flags&flagCold != 0 || len(b) != 8 {
			return p, false
		}
		return Path{Reference: true, Leaves: true, Seen: binary.BigEndian.Uint64(b)}, true
	case flagInbox:
		if len(b) != pathMax {
			return p, false
		}
		p = Path{Inbox: true, Cold: flags&flagCold != 0, Version: int64(binary.BigEndian.Uint64(b[16:]))}
		p.takeFloor(Key{TS: int64(binary.BigEndian.Uint64(b)), ID: int64(binary.BigEndian.Uint64(b[8:]))})
		return p, p.Version >= 0 && p.Floor.TS >= 0 && p.Floor.TS <= MaxTime && p.Floor.ID >= 0
	}
	return p, false
}
