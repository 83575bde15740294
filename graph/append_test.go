package graph

import (
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
)

// Texts are written as the executor writes them, whatever bytes they are of, and behind what
// is there already.
func TestTextsAreAppendedAsTheExecutorWritesThem(t *testing.T) {
	piece := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
		`"`, `\`, "\n", "\t", "\r", "\x00", "\x1f", " ", "\x7f", "\x80", "\xff", "é", "\u2028", "<&>", "12345678", "123456789",
	}))
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(piece).Draw(t, "text"), "")
		var want strings.Builder
		graphql.MarshalString(text).MarshalGQL(&want)
		if got := string(appendString([]byte("before"), text)); got != "before"+want.String() {
			t.Fatalf("%q is written as %s, want %s", text, got, want.String())
		}
	})
}

// Times are RFC 3339 in UTC with three fraction digits, as package time formats them.
func TestTimesAreAppendedAsPackageTimeFormatsThem(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ms := rapid.Int64Range(-62_135_596_800_000, feed.MaxTime).Draw(t, "ms")
		want := time.UnixMilli(ms).UTC().Format(`"2006-01-02T15:04:05.000Z07:00"`)
		if got := string(appendDateTime(nil, ms)); got != want {
			t.Fatalf("%d is written as %s, want %s", ms, got, want)
		}
	})
}
