package feed

import (
	"encoding/binary"
	"hash/fnv"
	"math"
)

// Path records what served the earlier pages of a scroll through a home feed. Within a scroll, no
// post is skipped that the first page could have shown at any depth (docs/exact-hybrid.md).
type Path struct {
	// The reference query shows posts with pending pushes, so the scroll stays on it unless Leaves.
	Reference bool
	// Leaves allows the scroll to continue on an inbox begun later: one whose digest is not Seen.
	Leaves bool
	Seen   uint64
	// The inbox serves the scroll above Floor. Its pages pulled what Version and Cold do not cover.
	Inbox   bool
	Floor   Key
	Version int64
	Cold    bool
	// Pending: the pages also pulled authors with pending pushes ([WithFreshReads]).
	Pending bool
}

// Programs before viewer versions read higher ids as dates. Floors with one are rounded up.
const datedIDs = math.MaxInt64 - 1 - 1<<40

const pathMax = 3 * 8

// Bound reports whether the scroll has earlier pages.
func (p Path) Bound() bool { return p.Reference || p.Inbox }

// Admits reports whether the inbox may serve the scroll.
func (p Path) Admits(in *Inbox) bool {
	return !p.Reference || p.Leaves && p.Seen != in.Digest()
}

// Through returns the path of a scroll that continues from p on the inbox as of now.
func (p Path) Through(in *Inbox, now int64) Path {
	next := Path{Inbox: true, Floor: in.Floor, Version: in.Version, Cold: !in.Warm(now), Pending: p.Pending}
	if p.Inbox {
		next.Floor = Newest(p.Floor, in.Floor)
		next.Version = min(p.Version, in.Version)
		next.Cold = p.Cold || next.Cold
	}
	return next
}

// Digest identifies a build; 0 for no inbox. Two builds share one with a probability of 2^-64.
func (in *Inbox) Digest() uint64 {
	if in.State == InboxAbsent {
		return 0
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(in.Token)) // a hash never fails
	return max(h.Sum64(), 1)
}

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
		if p.Pending {
			flags |= flagPending
		}
		floor := p.Floor
		if floor.ID > datedIDs {
			floor = Key{TS: floor.TS + 1}
		}
		for _, n := range []int64{floor.TS, floor.ID, p.Version} {
			b = binary.BigEndian.AppendUint64(b, uint64(n))
		}
	}
	return flags, b
}

func decodePath(flags byte, b []byte) (p Path, ok bool) {
	if flags&^flagsKnown != 0 {
		return p, false
	}
	if flags&flagPending != 0 && flags&flagInbox == 0 {
		return p, false
	}
	switch flags &^ (flagCold | flagPending) {
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
		floor := Key{TS: int64(binary.BigEndian.Uint64(b)), ID: int64(binary.BigEndian.Uint64(b[8:]))}
		p = Path{Inbox: true, Floor: floor, Version: int64(binary.BigEndian.Uint64(b[16:]))}
		p.Cold, p.Pending = flags&flagCold != 0, flags&flagPending != 0
		return p, p.Version >= 0 && p.Floor.TS >= 0 && p.Floor.TS <= MaxTime && p.Floor.ID >= 0
	}
	return p, false
}
