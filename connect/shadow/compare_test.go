package shadow

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
)

// longest returns the length of the longest descending part, by trying all.
func longest(keys []feed.Key) int {
	best := 0
	for set := range 1 << len(keys) {
		last, n := feed.Top, 0
		for i, k := range keys {
			if set&(1<<i) == 0 {
				continue
			}
			if !last.Newer(k) {
				n = -1
				break
			}
			last, n = k, n+1
		}
		best = max(best, n)
	}
	return best
}

func TestDescending_IsLongest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var keys []feed.Key
		for _, ts := range rapid.SliceOfN(rapid.Int64Range(1, 9), 0, 9).Draw(t, "times") {
			keys = append(keys, feed.Key{TS: ts, ID: 1})
		}
		positions := descending(keys)
		if len(positions) != longest(keys) {
			t.Fatalf("of %v the longest part has %d, not %d", keys, longest(keys), len(positions))
		}
		for n, i := range positions {
			if n > 0 && (positions[n-1] >= i || !keys[positions[n-1]].Newer(keys[i])) {
				t.Fatalf("of %v the part %v is not descending", keys, positions)
			}
		}
	})
}

func TestZoneShift_TakesQuartersOfHours(t *testing.T) {
	const hour = 60 * 60 * 1000
	for d, want := range map[int64]bool{0: false, 1000: false, 2 * hour: true, -5*hour - hour/2: true, hour*23/4 + 900: true, hour + 5000: false, 30 * hour: false} {
		if zoneShift(d) != want {
			t.Errorf("a difference of %d ms is a time zone: %v", d, !want)
		}
	}
}
