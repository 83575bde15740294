package model_test

import (
	"bytes"
	"math"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/graph/model"
)

func render(m graphql.Marshaler) string {
	var b bytes.Buffer
	m.MarshalGQL(&b)
	return b.String()
}

func TestDateTime_ReadsAnyOffsetAndPrecision(t *testing.T) {
	for s, want := range map[string]int64{
		"2026-05-04T12:30:00.250Z":       1777897800250,
		"2026-05-04T12:30:00Z":           1777897800000,
		"2026-05-04T14:30:00.25+02:00":   1777897800250,
		"2026-05-04T12:30:00.250999999Z": 1777897800250,
		"9999-12-31T23:59:59.999Z":       feed.MaxTime,
	} {
		if got, err := model.UnmarshalDateTime(s); err != nil || got != want {
			t.Errorf("%s is read as %d, %v, want %d", s, got, err, want)
		}
	}
}

func TestDateTime_RejectsOtherTexts(t *testing.T) {
	for _, v := range []any{
		"", "yesterday", "2026-05-04", "2026-05-04T12:30:00", "2026-05-04 12:30:00Z", "2026-02-30T00:00:00Z",
		"1969-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999-01:00", int64(5), nil, true,
	} {
		if ms, err := model.UnmarshalDateTime(v); feed.CodeOf(err) != feed.CodeBadInput {
			t.Errorf("%v is read as %d, %v", v, ms, err)
		}
	}
}

func TestDateTime_RoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ms := rapid.Int64Range(0, feed.MaxTime).Draw(t, "ms")
		text := render(model.MarshalDateTime(ms))
		if got, err := model.UnmarshalDateTime(text[1 : len(text)-1]); err != nil || got != ms {
			t.Fatalf("%d shows as %s and is read as %d, %v", ms, text, got, err)
		}
	})
}

// An Int has 32 bits, a counter 64.
func TestCount_SaturatesAtMaxInt(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 7: "7", math.MaxInt32: "2147483647", math.MaxInt32 + 1: "2147483647", math.MaxInt64: "2147483647"} {
		if got := render(model.MarshalCount(n)); got != want {
			t.Errorf("%d shows as %s, want %s", n, got, want)
		}
	}
}

func TestDatabaseID_IsText(t *testing.T) {
	if got := render(model.MarshalPostDatabaseID(feed.PublicPostID{Number: math.MaxInt64})); got != `"9223372036854775807"` {
		t.Errorf("the largest post id shows as %s", got)
	}
	if got := render(model.MarshalUserDatabaseID(feed.PublicUserID{Number: 1})); got != `"1"` {
		t.Errorf("user 1 shows as %s", got)
	}
	id := feed.PublicPostID{Number: 1, External: "a\"\\<é"}
	const want = `"a\"\\<é"`
	if got, appended := render(model.MarshalPostDatabaseID(id)), string(model.AppendPostDatabaseID(nil, id)); got != want || appended != want {
		t.Errorf("an external id shows as %s, and on a page as %s, want %s", got, appended, want)
	}
}

func TestAppendDateTime_FormatsAsPackageTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ms := rapid.Int64Range(-62_135_596_800_000, feed.MaxTime).Draw(t, "ms")
		want := time.UnixMilli(ms).UTC().Format(`"2006-01-02T15:04:05.000Z07:00"`)
		if got := string(model.AppendDateTime(nil, ms)); got != want {
			t.Fatalf("%d is %s, want %s", ms, got, want)
		}
	})
}
