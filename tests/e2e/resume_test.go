//go:build nightly

package e2e

import (
	"context"
	"fmt"
	"iter"
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
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
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

// heldFeed is a feed that the Go client holds, whose pages and changes have types of their own.
type heldFeed[P, C any] struct {
	pages   func(context.Context) iter.Seq2[P, error]
	changes func(context.Context, string) iter.Seq2[C, error]
	// add takes a page, and returns its sync token, if any.
	add func(P) *string
	// apply takes changes. It returns false if the pages must be read again.
	apply func(C, *tokenChain) bool
	// shown returns what a user sees of each object, by key.
	shown func() map[string]string
}

// resumer holds a feed by pages and changes, over connections that are cut.
type resumer[P, C any] struct {
	heldFeed[P, C]

	mu    sync.Mutex
	chain tokenChain
}

type (
	homeFeed    = heldFeed[*tideline.ContentPage, *tideline.ChangePage]
	liveFeed    = heldFeed[*tideline.SessionPage, *tideline.LiveChangePage]
	homeResumer = resumer[*tideline.ContentPage, *tideline.ChangePage]
	liveResumer = resumer[*tideline.SessionPage, *tideline.LiveChangePage]
)

// run reads pages and changes until ctx ends.
func (r *resumer[P, C]) run(ctx context.Context) {
	for ctx.Err() == nil {
		since, err := r.readPages(ctx)
		if err != nil {
			continue
		}
		for changes, err := range r.changes(ctx, since) {
			if err != nil || !r.take(changes) {
				break
			}
		}
	}
}

func (r *resumer[P, C]) readPages(ctx context.Context) (since string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for page, err := range r.pages(ctx) {
		if err != nil {
			return "", err
		}
		if token := r.add(page); token != nil {
			since = *token
		}
	}
	r.chain.begin()
	return since, nil
}

func (r *resumer[P, C]) take(changes C) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.apply(changes, &r.chain)
}

