package e2e

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/Khan/genqlient/graphql"
	"github.com/google/go-cmp/cmp"

	tideline "github.com/tideline-feeds/tideline/clients/go"
	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// cuts is how often connections are cut, and 1,000 in scripts/chaos.sh.
func cuts() int {
	if harness.Full() {
		return 1000
	}
	return 40
}

// wires are the connections of clients, which a test cuts.
type wires struct {
	mu    sync.Mutex
	bases []string
	conns []net.Conn
}

// dial connects to one of the servers, whatever the address.
func (w *wires) dial(ctx context.Context, network, _ string) (net.Conn, error) {
	w.mu.Lock()
	base := w.bases[rand.IntN(len(w.bases))]
	w.mu.Unlock()
	conn, err := new(net.Dialer).DialContext(ctx, network, strings.TrimPrefix(base, "http://"))
	if err == nil {
		w.mu.Lock()
		w.conns = append(w.conns, conn)
		w.mu.Unlock()
	}
	return conn, err
}

// cut cuts a connection at random. It returns false if there is none.
func (w *wires) cut() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.conns) == 0 {
		return false
	}
	i := rand.IntN(len(w.conns))
	_ = w.conns[i].Close()
	w.conns = slices.Delete(w.conns, i, i+1)
	return true
}

// client returns a client whose connections are these.
func (w *wires) client(token string) *tideline.Client {
	transport := &http.Transport{DialContext: w.dial}
	return tideline.NewClient("http://tideline.test", tideline.WithToken(token), tideline.WithHTTPClient(&http.Client{Transport: transport}))
}

func (w *wires) setServers(bases ...string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.bases = bases
}

// resumer holds a feed by pages and changes, over connections that are cut.
type resumer struct {
	home *tideline.Home

	mu      sync.Mutex
	entries tideline.Entries
	chain   tokenChain
}

// tokenChain records what the changes since a first page report.
type tokenChain struct {
	// began counts first pages.
	began   int
	added   map[string]bool
	changed map[string]int
	twice   []string
}

func (c *tokenChain) begin() {
	c.began++
	c.added, c.changed = map[string]bool{}, map[string]int{}
}

// report takes a change of an object; id is nil for a RESET.
func (c *tokenChain) report(kind tideline.HomeChangeKind, id *string) {
	switch kind {
	case tideline.HomeChangeKindAdded:
		if c.added[*id] {
			c.twice = append(c.twice, *id)
		}
		c.added[*id] = true
	case tideline.HomeChangeKindRemoved:
		delete(c.added, *id)
	case tideline.HomeChangeKindChanged:
		c.changed[*id]++
	case tideline.HomeChangeKindReset:
	}
}

// wantOnce checks that there was one first page, and that no change was reported more often than it
// was made.
func (c *tokenChain) wantOnce(t *testing.T, what string, made map[string]int) {
	t.Helper()
	if c.began != 1 || len(c.twice) > 0 {
		t.Errorf("%s has read the feed %d times, and got %v twice", what, c.began, c.twice)
	}
	for id, n := range c.changed {
		if n > made[id] {
			t.Errorf("%s got %d changes of %s, which changed %d times", what, n, id, made[id])
		}
	}
}

func newResumer(w *wires, token string) *resumer {
	return &resumer{home: w.client(token).Home(tideline.PageSize(100), tideline.RetryWait(time.Millisecond, 50*time.Millisecond))}
}

// run reads pages and changes until ctx ends.
func (r *resumer) run(ctx context.Context) {
	for ctx.Err() == nil {
		since, err := r.readPages(ctx)
		if err != nil {
			continue
		}
		for page, err := range r.home.Changes(ctx, since) {
			if err != nil || !r.apply(page) {
				break
			}
		}
	}
}

func (r *resumer) readPages(ctx context.Context) (since string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for page, err := range r.home.Pages(ctx) {
		if err != nil {
			return "", err
		}
		r.entries.Add(page)
		if page.SyncToken != nil {
			since = *page.SyncToken
		}
	}
	r.chain.begin()
	return since, nil
}

func (r *resumer) apply(page *tideline.ChangePage) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range page.Changes {
		r.chain.report(c.Kind, c.PostId)
	}
	return r.entries.Apply(page)
}

// shown returns texts by id.
func (r *resumer) shown() map[string]string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return textsOf(r.entries.List())
}

func textsOf(edges []tideline.ContentEdge) map[string]string {
	texts := map[string]string{}
	for _, e := range edges {
		texts[e.Node.Id] = e.Node.Text
	}
	return texts
}

// writer publishes, edits and deletes posts.
type writer struct {
	t      *testing.T
	client graphql.Client
	posts  []string
	edits  map[string]int
}

