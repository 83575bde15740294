package redisstore

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
)

func TestEvictionMessage_RoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		posts := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) feed.PostID {
			return feed.PostID(rapid.Int64Range(1, math.MaxInt64).Draw(t, "post"))
		}), 0, 30).Draw(t, "posts")
		users := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) feed.UserID {
			return feed.UserID(rapid.Int64Range(1, math.MaxInt64).Draw(t, "user"))
		}), 0, 30).Draw(t, "users")
		most := rapid.IntRange(1, 40).Draw(t, "ids in a message")

		var got eviction
		for part := range (eviction{posts: posts, users: users}).parts(most) {
			if n := part.size(); n == 0 || n > most {
				t.Errorf("a message has %d ids, at most %d are allowed", n, most)
			}
			ev, from, err := decodeEviction(string(part.encode("me")))
			if err != nil || from != "me" {
				t.Fatalf("decoded from %q: %v", from, err)
			}
			got.posts, got.users = append(got.posts, ev.posts...), append(got.users, ev.users...)
		}
		if !slices.Equal(got.posts, posts) || !slices.Equal(got.users, users) {
			t.Errorf("%v and %v arrived as %v and %v", posts, users, got.posts, got.users)
		}
	})
}

func TestEvictionMessage_UnknownIsError(t *testing.T) {
	for _, text := range []string{
		"", "nonsense", "null", "[]", "{}", `{"v":0,"posts":[1]}`, `{"v":2,"posts":[1]}`, `{"v":2,"posts":"all"}`,
		`{"v":"1","posts":[1]}`, `{"v":1,"posts":["1"]}`, `{"v":1,"posts":[1.5]}`, `{"v":1,"posts":[9223372036854775808]}`,
	} {
		if ev, _, err := decodeEviction(text); err == nil {
			t.Errorf("%q was read as %+v", text, ev)
		}
	}
}

func TestEvictionMessage_IgnoresUnknownFields(t *testing.T) {
	ev, from, err := decodeEviction(`{"v":1,"from":"you","posts":[7],"why":"an edit"}`)
	if err != nil || from != "you" || !slices.Equal(ev.posts, []feed.PostID{7}) {
		t.Errorf("read as %+v from %q: %v", ev, from, err)
	}
}
