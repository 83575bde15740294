package redisstore

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
)

// anyKey draws keys that contents may have, many of them at the ends of what fits.
func anyKey() *rapid.Generator[feed.Key] {
	return rapid.Custom(func(t *rapid.T) feed.Key {
		return feed.Key{
			TS: rapid.OneOf(rapid.Int64Range(0, feed.MaxTime), rapid.Int64Range(feed.MaxTime-2, feed.MaxTime)).Draw(t, "time"),
			ID: rapid.OneOf(rapid.Int64Min(0), rapid.Int64Range(math.MaxInt64-2, math.MaxInt64)).Draw(t, "id"),
		}
	})
}

func TestRecords_SortAsKeys(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyKey().Draw(t, "a"), anyKey().Draw(t, "b")
		if got := strings.Compare(record(a), record(b)); got != a.Compare(b) || len(record(a)) != recordWidth {
			t.Errorf("the records of %v and %v compare as %d", a, b, got)
		}
	})
}

func TestRecords_RoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOf(anyKey()).Draw(t, "keys")
		got, err := parseRecords(records(keys))
		if err != nil {
			t.Fatal(err)
		}
		want := append([]feed.Key{}, keys...)
		slices.SortFunc(want, feed.Key.Compare)
		if diff := cmp.Diff(slices.Compact(want), got); diff != "" {
			t.Error(diff)
		}
	})
}

func TestRecords_BoundsEncloseSameKeys(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		times := rapid.OneOf(rapid.Int64Min(0), rapid.Int64Range(feed.MaxTime-1, feed.MaxTime+2))
		end := feed.Key{TS: times.Draw(t, "end"), ID: rapid.Int64Min(0).Draw(t, "end's id")}
		k := anyKey().Draw(t, "key")
		if end.Newer(k) != (record(end) > record(k)) || k.Newer(end) != (record(k) > record(end)) {
			t.Errorf("%v encloses other keys than its record", end)
		}
	})
}

func TestRead_DamagedReplyIsError(t *testing.T) {
	whole, err := newInbox(feed.BuildHeader{Token: "token", Generation: math.MaxInt64, StartedAt: 7})
	if err != nil {
		t.Fatal(err)
	}
	head, floor := whole[:headWidth], whole[headWidth:]
	in, err := scriptReader{}.parse([]any{head, int64(1), floor + record(feed.Key{TS: 3, ID: 4})}, 5, feed.Range{})
	want := feed.Inbox{
		State: feed.InboxBuilding, Token: "token", Generation: math.MaxInt64, Count: 1, Keys: []feed.Key{{TS: 3, ID: 4}},
	}
	if diff := cmp.Diff(want, in); diff != "" || err != nil {
		t.Fatal(diff, err)
	}
	for name, reply := range map[string][]any{
		"no state":         {"?" + head[1:], int64(0), floor},
		"no generation":    {head[:2] + "?" + head[3:], int64(0), floor},
		"a short head":     {head[1:], int64(0), floor},
		"no number":        {head, "0", floor},
		"no floor":         {head, int64(0), ""},
		"half a record":    {head, int64(0), floor + "half"},
		"too few values":   {head, int64(0)},
		"too many values":  {head, int64(0), floor, ""},
		"numbers for text": {int64(0), int64(0), int64(0)},
	} {
		if in, err := (scriptReader{}).parse(reply, 5, feed.Range{}); err == nil {
			t.Errorf("%s: the inbox is %+v", name, in)
		}
	}
}
