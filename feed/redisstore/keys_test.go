package redisstore

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/internal/hashslot"
)

func anyKind() *rapid.Generator[keyspace] {
	return rapid.SampledFrom([]keyspace{homeInboxes, replayInboxes})
}

func TestKeys_OfInboxAreInOneSlot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		viewer := feed.UserID(rapid.Int64Range(1, math.MaxInt64).Draw(t, "viewer"))
		names := anyKind().Draw(t, "kind").all(viewer)
		if hashslot.Of(names[0]) != hashslot.Of(names[1]) || hashslot.Of(names[0]) != hashslot.Of(names[2]) {
			t.Errorf("the names %q are in the slots %d, %d and %d", names, hashslot.Of(names[0]), hashslot.Of(names[1]), hashslot.Of(names[2]))
		}
	})
}

func TestKeys_ParseReturnsViewer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := feed.UserID(rapid.Int64Range(1, math.MaxInt64).Draw(t, "viewer"))
		kind := anyKind().Draw(t, "kind")
		for _, name := range kind.all(want) {
			if got, ok := kind.parse(name); got != want || !ok {
				t.Errorf("%q is read as of viewer %d, %v", name, got, ok)
			}
		}
	})
}

func TestKeys_OfManyEqualEach(t *testing.T) {
	viewers := []feed.UserID{1, 9223372036854775807, 42, 7}
	for _, space := range []keyspace{homeInboxes, replayInboxes, homeInboxes.of(2)} {
		var names, all []string
		for _, viewer := range viewers {
			names, all = append(names, space.key(viewer)), append(all, space.all(viewer)...)
		}
		if got := space.keys(viewers); !slices.Equal(got, names) {
			t.Errorf("the names are %q, want %q", got, names)
		}
		if got := space.allOf(viewers); !slices.Equal(got, all) {
			t.Errorf("all names are %q, want %q", got, all)
		}
	}
}

func TestKeys_ParseRefusesOthers(t *testing.T) {
	for _, name := range []string{
		"", "header", "asynq:{default}:pending", "tideline:changes", "tideline:inbox:{7:header",
		"tideline:inbox:{}:header", "tideline:inbox:{ann}:header", "tideline:inbox:{07}:header",
		"tideline:inbox:{0}:header", "tideline:inbox:{-7}:header", "tideline:inbox:{9223372036854775808}:header",
		"tideline:replay-inbox:{7}:header", "tideline:replay-inbox:{7}:entries", "tideline:live:{7}",
		"tideline:inbox:{7}:headers", "tideline:inbox:{7}x", "tideline:inbox:{7}:", "tideline:inbox:7", "tideline:inbox:{07}", "x:tideline:inbox:{7}:header",
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
