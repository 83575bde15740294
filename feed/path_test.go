package feed_test

import (
	"math"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

// Programs of the version before read a floor with one of the last ids as a date, and such a
// floor as lower than it is.
func TestPath_RoundsFloorsUp(t *testing.T) {
	last := int64(math.MaxInt64)
	dated := feed.Key{TS: 5, ID: last - 1_700_000_000}
	for name, c := range map[string]struct{ floor, want feed.Key }{
		"an ordinary floor":      {feed.Key{TS: 5, ID: 6}, feed.Key{TS: 5, ID: 6}},
		"no floor":               {feed.Bottom, feed.Bottom},
		"the last id as it is":   {feed.Key{TS: 5, ID: last - 1<<40 - 1}, feed.Key{TS: 5, ID: last - 1<<40 - 1}},
		"the first id of a date": {feed.Key{TS: 5, ID: last - 1<<40}, feed.Key{TS: 6}},
		"the floor of a date":    {dated, feed.Key{TS: 6}},
		"the last id there is":   {feed.Key{TS: 5, ID: last}, feed.Key{TS: 6}},
		"the bottom with a date": {feed.Key{ID: last - 9}, feed.Key{TS: 1}},
	} {
		path := feed.Path{Inbox: true, Floor: c.floor, Version: 3}
		text := feed.Cursor{Kind: feed.FeedHome, Key: feed.Key{TS: 9, ID: 9}, Path: path}.String()
		got, err := feed.ParseCursor(text, feed.FeedHome)
		if path.Floor = c.want; err != nil || got.Path != path {
			t.Errorf("%s is read as %+v (%v), want %+v", name, got.Path, err, path)
		}
	}
}
