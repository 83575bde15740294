package e2e

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// busyWith reads the feeds of some readers from a server continuously until the test ends, so that
// their state is in its viewer cache.
func (s *server) busyWith(t *testing.T, readers ...feed.UserID) {
	t.Helper()
	var reading sync.WaitGroup
	t.Cleanup(reading.Wait) // the test's context has ended before
	for _, reader := range readers {
		client := harness.NewCaller(s.Base)
		reading.Go(func() {
			for t.Context().Err() == nil {
				_, _, _ = client.Page(t.Context(), reader, 1, nil) // it only loads the server
			}
		})
	}
}

// rename changes the name of the token's user.
func (s *server) rename(t *testing.T, token, name string) {
	t.Helper()
	var got struct {
		UpdateProfile struct{ User *struct{ Name string } }
	}
	s.Query(t, token, `mutation($name: String) { updateProfile(input: {name: $name}) { user { name } } }`, map[string]any{"name": name}, &got)
	if got.UpdateProfile.User == nil {
		t.Fatalf("the name %q was refused", name)
	}
}

// Of three API processes, one reads very often, and one has no viewer cache of its own and uses the
// shared one. Each must show a change through the third in the next read.
func TestChangeFeed_OtherProcessesShowChangesAtOnce(t *testing.T) {
	t.Parallel()
	env := shared(t, noDemo, "TIDELINE_RATE_LIMIT=0", "TIDELINE_ADMIN_ADDR=127.0.0.1:0")
	harness.ImportFile(t, env, harness.StarFile(t, 4), "9 new, 0 known, 0 bad")
	a, b := startServer(t, append(env, "TIDELINE_ROLE=api")...), startServer(t, append(env, "TIDELINE_ROLE=api")...)
	forgetful := startServer(t, append(env, "TIDELINE_ROLE=api", "TIDELINE_CACHE_MB=0")...)
	harness.StartWorker(t, env)
	star, reader := harness.TokenFor(t, 1), harness.TokenFor(t, 2)
	id := a.Publish(t, star, "news")
	eventually.True(t, "the post is pushed", func() bool { return len(b.Home(t, reader, 50, 50)) == 1 })
	b.busyWith(t, 3, 4, 5)

	want := []string{id}
	shows := func(after string) {
		t.Helper()
		for name, other := range map[string]*server{"busy": b, "forgetful": forgetful} {
			if got := other.Home(t, reader, 50, 50); !slices.Equal(got, want) {
				t.Fatalf("after %s the %s process shows %v, want %v", after, name, got, want)
			}
		}
	}
	titles := []string{}
	for range 8 {
		a.relate(t, reader, "muteUser", "1")
		own := slices.DeleteFunc(slices.Clone(want), func(one string) bool { return one == id })
		all := want
		want = own
		shows("a mute")
		a.relate(t, reader, "unmuteUser", "1")
		want = all
		shows("the end of a mute")
		a.relate(t, reader, "unfollowUser", "1")
		want = own
		shows("an unfollow")
		a.Follow(t, reader, 1)
		want = all
		shows("a follow")
		a.relate(t, star, "hideFromUser", "2")
		want = own
		shows("a hide")
		a.relate(t, star, "unhideFromUser", "2")
		want = all
		shows("the end of a hide")
		want = slices.Insert(want, 0, a.Publish(t, reader, "something"))
		shows("a publish")
		a.schedule(t, reader, "a session", len(titles)+1)
		titles = append(titles, "a session UPCOMING UPCOMING")
		name := fmt.Sprintf("Reader with %d sessions", len(titles))
		a.rename(t, reader, name)
		if got := b.ask(t, `{ viewer { liveFeed(first: 1) { nodes { host { name } } } } }`, as(reader)); !strings.Contains(got.body, `"host":{"name":"`+name+`"}`) {
			t.Fatalf("after a rename to %q the other process shows %s", name, got.body)
		}
		if got := b.liveFeed(t, reader, 50, func() {}); !slices.Equal(got, titles) {
			t.Fatalf("after an announcement the other process shows %v, want %v", got, titles)
		}
	}
	a.DeletePost(t, reader, want[0])
	want = want[1:]
	shows("a deletion")
	found := regexp.MustCompile(`(?m)^tideline_viewer_notes_total\{note="found"\} [1-9]`)
	if scraped := adminOf(forgetful.Process).scrape(t); !found.MatchString(scraped) {
		t.Error("the process without its own cache never read the shared one")
	}
}
