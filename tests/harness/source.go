package harness

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// The size of the tables of a [Source].
const (
	SourceUsers   = 60
	sourceFollows = 600
)

// Source is another system: its tables, and all records that it has ever sent, in order.
type Source struct {
	Lines []string
	// ids says what its ids are.
	ids     feed.IDMode
	random  *rand.Rand
	version int
	users   map[feed.UserID]bool
	posts   map[int]sourcePost
	follows map[[2]feed.UserID]bool
}

type sourcePost struct {
	author feed.UserID
	at     int
	there  bool
}

// NewSource returns a system with random tables and a number of posts.
func NewSource(seed uint64, posts int, ids feed.IDMode) *Source {
	s := &Source{
		ids: ids, random: rand.New(rand.NewPCG(seed, 1)), users: map[feed.UserID]bool{}, posts: map[int]sourcePost{}, follows: map[[2]feed.UserID]bool{},
	}
	for id := range feed.UserID(SourceUsers) {
		s.user(id+1, true)
	}
	for range sourceFollows {
		s.follow(s.anyone(), s.anyone(), true)
	}
	for id := range posts {
		s.post(id+1, sourcePost{s.anyone(), s.random.IntN(5000), true})
	}
	for range posts / 3 {
		s.change()
	}
	return s
}

// Shuffle makes the records those of a way in without order.
func (s *Source) Shuffle() {
	s.random.Shuffle(len(s.Lines), func(i, j int) { s.Lines[i], s.Lines[j] = s.Lines[j], s.Lines[i] })
}

func (s *Source) anyone() feed.UserID { return feed.UserID(1 + s.random.IntN(SourceUsers)) }

// userID and postID return the ids in records. Texts need escapes, and do not sort as the numbers do.
func (s *Source) userID(id feed.UserID) string {
	if s.ids == feed.TextIDs {
		return fmt.Sprintf("auth0|é %d", id)
	}
	return id.String()
}

func (s *Source) postID(id int) string {
	if s.ids == feed.TextIDs {
		return fmt.Sprintf("%x/\"%d\"", id%16, id)
	}
	return fmt.Sprint(id)
}

func (s *Source) change() {
	switch s.random.IntN(8) {
	case 0:
		id := s.anyone()
		s.user(id, !s.users[id])
	case 1, 2:
		s.follow(s.anyone(), s.anyone(), s.random.IntN(2) == 0)
	default:
		id := 1 + s.random.IntN(len(s.posts))
		p := s.posts[id]
		p.there = !p.there
		s.post(id, p)
	}
}

func (s *Source) send(there bool, format string, args ...any) {
	s.version++
	gone := ""
	if !there {
		gone = `,"deletedAt":"2026-03-01T00:00:00Z"`
	}
	s.Lines = append(s.Lines, fmt.Sprintf(`{%s,"version":%d%s}`, fmt.Sprintf(format, args...), s.version, gone))
}

func (s *Source) user(id feed.UserID, there bool) {
	s.users[id] = there
	s.send(there, `"type":"user","id":%q,"handle":"","name":"User %d","createdAt":"2026-01-01T00:00:00Z"`, s.userID(id), id)
}

func (s *Source) follow(a, b feed.UserID, there bool) {
	if a == b {
		return
	}
	s.follows[[2]feed.UserID{a, b}] = there
	s.send(there, `"type":"follow","follower":%q,"followee":%q,"createdAt":"2026-01-01T00:00:00Z"`, s.userID(a), s.userID(b))
}

func (s *Source) post(id int, p sourcePost) {
	s.posts[id] = p
	s.send(p.there, `"type":"post","id":%q,"author":%q,"kind":"POST","text":"post %d","publishedAt":"2026-01-01T%02d:%02d:%02dZ"`,
		s.postID(id), s.userID(p.author), id, p.at/3600, p.at/60%60, p.at%60)
}

// Publish adds a post and returns its record.
func (s *Source) Publish() []string {
	s.post(len(s.posts)+1, sourcePost{s.anyone(), 5000, true})
	return s.Lines[len(s.Lines)-1:]
}

// FeedOf returns a home feed as the source would compute it, where ids are numbers.
func (s *Source) FeedOf(viewer feed.UserID) []string { return s.feedOf(viewer, s.numbers(nil)) }

// feedOf returns a home feed as the source would compute it. Posts with equal times are in the order
// of the numbers of their ids.
func (s *Source) feedOf(viewer feed.UserID, numbers map[string]int64) []string {
	var ids []int
	for id, p := range s.posts {
		if p.there && s.users[p.author] && (p.author == viewer || s.follows[[2]feed.UserID{viewer, p.author}]) {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b int) int {
		return -cmp.Or(cmp.Compare(s.posts[a].at, s.posts[b].at), cmp.Compare(numbers[s.postID(a)], numbers[s.postID(b)]))
	})
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = s.postID(id)
	}
	return out
}

// numbers returns the numbers of the ids of posts. Only the database knows those of texts.
func (s *Source) numbers(o *Oracle) map[string]int64 {
	numbers := map[string]int64{}
	if s.ids == feed.TextIDs {
		for i, external := range RowsOf[string](o, "SELECT external FROM external_ids WHERE kind = 'post' ORDER BY n") {
			numbers[external] = int64(i)
		}
		return numbers
	}
	for id := range s.posts {
		numbers[s.postID(id)] = int64(id)
	}
	return numbers
}

// Env returns the settings of programs for the source's ids.
func (s *Source) Env() []string { return []string{"TIDELINE_IDS=" + string(s.ids)} }

// Objects returns the keys of the objects of all records.
func (s *Source) Objects() []string {
	keys := map[string]bool{}
	for id := range s.users {
		keys[fmt.Sprint("user ", id)] = true
	}
	for id := range s.posts {
		keys[fmt.Sprint("post ", id)] = true
	}
	for edge := range s.follows {
		keys[fmt.Sprint("follow ", edge)] = true
	}
	return slices.Collect(maps.Keys(keys))
}

// CheckFeeds compares the home feeds of all users with those of the source.
func (s *Source) CheckFeeds(t *testing.T, server *Server, o *Oracle) {
	t.Helper()
	numbers := s.numbers(o)
	for viewer := range feed.UserID(SourceUsers) {
		viewer++
		want := s.feedOf(viewer, numbers)
		if got := server.Home(t, s.token(t, viewer), 100, len(want)+1); !slices.Equal(got, want) {
			t.Errorf("the home feed of user %d lacks %v and has %v besides", viewer, Without(want, got), Without(got, want))
		}
	}
}

func (s *Source) token(t *testing.T, user feed.UserID) string {
	t.Helper()
	if s.ids == feed.TextIDs {
		return TextToken(t, feed.ExternalID(s.userID(user)))
	}
	return TokenFor(t, user)
}

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
