package redisstore_test

import (
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// memory is a cache that tells what it is asked to forget, in order: "purge", or the
// posts and users of an eviction.
type memory struct{ told chan string }

func newMemory() *memory { return &memory{told: make(chan string, 10_000)} }

func (m *memory) Evict(posts []feed.PostID, users []feed.UserID) {
	m.told <- fmt.Sprint("posts ", posts, " users ", users)
}

func (m *memory) Purge() { m.told <- "purge" }

// next fails the test unless the cache's next call is want.
func (m *memory) next(t *testing.T, want string) {
	t.Helper()
	if got := eventually.Receive(t, want+" told to the cache", m.told); got != want {
		t.Fatalf("the cache got %q, not %q", got, want)
	}
}

// process is one process's cache and evictions, with a connection of its own.
type process struct {
	*redisstore.Evictions
	cache *memory
}

// startProcess returns once the process listens.
func startProcess(t *testing.T, url string) process {
	t.Helper()
	p := process{cache: newMemory()}
	p.Evictions = redisstore.NewEvictions(open(t, url), p.cache, slog.New(slog.DiscardHandler))
	p.Start()
	t.Cleanup(func() { _ = p.Close() })
	p.cache.next(t, "purge")
	return p
}

func TestEvictions_ReachOtherProcesses(t *testing.T) {
	t.Parallel()
	for name, url := range map[string]func(t *testing.T) string{
		"redis":    func(t *testing.T) string { return testenv.Redis(t) },
		"embedded": func(t *testing.T) string { return embedded(t).URL() },
		"cluster":  func(t *testing.T) string { return testenv.StartRedisCluster(t, 0).URL() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at := url(t)
			a, b, c := startProcess(t, at), startProcess(t, at), startProcess(t, at)
			a.Evict([]feed.PostID{1, 2}, []feed.UserID{3})
			for _, p := range []process{a, b, c} {
				p.cache.next(t, "posts [1 2] users [3]")
			}
			// The next thing that a hears is this, so it has not heeded itself.
			b.Evict(nil, []feed.UserID{4})
			for _, p := range []process{a, b, c} {
				p.cache.next(t, "posts [] users [4]")
			}
			if err := b.Close(); err != nil { // waits for the answer to what it sent
				t.Fatal(err)
			}
			want := redisstore.EvictionStats{Sent: 1, Received: 3, Purges: 1}
			if diff := cmp.Diff(want, b.Stats()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The process that edits reads its writes: it does not wait for its own message.
func TestEvict_EvictsLocallyAtOnce(t *testing.T) {
	cache := newMemory()
	e := redisstore.NewEvictions(embedded(t).Client(), cache, slog.New(slog.DiscardHandler))
	e.Evict([]feed.PostID{1}, nil) // not started, so nothing can have come back
	if n := len(cache.told); n != 1 {
		t.Errorf("the cache got %d calls", n)
	}
}

func TestEvictions_LimitMessageSize(t *testing.T) {
	url := embedded(t).URL()
	a, b := startProcess(t, url), startProcess(t, url)
	var posts []feed.PostID
	for id := range feed.PostID(2500) {
		posts = append(posts, id+1)
	}
	a.Evict(posts, []feed.UserID{1})
	b.cache.next(t, fmt.Sprint("posts ", posts[:1000], " users []"))
	b.cache.next(t, fmt.Sprint("posts ", posts[1000:2000], " users []"))
	b.cache.next(t, fmt.Sprint("posts ", posts[2000:], " users [1]"))
}

func TestEvict_CopiesSlices(t *testing.T) {
	url := embedded(t).URL()
	a := process{cache: newMemory()}
	a.Evictions = redisstore.NewEvictions(open(t, url), a.cache, slog.New(slog.DiscardHandler))
	b := startProcess(t, url)
	posts := []feed.PostID{1}
	a.Evict(posts, nil)
	posts[0] = 99
	a.Start() // only now is it sent
	b.cache.next(t, "posts [1] users []")
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
}

// Messages may have been missed between two connections, and nothing tells which.
func TestEvictions_PurgeAfterLostConnection(t *testing.T) {
	t.Parallel()
	server := testenv.StartRedis(t, testenv.RedisOptions{})
	a, b := startProcess(t, server.URL()), startProcess(t, server.URL())
	for name, lose := range map[string]func(t *testing.T){
		"connection killed": func(t *testing.T) {
			if err := raw(t, open(t, server.URL())).ClientKillByFilter(t.Context(), "TYPE", "pubsub").Err(); err != nil {
				t.Fatal(err)
			}
		},
		"Redis restarted": func(*testing.T) { server.Restart() },
	} {
		t.Run(name, func(t *testing.T) {
			lose(t)
			a.cache.next(t, "purge")
			b.cache.next(t, "purge")
			a.Evict([]feed.PostID{5}, nil)
			a.cache.next(t, "posts [5] users []")
			b.cache.next(t, "posts [5] users []")
		})
	}
}

// A Redis that hangs keeps its connections, as a cable that was pulled does: only
// the missing answers tell.
func TestEvictions_LeaveSilentConnection(t *testing.T) {
	t.Parallel()
	hanging, other := testenv.StartRedis(t, testenv.RedisOptions{}), testenv.StartRedis(t, testenv.RedisOptions{})
	at := newOneName(t, hanging)
	p := startProcess(t, at.url())
	at.master.Store(other)
	hanging.Freeze()
	p.cache.next(t, "purge")
}

// While PUBLISH hangs, each call that waited for it would take seconds.
func TestEvict_NeverWaitsForRedis(t *testing.T) {
	t.Parallel()
	url := testenv.Redis(t)
	a, b := startProcess(t, url), startProcess(t, url)
	r := raw(t, open(t, url))
	if err := r.Do(t.Context(), "CLIENT", "PAUSE", time.Hour.Milliseconds(), "WRITE").Err(); err != nil {
		t.Fatal(err)
	}
	const calls = 5000
	began := time.Now()
	for range calls {
		a.Evict([]feed.PostID{1}, nil)
	}
	// If each waited for an answer, that would take hours.
	if took := time.Since(began); took > eventually.Limit {
		t.Errorf("%d calls took %v", calls, took)
	}
	for range calls {
		a.cache.next(t, "posts [1] users []")
	}
	if s := a.Stats(); s.Dropped == 0 || s.Sent != 0 {
		t.Errorf("stats are %+v", s)
	}
	if err := r.Do(t.Context(), "CLIENT", "UNPAUSE").Err(); err != nil {
		t.Fatal(err)
	}
	a.Evict([]feed.PostID{2}, nil)
	a.cache.next(t, "posts [2] users []")
	if err := a.Close(); err != nil { // sends what still waits
		t.Fatal(err)
	}
	if s := a.Stats(); s.Sent+s.Dropped != calls+1 || s.Sent == 0 {
		t.Errorf("of %d ids stats account for %+v", calls+1, s)
	}
	if got := <-b.cache.told; got == "purge" {
		t.Error("the other process lost its connection, which it should have kept")
	}
}

func TestEvictions_PurgeOnUnknownMessage(t *testing.T) {
	url := embedded(t).URL()
	p := startProcess(t, url)
	r := raw(t, open(t, url))
	for _, text := range []string{`{"v":2,"everything":true}`, "nonsense"} {
		if err := r.Publish(t.Context(), "tideline:evict", text).Err(); err != nil {
			t.Fatal(err)
		}
		p.cache.next(t, "purge")
	}
	if got := p.Stats().Purges; got != 3 {
		t.Errorf("%d purges were counted", got)
	}
}

func TestEvictions_CloseSendsQueue(t *testing.T) {
	url := embedded(t).URL()
	a, b, c := startProcess(t, url), startProcess(t, url), startProcess(t, url)
	for id := range feed.PostID(100) {
		a.Evict([]feed.PostID{id + 1}, nil)
	}
	for range 2 {
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
	}
	a.Evict([]feed.PostID{1000}, nil)
	if s := a.Stats(); s.Sent != 100 || s.Dropped != 1 {
		t.Errorf("stats are %+v", s)
	}
	c.Evict(nil, []feed.UserID{1}) // comes last
	var heard []string
	for !slices.Contains(heard, "posts [] users [1]") {
		heard = append(heard, <-b.cache.told)
	}
	if got := b.Stats().Received; got != 101 {
		t.Errorf("the other process got %d ids: %v", got, heard)
	}
}

func TestEvictions_CloseEndsGoroutines(t *testing.T) {
	server := testenv.StartRedis(t, testenv.RedisOptions{})
	for name, before := range map[string]func(){
		"while Redis answers": func() {},
		"while Redis is gone": server.Kill,
	} {
		t.Run(name, func(t *testing.T) {
			server.Restart()
			c := open(t, server.URL())
			running := goleak.IgnoreCurrent()
			cache := newMemory()
			e := redisstore.NewEvictions(c, cache, slog.New(slog.DiscardHandler))
			e.Start()
			cache.next(t, "purge")
			before()
			e.Evict([]feed.PostID{1}, nil)
			if err := e.Close(); err != nil {
				t.Fatal(err)
			}
			goleak.VerifyNone(t, running)
		})
	}
}
