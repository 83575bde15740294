package demo_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/memstore"
	"github.com/tideline-feeds/tideline/internal/demo"
)

// store also records how the demo data was marked.
type store struct {
	*memstore.Store
	isDemo bool
}

func (s *store) MarkDemo(context.Context) error {
	s.isDemo = true
	return nil
}

var small = demo.Size{Users: 40, Stars: 2, Follows: 5, Posts: 200, Likes: 300, Replays: 20, Span: 48 * time.Hour}

// activeFor is the lease of activity of demo users in tests.
const activeFor = 24 * time.Hour

func made(t *testing.T) *store {
	t.Helper()
	s := &store{Store: memstore.New(time.Now)}
	check(t, demo.Make(t.Context(), s, small, time.UnixMilli(1_790_000_000_000), activeFor, 1))
	return s
}

// feedOf returns a viewer's whole feed.
func feedOf(t *testing.T, s *store, viewer feed.UserID) []feed.Key {
	t.Helper()
	keys, err := s.Feed(t.Context(), viewer, feed.Range{Above: feed.Bottom, Below: feed.Top, Limit: 1000})
	check(t, err)
	return keys
}

func TestDemo_UsersHaveFeeds(t *testing.T) {
	s := made(t)
	if !s.isDemo {
		t.Error("the data was not marked as demo data")
	}
	for _, viewer := range demo.Users(small) {
		keys := feedOf(t, s, viewer)
		if len(keys) < 20 {
			t.Errorf("user %d has a feed of %d entries", viewer, len(keys))
		}
		if len(keys) > 0 && keys[0].TS > 1_790_000_000_000 {
			t.Errorf("user %d has an entry from the future", viewer)
		}
	}
}

func TestDemo_StarsArePopularAndPulled(t *testing.T) {
	s := made(t)
	users, err := s.Users(t.Context(), []feed.UserID{1, 2, 3})
	check(t, err)
	if users[0].Flag != feed.FlagSelective || users[1].Flag != feed.FlagSelective || users[2].Flag != feed.FlagNone {
		t.Errorf("the marks are %v %v %v, want those of two stars", users[0].Flag, users[1].Flag, users[2].Flag)
	}
	if n, _, err := s.Reach(t.Context(), 1); err != nil || n < 25 {
		t.Errorf("the first star has %d followers of %d, %v", n, small.Users, err)
	}
}

func TestDemo_UsersAreActive(t *testing.T) {
	now := time.UnixMilli(1_790_000_000_000)
	present := now
	s := &store{Store: memstore.New(func() time.Time { return present })}
	check(t, demo.Make(t.Context(), s, small, now, activeFor, 1))
	all, _, err := s.Reach(t.Context(), 1)
	if err != nil || all == 0 {
		t.Fatalf("a star has %d followers, %v", all, err)
	}
	for after, want := range map[time.Duration]int64{0: all, activeFor - time.Millisecond: all, activeFor + time.Millisecond: 0} {
		present = now.Add(after)
		active, err := s.FollowerIDs(t.Context(), 1, feed.FollowerRange{UpTo: feed.UserID(small.Users), Limit: small.Users, Active: true})
		if err != nil || int64(len(active)) != want {
			t.Errorf("after %v the posts of a star are pushed to %d followers, %v, want %d", after, len(active), err, want)
		}
	}
}

func TestDemo_IsDeterministic(t *testing.T) {
	if diff := cmp.Diff(feedOf(t, made(t), 5), feedOf(t, made(t), 5)); diff != "" {
		t.Error(diff)
	}
}
