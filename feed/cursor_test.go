package feed_test

import (
	"encoding/base64"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
)

func TestCursor_RoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kind := feed.FeedKind(rapid.IntRange(int(feed.FeedHome), int(feed.FeedSearch)).Draw(t, "kind"))
		last := int64(feed.MaxTime)
		if kind == feed.FeedSearch {
			last = feed.WordPlace("") // the last place
		}
		c := feed.Cursor{
			Kind: kind,
			Key:  feed.Key{TS: rapid.Int64Range(0, last).Draw(t, "ts"), ID: rapid.Int64Range(1, math.MaxInt64).Draw(t, "id")},
		}
		if kind == feed.FeedHome {
			c.Path = drawPath(t)
		}
		got, err := feed.ParseCursor(c.String(), c.Kind)
		if err != nil || got != c {
			t.Fatalf("%+v comes back as %+v, %v", c, got, err)
		}
	})
}

func TestSortKey_HasFeedOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		drawn := func(name string) feed.Key {
			return feed.Key{TS: rapid.OneOf(rapid.Int64Range(0, 2), rapid.Int64Range(0, feed.MaxTime)).Draw(t, name), ID: rapid.Int64Range(1, math.MaxInt64).Draw(t, name+" id")}
		}
		a, b := drawn("a"), drawn("b")
		keyOf := func(k feed.Key) string {
			return feed.SortKey(feed.Cursor{Kind: feed.FeedHome, Key: k, Path: drawPath(t)}.String())
		}
		x, y := keyOf(a), keyOf(b)
		if got, want := strings.Compare(x, y), -a.Compare(b); got != want || len(x) != len(y) {
			t.Fatalf("%+v and %+v have the keys %s and %s", a, b, x, y)
		}
	})
	for _, other := range []string{"", "AQ", "what is this"} {
		if key := feed.SortKey(other); key != "" {
			t.Errorf("the key of %q is %q", other, key)
		}
	}
}

// drawPath draws any path that there can be.
func drawPath(t *rapid.T) feed.Path {
	natural := rapid.Int64Range(0, math.MaxInt64)
	switch rapid.IntRange(0, 3).Draw(t, "path") {
	case 0:
		return feed.Path{}
	case 1:
		return feed.Path{Reference: true}
	case 2:
		return feed.Path{Reference: true, Leaves: true, Seen: rapid.Uint64().Draw(t, "seen")}
	}
	return feed.Path{
		Inbox: true,
		// The last ids are rounded up: TestPath_RoundsFloorsUp.
		Floor:   feed.Key{TS: rapid.Int64Range(0, feed.MaxTime).Draw(t, "floor"), ID: rapid.Int64Range(0, math.MaxInt64-1<<41).Draw(t, "floor id")},
		Version: natural.Draw(t, "version"),
		Cold:    rapid.Bool().Draw(t, "cold"),
		Pending: rapid.Bool().Draw(t, "pending"),
	}
}

// The text of cursors is kept by clients across upgrades, so it may not change.
func TestCursor_TextIsStable(t *testing.T) {
	key := feed.Key{TS: 1689087991000, ID: 25218}
	for want, path := range map[string]feed.Path{
		"AQEAAAABiUV9XNgAAAAAAABigg":           {},
		"AQEBAAABiUV9XNgAAAAAAABigg":           {Reference: true},
		"AQEFAAABiUV9XNgAAAAAAABiggAAAAAAAAAJ": {Reference: true, Leaves: true, Seen: 9},
		"AQEKAAABiUV9XNgAAAAAAABiggAAAAAAAAAFAAAAAAAAAAYAAAAAAAAABw": {
			Inbox: true, Floor: feed.Key{TS: 5, ID: 6}, Version: 7, Cold: true,
		},
	} {
		c := feed.Cursor{Kind: feed.FeedHome, Key: key, Path: path}
		if got := c.String(); got != want {
			t.Errorf("the cursor of %+v is %q, want %q", path, got, want)
		}
	}
}

func TestParseCursor_RejectsBadCursors(t *testing.T) {
	// Bits of the third byte.
	const cold, leaves, inbox = 1 << 1, 1 << 2, 1 << 3
	good := feed.Cursor{Kind: feed.FeedHome, Key: feed.Key{TS: 5, ID: 7}}.String()
	raw, _ := base64.RawURLEncoding.DecodeString(good)
	change := func(at int, b byte) string {
		c := append([]byte(nil), raw...)
		c[at] = b
		return base64.RawURLEncoding.EncodeToString(c)
	}
	for name, text := range map[string]string{
		"not base64":               "???",
		"too short":                good[:10],
		"too long":                 good + "AAAA",
		"line break":               good[:5] + "\n" + good[5:],
		"padded":                   good + "==",
		"stray bits":               good[:len(good)-1] + "_",
		"other version":            change(0, 9),
		"other list":               change(1, byte(feed.FeedOutbox)),
		"unknown flag":             change(2, 0x80),
		"time off range":           change(3, 0x7f),
		"id off range":             change(11, 0xff),
		"id of no one":             change(18, 0),
		"path missing":             change(2, inbox),
		"cold without inbox":       change(2, cold),
		"leaves what it is not on": change(2, leaves),
		"another alphabet":         "+/+/",
	} {
		if _, err := feed.ParseCursor(text, feed.FeedHome); feed.CodeOf(err) != feed.CodeBadCursor {
			t.Errorf("%s: got %v, want BAD_CURSOR", name, err)
		}
	}
}

func TestParseCursor_RejectsBadPaths(t *testing.T) {
	for name, c := range map[string]feed.Cursor{
		"floor before time":     {Kind: feed.FeedHome, Path: feed.Path{Inbox: true, Floor: feed.Key{TS: -1}}},
		"floor after all times": {Kind: feed.FeedHome, Path: feed.Path{Inbox: true, Floor: feed.Key{TS: feed.MaxTime + 1}}},
		"floor id below none":   {Kind: feed.FeedHome, Path: feed.Path{Inbox: true, Floor: feed.Key{ID: -1}}},
		"version below none":    {Kind: feed.FeedHome, Path: feed.Path{Inbox: true, Version: -1}},
		"in an outbox":          {Kind: feed.FeedOutbox, Path: feed.Path{Inbox: true}},
		"reference elsewhere":   {Kind: feed.FeedOutbox, Path: feed.Path{Reference: true}},
	} {
		c.Key = feed.Key{TS: 5, ID: 7}
		if _, err := feed.ParseCursor(c.String(), c.Kind); feed.CodeOf(err) != feed.CodeBadCursor {
			t.Errorf("%s: got %v, want BAD_CURSOR", name, err)
		}
	}
}

func FuzzParseCursor(f *testing.F) {
	f.Add(feed.Cursor{Kind: feed.FeedHome, Key: feed.Key{TS: 5, ID: 7}}.String())
	f.Add("")
	f.Fuzz(func(t *testing.T, s string) {
		c, err := feed.ParseCursor(s, feed.FeedHome)
		if err != nil {
			if feed.CodeOf(err) != feed.CodeBadCursor {
				t.Fatalf("%q fails with %v", s, err)
			}
			return
		}
		if got := c.String(); got != s {
			t.Fatalf("%q and %q are the same position", s, got)
		}
	})
}
