package redisstore

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
)

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
