package e2e

import (
	"slices"
	"strconv"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/eventually"
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
