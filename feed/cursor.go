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

// cursorVersion is the first byte of every cursor; cursorSize what follows from the
// layout: version, kind and flags, a byte each, then ts and last content id, eight
// bytes each, big-endian.
const (
	cursorVersion = 1
	cursorSize    = 3 + 8 + 8
)

// flagReference marks a scroll that the reference query began.
const flagReference = 1 << 0

// Cursor is a position in a list: the key of the last entry shown, which may be
// deleted since. Its text is opaque to clients.
type Cursor struct {
	Kind FeedKind
	Key  Key
	// Reference marks a scroll begun on the reference query. It stays there: the
	// reference query shows contents whose push is pending, so a scroll that moved
	// to the inbox half-way would skip those it had been about to show.
	Reference bool
}

// String returns the cursor's opaque text, in base64url without padding.
func (c Cursor) String() string {
	var b [cursorSize]byte
	b[0], b[1] = cursorVersion, byte(c.Kind)
	if c.Reference {
		b[2] |= flagReference
	}
	binary.BigEndian.PutUint64(b[3:], uint64(c.Key.TS))
	binary.BigEndian.PutUint64(b[11:], uint64(c.Key.ID))
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// ParseCursor reads a cursor that was made for lists of the given kind. Anything
// else, whether mangled, of another list, of an unknown version or out of range,
// is [CodeBadCursor].
func ParseCursor(s string, kind FeedKind) (Cursor, error) {
	// Decoding passes over line breaks and stray bits, which would give one position
	// several texts; encoding again gives them away.
	b, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil || len(b) != cursorSize || base64.RawURLEncoding.EncodeToString(b) != s {
		return Cursor{}, Errorf(CodeBadCursor, "the cursor cannot be read; use one that this feed has returned")
	}
	if b[0] != cursorVersion {
		return Cursor{}, Errorf(CodeBadCursor, "the cursor has version %d, which this server does not know", b[0])
	}
	if FeedKind(b[1]) != kind {
		return Cursor{}, Errorf(CodeBadCursor, "the cursor belongs to another list")
	}
	ts, id := binary.BigEndian.Uint64(b[3:]), binary.BigEndian.Uint64(b[11:])
	if b[2]&^flagReference != 0 || ts > kind.maxTS() || id == 0 || id > 1<<63-1 {
		return Cursor{}, Errorf(CodeBadCursor, "the cursor is out of range")
	}
	return Cursor{Kind: kind, Key: Key{TS: int64(ts), ID: int64(id)}, Reference: b[2]&flagReference != 0}, nil
}

// HomeCursor returns the cursor at which a content stands in home feeds.
func HomeCursor(p *Post) string { return Cursor{Kind: FeedHome, Key: p.Key()}.String() }
