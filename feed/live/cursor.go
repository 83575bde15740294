package live

import (
	"encoding/base64"
	"encoding/binary"

	"github.com/tideline-feeds/tideline/feed"
)

// Cursor is a place in a live feed or in the list of a host, and the moment that its scroll shows.
type Cursor struct {
	List   List
	Moment Moment
	// Version is 0 in lists that use no relations.
	Version int64
	// Snapshot is the name of the scroll's snapshot.
	Snapshot uint64
	At       Position
}

// List is the list of a cursor. Cursors that clients keep hold the numbers. Those of package feed
// are lower, so no cursor fits lists of both.
type List byte

// The live feed, and the list of one host.
const (
	ListFeed List = 101
	ListHost List = 102
)

// cursorVersion is the first byte. Version, list and state take a byte each, other numbers eight.
const (
	cursorVersion = 1
	cursorSize    = 3 + 6*8
)

const cursorText = (cursorSize*8 + 5) / 6

// String encodes the cursor in base64url without padding.
func (c Cursor) String() string { return string(c.appendText(nil)) }

func (c Cursor) appendText(text []byte) []byte {
	b := make([]byte, 0, cursorSize)
	b = append(b, cursorVersion, byte(c.List), byte(c.At.State))
	for _, n := range [...]uint64{
		uint64(c.Moment.Number), uint64(c.Moment.At), uint64(c.Version), c.Snapshot, uint64(c.At.At), uint64(c.At.ID),
	} {
		b = binary.BigEndian.AppendUint64(b, n)
	}
	return base64.RawURLEncoding.AppendEncode(text, b)
}

// ParseCursor reads a cursor of the given list. Anything else is [feed.CodeBadCursor].
func ParseCursor(s string, l List) (Cursor, error) {
	// Decoding ignores line breaks and stray bits. Encoding the result again detects them.
	b, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil || len(b) < 2 || base64.RawURLEncoding.EncodeToString(b) != s {
		return Cursor{}, feed.Errorf(feed.CodeBadCursor, "the cursor cannot be read; use one that this feed has returned")
	}
	if b[0] != cursorVersion {
		return Cursor{}, feed.Errorf(feed.CodeBadCursor, "the cursor has version %d; this server does not support it", b[0])
	}
	if List(b[1]) != l || len(b) != cursorSize {
		return Cursor{}, feed.Errorf(feed.CodeBadCursor, "the cursor belongs to another list")
	}
	c := Cursor{List: l, At: Position{State: State(b[2])}}
	c.Moment.Number, c.Moment.At = number(b[3:]), number(b[11:])
	c.Version, c.Snapshot = number(b[19:]), binary.BigEndian.Uint64(b[27:])
	c.At.At, c.At.ID = number(b[35:]), ID(number(b[43:]))
	if !c.inRange() {
		return Cursor{}, feed.Errorf(feed.CodeBadCursor, "the cursor is out of range")
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

func (c Cursor) inRange() bool {
	ok := c.At.State == Live || c.At.State == Upcoming || c.At.State == Replay
	isTime := func(t int64) bool { return t >= 0 && t <= feed.MaxTime }
	return ok && c.At.ID > 0 && c.Moment.Number >= 0 && c.Version >= 0 && isTime(c.Moment.At) && isTime(c.At.At)
}
