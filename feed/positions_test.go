package feed_test

import (
	"math"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
)

func TestParseAtLeast_RefusesOtherTexts(t *testing.T) {
	token := feed.CommitPlace{Epoch: 7, Number: 9}.String()
	for _, text := range []string{
		"", "x", token + ",", token[1:], token + "A", token + "\n" + token, "orders/0", "orders/0:", "/0:1", "orders/0:-1", "orders/0:1x",
		"orders/0:1-", "orders/0:1/", "orders/0:1/G", "orders/0:1/100000000", "orders/0:99999999999999999999", "orders:1", strings.Repeat(token+",", 16) + token,
		feed.SyncToken{Viewer: 1}.String(), feed.Cursor{Kind: feed.FeedHome, Key: feed.Key{TS: 1, ID: 1}}.String(),
	} {
		if need, err := feed.ParseAtLeast(text); feed.CodeOf(err) != feed.CodeBadInput {
			t.Errorf("%q is read as %+v, %v", text, need, err)
		}
	}
	need, err := feed.ParseAtLeast(token + " , a/b/c:d:1-2")
	if err != nil || need.Commits[0] != (feed.CommitPlace{Epoch: 7, Number: 9}) ||
		need.Sources[0] != (feed.SourcePosition{Source: "a", Partition: "b/c:d", Position: "1-2"}) {
		t.Errorf("got %+v, %v", need, err)
	}
	need, err = feed.ParseAtLeast("mirror/0:1A/16B3748")
	if err != nil || need.Sources[0].Position != "111692953416" {
		t.Errorf("an LSN is read as %+v, %v", need, err)
	}
}

func TestSourcePosition_ReachedByPositionWithMoreNumbers(t *testing.T) {
	for position, want := range map[string]bool{"17-3": true, "18-0": true, "17": true, "16-9": false, "x": false} {
		fixture.Is(t, "17 is reached by "+position, (feed.SourcePosition{Position: "17"}).ReachedBy(position), want)
	}
	if (feed.SourcePosition{Position: "17-3"}).ReachedBy("17") {
		t.Error("17-3 is reached by 17")
	}
}

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
