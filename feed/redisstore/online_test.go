package redisstore_test

import (
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

func TestOnlineUsers(t *testing.T) {
	for name, start := range map[string]func(t *testing.T) *redisstore.Client{
		"redis":    func(t *testing.T) *redisstore.Client { return open(t, testenv.Redis(t)) },
		"embedded": func(t *testing.T) *redisstore.Client { return open(t, embedded(t).URL()) },
	} {
		t.Run(name, func(t *testing.T) { testOnlineUsers(t, start(t)) })
	}
}

func testOnlineUsers(t *testing.T, c *redisstore.Client) {
	clock := feedtest.NewClock()
	// Two processes share the users.
	one := redisstore.NewOnlineUsers(c, clock.Now, 3, time.Minute)
	other := redisstore.NewOnlineUsers(c, clock.Now, 3, time.Minute)
	wants := func(what string, want feed.Online) {
		t.Helper()
		got, err := other.Online(t.Context())
		must(t, err)
		if diff := gocmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	set := func(connected, seen []feed.UserID) {
		t.Helper()
		clock.Advance(time.Second)
		must(t, one.SetOnline(t.Context(), feed.Online{Connected: connected, Seen: seen}))
	}
	wants("nobody", feed.Online{})
	set(nil, nil)
	wants("still nobody", feed.Online{})
	set([]feed.UserID{1}, []feed.UserID{7})
	set([]feed.UserID{2}, nil)
	wants("the latest first", feed.Online{Connected: []feed.UserID{2, 1}, Seen: []feed.UserID{7}})
	set([]feed.UserID{1}, nil)
	wants("one of them again", feed.Online{Connected: []feed.UserID{1, 2}, Seen: []feed.UserID{7}})
	set([]feed.UserID{3}, nil)
	set([]feed.UserID{4}, nil)
	wants("the latest of too many", feed.Online{Connected: []feed.UserID{4, 3, 1}, Seen: []feed.UserID{7}})
	clock.Advance(56 * time.Second)
	wants("after a minute", feed.Online{Connected: []feed.UserID{4, 3, 1}})
	clock.Advance(time.Minute)
	wants("after another", feed.Online{})
	set([]feed.UserID{5}, nil)
	if n := raw(t, c).ZCard(t.Context(), "tideline:online:connected").Val(); n != 1 {
		t.Errorf("%d users are kept, want 1", n)
	}
	for _, key := range []string{"tideline:online:connected", "tideline:online:seen"} {
		if ttl := raw(t, c).PTTL(t.Context(), key).Val(); ttl > time.Minute {
			t.Errorf("%s expires after %v", key, ttl)
		}
	}
}
