package world_test

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/bench/loadgen/world"
)

var small = world.Size{Seed: 7, Users: 1000, Follows: 20, Posts: 3, Followers: 50, Live: true}

// No user follows themselves, another user twice, a member of a cohort, or more than the limit.
func TestFollowees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := small
		size.Seed = rapid.Uint64().Draw(t, "seed")
		user := rapid.Int64Range(1, size.Last()).Draw(t, "user")
		followees := size.Followees(user)
		seen := map[int64]bool{}
		for _, id := range followees {
			if id == user || seen[id] || id < size.Crowd().First || id > size.Last() {
				t.Fatalf("user %d follows %d in %v", user, id, followees)
			}
			seen[id] = true
		}
		if len(followees) > world.FollowsMax {
			t.Errorf("user %d follows %d", user, len(followees))
		}
	})
}

// The star has exactly the requested followers.
func TestStar(t *testing.T) {
	var got []int64
	for user := int64(1); user <= small.Last(); user++ {
		if slices.Contains(small.Followees(user), small.Star()) {
			got = append(got, user)
		}
	}
	if diff := gocmp.Diff(small.StarFollowers(), got); diff != "" || len(got) != int(small.Followers) {
		t.Errorf("the star's followers differ (-want +got):\n%s", diff)
	}
}

// A home feed has the posts of its sources, newest first, and its head does not depend on the
// depth.
func TestHome(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		viewer := rapid.Int64Range(1, small.Last()).Draw(t, "viewer")
		feed := small.Home(viewer, 1<<30)
		if want := small.Posts * (1 + len(small.Followees(viewer))); len(feed.Posts) != want || feed.Length != want {
			t.Fatalf("the feed has %d posts and says %d, not %d", len(feed.Posts), feed.Length, want)
		}
		for i, p := range feed.Posts[1:] {
			if before := feed.Posts[i]; cmp.Or(cmp.Compare(before.TS, p.TS), cmp.Compare(before.ID, p.ID)) <= 0 {
				t.Fatalf("%v is above %v", before, p)
			}
		}
		n := rapid.IntRange(0, len(feed.Posts)).Draw(t, "n")
		if diff := gocmp.Diff(feed.Posts[:n], small.Home(viewer, n).Posts); diff != "" {
			t.Errorf("the first %d posts differ (-want +got):\n%s", n, diff)
		}
	})
}

// The records match the computed network. Posts are in order of their times and of their unique
// ids.
func TestRecords(t *testing.T) {
	var out bytes.Buffer
	seen := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	if err := small.Write(&out, seen); err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	follows := map[int64][]int64{}
	var before struct {
		id int64
		at string
	}
	for lines := bufio.NewScanner(&out); lines.Scan(); {
		var r struct{ Type, Follower, Followee, LastSeenAt, ID, PublishedAt string }
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatalf("%s: %v", lines.Text(), err)
		}
		counts[r.Type]++
		if r.Type == "follow" {
			follows[number(t, r.Follower)] = append(follows[number(t, r.Follower)], number(t, r.Followee))
		}
		if r.Type == "post" {
			if id := number(t, r.ID); id <= before.id || r.PublishedAt < before.at {
				t.Fatalf("post %d of %s follows %d of %s", id, r.PublishedAt, before.id, before.at)
			}
			before.id, before.at = number(t, r.ID), r.PublishedAt
		}
		if r.Type == "user" && r.LastSeenAt != "2026-11-01T12:00:00.000Z" {
			t.Errorf("a user was last seen at %s", r.LastSeenAt)
		}
	}
	for user := int64(1); user <= small.Last(); user++ {
		if diff := gocmp.Diff(small.Followees(user), follows[user]); diff != "" {
			t.Errorf("the follows of user %d differ (-want +got):\n%s", user, diff)
		}
	}
	if users := int(small.Last()); counts["user"] != users || counts["post"] != users*small.Posts {
		t.Errorf("there are %v of a network of %d", counts, users)
	}
}

func number(t *testing.T, s string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// Live sessions are ordered by state, then by the state's time.
func TestLiveFeed(t *testing.T) {
	feed := small.LiveFeed(1, 1<<30)
	if len(feed) < 3*(1+world.Few().Follows) {
		t.Fatalf("the feed has only %d sessions", len(feed))
	}
	for i, s := range feed[1:] {
		before := feed[i]
		earlier := before.At < s.At
		if before.State > s.State || before.State == s.State && before.At != s.At && earlier != (s.State == world.Upcoming) {
			t.Errorf("%+v is above %+v", before, s)
		}
	}
}
