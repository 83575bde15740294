package feed

import (
	"encoding/base64"
	"encoding/binary"
)

// FeedKind tells the lists that cursors are made for apart.
type FeedKind byte

// The kinds of list. The numbers stand in cursors that clients keep, so they never
// change.
const (
	FeedHome      FeedKind = 1
	FeedOutbox    FeedKind = 2
	FeedComments  FeedKind = 3
	FeedFollowers FeedKind = 4
	FeedFollowing FeedKind = 5
	FeedMuted     FeedKind = 6
	FeedHidden    FeedKind = 7
	FeedBlocked   FeedKind = 8
	FeedSearch    FeedKind = 9
)

// maxTS is the largest number that keys of such lists have for a time: lists of
// users who were searched for have a [WordPlace] in its stead.
func (k FeedKind) maxTS() uint64 {
	if k == FeedSearch {
		return placeMax
	}
	return MaxTime
}

// cursorVersion is the first byte of every cursor. The layout: version, kind and
// flags, a byte each, then ts and last content id, eight bytes each, big-endian; then
// what the flags say of the path (see path.go).
const (
	cursorVersion = 1
	cursorSize    = 3 + 8 + 8
)

// The flags of a cursor. The last two say what follows of the path: a digest of eight
// bytes, or floor (ts and id) and version, eight bytes each.
const (
	flagReference = 1 << iota
	flagCold
	flagLeaves
	flagInbox

	flagsKnown = flagReference | flagCold | flagLeaves | flagInbox
)

// Cursor is a position in a list: the key of the last entry shown, which may be
// deleted since. Its text is opaque to clients.
type Cursor struct {
	Kind FeedKind
	Key  Key
	// Path is how a scroll of a home feed goes on; zero when nothing binds it.
	Path Path
}

// String returns the cursor's opaque text, in base64url without padding.
func (c Cursor) String() string {
	b := make([]byte, cursorSize, cursorSize+pathMax)
	b[0], b[1] = cursorVersion, byte(c.Kind)
	binary.BigEndian.PutUint64(b[3:], uint64(c.Key.TS))
	binary.BigEndian.PutUint64(b[11:], uint64(c.Key.ID))
	b[2], b = c.Path.encode(b)
	return base64.RawURLEncoding.EncodeToString(b)
}

// ParseCursor reads a cursor that was made for lists of the given kind. Anything
// else, whether mangled, of another list, of an unknown version or out of range,
// is [CodeBadCursor].
func ParseCursor(s string, kind FeedKind) (Cursor, error) {
	// Decoding passes over line breaks and stray bits, which would give one position
	// several texts; encoding again gives them away.
	b, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil || len(b) < cursorSize || base64.RawURLEncoding.EncodeToString(b) != s {
		return Cursor{}, Errorf(CodeBadCursor, "the cursor cannot be read; use one that this feed has returned")
	}
	if b[0] != cursorVersion {
		return Cursor{}, Errorf(CodeBadCursor, "the cursor has version %d, which this server does not know", b[0])
	}
	if FeedKind(b[1]) != kind {
		return Cursor{}, Errorf(CodeBadCursor, "the cursor belongs to another list")
	}
	ts, id := binary.BigEndian.Uint64(b[3:]), binary.BigEndian.Uint64(b[11:])
	path, ok := decodePath(b[2], b[cursorSize:])
	if !ok || path.Bound() && kind != FeedHome || ts > kind.maxTS() || id == 0 || id > 1<<63-1 {
		return Cursor{}, Errorf(CodeBadCursor, "the cursor is out of range")
	}
	return Cursor{Kind: kind, Key: Key{TS: int64(ts), ID: int64(id)}, Path: path}, nil
}

// HomeCursor returns the cursor at which a content stands in home feeds.
func HomeCursor(p *Post) string { return Cursor{Kind: FeedHome, Key: p.Key()}.String() }
