package redisstore

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/redis/go-redis/v9"
	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/internal/kit/hashslot"
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
		if diff := gocmp.Diff(slices.Compact(want), got); diff != "" {
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
	if diff := gocmp.Diff(want, in); diff != "" || err != nil {
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
		if diff := gocmp.Diff(want, decodeSnapshot(raw), cmpopts.EquateEmpty()); diff != "" {
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
	if diff := gocmp.Diff(want, got); diff != "" {
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
	if diff := gocmp.Diff([]int{0, 5000, 9000}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func anyKind() *rapid.Generator[keyspace] {
	return rapid.SampledFrom([]keyspace{homeInboxes, replayInboxes})
}

func TestKeys_ParseReturnsViewer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := feed.UserID(rapid.Int64Range(1, math.MaxInt64).Draw(t, "viewer"))
		kind := anyKind().Draw(t, "kind")
		if got, ok := kind.parse(kind.key(want)); got != want || !ok {
			t.Errorf("%q is read as of viewer %d, %v", kind.key(want), got, ok)
		}
	})
}

func TestKeys_OfManyEqualEach(t *testing.T) {
	viewers := []feed.UserID{1, 9223372036854775807, 42, 7}
	for _, space := range []keyspace{homeInboxes, replayInboxes, homeInboxes.of(2)} {
		var names []string
		for _, viewer := range viewers {
			names = append(names, space.key(viewer))
		}
		if got := space.keys(viewers); !slices.Equal(got, names) {
			t.Errorf("the names are %q, want %q", got, names)
		}
	}
}

func TestKeys_ParseRefusesOthers(t *testing.T) {
	for _, name := range []string{
		"", "{7}", "asynq:{default}:pending", "tideline:changes", "tideline:inbox:{7", "tideline:inbox:{}", "tideline:inbox:{ann}",
		"tideline:inbox:{07}", "tideline:inbox:{0}", "tideline:inbox:{-7}", "tideline:inbox:{9223372036854775808}",
		"tideline:replay-inbox:{7}", "tideline:live:{7}", "tideline:inbox:{7}:note", "tideline:inbox:{7}x", "tideline:inbox:{7}:",
		"tideline:inbox:7", "x:tideline:inbox:{7}",
	} {
		if viewer, ok := homeInboxes.parse(name); ok {
			t.Errorf("%q is read as of viewer %d", name, viewer)
		}
	}
}

func TestKeys_SpreadOverSlots(t *testing.T) {
	slots := map[int]bool{}
	for viewer := range feed.UserID(10000) {
		slots[hashslot.Of(homeInboxes.key(viewer+1))] = true
	}
	if len(slots) < 5000 {
		t.Errorf("10000 viewers are in %d slots", len(slots))
	}
}

func TestMember_SortsAsNumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.Int64Range(0, math.MaxInt64)
		a, b := live.ID(ids.Draw(t, "a")), live.ID(ids.Draw(t, "b"))
		if strings.Compare(member(a), member(b)) != cmp.Compare(a, b) || len(member(a)) != 20 {
			t.Errorf("%d and %d are %s and %s", a, b, member(a), member(b))
		}
	})
}

func TestPosition_RoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := position{
			master: rapid.SampledFrom([]string{"", "127.0.0.1:7001", "[::1]:7001", "redis/0.example:6379"}).Draw(t, "master"),
			scan:   rapid.Uint64().Draw(t, "scan"),
			after:  feed.UserID(rapid.Int64Range(0, math.MaxInt64).Draw(t, "after")),
		}
		if got, ok := parsePosition(want.String()); got != want || !ok {
			t.Errorf("%q is read as %+v, %v", want, got, ok)
		}
	})
}

func TestPosition_RefusesOtherText(t *testing.T) {
	for _, cursor := range []string{"", "7", "7/0", "x/0/", "0/x/", "-1/0/", "18446744073709551616/0/", "0/9223372036854775808/"} {
		if at, ok := parsePosition(cursor); ok {
			t.Errorf("%q is read as %+v", cursor, at)
		}
	}
}

func TestWalk_VisitsEveryMaster(t *testing.T) {
	all := nodes{{address: "a"}, {address: "b"}, {address: "c"}}
	for cursor, want := range map[string]struct {
		at    position
		index int
	}{
		"":         {position{master: "a"}, 0},
		"nonsense": {position{master: "a"}, 0},
		"5/0/gone": {position{master: "a"}, 0},
		"5/0/b":    {position{master: "b", scan: 5}, 1},
		"0/9/c":    {position{master: "c", after: 9}, 2},
	} {
		if at, i := all.resume(cursor); at != want.at || i != want.index {
			t.Errorf("%q resumes at %+v on master %d", cursor, at, i)
		}
	}
	for _, c := range []struct {
		at    position
		index int
		want  string
	}{
		{position{master: "a", scan: 5}, 0, "5/0/a"},
		{position{master: "c", after: 9}, 2, "0/9/c"},
		{position{master: "a"}, 0, "0/0/b"},
		{position{master: "c"}, 2, ""},
	} {
		if got := all.following(c.at, c.index); got != c.want {
			t.Errorf("%+v is followed by %q, not by %q", c.at, got, c.want)
		}
	}
}

func TestWalk_DividesLargeReplies(t *testing.T) {
	viewers := []feed.UserID{1, 3, 5, 7}
	for _, c := range []struct {
		after, first, last, next feed.UserID
		n                        int
	}{
		{after: 0, first: 1, last: 3, next: 3, n: 2},
		{after: 3, first: 5, last: 7, next: 0, n: 2},
		{after: 4, first: 5, last: 7, next: 0, n: 2}, // 3 has gone meanwhile
		{after: 5, first: 7, last: 7, next: 0, n: 1},
	} {
		got, next := cut(viewers, c.after, 2)
		if len(got) != c.n || got[0] != c.first || got[len(got)-1] != c.last || next != c.next {
			t.Errorf("after %d come %v and then those after %d", c.after, got, next)
		}
	}
	if got, next := cut(viewers, 7, 2); len(got) != 0 || next != 0 {
		t.Errorf("after the last come %v and then those after %d", got, next)
	}
}
