package capacity

import "math"

// SliceFor returns the number of inboxes per slice for a post with the given number of entries.
func (l Limits) SliceFor(entries float64) float64 {
	runs := int(math.Ceil(entries / float64(l.SliceSize)))
	return float64(l.SliceSize * max(1, min(l.LongSlice, runs/max(1, l.FewSlices))))
}

// perSlice returns the share of an entry's cost that is overhead of its slice, for slices of
// SliceSize inboxes. All statements are overhead, and about twenty of two thousand commands. The
// CPU shares come from ADR 13, where the slices of a publish to a million inboxes became four
// times as long. Worker, Redis and PostgreSQL took 0.81, 1.9 and 0.72 seconds before, and 0.51, 1.8
// and 0.39 after.
func perSlice() Cost {
	return Cost{Statements: 1, Commands: 0.01, Worker: 0.5, Redis: 0.07, Postgres: 0.6}
}

// left returns the cost of an entry in slices of size inboxes, relative to slices of minimum
// length.
func (l Limits) left(size float64) Cost {
	shorter := 1 - float64(l.SliceSize)/size
	return perSlice().with(Cost{}, func(part, _ float64) float64 { return 1 - shorter*part })
}

// worth converts the entries of one post into the equivalent number of entries in minimum-length
// slices.
func (l Limits) worth(entries float64) Cost { return l.left(l.SliceFor(entries)).Times(entries) }
