package redisstore

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/redis/go-redis/v9"
	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
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

func TestSnapshotEncoding_RoundTrip(t *testing.T) {
	positive := rapid.Int64Range(1, math.MaxInt64)
	entry := rapid.Custom(func(t *rapid.T) live.Entry {
		return live.Entry{Host: feed.UserID(positive.Draw(t, "host")), Position: live.Position{
			State: rapid.SampledFrom([]live.State{live.Live, live.Upcoming}).Draw(t, "state"),
			At:    rapid.Int64Range(0, feed.MaxTime).Draw(t, "at"),
			ID:    live.ID(positive.Draw(t, "id")),
		}}
	})
	rapid.Check(t, func(t *rapid.T) {
		want := &live.Snapshot{
			Number: positive.Draw(t, "number"), Version: positive.Draw(t, "version"),
			Open: rapid.SliceOfN(entry, 0, 10).Draw(t, "open"),
		}
		raw := encodeSnapshot(*want)
		if diff := cmp.Diff(want, decodeSnapshot(raw), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("it is read as another one (-want +got):\n%s", diff)
		}
		for n := range raw {
			if got := decodeSnapshot(raw[:n]); got != nil {
				t.Errorf("%d of its %d bytes are read as %+v", n, len(raw), got)
			}
		}
	})
}

// The bytes are promised to processes of other versions: a change here needs a new
// version.
func TestSnapshotEncoding_StoredForm(t *testing.T) {
	got := encodeSnapshot(live.Snapshot{Number: 300, Version: 2, Open: []live.Entry{
		{Host: 7, Position: live.Position{State: live.Live, At: 60, ID: 5}},
		{Host: 8, Position: live.Position{State: live.Upcoming, At: 50, ID: 6}},
	}})
	want := []byte{1, 0xac, 2, 2, 2, 1, 120, 5, 7, 2, 19, 6, 8}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the bytes are others (-want +got):\n%s", diff)
	}
}

func TestLowestSlots_NameMasters(t *testing.T) {
	of := func(master string) []redis.ClusterNode { return []redis.ClusterNode{{ID: master}, {ID: "a replica"}} }
	got := lowestSlots([]redis.ClusterSlot{
		{Start: 12000, End: 16383, Nodes: of("c")},
		{Start: 9000, End: 11999, Nodes: of("a")},
		{Start: 5000, End: 5999, Nodes: of("b")},
		{Start: 6000, End: 8999},
		{Start: 0, End: 4999, Nodes: of("c")},
		{Start: 8000, End: 8999, Nodes: of("b")},
	})
	if diff := cmp.Diff([]int{0, 5000, 9000}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
