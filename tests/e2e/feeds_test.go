package e2e

import (
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// storesUnderTest has the settings of stores that the program supports.
func storesUnderTest() map[string]func(t *testing.T) []string {
	return map[string]func(t *testing.T) []string{
		"embedded":                             func(t *testing.T) []string { return embedded(t) },
		"PostgreSQL and Redis":                 func(t *testing.T) []string { return shared(t) },
		"PostgreSQL and Redis, inboxes in SQL": func(t *testing.T) []string { return shared(t, "TIDELINE_INBOX=sql") },
	}
}

// TestFeeds_ExactInEveryStore imports a network, publishes, and compares every viewer's feed with
// the network's: by page sizes 1, 7 and 100, forward and backward, from the reference query and
// then from inboxes.
func TestFeeds_ExactInEveryStore(t *testing.T) {
	t.Parallel()
	for name, open := range storesUnderTest() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := append(open(t), "TIDELINE_LOG_LEVEL=debug", noDemo,
				// Small numbers, so that some authors are pulled, slices are many, and scrolls
				// cross the floor.
				"TIDELINE_PUSH_THRESHOLD=20", "TIDELINE_SUBTASK_SIZE=3", "TIDELINE_INBOX_CAP=60")
			net := harness.NewNetwork(24, 400, 11)
			harness.ImportFile(t, env, net.File(t), "new, 0 known, 0 bad")
			harness.ImportFile(t, env, net.File(t), " 0 new,")
			s := startServer(t, env...)
			checkFeeds(t, s, net, "by the reference query")

			eventually.True(t, "every inbox is built", func() bool {
				for viewer := 1; viewer <= net.Users; viewer++ {
					s.Home(t, harness.TokenFor(t, feed.UserID(viewer)), 1, 1)
				}
				return s.CountLines("source=inbox")+s.CountLines("source=both") >= net.Users
			})
			for author := 1; author <= net.Users; author++ {
				id, err := strconv.ParseInt(s.Publish(t, harness.TokenFor(t, feed.UserID(author)), "news"), 10, 64)
				harness.Check(t, err)
				net.Posts = append(net.Posts, harness.Post{ID: id, Author: author, At: s.publishedAt(t, id)})
			}
			eventually.True(t, "the last push has arrived", func() bool {
				for viewer := 1; viewer <= net.Users; viewer++ {
					want := net.Feed(viewer)
					if !slices.Equal(s.Home(t, harness.TokenFor(t, feed.UserID(viewer)), 100, 100), want[:min(100, len(want))]) {
						return false
					}
				}
				return true
			})
			checkFeeds(t, s, net, "by the inboxes")
			if s.CountLines("source=inbox") == 0 || s.CountLines("source=both") == 0 {
				t.Error("no page was read from an inbox, or none from an inbox and below its floor")
			}
		})
	}
}

// publishedAt returns the publish time of a post.
func (s *server) publishedAt(t *testing.T, id int64) int64 {
	t.Helper()
	var got struct {
		Node struct{ PublishedAt time.Time }
	}
	s.Query(t, "", `query($id: ID!) { node(id: $id) { ... on Post { publishedAt } } }`, map[string]any{"id": harness.NodeID("Post", strconv.FormatInt(id, 10))}, &got)
	return got.Node.PublishedAt.UnixMilli()
}

func checkFeeds(t *testing.T, s *server, net *harness.Network, how string) {
	t.Helper()
	for viewer := 1; viewer <= net.Users; viewer++ {
		token, want := harness.TokenFor(t, feed.UserID(viewer)), net.Feed(viewer)
		sizes := []int{7, 100}
		if viewer%6 == 0 { // each entry takes a request
			sizes = append(sizes, 1)
		}
		for _, size := range sizes {
			if diff := gocmp.Diff(want, s.Home(t, token, size, len(want)+1)); diff != "" {
				t.Fatalf("%s, viewer %d by pages of %d:\n%s", how, viewer, size, diff)
			}
		}
		if diff := gocmp.Diff(want, s.HomeBackward(t, token, 30)); diff != "" {
			t.Fatalf("%s, viewer %d backward:\n%s", how, viewer, diff)
		}
	}
}

// changeLive calls a mutation on live sessions and returns the session's id.
func (s *server) changeLive(t *testing.T, token, mutation, inputType string, input map[string]any) string {
	t.Helper()
	var got struct {
		Change struct {
			LiveSession *struct{ ID string }
			UserErrors  []struct{ Message string }
		}
	}
	s.Query(t, token, `mutation($input: `+inputType+`!) { change: `+mutation+`(input: $input) { liveSession { id } userErrors { message } } }`,
		map[string]any{"input": input}, &got)
	if got.Change.LiveSession == nil {
		t.Fatalf("%s was refused: %v", mutation, got.Change.UserErrors)
	}
	return got.Change.LiveSession.ID
}

// schedule announces a session that begins some hours from now.
func (s *server) schedule(t *testing.T, token, title string, hours int) string {
	t.Helper()
	at := time.Now().Add(time.Duration(hours) * time.Hour).UTC().Format(time.RFC3339Nano)
	return s.changeLive(t, token, "scheduleLive", "ScheduleLiveInput", map[string]any{"title": title, "scheduledAt": at})
}

