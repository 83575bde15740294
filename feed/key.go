package feed

import (
	"cmp"
	"math"
	"time"
)

// MaxTime is 9999-12-31T23:59:59.999Z, the end of RFC 3339. Redis scores are exact up to 2^53.
const MaxTime = 253402300799999

// Key is a position in feed order: the time of a post or relation in milliseconds (0 … [MaxTime]),
// and the id of the post or user, which breaks ties.
type Key struct {
	TS int64
	ID int64
}

// Top is above every key and Bottom below every key. They are the open ends of a [Range].
var (
	Top    = Key{TS: math.MaxInt64, ID: math.MaxInt64}
	Bottom = Key{}
)

// Compare returns -1 if k is older than other, +1 if newer, 0 if equal.
func (k Key) Compare(other Key) int {
	if k.TS != other.TS {
		return cmp.Compare(k.TS, other.TS)
	}
	return cmp.Compare(k.ID, other.ID)
}

// Newer reports whether k comes before other in feed order.
func (k Key) Newer(other Key) bool { return k.Compare(other) > 0 }

// Next returns the lowest key newer than k.
func (k Key) Next() Key {
	if k.ID == math.MaxInt64 {
		return Key{TS: k.TS + 1}
	}
	return Key{TS: k.TS, ID: k.ID + 1}
}

// Prev returns the highest key older than k, and Bottom for Bottom.
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

// Range asks for at most Limit keys between Above and Below, both exclusive, newest first.
type Range struct {
	Above, Below Key
	// Limit is at least 1. A result shorter than Limit means that the range holds no more.
	Limit int
	// Ascending reads upwards from Above, oldest first.
	Ascending bool
	// Filter limits the result to posts that pass. Inboxes and lists of users ignore it.
	Filter Filter
}

// Empty reports whether no key can lie in the range.
func (r Range) Empty() bool { return r.Above.Next().Compare(r.Below) >= 0 }

// After returns the part of the range that comes after k in its direction.
func (r Range) After(k Key) Range {
	if r.Ascending {
		r.Above = k
	} else {
		r.Below = k
	}
	return r
}

// Holds reports whether k lies in the range.
func (r Range) Holds(k Key) bool { return k.Newer(r.Above) && r.Below.Newer(k) }

// Before reports whether a comes before b in the range's direction.
func (r Range) Before(a, b Key) bool {
	if r.Ascending {
		return b.Newer(a)
	}
	return a.Newer(b)
}

// Millis returns t in milliseconds since the epoch, the unit of all times in this package.
func Millis(t time.Time) int64 { return t.UnixMilli() }
