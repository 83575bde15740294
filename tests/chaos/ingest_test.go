package chaos

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// sourceSize is the size of the tables of another system.
const (
	sourceUsers   = 60
	sourcePosts   = 3000
	sourceFollows = 600
)

// source is another system: its tables, and all records that it has ever sent.
type source struct {
	random  *rand.Rand
	version int
	lines   []string
	users   map[feed.UserID]bool
	posts   map[int]sourcePost
	follows map[[2]feed.UserID]bool
}

type sourcePost struct {
	author feed.UserID
	at     int
	there  bool
}

func newSource(seed uint64) *source {
	s := &source{
		random: rand.New(rand.NewPCG(seed, 1)), users: map[feed.UserID]bool{}, posts: map[int]sourcePost{}, follows: map[[2]feed.UserID]bool{},
	}
	for id := range feed.UserID(sourceUsers) {
		s.user(id+1, true)
	}
	for range sourceFollows {
		s.follow(s.anyone(), s.anyone(), true)
	}
	for id := range sourcePosts {
		s.post(id+1, sourcePost{s.anyone(), s.random.IntN(5000), true})
	}
	for range sourcePosts / 3 {
		s.change()
	}
	// The way in has no order.
	s.random.Shuffle(len(s.lines), func(i, j int) { s.lines[i], s.lines[j] = s.lines[j], s.lines[i] })
	return s
}

func (s *source) anyone() feed.UserID { return feed.UserID(1 + s.random.IntN(sourceUsers)) }

func (s *source) change() {
	switch s.random.IntN(8) {
	case 0:
		id := s.anyone()
		s.user(id, !s.users[id])
	case 1, 2:
		s.follow(s.anyone(), s.anyone(), s.random.IntN(2) == 0)
	default:
		id := 1 + s.random.IntN(sourcePosts)
		p := s.posts[id]
		p.there = !p.there
		s.post(id, p)
	}
}

func (s *source) send(there bool, format string, args ...any) {
	s.version++
	gone := ""
	if !there {
		gone = `,"deletedAt":"2026-03-01T00:00:00Z"`
	}
	s.lines = append(s.lines, fmt.Sprintf(`{%s,"version":%d%s}`, fmt.Sprintf(format, args...), s.version, gone))
}

func (s *source) user(id feed.UserID, there bool) {
	s.users[id] = there
	s.send(there, `"type":"user","id":"%d","handle":"","name":"User %d","createdAt":"2026-01-01T00:00:00Z"`, id, id)
}

func (s *source) follow(a, b feed.UserID, there bool) {
	if a == b {
		return
	}
	s.follows[[2]feed.UserID{a, b}] = there
	s.send(there, `"type":"follow","follower":"%d","followee":"%d","createdAt":"2026-01-01T00:00:00Z"`, a, b)
}

func (s *source) post(id int, p sourcePost) {
	s.posts[id] = p
	s.send(p.there, `"type":"post","id":"%d","author":"%d","kind":"POST","text":"post %d","publishedAt":"2026-01-01T%02d:%02d:%02dZ"`,
		id, p.author, id, p.at/3600, p.at/60%60, p.at%60)
}

// feedOf returns a home feed as the source would compute it.
func (s *source) feedOf(viewer feed.UserID) []string {
	var ids []int
	for id, p := range s.posts {
		if p.there && s.users[p.author] && (p.author == viewer || s.follows[[2]feed.UserID{viewer, p.author}]) {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b int) int {
		if d := s.posts[b].at - s.posts[a].at; d != 0 {
			return d
		}
		return b - a
	})
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = fmt.Sprint(id)
	}
	return out
}

// TestKills_LoseNothingOfASource kills the server while a source posts its records, and has the
// source send all of them twice more.
func TestKills_LoseNothingOfASource(t *testing.T) {
	kills := 3
	if harness.Full() {
		kills = 100
	}
	seed := rand.Uint64()
	t.Logf("the seed is %d", seed)
	s := newSource(seed)
	database, token := testenv.Postgres(t), strings.Repeat("opaque", 6)
	addr := fmt.Sprintf("127.0.0.1:%d", testenv.FreePort(t))
	env := []string{
		"TIDELINE_ADDR=" + addr, "TIDELINE_DATABASE_URL=" + database, "TIDELINE_REDIS_URL=" + testenv.Redis(t),
		"TIDELINE_JWT_SECRET=" + harness.Secret, "TIDELINE_SERVICE_TOKEN=" + token, "TIDELINE_SOURCE_OWNS=user,follow,post",
		"TIDELINE_DEMO=false", "TIDELINE_LOG_LEVEL=error", "TIDELINE_PUSH_THRESHOLD=10", "TIDELINE_SUBTASK_SIZE=5",
	}
	server := harness.StartServer(t, env...)
	oracle := harness.NewOracle(t, database)
	versions := func() int64 { return harness.RowsOf[int64](oracle, "SELECT COUNT(*) FROM object_versions")[0] }
	all := strings.Join(s.lines, "\n") + "\n"
	for range kills {
		before := versions()
		body, write := io.Pipe()
		sent := make(chan error, 1)
		go func() { _, _, err := postRecords(t.Context(), addr, token, body); sent <- err }()
		go func() { _, err := io.Copy(write, strings.NewReader(all)); _ = write.CloseWithError(err) }()
		eventually.True(t, "the server has applied something", func() bool { return versions() > before || before == int64(len(objectsOf(s))) })
		server.Process.Kill()
		_ = body.Close()
		if err := <-sent; err == nil {
			t.Log("the request was answered before the kill")
		}
		server = harness.StartServer(t, env...)
	}
	for range 2 {
		status, answer, err := postRecords(t.Context(), addr, token, strings.NewReader(all))
		harness.Check(t, err)
		if status != http.StatusOK || !strings.Contains(answer, `"badCount":0`) {
			t.Fatalf("status %d: %.300s", status, answer)
		}
	}
	eventually.True(t, "all fan-outs are done", func() bool { return oracle.Open() == 0 })
	for viewer := range feed.UserID(sourceUsers) {
		viewer++
		want := s.feedOf(viewer)
		if got := server.Home(t, harness.TokenFor(t, viewer), 100, len(want)+1); !slices.Equal(got, want) {
			t.Errorf("the home feed of user %d lacks %v and has %v besides", viewer, harness.Without(want, got), harness.Without(got, want))
		}
	}
	if n := harness.RowsOf[int64](oracle, "SELECT COUNT(*) FROM dead_letters")[0]; n != 0 {
		t.Errorf("there are %d dead letters", n)
	}
	harness.DoctorSays(t, env, nil, 0)
}

// objectsOf returns the objects of all records, by key.
func objectsOf(s *source) []string {
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

func postRecords(ctx context.Context, addr, token string, body io.Reader) (status int, answer string, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+addr+"/ingest", body)
	if err != nil {
		return 0, "", err
	}
	req.Header.Set("Authorization", "Bearer "+token)
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = resp.Body.Close() }()
	var text bytes.Buffer
	_, err = text.ReadFrom(resp.Body)
	return resp.StatusCode, text.String(), err
}
