package e2e

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// network is a random network that knows what every feed must be, by the rule of
// the contract and nothing else: it is a third opinion beside the reference query
// and the inboxes.
type network struct {
	users   int
	follows map[[2]int]bool
	posts   []post
	lines   []string
}

type post struct {
	id     int64
	author int
	at     int64
}

// newNetwork makes users who follow each other at random, one whom all follow, and
// posts of which several share a millisecond.
func newNetwork(users, posts int, seed uint64) *network {
	rng := rand.New(rand.NewPCG(seed, 7))
	n := &network{users: users, follows: map[[2]int]bool{}}
	for id := 1; id <= users; id++ {
		n.lines = append(n.lines, userRecord(id))
	}
	for follower := 1; follower <= users; follower++ {
		for followee := 1; followee <= users; followee++ {
			if follower != followee && (followee == 1 || rng.IntN(4) == 0) {
				n.follows[[2]int{follower, followee}] = true
				n.lines = append(n.lines, followRecord(follower, followee))
			}
		}
	}
	start := time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC).UnixMilli()
	for _, no := range rng.Perm(posts) {
		p := post{id: int64(no)*1_000_003 + 1, author: 1 + rng.IntN(users), at: start + int64(rng.IntN(posts/2))}
		n.posts = append(n.posts, p)
		n.lines = append(n.lines, postRecord(p, fmt.Sprint("post ", no)))
	}
	return n
}

// feed returns the ids of a viewer's home feed.
func (n *network) feed(viewer int) []string {
	var in []post
	for _, p := range n.posts {
		if p.author == viewer || n.follows[[2]int{viewer, p.author}] {
			in = append(in, p)
		}
	}
	return sortedIDs(in)
}

// sortedIDs brings contents into the order of feeds and returns their ids.
func sortedIDs(in []post) []string {
	slices.SortFunc(in, func(a, b post) int { return cmp.Or(cmp.Compare(b.at, a.at), cmp.Compare(b.id, a.id)) })
	var ids []string
	for _, p := range in {
		ids = append(ids, strconv.FormatInt(p.id, 10))
	}
	return ids
}

func (n *network) file(t *testing.T) string {
	t.Helper()
	return recordsFile(t, n.lines)
}

// storesUnderTest are the pairs of stores the end-to-end tests run on.
func storesUnderTest() map[string]func(t *testing.T) []string {
	return map[string]func(t *testing.T) []string{
		"embedded": func(t *testing.T) []string { return []string{"TIDELINE_DATA_DIR=" + t.TempDir()} },
		"PostgreSQL and Redis": func(t *testing.T) []string {
			return []string{"TIDELINE_DATABASE_URL=" + testenv.Postgres(t), "TIDELINE_REDIS_URL=" + testenv.Redis(t)}
		},
		"embedded, inboxes in SQL": func(t *testing.T) []string {
			return []string{"TIDELINE_DATA_DIR=" + t.TempDir(), "TIDELINE_INBOX=sql"}
		},
		"PostgreSQL and Redis, inboxes in SQL": func(t *testing.T) []string {
			return []string{
				"TIDELINE_DATABASE_URL=" + testenv.Postgres(t), "TIDELINE_REDIS_URL=" + testenv.Redis(t), "TIDELINE_INBOX=sql",
			}
		},
	}
}

// TestEveryFeedIsExactAfterAnImport imports a network with the program, publishes
// on top of it, and holds every viewer's feed against the network's own account of
// it: by page sizes 1, 7 and 100, forward and backward, first as the reference
// query answers and then as the inboxes do.
func TestEveryFeedIsExactAfterAnImport(t *testing.T) {
	t.Parallel()
	for name, open := range storesUnderTest() {
		t.Run(name, func(t *testing.T) {
			env := append(open(t), "TIDELINE_JWT_SECRET="+testSecret, "TIDELINE_LOG_LEVEL=debug",
				// Small numbers, so that users are pulled, slices are many, and
				// scrolls go below the floor.
				"TIDELINE_PUSH_THRESHOLD=20", "TIDELINE_SUBTASK_SIZE=3", "TIDELINE_INBOX_CAP=60", "TIDELINE_DEMO=false")
			net := newNetwork(24, 400, 11)
			importFile(t, env, net.file(t), "new, 0 known, 0 bad")
			importFile(t, env, net.file(t), " 0 new,")
			s := startServer(t, env...)
			checkFeeds(t, s, net, "by the reference query")

			eventually.True(t, "every inbox is built", func() bool {
				for viewer := 1; viewer <= net.users; viewer++ {
					s.home(t, tokenFor(t, feed.UserID(viewer)), 1, 1)
				}
				return s.countLines("source=inbox")+s.countLines("source=both") >= net.users
			})
			for author := 1; author <= net.users; author++ {
				id, err := strconv.ParseInt(s.publish(t, tokenFor(t, feed.UserID(author)), "news"), 10, 64)
				if err != nil {
					t.Fatal(err)
				}
				net.posts = append(net.posts, post{id: id, author: author, at: s.publishedAt(t, id)})
			}
			eventually.True(t, "the last push has arrived", func() bool {
				for viewer := 1; viewer <= net.users; viewer++ {
					want := net.feed(viewer)
					if !slices.Equal(s.home(t, tokenFor(t, feed.UserID(viewer)), 100, 100), want[:min(100, len(want))]) {
						return false
					}
				}
				return true
			})
			checkFeeds(t, s, net, "by the inboxes")
			if s.countLines("source=inbox") == 0 || s.countLines("source=both") == 0 {
				t.Error("no page was read from an inbox, or none from an inbox and below its floor")
			}
		})
	}
}

func importFile(t *testing.T, env []string, file, want string) {
	t.Helper()
	p := testenv.Program(t, []string{testenv.Binary(t), "import", file}, env)
	if code := p.Wait(); code != 0 || !strings.Contains(p.Output(), want) {
		t.Fatalf("the import ended with %d:\n%s", code, p.Output())
	}
}

// publishedAt asks for the publish time of a content.
func (s *server) publishedAt(t *testing.T, id int64) int64 {
	t.Helper()
	var got struct {
		Node struct{ PublishedAt time.Time }
	}
	s.query(t, "", `query($id: ID!) { node(id: $id) { ... on Post { publishedAt } } }`, map[string]any{"id": postNode(id)}, &got)
	return got.Node.PublishedAt.UnixMilli()
}

func checkFeeds(t *testing.T, s *server, net *network, how string) {
	t.Helper()
	for viewer := 1; viewer <= net.users; viewer++ {
		token, want := tokenFor(t, feed.UserID(viewer)), net.feed(viewer)
		sizes := []int{7, 100}
		if viewer%6 == 0 { // a request per entry is dear
			sizes = append(sizes, 1)
		}
		for _, size := range sizes {
			if diff := gocmp.Diff(want, s.home(t, token, size, len(want)+1)); diff != "" {
				t.Fatalf("%s, viewer %d by pages of %d:\n%s", how, viewer, size, diff)
			}
		}
		if diff := gocmp.Diff(want, s.homeBackward(t, token, 30)); diff != "" {
			t.Fatalf("%s, viewer %d backward:\n%s", how, viewer, diff)
		}
	}
}
