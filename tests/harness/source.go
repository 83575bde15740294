package harness

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
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
