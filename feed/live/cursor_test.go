package live

import (
	"encoding/base64"
	"testing"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
)

func drawnCursor(t *rapid.T) cursor {
	any64 := rapid.Int64Range(0, 1<<63-1)
	return cursor{
		list:     rapid.SampledFrom([]list{listFeed, listHost}).Draw(t, "list"),
		moment:   Moment{Number: any64.Draw(t, "number"), At: rapid.Int64Range(0, feed.MaxTime).Draw(t, "moment")},
		version:  any64.Draw(t, "version"),
		snapshot: rapid.Uint64().Draw(t, "snapshot"),
		at: Position{
			State: rapid.SampledFrom([]State{Live, Upcoming, Replay}).Draw(t, "state"),
			At:    rapid.Int64Range(0, feed.MaxTime).Draw(t, "time"),
			ID:    ID(rapid.Int64Range(1, 1<<63-1).Draw(t, "id")),
		},
	}
}

func TestCursor_RoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawnCursor(t)
		got, err := parseCursor(want.String(), want.list)
		if err != nil || got != want {
			t.Fatalf("%+v is read as %+v, %v", want, got, err)
		}
	})
}

func TestParseCursor_RejectsBadCursors(t *testing.T) {
	good := cursor{list: listFeed, moment: Moment{Number: 1, At: noon}, version: 1, snapshot: 1, at: Position{Live, noon, 7}}
	with := func(do func(*cursor)) string {
		c := good
		do(&c)
		return c.String()
	}
	raw, _ := base64.RawURLEncoding.DecodeString(good.String())
	otherVersion := append([]byte{9}, raw[1:]...)
	for name, text := range map[string]string{
		"no cursor":              "what is this",
		"padded":                 good.String() + "=",
		"with a line break":      good.String() + "\n",
		"cut short":              good.String()[:40],
		"too long":               base64.RawURLEncoding.EncodeToString(append(raw, 0)),
		"of another version":     base64.RawURLEncoding.EncodeToString(otherVersion),
		"of another list":        with(func(c *cursor) { c.list = listHost }),
		"of a home feed":         feed.Cursor{Kind: feed.FeedHome, Key: feed.Key{TS: 1, ID: 1}}.String(),
		"without an id":          with(func(c *cursor) { c.at.ID = 0 }),
		"with an id below zero":  with(func(c *cursor) { c.at.ID = -1 }),
		"in no state":            with(func(c *cursor) { c.at.State = 0 }),
		"of what was cancelled":  with(func(c *cursor) { c.at.State = Cancelled }),
		"before the epoch":       with(func(c *cursor) { c.at.At = -1 }),
		"after the end of time":  with(func(c *cursor) { c.moment.At = feed.MaxTime + 1 }),
		"as of less than none":   with(func(c *cursor) { c.moment.Number = -1 }),
		"of a version below 0":   with(func(c *cursor) { c.version = -1 }),
		"of two bytes":           base64.RawURLEncoding.EncodeToString(raw[:2]),
		"of one byte, of course": base64.RawURLEncoding.EncodeToString(raw[:1]),
	} {
		if c, err := parseCursor(text, listFeed); feed.CodeOf(err) != feed.CodeBadCursor {
			t.Errorf("%s: read as %+v, %v", name, c, err)
		}
	}
	if _, err := feed.ParseCursor(good.String(), feed.FeedHome); feed.CodeOf(err) != feed.CodeBadCursor {
		t.Errorf("a home feed takes a live feed's cursor: %v", err)
	}
}

func FuzzCursor(f *testing.F) {
	f.Add(cursor{list: listFeed, moment: Moment{Number: 1, At: noon}, version: 1, snapshot: 1, at: Position{Live, noon, 7}}.String())
	f.Add("")
	f.Add("AQEB")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := parseCursor(text, listFeed)
		switch {
		case err == nil && c.String() != text:
			t.Errorf("%q is read as %+v, which is written %q", text, c, c)
		case err != nil && feed.CodeOf(err) != feed.CodeBadCursor:
			t.Errorf("%q: %v", text, err)
		}
	})
}
