package upstream_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"connectrpc.com/connect"
	"github.com/google/go-cmp/cmp"

	tidelinev1 "github.com/tideline-feeds/tideline/api/tideline/v1"
	"github.com/tideline-feeds/tideline/api/tideline/v1/tidelinev1connect"
	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/lrucache"
	"github.com/tideline-feeds/tideline/internal/upstream"
)

// readPost is a post on a page.
type readPost struct{ id, author int64 }

// network is one in which the author of rank n has followers and posts in proportion to 1/n.
type network struct {
	random *rand.Rand
	// popularity is the sum of 1/n up to each author.
	popularity []float64
	followees  [][]int64
	// latest are the newest posts of each author, newest first.
	latest [][]readPost
	posts  int64
}

const (
	networkAuthors, networkViewers, networkFollows = 500, 1000, 20
	pageSize                                       = 20
	// pagesPerPost is how many pages are read while one post is written.
	pagesPerPost = 10
)

func newNetwork(seed uint64) *network {
	n := &network{random: rand.New(rand.NewPCG(seed, seed)), latest: make([][]readPost, networkAuthors)}
	sum := 0.0
	for rank := range networkAuthors {
		sum += 1 / float64(rank+1)
		n.popularity = append(n.popularity, sum)
	}
	for range networkViewers {
		var of []int64
		for len(of) < networkFollows {
			if a := n.author(); !slices.Contains(of, a) {
				of = append(of, a)
			}
		}
		n.followees = append(n.followees, of)
	}
	for range networkAuthors * pageSize / 2 {
		n.publish()
	}
	return n
}

// author draws an author by popularity. The most popular is 0.
func (n *network) author() int64 {
	at, _ := slices.BinarySearch(n.popularity, n.random.Float64()*n.popularity[networkAuthors-1])
	return int64(at)
}

func (n *network) publish() {
	n.posts++
	a := n.author()
	n.latest[a] = append([]readPost{{n.posts, a}}, n.latest[a][:min(len(n.latest[a]), pageSize-1)]...)
}

// page returns the newest posts of a viewer's followees.
func (n *network) page() []readPost {
	var all []readPost
	for _, a := range n.followees[n.random.IntN(networkViewers)] {
		all = append(all, n.latest[a]...)
	}
	slices.SortFunc(all, func(a, b readPost) int { return int(b.id - a.id) })
	return all[:min(len(all), pageSize)]
}

// callCounter answers everything and counts its calls.
type callCounter struct{ posts, users, counters atomic.Int64 }

func (c *callCounter) reset() {
	for _, n := range []*atomic.Int64{&c.posts, &c.users, &c.counters} {
		n.Store(0)
	}
}

type countedPosts struct{ *callCounter }

func (c countedPosts) BatchGet(
	_ context.Context, r *connect.Request[tidelinev1.PostServiceBatchGetRequest],
) (*connect.Response[tidelinev1.PostServiceBatchGetResponse], error) {
	c.posts.Add(1)
	out := &tidelinev1.PostServiceBatchGetResponse{}
	for _, id := range r.Msg.GetIds() {
		out.Results = append(out.Results, &tidelinev1.PostResult{Id: id, Outcome: &tidelinev1.PostResult_Found{Found: &tidelinev1.Post{Text: "post " + id, Version: 1}}})
	}
	return connect.NewResponse(out), nil
}

type countedUsers struct{ *callCounter }

func (c countedUsers) BatchGet(
	_ context.Context, r *connect.Request[tidelinev1.UserServiceBatchGetRequest],
) (*connect.Response[tidelinev1.UserServiceBatchGetResponse], error) {
	c.users.Add(1)
	out := &tidelinev1.UserServiceBatchGetResponse{}
	for _, id := range r.Msg.GetIds() {
		out.Results = append(out.Results, &tidelinev1.UserResult{Id: id, Outcome: &tidelinev1.UserResult_Found{Found: &tidelinev1.User{Name: "user " + id, Version: 1}}})
	}
	return connect.NewResponse(out), nil
}

type countedCounters struct{ *callCounter }

