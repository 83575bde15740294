package redisstore

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
)

// slot computes a key's slot as the specification of Redis Cluster says: CRC16
// (XMODEM) of what stands in the first braces, or of the whole, modulo 16384.
func slot(key string) uint16 {
	if _, after, ok := strings.Cut(key, "{"); ok {
		if tag, _, ok := strings.Cut(after, "}"); ok && tag != "" {
			key = tag
		}
	}
	return crc16(key) % 16384
}

func TestSlotIsTheOneOfTheSpecification(t *testing.T) {
	if got := slot("123456789"); got != 0x31C3 {
		t.Fatalf("the slot of the specification's example is %#x", got)
	}
}

func anyKind() *rapid.Generator[keyspace] {
	return rapid.SampledFrom([]keyspace{homeInboxes, replayInboxes})
}

func TestHeaderAndEntriesOfAViewerAreInOneSlot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		viewer := feed.UserID(rapid.Int64Range(1, math.MaxInt64).Draw(t, "viewer"))
		keys := anyKind().Draw(t, "kind").keys(viewer)
		if slot(keys[0]) != slot(keys[1]) || keys[0] == keys[1] {
			t.Errorf("the keys %q are in the slots %d and %d", keys, slot(keys[0]), slot(keys[1]))
		}
	})
}

func TestTheNamesOfAnInboxSayWhoseTheyAre(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := feed.UserID(rapid.Int64Range(1, math.MaxInt64).Draw(t, "viewer"))
		kind := anyKind().Draw(t, "kind")
		for i, name := range kind.keys(want) {
			if got, header, ok := kind.parse(name); got != want || header != (i == 0) || !ok {
				t.Errorf("%q is read as of viewer %d, header %v, %v", name, got, header, ok)
			}
		}
	})
}

func TestOtherNamesAreNobodys(t *testing.T) {
	for _, name := range []string{
		"", "header", "asynq:{default}:pending", "tideline:evict", "tideline:inbox:{7:header",
		"tideline:inbox:{}:header", "tideline:inbox:{ann}:header", "tideline:inbox:{07}:header",
		"tideline:inbox:{0}:header", "tideline:inbox:{-7}:header", "tideline:inbox:{9223372036854775808}:header",
		"tideline:replay-inbox:{7}:header", "tideline:replay-inbox:{7}:entries", "tideline:live:{7}",
		"tideline:inbox:{7}:headers", "tideline:inbox:{7}", "tideline:inbox:{7}:", "x:tideline:inbox:{7}:header",
	} {
		if viewer, _, ok := homeInboxes.parse(name); ok {
			t.Errorf("%q is read as of viewer %d", name, viewer)
		}
	}
}

func TestViewersAreSpreadOverTheSlots(t *testing.T) {
	slots := map[uint16]bool{}
	for viewer := range feed.UserID(10000) {
		slots[slot(homeInboxes.keys(viewer + 1)[0])] = true
	}
	if len(slots) < 5000 {
		t.Errorf("10000 viewers are in %d slots", len(slots))
	}
}

func TestMembersInTextOrderAreIdsInNumericOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.Int64Range(0, math.MaxInt64)
		a, b := feed.Key{ID: ids.Draw(t, "a")}, feed.Key{ID: ids.Draw(t, "b")}
		if strings.Compare(member(a), member(b)) != a.Compare(b) || len(member(a)) != 20 {
			t.Errorf("%d and %d are %s and %s", a.ID, b.ID, member(a), member(b))
		}
	})
}

func TestBoundsOfARangeEncloseTheSameKeysInTimesARedisScoreHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		times := rapid.OneOf(rapid.Int64Range(0, math.MaxInt64), rapid.Int64Range(feed.MaxTime-1, feed.MaxTime+2))
		ids := rapid.Int64Range(0, math.MaxInt64)
		end := feed.Key{TS: times.Draw(t, "end"), ID: ids.Draw(t, "end's id")}
		k := feed.Key{TS: min(times.Draw(t, "time"), feed.MaxTime), ID: ids.Draw(t, "id")}
		got := bound(end)
		if got.Newer(k) != end.Newer(k) || k.Newer(got) != k.Newer(end) {
			t.Errorf("%v encloses other keys than %v", got, end)
		}
		if int64(float64(got.TS)) != got.TS {
			t.Errorf("%d is not exact as a score", got.TS)
		}
	})
}

func TestADamagedReplyIsAnErrorAndNotAnInbox(t *testing.T) {
	whole := []string{"ready", "token", "1", "2", "3", "4", "00000000000000000005", "1", "00000000000000000006", "7"}
	if _, err := parseInbox(whole); err != nil {
		t.Fatal(err)
	}
	for i := range whole {
		if i == 1 {
			continue
		}
		damaged := append([]string{}, whole...)
		damaged[i] = "?"
		if in, err := parseInbox(damaged); err == nil {
			t.Errorf("with field %d damaged the inbox is %+v", i, in)
		}
	}
	for _, n := range []int{1, 7, 9} {
		if in, err := parseInbox(whole[:n]); err == nil {
			t.Errorf("cut to %d fields the inbox is %+v", n, in)
		}
	}
}