func (s *server) start(t *testing.T, token, id string) {
	t.Helper()
	s.changeLive(t, token, "startLive", "LiveIdInput", map[string]any{"liveSessionId": id})
}

func (s *server) end(t *testing.T, token, id string) {
	t.Helper()
	s.changeLive(t, token, "endLive", "EndLiveInput", map[string]any{"liveSessionId": id, "replayUrl": "https://replays.example/1"})
}

// liveFeed scrolls through a viewer's live feed by pages of size and calls between after the first
// page. It returns the title of each entry, its state as of the scroll and its state now.
func (s *server) liveFeed(t *testing.T, token string, size int, between func()) []string {
	t.Helper()
	seen := []string{}
	var after *string
	for {
		var got struct {
			Viewer struct {
				LiveFeed struct {
					Edges []struct {
						State string
						Node  struct{ Title, State string }
					}
					PageInfo struct {
						HasNextPage bool
						EndCursor   *string
					}
				}
			}
		}
		s.Query(t, token, `query($n: Int, $after: String) { viewer { liveFeed(first: $n, after: $after) {
			edges { state node { title state } } pageInfo { hasNextPage endCursor } } } }`, map[string]any{"n": size, "after": after}, &got)
		page := got.Viewer.LiveFeed
		for _, e := range page.Edges {
			seen = append(seen, e.Node.Title+" "+e.State+" "+e.Node.State)
		}
		if !page.PageInfo.HasNextPage {
			return seen
		}
		if after == nil {
			between()
		}
		after = page.PageInfo.EndCursor
	}
}

// A scroll ignores changes that a new one shows. Once the replays are pushed, they come from the
// follower's replay inbox.
func TestLiveFeed_ShowsOneMomentUntilReloaded(t *testing.T) {
	t.Parallel()
	env := shared(t, "TIDELINE_LOG_LEVEL=debug", noDemo)
	harness.ImportLines(t, env, harness.UserRecord(1), harness.UserRecord(2), harness.UserRecord(3), harness.FollowRecord(1, 2), harness.FollowRecord(1, 3))
	s := startServer(t, env...)
	reader, host, other := harness.TokenFor(t, 1), harness.TokenFor(t, 2), harness.TokenFor(t, 3)
	first := s.schedule(t, host, "one", 1)
	s.start(t, host, first)
	s.schedule(t, host, "four", 4)
	next := s.schedule(t, host, "three", 3)
	s.start(t, other, s.schedule(t, other, "two", 2))
	replay := s.schedule(t, other, "five", 1)
	s.start(t, other, replay)
	s.end(t, other, replay)
	got := s.liveFeed(t, reader, 1, func() {
		s.end(t, host, first)
		s.start(t, host, next)
		s.schedule(t, other, "six", 5)
	})
	want := []string{"two LIVE LIVE", "one LIVE REPLAY", "three UPCOMING LIVE", "four UPCOMING UPCOMING", "five REPLAY REPLAY"}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("the scroll (-want +got):\n%s", diff)
	}
	want = []string{
		"three LIVE LIVE", "two LIVE LIVE", "four UPCOMING UPCOMING", "six UPCOMING UPCOMING", "one REPLAY REPLAY", "five REPLAY REPLAY",
	}
	eventually.True(t, "the replays are pushed, and read from the inbox", func() bool {
		if diff := gocmp.Diff(want, s.liveFeed(t, reader, 2, func() {})); diff != "" {
			t.Fatalf("the next scroll (-want +got):\n%s", diff)
		}
		return s.CountLines("slice pushed", "post=-") == 2 && s.CountLines("replays read", "source=inbox") > 0
	})
}

func TestMutes_EndByThemselves(t *testing.T) {
	t.Parallel()
	env := shared(t, noDemo)
	harness.ImportLines(t, env, harness.UserRecord(1), harness.UserRecord(2), harness.FollowRecord(2, 1), livePost(10, 1))
	s := startServer(t, env...)
	reader, until := harness.TokenFor(t, 2), time.Now().Add(3*time.Second)
	var got struct {
		Mute struct{ User struct{ ViewerMutes bool } }
	}
	s.Query(t, reader, fmt.Sprintf(`mutation { mute: muteUser(input: {userId: %q}, until: %q) { user { viewerMutes } } }`,
		harness.NodeID("User", "1"), until.UTC().Format(time.RFC3339Nano)), nil, &got)
	if home := s.Home(t, reader, 50, 50); !got.Mute.User.ViewerMutes || len(home) > 0 {
		t.Errorf("muted: %v, the home feed is %v", got.Mute.User.ViewerMutes, home)
	}
	eventually.True(t, "the mute ends", func() bool { return len(s.Home(t, reader, 50, 50)) == 1 })
	if now := time.Now(); now.Before(until.Add(-time.Second)) {
		t.Errorf("the mute ended at %s, before %s", now, until)
	}
}