func (c countedCounters) BatchGet(
	_ context.Context, r *connect.Request[tidelinev1.CounterServiceBatchGetRequest],
) (*connect.Response[tidelinev1.CounterServiceBatchGetResponse], error) {
	c.counters.Add(1)
	out := &tidelinev1.CounterServiceBatchGetResponse{}
	for _, id := range r.Msg.GetPostIds() {
		out.Posts = append(out.Posts, &tidelinev1.PostCounters{Id: id, Likes: 1})
	}
	return connect.NewResponse(out), nil
}

// cached returns a service with a cache of some entries.
func cached[V any](name string, ask upstream.Asker[V], size int, ttl time.Duration, clock feed.Clock) *upstream.Service[V] {
	return upstream.New(upstream.Options[V]{
		CallOptions: upstream.CallOptions{Name: name, Timeout: time.Minute, CallsMax: 8, Clock: clock}, Ask: ask,
		Cache: lrucache.NewContents[feed.Object, V](lrucache.Options{Size: size, Bytes: math.MaxInt64, TTL: ttl}, staleFor),
	})
}

// history are pages in the order in which they are read.
type history struct {
	pages [][]readPost
	// posts is the number of different posts, and popular the share of a tenth of the authors.
	posts   int
	popular float64
}

func (n *network) history(pages int) history {
	var h history
	distinct := map[int64]bool{}
	popular, total := 0, 0
	for i := range pages {
		if i%pagesPerPost == 0 {
			n.publish()
		}
		page := n.page()
		h.pages = append(h.pages, page)
		for _, p := range page {
			distinct[p.id] = true
			total++
			if p.author < networkAuthors/10 {
				popular++
			}
		}
	}
	h.posts, h.popular = len(distinct), float64(popular)/float64(total)
	return h
}

// reader reads pages from services, over HTTP. now is the time of the services' cache.
type reader struct {
	calls    callCounter
	now      time.Time
	posts    *upstream.Service[feed.PostContent]
	users    *upstream.Service[feed.Profile]
	counters *upstream.Service[feed.UpstreamCounters]
}

// newReader returns a reader with a cache of some posts, and of the others as many as the defaults
// have for each post.
func newReader(t *testing.T, posts int) *reader {
	r := &reader{now: time.Unix(1, 0)}
	clock := func() time.Time { return r.now }
	mux := http.NewServeMux()
	mux.Handle(tidelinev1connect.NewPostServiceHandler(countedPosts{&r.calls}))
	mux.Handle(tidelinev1connect.NewUserServiceHandler(countedUsers{&r.calls}))
	mux.Handle(tidelinev1connect.NewCounterServiceHandler(countedCounters{&r.calls}))
	client, url := upstream.NewClient(upstream.Connect, ""), serve(t, mux)
	share := func(o lrucache.Options) int { return posts * o.Size / lrucache.DefaultPosts().Size }
	r.posts = cached("posts", client.Posts(url), posts, freshFor, clock)
	r.users = cached("users", client.Users(url), share(lrucache.DefaultUsers()), freshFor, clock)
	r.counters = cached("counters", client.Counters(url), share(lrucache.DefaultCounters()), time.Second, clock)
	return r
}

func (r *reader) read(t *testing.T, page []readPost) {
	t.Helper()
	var posts, authors, counters []feed.UpstreamRef
	for _, p := range page {
		post := &feed.Post{ID: feed.PostID(p.id)}
		posts, counters = append(posts, post.UpstreamRef()), append(counters, post.CountersRef())
		if ref := user(p.author + 1); !slices.Contains(authors, ref) {
			authors = append(authors, ref)
		}
	}
	gotPosts, gotUsers, gotCounters := r.posts.Fetch(t.Context(), posts), r.users.Fetch(t.Context(), authors), r.counters.Fetch(t.Context(), counters)
	if text, name := "post "+string(posts[0].ID), "user "+string(authors[0].ID); gotPosts[0].Value.Text != text ||
		gotUsers[0].Value.Name != name || gotCounters[0].Value.Post.Likes != 1 {
		t.Fatalf("the first post is %+v by %+v with %+v", gotPosts[0], gotUsers[0], gotCounters[0])
	}
}

