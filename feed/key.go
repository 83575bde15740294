package feed

import (
	"cmp"
	"math"
	"time"
)

// MaxTime is the last publish time a content may carry, in milliseconds since the
// epoch: 9999-12-31T23:59:59.999Z, the end of RFC 3339 and well within the 2^53 up
// to which a Redis score is exact.
const MaxTime = 253402300799999

// Key is a position in feed order: a time in milliseconds since the epoch (0 …
// [MaxTime]) and the id that breaks ties. In lists of contents ID is a
// [PostID] and TS the publish time; in lists of users ID is a [UserID] and TS
// the time of the relation. Keys are compared as numbers, never as text.
type Key struct {
	TS int64
	ID int64
}

// Top is above every key and Bottom below every key: the open ends of a [Range].
var (
	Top    = Key{TS: math.MaxInt64, ID: math.MaxInt64}
	Bottom = Key{}
)

// Compare returns -1 when k is older than other, +1 when newer, 0 when equal.
func (k Key) Compare(other Key) int {
	if k.TS != other.TS {
		return cmp.Compare(k.TS, other.TS)
	}
	return cmp.Compare(k.ID, other.ID)
}

// Newer says whether k comes before other in feed order.
func (k Key) Newer(other Key) bool { return k.Compare(other) > 0 }

// Next returns the lowest key newer than k, so that an interval that excludes its
// ends can be made to hold k.
func (k Key) Next() Key {
	if k.ID == math.MaxInt64 {
		return Key{TS: k.TS + 1}
	}
	return Key{TS: k.TS, ID: k.ID + 1}
}

// Prev returns the highest key older than k; Bottom has none and returns itself.
func (k Key) Prev() Key {
	switch {
	case k == Bottom:
		return k
	case k.ID == 0:
		return Key{TS: k.TS - 1, ID: math.MaxInt64}
	}
	return Key{TS: k.TS, ID: k.ID - 1}
}

// Newest returns the newer of two keys.
func Newest(a, b Key) Key {
	if a.Newer(b) {
		return a
	}
	return b
}

// Range asks for at most Limit keys k with Above < k < Below: the newest of them,
// newest first, or, when Ascending, the oldest, oldest first.
type Range struct {
	// Above and Below are exclusive. The whole feed is (Bottom, Top).
	Above, Below Key
	// Limit is at least 1. Fewer keys than Limit means that the interval holds no
	// more.
	Limit int
	// Ascending turns the direction: away from Above, oldest first.
	Ascending bool
	// Kinds narrows to some kinds of content. Inboxes and lists of users do not
	// know kinds and ignore it.
	Kinds Kinds
}

// Empty says whether no key can lie in the range.
func (r Range) Empty() bool { return r.Above.Next().Compare(r.Below) >= 0 }

// After returns the part of the range that lies behind k in its direction.
func (r Range) After(k Key) Range {
	if r.Ascending {
		r.Above = k
	} else {
		r.Below = k
	}
	return r
}

// Holds says whether k lies in the range's interval.
func (r Range) Holds(k Key) bool { return k.Newer(r.Above) && r.Below.Newer(k) }

// Before says whether a comes before b in the range's direction.
func (r Range) Before(a, b Key) bool {
	if r.Ascending {
		return b.Newer(a)
	}
	return a.Newer(b)
}

// Millis returns t in milliseconds since the epoch, the unit of every time in this
// package.
func Millis(t time.Time) int64 { return t.UnixMilli() }