func (w *writer) write(n int) {
	w.t.Helper()
	text := fmt.Sprintf("text %d", n)
	var err error
	switch at := rand.IntN(10); {
	case at < 6 || len(w.posts) == 0:
		var done *tideline.PublishPostResponse
		if done, err = tideline.PublishPost(w.t.Context(), w.client, tideline.PublishPostInput{Text: text}); err == nil {
			w.posts = append(w.posts, done.PublishPost.FeedEdge.Node.Id)
		}
	case at < 8:
		id := w.posts[rand.IntN(len(w.posts))]
		w.edits[id]++
		_, err = tideline.EditPost(w.t.Context(), w.client, tideline.EditPostInput{PostId: id, Text: text})
	default:
		i := rand.IntN(len(w.posts))
		_, err = tideline.DeletePost(w.t.Context(), w.client, tideline.PostIdInput{PostId: w.posts[i]})
		w.posts = slices.Delete(w.posts, i, i+1)
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// TestSubscription_LosesNothingWhenCut cuts connections at random, and kills a server, while posts
// are published, edited and deleted 50 times a second, and live sessions change ten times a second.
func TestSubscription_LosesNothingWhenCut(t *testing.T) {
	t.Parallel()
	redis := testenv.StartRedis(t, testenv.RedisOptions{})
	env := []string{
		"TIDELINE_DATABASE_URL=" + testenv.Postgres(t), "TIDELINE_REDIS_URL=" + redis.URL(), "TIDELINE_JWT_SECRET=" + harness.Secret,
		"TIDELINE_DEMO=false", "TIDELINE_RATE_LIMIT=0", "TIDELINE_ADDRESS_RATE_LIMIT=0",
	}
	harness.ImportFile(t, env, harness.StarFile(t, 3), "7 new, 0 known, 0 bad")
	env = append(env, "TIDELINE_ROLE=api")
	one, other := startServer(t, env...), startServer(t, env...)
	harness.StartWorker(t, env)
	w := &wires{}
	w.setServers(one.Base, other.Base)

	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	clients, audience := map[feed.UserID]*resumer{}, map[feed.UserID]*liveResumer{}
	for id := feed.UserID(2); id <= 4; id++ {
		r, l := newResumer(w, harness.TokenFor(t, id)), newLiveResumer(w, harness.TokenFor(t, id))
		clients[id], audience[id] = r, l
		running.Go(func() { r.run(ctx) })
		running.Go(func() { l.run(ctx) })
	}
	defer running.Wait()
	defer stop()

	author := tideline.New(one.Base, tideline.WithToken(harness.TokenFor(t, 1)))
	pen := &writer{t: t, client: author, edits: map[string]int{}}
	stage := &host{t: t, client: author, transitions: map[string]int{}}
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for done, n := 0, 0; done < cuts(); n++ {
		pen.write(n)
		if n%5 == 0 {
			stage.write(n)
		}
		<-tick.C
		if w.cut() {
			done++
		}
		if n == 20 {
			w.setServers(one.Base)
			other.Process.Kill()
		}
	}
	for id, r := range clients {
		wantHomeCaughtUp(t, one, id, r, pen)
	}
	for id, r := range audience {
		wantLiveCaughtUp(t, one, id, r, stage)
	}
}

func wantHomeCaughtUp(t *testing.T, s *server, id feed.UserID, r *resumer, pen *writer) {
	t.Helper()
	eventually.True(t, "the client shows what a fresh read has", func() bool {
		fresh := tideline.NewHome(s.Base, tideline.PageSize(100), tideline.Connection(tideline.WithToken(harness.TokenFor(t, id))))
		var entries tideline.Entries
		for page, err := range fresh.Pages(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			entries.Add(page)
		}
		want := textsOf(entries.List())
		return len(want) == len(pen.posts) && cmp.Equal(want, r.shown())
	})
	r.chain.wantOnce(t, fmt.Sprintf("the home feed of client %d", id), pen.edits)
}

func wantLiveCaughtUp(t *testing.T, s *server, id feed.UserID, r *liveResumer, stage *host) {
	t.Helper()
	eventually.True(t, "the client shows what a fresh read of the live feed has", func() bool {
		var want []tideline.SessionEdge
		fresh := tideline.NewClient(s.Base, tideline.WithToken(harness.TokenFor(t, id)))
		for page, err := range fresh.Live(tideline.PageSize(100)).Pages(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, page.Edges...)
		}
		return len(want) == stage.sessions() && cmp.Equal(statesOf(want), r.shown())
	})
	r.chain.wantOnce(t, fmt.Sprintf("the live feed of client %d", id), stage.transitions)
}