// The cache holds a tenth of the posts that are read. A process answers a hundred pages per second.
func TestSimulation_FewCallsPerPage(t *testing.T) {
	const pages, warmUp, interval, seed = 8000, 2000, 10 * time.Millisecond, 46
	h := newNetwork(seed).history(pages)
	r := newReader(t, h.posts/10)
	for i, page := range h.pages {
		if i == warmUp {
			r.calls.reset()
		}
		r.now = r.now.Add(interval)
		r.read(t, page)
	}
	perPage := func(calls *atomic.Int64) float64 { return float64(calls.Load()) / (pages - warmUp) }
	posts, users, counters := perPage(&r.calls.posts), perPage(&r.calls.users), perPage(&r.calls.counters)
	t.Logf("seed %d: a tenth of the authors wrote %.3f of what is read; calls per page: %.3f for posts, %.3f for profiles, %.3f for counters",
		seed, h.popular, posts, users, counters)
	if posts+users > 0.3 || posts == 0 || users == 0 || counters > 1 {
		t.Errorf("seed %d: per page %.3f calls for posts, %.3f for profiles and %.3f for counters", seed, posts, users, counters)
	}
}

// A call goes on after the reader that began it, for others and for the cache.
func TestFetch_CallOutlivesItsReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, service := open(t)
		service.Fetch(t.Context(), users(1, 1))
		time.Sleep(freshFor)
		s.took = callTimeout / 2
		ctx, cancel := context.WithTimeout(t.Context(), callTimeout/4)
		defer cancel()
		expect(t, service.Fetch(ctx, users(1, 2)), stale(1, 1, feed.UpstreamTimeout), missing(feed.UpstreamTimeout))
		cancel()
		s.takeCalls()
		for range 2 {
			expect(t, service.Fetch(t.Context(), users(1, 2)), fresh(1, 1), fresh(2, 1))
		}
		if n := s.takeCalls(); n != 0 {
			t.Errorf("%d further calls", n)
		}
	})
}

func TestFetch_LimitsConcurrentCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, service := open(t)
		var readers sync.WaitGroup
		for id := range int64(callsMax) {
			readers.Go(func() { expect(t, service.Fetch(t.Context(), users(id+1, id+1)), fresh(id+1, 1)) })
		}
		synctest.Wait()
		expect(t, service.Fetch(t.Context(), users(100, 100)), missing(feed.UpstreamUnavailable))
		readers.Wait()
		expect(t, service.Fetch(t.Context(), users(100, 100)), fresh(100, 1))
	})
}

// Without stored versions, it is unknown whether an answer is current.
func TestFetch_KeepsNothingWithoutStoredVersions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, service := open(t)
		s.unread, s.profiles[2] = errors.New("boom"), gone(7)
		for range 2 {
			expect(t, service.Fetch(t.Context(), users(1, 2)), fresh(1, 1), missing(feed.UpstreamNotFound))
		}
		if diff := cmp.Diff([][]string{{"1", "2"}, {"1", "2"}}, s.calls); diff != "" || len(s.ingested) > 0 {
			t.Errorf("deletions %+v, calls (-want +got):\n%s", s.ingested, diff)
		}
	})
}

func TestTrace_CountsWhereAnswersAreFrom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, service := open(t)
		count := func(want upstream.Counts) {
			t.Helper()
			service.Fetch(t.Context(), users(1, 5))
			same(t, "counts", s.counts, want)
		}
		service.Fetch(t.Context(), users(1, 2))
		count(upstream.Counts{Cached: 2, Read: 3})
		service.Evict([]feed.Object{user(1).Object})
		s.set(func() { delete(s.profiles, 1) })
		count(upstream.Counts{Cached: 4, Stale: 1})
		time.Sleep(freshFor + staleFor)
		s.set(func() { s.err = errors.New("boom") })
		count(upstream.Counts{Missing: 5})
	})
}

