package live

import (
	"encoding/base64"
	"encoding/binary"

	"github.com/tideline-feeds/tideline/feed"
)

type cursor struct {
	list list
	// version is 0 in lists that use no relations.
	moment  Moment
	version int64
	// snapshot is the name of the scroll's snapshot.
	snapshot uint64
	at       Position
}

// list is the list of a cursor. Cursors that clients keep hold the numbers. Those of package feed
// are lower, so no cursor fits lists of both.
type list byte

const (
	listFeed list = 101
	listHost list = 102
)

// cursorVersion is the first byte. Version, list and state take a byte each, other numbers eight.
const (
	cursorVersion = 1
	cursorSize    = 3 + 6*8
)

const cursorText = (cursorSize*8 + 5) / 6

// String encodes the cursor in base64url without padding.
func (c cursor) String() string { return string(c.appendText(nil)) }

func (c cursor) appendText(text []byte) []byte {
	b := make([]byte, 0, cursorSize)
	b = append(b, cursorVersion, byte(c.list), byte(c.at.State))
	for _, n := range [...]uint64{
		uint64(c.moment.Number), uint64(c.moment.At), uint64(c.version), c.snapshot, uint64(c.at.At), uint64(c.at.ID),
	} {
		b = binary.BigEndian.AppendUint64(b, n)
	}
	return base64.RawURLEncoding.AppendEncode(text, b)
}

// parseCursor reads a cursor of the given list. Anything else is [feed.CodeBadCursor].
func parseCursor(s string, l list) (cursor, error) {
	// Decoding ignores line breaks and stray bits. Encoding the result again detects them.
	b, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil || len(b) < 2 || base64.RawURLEncoding.EncodeToString(b) != s {
		return cursor{}, feed.Errorf(feed.CodeBadCursor, "the cursor cannot be read; use one that this feed has returned")
	}
	if b[0] != cursorVersion {
		return cursor{}, feed.Errorf(feed.CodeBadCursor, "the cursor has version %d; this server does not support it", b[0])
	}
	if list(b[1]) != l || len(b) != cursorSize {
		return cursor{}, feed.Errorf(feed.CodeBadCursor, "the cursor belongs to another list")
	}
	c := cursor{list: l, at: Position{State: State(b[2])}}
	c.moment.Number, c.moment.At = number(b[3:]), number(b[11:])
	c.version, c.snapshot = number(b[19:]), binary.BigEndian.Uint64(b[27:])
	c.at.At, c.at.ID = number(b[35:]), ID(number(b[43:]))
	if !c.inRange() {
		return cursor{}, feed.Errorf(feed.CodeBadCursor, "the cursor is out of range")
	}
	return c, nil
}

// SortKey returns the sort key of an edge, given its cursor. Within a list, ascending keys in byte order
// are the order of the list. It returns "" for a string that is not a cursor.
func SortKey(text string) string {
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(b) != cursorSize {
		return ""
	}
	return Position{State(b[2]), number(b[35:]), ID(number(b[43:]))}.SortKey()
}

func number(b []byte) int64 { return int64(binary.BigEndian.Uint64(b)) }

func (c cursor) inRange() bool {
	ok := c.at.State == Live || c.at.State == Upcoming || c.at.State == Replay
	isTime := func(t int64) bool { return t >= 0 && t <= feed.MaxTime }
	return ok && c.at.ID > 0 && c.moment.Number >= 0 && c.version >= 0 && isTime(c.moment.At) && isTime(c.at.At)
}
