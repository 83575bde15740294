package feed

import (
	"encoding/binary"
	"hash/fnv"
	"math"
)

// Path records what served the earlier pages of a scroll through a home feed. Cursors carry it,
// so that later pages show at least as much: within a scroll, no post is skipped that the first
// page could have shown at any depth (docs/exact-hybrid.md has the argument).
//
// The zero Path is the beginning of a scroll.
type Path struct {
	// Reference: the reference query serves the scroll. It also shows posts with pending pushes,
	// so the scroll stays on it unless Leaves is set.
	Reference bool
	// Leaves allows the scroll to continue on an inbox whose build began after the last reference
	// query. Seen is the digest of the inbox at that time, 0 for none. An inbox with another
	// digest was begun later.
	Leaves bool
	Seen   uint64
	// Inbox: the inbox serves the scroll. The reference query served what is at or below Floor.
	// The pages pulled the authors that an inbox complete up to Version does not cover, and
	// authors with [FlagSelective] if Cold is set.
	Inbox   bool
	Floor   Key
	Version int64
	Cold    bool
}

// Programs before viewer versions read a floor with an id above datedIDs as a date. Such a floor
// is rounded up to one that they read correctly, which is as good.
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
	next := Path{Inbox: true, Floor: in.Floor, Version: in.Version, Cold: !in.Warm(now)}
	if p.Inbox {
		next.Floor = Newest(p.Floor, in.Floor)
		next.Version = min(p.Version, in.Version)
		next.Cold = p.Cold || next.Cold
	}
	return next
}

// Digest identifies the build of the inbox; 0 if there is no inbox. Two builds have the same
// digest with a probability of one in 2^64.
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
		floor := Key{TS: int64(binary.BigEndian.Uint64(b)), ID: int64(binary.BigEndian.Uint64(b[8:]))}
		p = Path{Inbox: true, Floor: floor, Cold: flags&flagCold != 0, Version: int64(binary.BigEndian.Uint64(b[16:]))}
		return p, p.Version >= 0 && p.Floor.TS >= 0 && p.Floor.TS <= MaxTime && p.Floor.ID >= 0
	}
	return p, false
}