// What a service said was gone does not show again while it fails.
func TestGone_IsForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, service := open(t)
		service.Fetch(t.Context(), users(1, 1))
		service.Purge()
		s.set(func() { s.profiles[1] = gone(7) })
		expect(t, service.Fetch(t.Context(), users(1, 1)), missing(feed.UpstreamGone))
		s.set(func() { s.err = errors.New("boom") })
		expect(t, service.Fetch(t.Context(), users(1, 1)), missing(feed.UpstreamUnavailable))
	})
}

// Five at once are stored, and one more after two seconds each.
func TestGone_Limits(t *testing.T) {
	for name, c := range map[string]struct {
		first, then int64
		after       time.Duration
		stored      int
	}{
		"five":               {5, 0, 0, 5},
		"six":                {6, 0, 0, 0},
		"one more too early": {5, 1, 2*time.Second - 5*time.Millisecond, 5},
		"one more":           {5, 1, 2 * time.Second, 6},
		"two more":           {5, 2, 2 * time.Second, 5},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, service := open(t)
				for id := range int64(20) {
					s.profiles[id+1] = gone(7)
				}
				service.Fetch(t.Context(), users(1, c.first))
				time.Sleep(c.after)
				service.Fetch(t.Context(), users(c.first+1, c.first+c.then))
				if opened := len(s.opened) > 0; len(s.ingested) != c.stored || opened != (c.stored < int(c.first+c.then)) {
					t.Errorf("%d deletions, turns %v", len(s.ingested), s.opened)
				}
			})
		})
	}
}

// A deletion is stored although its reader has left. A failure is reported, and nothing else.
func TestDeletions_OutliveTheReader(t *testing.T) {
	boom, failed := errors.New("boom"), error(nil)
	d := upstream.NewDeletions("users", func(ctx context.Context, b feed.SourceBatch) error {
		if ctx.Err() != nil || b.Source != "users" || len(b.Records) != 1 {
			t.Errorf("%v, batch %+v", ctx.Err(), b)
		}
		return boom
	}, time.Now, func(err error) { failed = err })
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := d.Apply(ctx, []upstream.Deleted{{Ref: user(1), Version: feed.ObjectVersion{Number: 7}}}); err != nil || !errors.Is(failed, boom) {
		t.Errorf("the error is %v, and %v was reported", err, failed)
	}
}

func TestFetch_SurvivesFaultsOfTheAsker(t *testing.T) {
	for name, c := range map[string]struct {
		ask  upstream.Asker[feed.Profile]
		want feed.UpstreamProblem
	}{
		"panic": {func(context.Context, []feed.UpstreamRef) ([]upstream.Answer[feed.Profile], error) { panic("oops") }, feed.UpstreamUnavailable},
		"too few answers": {func(context.Context, []feed.UpstreamRef) ([]upstream.Answer[feed.Profile], error) {
			return nil, nil
		}, feed.UpstreamUnavailable},
		"gone, but cannot be": {func(context.Context, []feed.UpstreamRef) ([]upstream.Answer[feed.Profile], error) {
			return []upstream.Answer[feed.Profile]{gone(7)}, nil
		}, feed.UpstreamNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			service := upstream.New(upstream.Options[feed.Profile]{
				CallOptions: upstream.CallOptions{Name: "users", Timeout: callTimeout, CallsMax: 1, Clock: time.Now}, Ask: c.ask,
				Cache: lrucache.NewContents[feed.Object, feed.Profile](lrucache.Options{}, 0),
			})
			expect(t, service.Fetch(t.Context(), users(1, 1)), missing(c.want))
		})
	}
}

// A service may itself wait in vain for another.
func TestFetch_NamesTimeoutsOfTheService(t *testing.T) {
	url := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusGatewayTimeout)
		_, _ = fmt.Fprint(w, `{"code": "deadline_exceeded"}`)
	}))
	service := cached("users", upstream.NewClient(upstream.JSON, "").Users(url), 1, freshFor, time.Now)
	expect(t, service.Fetch(t.Context(), users(1, 1)), missing(feed.UpstreamTimeout))
}