// wantCaughtUp waits until the client shows n objects, as a fresh reader does. It checks that each
// change was reported once.
func (r *resumer[P, C]) wantCaughtUp(t *testing.T, what string, begin func() heldFeed[P, C], n int, made map[string]int) {
	t.Helper()
	eventually.True(t, what+" shows what a fresh read has", func() bool {
		fresh := begin()
		for page, err := range fresh.pages(t.Context()) {
			harness.Check(t, err)
			fresh.add(page)
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		return len(fresh.shown()) == n && cmp.Equal(fresh.shown(), r.shown())
	})
	r.mu.Lock()
	defer r.mu.Unlock()
	r.chain.wantOnce(t, what, made)
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

// retry makes clients connect again soon.
func retry() tideline.FeedOption { return tideline.RetryWait(time.Millisecond, 50*time.Millisecond) }

func homeOf(c *tideline.Client) homeFeed {
	home, entries := c.Home(tideline.PageSize(100), retry()), tideline.Entries{}
	return homeFeed{
		pages: home.Pages, changes: home.Changes,
		add: func(p *tideline.ContentPage) *string { entries.Add(p); return p.SyncToken },
		apply: func(p *tideline.ChangePage, chain *tokenChain) bool {
			for _, c := range p.Changes {
				chain.report(c.Kind, c.PostId)
			}
			return entries.Apply(p)
		},
		shown: func() map[string]string {
			texts := map[string]string{}
			for _, e := range entries.List() {
				texts[e.Node.Id] = e.Node.Text
			}
			return texts
		},
	}
}

func liveOf(c *tideline.Client) liveFeed {
	live, entries := c.Live(tideline.PageSize(100), retry()), tideline.LiveEntries{}
	return liveFeed{
		pages: live.Pages, changes: live.Changes,
		add: func(p *tideline.SessionPage) *string { entries.Add(p); return p.SyncToken },
		apply: func(p *tideline.LiveChangePage, chain *tokenChain) bool {
			for _, c := range p.Changes {
				chain.report(c.Kind, c.LiveSessionId)
			}
			return entries.Apply(p)
		},
		// The order of the feed matters too.
		shown: func() map[string]string {
			states := map[string]string{}
			for place, e := range entries.List() {
				states[fmt.Sprint(place)] = fmt.Sprint(e.Node.State, " ", e.Node.Title)
			}
			return states
		},
	}
}

// TestSubscription_LosesNothingWhenCut cuts connections at random, and kills a server, while posts
// are published, edited and deleted 50 times a second, and live sessions change ten times a second.
func TestSubscription_LosesNothingWhenCut(t *testing.T) {
	t.Parallel()
	redis := testenv.StartRedis(t, testenv.RedisOptions{})
	env := shared(t, noDemo, "TIDELINE_REDIS_URL="+redis.URL(), "TIDELINE_RATE_LIMIT=0", "TIDELINE_ADDRESS_RATE_LIMIT=0")
	harness.ImportFile(t, env, harness.StarFile(t, 3), "7 new, 0 known, 0 bad")
	env = append(env, "TIDELINE_ROLE=api")
	one, other := startServer(t, env...), startServer(t, env...)
	harness.StartWorker(t, env)
	w := &wires{}
	w.setServers(one.Base, other.Base)

	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	homes, lives := map[feed.UserID]*homeResumer{}, map[feed.UserID]*liveResumer{}
	for id := feed.UserID(2); id <= 4; id++ {
		client := w.client(harness.TokenFor(t, id))
		home, live := &homeResumer{heldFeed: homeOf(client)}, &liveResumer{heldFeed: liveOf(client)}
		homes[id], lives[id] = home, live
		running.Go(func() { home.run(ctx) })
		running.Go(func() { live.run(ctx) })
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
	for id := range homes {
		client := tideline.NewClient(one.Base, tideline.WithToken(harness.TokenFor(t, id)))
		homes[id].wantCaughtUp(t, fmt.Sprintf("the home feed of client %d", id), func() homeFeed { return homeOf(client) }, len(pen.posts), pen.edits)
		lives[id].wantCaughtUp(t, fmt.Sprintf("the live feed of client %d", id), func() liveFeed { return liveOf(client) }, stage.sessions(), stage.transitions)
	}
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
		_, err = tideline.EditPost(w.t.Context(), w.client, tideline.EditPostInput{PostId: id, Text: &text})
	default:
		i := rand.IntN(len(w.posts))
		_, err = tideline.DeletePost(w.t.Context(), w.client, tideline.PostIdInput{PostId: w.posts[i]})
		w.posts = slices.Delete(w.posts, i, i+1)
	}
	harness.Check(w.t, err)
}

// host schedules, moves, starts, ends and cancels sessions.
type host struct {
	t      *testing.T
	client graphql.Client
	// upcoming and live have the ids of sessions, and ended counts replays.
	upcoming, live []string
	ended          int
	// transitions counts the changes of each session after it was scheduled.
	transitions map[string]int
}

// openMost is how many sessions a host has open here; the server allows 100.
const openMost = 20

func (h *host) write(n int) {
	h.t.Helper()
	ctx, c := h.t.Context(), h.client
	var err error
	switch at := rand.IntN(10); {
	case len(h.upcoming) == 0 || at < 4 && len(h.upcoming)+len(h.live) < openMost:
		in := tideline.ScheduleLiveInput{Title: fmt.Sprintf("session %d", n), ScheduledAt: time.Now().Add(time.Duration(1+rand.IntN(90)) * time.Minute)}
		var done *tideline.ScheduleLiveResponse
		if done, err = tideline.ScheduleLive(ctx, c, in); err == nil {
			h.upcoming = append(h.upcoming, done.ScheduleLive.LiveSession.Id)
		}
	case at < 5:
		id := h.change(h.upcoming)
		_, err = tideline.RescheduleLive(ctx, c, tideline.RescheduleLiveInput{LiveSessionId: id, ScheduledAt: time.Now().Add(2 * time.Hour)})
	case at < 7:
		id := h.change(h.upcoming)
		h.upcoming, h.live = without(h.upcoming, id), append(h.live, id)
		_, err = tideline.StartLive(ctx, c, tideline.LiveIdInput{LiveSessionId: id})
	case at < 9 && len(h.live) > 0:
		id := h.change(h.live)
		h.live = without(h.live, id)
		h.ended++
		_, err = tideline.EndLive(ctx, c, tideline.EndLiveInput{LiveSessionId: id})
	default:
		id := h.change(h.upcoming)
		h.upcoming = without(h.upcoming, id)
		_, err = tideline.CancelLive(ctx, c, tideline.LiveIdInput{LiveSessionId: id})
	}
	harness.Check(h.t, err)
}

// sessions is the number of sessions that the feeds of followers have.
func (h *host) sessions() int { return len(h.upcoming) + len(h.live) + h.ended }

// change chooses a session at random and counts its change.
func (h *host) change(ids []string) string {
	id := ids[rand.IntN(len(ids))]
	h.transitions[id]++
	return id
}

func without(ids []string, gone string) []string {
	return slices.DeleteFunc(ids, func(id string) bool { return id == gone })
}
