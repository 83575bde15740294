package harness

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/internal/testenv"
)

// Network is a random network. It computes every feed from the contract alone, without the
// reference query and the inboxes.
type Network struct {
	// Users is the number of users. Their ids begin at 1.
	Users int
	// Follows has pairs of follower and followee.
	Follows map[[2]int]bool
	Posts   []Post
	// Lines has the records of the network for an import.
	Lines []string
}

// Post is a post of a network.
type Post struct {
	ID     int64
	Author int
	// At is the publish time in milliseconds since the epoch.
	At int64
}

// NewNetwork returns a random network. All users follow user 1, and several posts share a
// millisecond.
func NewNetwork(users, posts int, seed uint64) *Network {
	rng := rand.New(rand.NewPCG(seed, 7))
	n := &Network{Users: users, Follows: map[[2]int]bool{}}
	for id := 1; id <= users; id++ {
		n.Lines = append(n.Lines, UserRecord(id))
	}
	for follower := 1; follower <= users; follower++ {
		for followee := 1; followee <= users; followee++ {
			if follower != followee && (followee == 1 || rng.IntN(4) == 0) {
				n.Follows[[2]int{follower, followee}] = true
				n.Lines = append(n.Lines, FollowRecord(follower, followee))
			}
		}
	}
	start := time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC).UnixMilli()
	for _, no := range rng.Perm(posts) {
		p := Post{ID: int64(no)*1_000_003 + 1, Author: 1 + rng.IntN(users), At: start + int64(rng.IntN(posts/2))}
		n.Posts = append(n.Posts, p)
		n.Lines = append(n.Lines, PostRecord(p, fmt.Sprint("post ", no)))
	}
	return n
}

// Feed returns the ids of a viewer's home feed.
func (n *Network) Feed(viewer int) []string {
	var in []Post
	for _, p := range n.Posts {
		if p.Author == viewer || n.Follows[[2]int{viewer, p.Author}] {
			in = append(in, p)
		}
	}
	return SortedIDs(in)
}

// SortedIDs sorts posts in feed order and returns their ids.
func SortedIDs(in []Post) []string {
	slices.SortFunc(in, func(a, b Post) int { return cmp.Or(cmp.Compare(b.At, a.At), cmp.Compare(b.ID, a.ID)) })
	var ids []string
	for _, p := range in {
		ids = append(ids, strconv.FormatInt(p.ID, 10))
	}
	return ids
}

// File writes the records of the network to a file and returns its name.
func (n *Network) File(t *testing.T) string {
	t.Helper()
	return RecordsFile(t, n.Lines)
}

// RecordsFile writes records to a file and returns its name.
func RecordsFile(t *testing.T, lines []string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "records.ndjson")
	Check(t, os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600))
	return path
}

// UserRecord returns the record of a user.
func UserRecord(id int) string {
	return fmt.Sprintf(`{"type":"user","id":"%d","handle":"u%d","name":"User %d","createdAt":"2026-01-01T00:00:00Z"}`, id, id, id)
}

// FollowRecord returns the record of a follow.
func FollowRecord(follower, followee int) string {
	return fmt.Sprintf(`{"type":"follow","follower":"%d","followee":"%d","createdAt":"2026-01-02T00:00:00Z"}`, follower, followee)
}

// PostRecord returns the record of a post.
func PostRecord(p Post, text string) string {
	return fmt.Sprintf(`{"type":"post","id":"%d","author":"%d","kind":"POST","text":"%s","publishedAt":"%s"}`,
		p.ID, p.Author, text, time.UnixMilli(p.At).UTC().Format("2006-01-02T15:04:05.000Z"))
}

// StarFile writes the records of user 1 and of their followers to a file and returns its name. The
// followers' ids begin at 2.
func StarFile(t *testing.T, followers int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "records.ndjson")
	file, err := os.Create(path)
	Check(t, err)
	out := bufio.NewWriter(file)
	_, _ = fmt.Fprintln(out, UserRecord(1)) // Flush returns its error
	for id := 2; id <= followers+1; id++ {
		_, _ = fmt.Fprintf(out, "%s\n%s\n", UserRecord(id), FollowRecord(id, 1))
	}
	Check(t, errors.Join(out.Flush(), file.Close()))
	return path
}

// WriteLines writes lines to a file.
func WriteLines(t *testing.T, path string, lines ...string) {
	t.Helper()
	Check(t, os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600))
}

// ImportFile runs tideline import. The command must succeed and print want. A large file may take
// longer than other waits of tests.
func ImportFile(t *testing.T, env []string, file, want string) {
	t.Helper()
	p := testenv.Program(t, []string{testenv.Binary(t), "import", file}, env)
	<-p.Done()
	if code := p.Wait(); code != 0 || !strings.Contains(p.Output(), want) {
		t.Fatalf("the import ended with exit code %d:\n%s", code, p.Output())
	}
}

// ImportLines imports records. All of them must be new.
func ImportLines(t *testing.T, env []string, lines ...string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "records.ndjson")
	WriteLines(t, file, lines...)
	ImportFile(t, env, file, fmt.Sprintf("%d new, 0 known, 0 bad", len(lines)))
}
