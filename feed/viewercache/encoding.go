package viewercache

import (
	"encoding/binary"
	"math"

	"github.com/tideline-feeds/tideline/feed"
)

// encodingFormat begins every shared entry. Other formats are of other program versions.
const encodingFormat = 1

// Which lists are encoded.
const (
	hasPulled = 1 << iota
	pulledCold
	hasOwn
	ownIsAll
)

// What is encoded of an edge. Whether the viewer hides from the other is not cached.
const (
	edgeFollows = 1 << iota
	edgeMutes
	edgeBlocks
	edgeHiddenBy
	edgeBlockedBy
)

// encode returns e for the shared cache: a byte for the format, then numbers as varints, and a
// byte for each edge. Posts are left out: Redis is not meant for them, and a page reads them
// together with those of others.
func (e *Entry) encode() []byte {
	const numbers, perKey, perUser = 64, 16, 10
	size := numbers + perUser*len(e.edges)
	if e.pulled != nil {
		size += perUser * len(e.pulled.authors)
	}
	if e.own != nil {
		size += perKey * len(e.own.keys)
	}
	b := append(make([]byte, 0, size), encodingFormat, e.lists())
	for _, n := range []int64{e.version.Version, e.version.Own, e.version.Flags, e.version.Generation, e.since} {
		b = appendNumber(b, n)
	}
	if p := e.pulled; p != nil {
		b = appendNumber(appendNumber(b, p.since), int64(len(p.authors)))
		for _, author := range p.authors {
			b = appendNumber(b, int64(author))
		}
	}
	if e.own != nil {
		b = appendNumber(b, int64(len(e.own.keys)))
		for _, key := range e.own.keys {
			b = appendNumber(appendNumber(b, key.TS), key.ID)
		}
	}
	// Each id is encoded as the difference to the one before, which takes fewer bytes.
	b = appendNumber(b, int64(len(e.edges)))
	before := feed.UserID(0)
	for _, to := range e.edges {
		b = append(appendNumber(b, int64(to.other-before)), encodeEdge(to.edge))
		before = to.other
	}
	return b
}

func appendNumber(b []byte, n int64) []byte { return binary.AppendUvarint(b, uint64(n)) }

func (e *Entry) lists() byte {
	lists := byte(0)
	if e.pulled != nil {
		lists |= hasPulled
		if e.pulled.cold {
			lists |= pulledCold
		}
	}
	if e.own != nil {
		lists |= hasOwn
		if e.own.all {
			lists |= ownIsAll
		}
	}
	return lists
}

func encodeEdge(e feed.Edge) byte {
	b := byte(0)
	for _, is := range []struct {
		true bool
		bit  byte
	}{{e.Follows, edgeFollows}, {e.Mutes, edgeMutes}, {e.Blocks, edgeBlocks}, {e.HiddenBy, edgeHiddenBy}, {e.BlockedBy, edgeBlockedBy}} {
		if is.true {
			b |= is.bit
		}
	}
	return b
}

func decodeEdge(b byte) feed.Edge {
	return feed.Edge{
		Follows: b&edgeFollows != 0, Mutes: b&edgeMutes != 0, Blocks: b&edgeBlocks != 0,
		HiddenBy: b&edgeHiddenBy != 0, BlockedBy: b&edgeBlockedBy != 0,
	}
}

// decode reads what encode wrote; nil if it is damaged, of another format, or nothing.
func decode(b []byte) *Entry {
	if len(b) < 2 || b[0] != encodingFormat {
		return nil
	}
	lists, r := b[1], decoder{rest: b[2:]}
	e := &Entry{version: feed.ViewerVersion{Version: r.number(), Own: r.number(), Flags: r.number(), Generation: r.number()}, since: r.number()}
	if lists&hasPulled != 0 {
		e.pulled = &pulledAuthors{since: r.number(), cold: lists&pulledCold != 0, authors: make([]feed.UserID, r.count(1))}
		for i := range e.pulled.authors {
			e.pulled.authors[i] = feed.UserID(r.number())
		}
	}
	if lists&hasOwn != 0 {
		e.own = &ownOutbox{all: lists&ownIsAll != 0, keys: make([]feed.Key, r.count(2))}
		for i := range e.own.keys {
			e.own.keys[i] = feed.Key{TS: r.number(), ID: r.number()}
		}
	}
	e.edges = make(edges, r.count(2))
	before := feed.UserID(0)
	for i := range e.edges {
		before += feed.UserID(r.number())
		e.edges[i] = edgeTo{before, decodeEdge(r.byte())}
	}
	if r.bad || len(r.rest) > 0 {
		return nil
	}
	return e
}

// decoder reads numbers and bytes, which are 0 from the first one on that is malformed.
type decoder struct {
	rest []byte
	bad  bool
}

func (r *decoder) fail() {
	r.rest, r.bad = nil, true
}

func (r *decoder) number() int64 {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 || n > math.MaxInt64 {
		r.fail()
		return 0
	}
	r.rest = r.rest[size:]
	return int64(n)
}

func (r *decoder) byte() byte {
	if len(r.rest) == 0 {
		r.fail()
		return 0
	}
	b := r.rest[0]
	r.rest = r.rest[1:]
	return b
}

// count reads how many elements follow, each of which takes at least least bytes.
func (r *decoder) count(least int) int {
	n := r.number()
	if n > int64(len(r.rest)/least) {
		r.fail()
		return 0
	}
	return int(n)
}
