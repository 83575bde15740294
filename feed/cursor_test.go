package feed

import (
	"encoding/base64"
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestACursorComesBackAsItWas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := Cursor{
			Kind:      FeedKind(rapid.IntRange(1, 5).Draw(t, "kind")),
			Key:       Key{TS: rapid.Int64Range(0, MaxTime).Draw(t, "ts"), ID: rapid.Int64Range(1, math.MaxInt64).Draw(t, "id")},
			Reference: rapid.Bool().Draw(t, "reference"),
		}
		got, err := ParseCursor(c.String(), c.Kind)
		if err != nil || got != c {
			t.Fatalf("%+v comes back as %+v, %v", c, got, err)
		}
	})
}

// The text of cursors is kept by clients across upgrades, so it may not change.
func TestTheTextOfACursorIsStable(t *testing.T) {
	c := Cursor{Kind: FeedHome, Key: Key{TS: 1689087991000, ID: 25218}}
	if got, want := c.String(), "AQEAAAABiUV9XNgAAAAAAABigg"; got != want {
		t.Errorf("the cursor is %q, want %q", got, want)
	}
}

func TestABadCursorIsRefused(t *testing.T) {
	good := Cursor{Kind: FeedHome, Key: Key{TS: 5, ID: 7}}.String()
	raw, _ := base64.RawURLEncoding.DecodeString(good)
	change := func(at int, b byte) string {
		c := append([]byte(nil), raw...)
		c[at] = b
		return base64.RawURLEncoding.EncodeToString(c)
	}
	for name, text := range map[string]string{
		"not base64":       "???",
		"too short":        good[:10],
		"too long":         good + "AAAA",
		"line break":       good[:5] + "\n" + good[5:],
		"padded":           good + "==",
		"stray bits":       good[:len(good)-1] + "_",
		"other version":    change(0, 9),
		"other list":       change(1, byte(FeedOutbox)),
		"unknown flag":     change(2, 0x80),
		"time off range":   change(3, 0x7f),
		"id off range":     change(11, 0xff),
		"id of no one":     change(18, 0),
		"another alphabet": "+/+/",
	} {
		if _, err := ParseCursor(text, FeedHome); CodeOf(err) != CodeBadCursor {
			t.Errorf("%s: got %v, want BAD_CURSOR", name, err)
		}
	}
}

func FuzzParseCursor(f *testing.F) {
	f.Add(Cursor{Kind: FeedHome, Key: Key{TS: 5, ID: 7}}.String())
	f.Add("")
	f.Fuzz(func(t *testing.T, s string) {
		c, err := ParseCursor(s, FeedHome)
		if err != nil {
			if CodeOf(err) != CodeBadCursor {
				t.Fatalf("%q fails with %v", s, err)
			}
			return
		}
		if got := c.String(); got != s {
			t.Fatalf("%q and %q are the same position", s, got)
		}
	})
}
