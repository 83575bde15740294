//go:build nightly

package e2e

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// The posts of a world. Two authors have more followers than the push threshold. The first is
// unpushed, so reads pull their outbox. Posts of the second are pushed to active followers. An
// inbox holds a third of a feed. So the upper part of a scroll is merged from the inbox, the outbox
// of the first author and the viewer's own, and the lower part is from below the floor.
const (
	worldSize      = 300
	worldAuthors   = 6
	worldFans      = 12
	worldThreshold = 10
	worldInbox     = 100
)

// feedWorld is what a client reads, as its suite receives it.
type feedWorld struct {
	Viewer   string   `json:"viewer"`   // the viewer's token
	Authors  []string `json:"authors"`  // tokens of the followed users
	PageSize int      `json:"pageSize"` // posts per page
	Posts    []string `json:"posts"`    // decimal ids of the feed, newest first

	viewer, pulled feed.UserID
}

// newFeedWorld returns the world of the client with a number, and its import records. Three posts
// at a time share a millisecond, and ids are independent of times. Users below a hundred follow
// both popular authors. One post is not in the records: see publishUnpushed.
func newFeedWorld(t *testing.T, no, pageSize int) (*feedWorld, []string) {
	t.Helper()
	viewer := (no + 1) * 100
	w := &feedWorld{Viewer: harness.TokenFor(t, feed.UserID(viewer)), PageSize: pageSize, viewer: feed.UserID(viewer), pulled: feed.UserID(viewer + 1)}
	lines := []string{harness.UserRecord(viewer)}
	for author := viewer + 1; author <= viewer+worldAuthors; author++ {
		w.Authors = append(w.Authors, harness.TokenFor(t, feed.UserID(author)))
		lines = append(lines, harness.UserRecord(author), harness.FollowRecord(viewer, author))
	}
	for fan := 1; fan <= worldFans; fan++ {
		lines = append(lines, harness.FollowRecord(fan, viewer+1), harness.FollowRecord(fan, viewer+2))
	}
	posts := worldPosts(no, viewer)
	w.Posts = harness.SortedIDs(posts)
	for _, p := range posts {
		lines = append(lines, harness.PostRecord(p, "an old one"))
	}
	return w, lines
}

// worldPosts returns the posts of a world.
func worldPosts(no, viewer int) []harness.Post {
	rng := rand.New(rand.NewPCG(uint64(no), 9))
	start := time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC).UnixMilli()
	posts := make([]harness.Post, worldSize-1)
	for i, at := range rng.Perm(worldSize - 1) {
		posts[i] = harness.Post{ID: int64(no*worldSize+i)*1_000_003 + 1, Author: viewer + i%(worldAuthors+1), At: start + int64(at/3)}
	}
	return posts
}

// publishUnpushed publishes as an author of a world while nothing is pushed, and waits until the
// author is flagged unpushed: no inbox covers them.
func (w *feedWorld) publishUnpushed(t *testing.T, s *server) {
	t.Helper()
	id := s.Publish(t, harness.TokenFor(t, w.pulled), "not pushed")
	s.waitForTask(t, "dispatch", "post "+id)
	w.Posts = slices.Insert(w.Posts, 0, id)
}

// warm reads the viewer's home feed until it comes from the inbox and an outbox.
func (w *feedWorld) warm(t *testing.T, s *server) {
	t.Helper()
	eventually.True(t, fmt.Sprintf("the inbox of user %d is read", w.viewer), func() bool {
		s.Home(t, w.Viewer, 1, 1)
		return s.CountLines(fmt.Sprintf("viewer=%d source=inbox inbox=warm pulled=1", w.viewer)) > 0
	})
}

// worldsFile writes the worlds for the suites to a file and returns its name.
func worldsFile(t *testing.T, worlds map[string]*feedWorld) string {
	t.Helper()
	text, err := json.Marshal(worlds)
	harness.Check(t, err)
	return harness.RecordsFile(t, []string{string(text)})
}

// waitForTask waits until a task with the text in its description is done.
func (s *server) waitForTask(t *testing.T, queue, text string) {
	t.Helper()
	eventually.True(t, "a task of the queue "+queue+" was done", func() bool {
		_, body := s.Get(t, "/tasks/api/queues/"+queue+"/completed_tasks", operatorToken)
		return strings.Contains(body, text)
	})
}
