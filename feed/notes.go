package feed

import (
	"context"
	"encoding/binary"
	"math"
	"time"
)

// Notes keeps what processes know of viewers where all of them find it: beside the viewers'
// inboxes, so that a read which brings an inbox brings the note with it. It may lose any of
// them, and bring an old one back, at any time: a note holds for whoever finds the stamp in
// the source of truth that it was made under ([Knowledge]).
type Notes interface {
	// ReadNoted is [Inboxes.Read], and also returns what was noted of the viewer last; nothing
	// when nothing is. The note must not be changed.
	ReadNoted(ctx context.Context, viewer UserID, r Range) (Inbox, []byte, error)
	// Note notes something of a viewer, who may have no inbox, in the place of what was noted
	// before. It is kept for the given time at most, which is positive. [Inboxes.Remove]
	// drops it.
	Note(ctx context.Context, viewer UserID, note []byte, keep time.Duration) error
}

// noteFormat begins every note. One that begins with something else is of another version of
// the program, which means something else by it.
const noteFormat = 1

// What a note says of the lists in it.
const (
	notePulled = 1 << iota
	noteCold
	noteOwn
	noteOwnAll
)

// What a note says of an edge. Whether the viewer hides from the other, nobody remembers.
const (
	noteFollows = 1 << iota
	noteMutes
	noteBlocks
	noteHiddenBy
	noteBlockedBy
)

// note returns k as it is noted: a byte for the format, then numbers as varints, and a byte for
// what each edge is. Contents and profiles are left out: they are not what Redis is for, and a
// page reads them together with those of others.
func (k *Knowledge) note() []byte {
	const numbers, perKey, perUser = 64, 16, 10
	size := numbers + perUser*len(k.edges)
	if k.pulled != nil {
		size += perUser * len(k.pulled.authors)
	}
	if k.own != nil {
		size += perKey * len(k.own.keys)
	}
	b := append(make([]byte, 0, size), noteFormat, k.noteLists())
	for _, n := range []int64{k.stamp.Version, k.stamp.Own, k.stamp.Marks, k.stamp.Generation, k.since} {
		b = appendNumber(b, n)
	}
	if p := k.pulled; p != nil {
		b = appendNumber(appendNumber(b, p.since), int64(len(p.authors)))
		for _, author := range p.authors {
			b = appendNumber(b, int64(author))
		}
	}
	if k.own != nil {
		b = appendNumber(b, int64(len(k.own.keys)))
		for _, key := range k.own.keys {
			b = appendNumber(appendNumber(b, key.TS), key.ID)
		}
	}
	// Each id is told by what it is more than the one before, which takes fewer bytes.
	b = appendNumber(b, int64(len(k.edges)))
	before := UserID(0)
	for _, e := range k.edges {
		b = append(appendNumber(b, int64(e.other-before)), noteOfEdge(e.edge))
		before = e.other
	}
	return b
}

func appendNumber(b []byte, n int64) []byte { return binary.AppendUvarint(b, uint64(n)) }

// noteLists returns which lists are in the note.
func (k *Knowledge) noteLists() byte {
	lists := byte(0)
	if k.pulled != nil {
		lists |= notePulled
		if k.pulled.cold {
			lists |= noteCold
		}
	}
	if k.own != nil {
		lists |= noteOwn
		if k.own.all {
			lists |= noteOwnAll
		}
	}
	return lists
}

func noteOfEdge(e Edge) byte {
	b := byte(0)
	for _, is := range []struct {
		true bool
		bit  byte
	}{{e.Follows, noteFollows}, {e.Mutes, noteMutes}, {e.Blocks, noteBlocks}, {e.HiddenBy, noteHiddenBy}, {e.BlockedBy, noteBlockedBy}} {
		if is.true {
			b |= is.bit
		}
	}
	return b
}

func edgeOfNote(b byte) Edge {
	return Edge{
		Follows: b&noteFollows != 0, Mutes: b&noteMutes != 0, Blocks: b&noteBlocks != 0,
		HiddenBy: b&noteHiddenBy != 0, BlockedBy: b&noteBlockedBy != 0,
	}
}

// knowledgeOf reads a note; nil when it is none, or of another format.
func knowledgeOf(note []byte) *Knowledge {
	if len(note) < 2 || note[0] != noteFormat {
		return nil
	}
	lists, r := note[1], noteReader{rest: note[2:]}
	k := &Knowledge{stamp: Stamp{Version: r.number(), Own: r.number(), Marks: r.number(), Generation: r.number()}, since: r.number()}
	if lists&notePulled != 0 {
		k.pulled = &pulledAuthors{since: r.number(), cold: lists&noteCold != 0, authors: make([]UserID, r.count(1))}
		for i := range k.pulled.authors {
			k.pulled.authors[i] = UserID(r.number())
		}
	}
	if lists&noteOwn != 0 {
		k.own = &ownOutbox{all: lists&noteOwnAll != 0, keys: make([]Key, r.count(2))}
		for i := range k.own.keys {
			k.own.keys[i] = Key{TS: r.number(), ID: r.number()}
		}
	}
	k.edges = make(knownEdges, r.count(2))
	before := UserID(0)
	for i := range k.edges {
		before += UserID(r.number())
		k.edges[i] = edgeTo{before, edgeOfNote(r.byte())}
	}
	if r.bad || len(r.rest) > 0 {
		return nil
	}
	return k
}

// noteReader reads numbers and bytes, which are 0 from the first one on that cannot be there.
type noteReader struct {
	rest []byte
	bad  bool
}

func (r *noteReader) fail() {
	r.rest, r.bad = nil, true
}

func (r *noteReader) number() int64 {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 || n > math.MaxInt64 {
		r.fail()
		return 0
	}
	r.rest = r.rest[size:]
	return int64(n)
}

func (r *noteReader) byte() byte {
	if len(r.rest) == 0 {
		r.fail()
		return 0
	}
	b := r.rest[0]
	r.rest = r.rest[1:]
	return b
}

// count reads how many things follow, each of which takes at least so many bytes.
func (r *noteReader) count(least int) int {
	n := r.number()
	if n > int64(len(r.rest)/least) {
		r.fail()
		return 0
	}
	return int(n)
}
