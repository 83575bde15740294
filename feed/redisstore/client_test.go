package redisstore_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/redis/go-redis/v9"
	"go.uber.org/goleak"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

func TestOpen_SelectsDatabase(t *testing.T) {
	url := testenv.Redis(t)
	one := raw(t, open(t, strings.TrimSuffix(url, "/0")+"/1"))
	must(t, one.Set(t.Context(), "k", "v", 0).Err())
	if n, err := raw(t, open(t, url)).Exists(t.Context(), "k").Result(); err != nil || n != 0 {
		t.Errorf("database 0 has %d of the keys of database 1, %v", n, err)
	}
}

func TestOpen_ErrorHidesPassword(t *testing.T) {
	e := embedded(t)
	address := e.URL()[strings.LastIndex(e.URL(), "@")+1:]
	for name, url := range map[string]string{
		"wrong password":       "redis://:s3cret@" + address,
		"no server listens":    "redis://ann:s3cret@127.0.0.1:1",
		"no sentinel listens":  "redis-sentinel://ann:s3cret@127.0.0.1:1/master",
		"no node listens":      "redis-cluster://ann:s3cret@127.0.0.1:1,127.0.0.1:2",
		"no TLS at the server": "rediss://ann:s3cret@" + address,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := redisstore.Open(t.Context(), url)
			mustBeUnavailable(t, "Open", err)
			if strings.Contains(err.Error(), "s3cret") {
				t.Errorf("the error shows the password: %v", err)
			}
		})
	}
}

func TestMakeRedisClient_OutlivesItsOrigin(t *testing.T) {
	e := embedded(t)
	c := open(t, e.URL())
	own := raw(t, c)
	must(t, c.Close())
	if err := own.Ping(t.Context()).Err(); err != nil {
		t.Error(err)
	}
	mustBeUnavailable(t, "a closed client's Ping", c.Ping(t.Context()))
}

func TestEmbedded_RequiresPassword(t *testing.T) {
	e := embedded(t)
	address := e.URL()[strings.LastIndex(e.URL(), "@")+1:]
	if _, err := redisstore.Open(t.Context(), "redis://"+address); feed.CodeOf(err) != feed.CodeUnavailable {
		t.Errorf("without the password Open returned %v", err)
	}
	if !strings.HasPrefix(address, "127.0.0.1:") {
		t.Errorf("it listens on %s", address)
	}
}

func TestEmbedded_ExpiresKeys(t *testing.T) {
	r := raw(t, embedded(t).Client())
	must(t, r.Set(t.Context(), "lease", "held", 20*time.Millisecond).Err())
	ctx := eventually.Context(t)
	for {
		err := r.Get(ctx, "lease").Err()
		if errors.Is(err, redis.Nil) {
			return
		}
		if err != nil {
			t.Fatalf("the key never expired: %v", err)
		}
	}
}

func TestEmbedded_CloseEndsGoroutines(t *testing.T) {
	before := goleak.IgnoreCurrent()
	e, err := redisstore.OpenEmbedded(t.Context())
	must(t, err)
	must(t, e.Close())
	if _, err := redisstore.Open(t.Context(), e.URL()); feed.CodeOf(err) != feed.CodeUnavailable {
		t.Errorf("Open returned %v", err)
	}
	goleak.VerifyNone(t, before)
}

func TestPlace_NamesHostsOnly(t *testing.T) {
	for url, want := range map[string]string{
		"redis://ann:hunter2@cache":                       "redis://cache:6379",
		"rediss://:hunter2@cache:6380/2":                  "rediss://cache:6380, database 2",
		"redis-sentinel://ann:hunter2@one,two:26380/main": "redis-sentinel://one:26379,two:26380/main",
		"redis-cluster://ann:hunter2@one:7000,two:7001":   "redis-cluster://one:7000,two:7001",
		"redis://ann:hunter2@cache/not-a-number":          "",
	} {
		if got := redisstore.Place(url); got != want {
			t.Errorf("%s: %q, want %q", url, got, want)
		}
	}
}

func TestObserve_ReportsCommandsAndPipelines(t *testing.T) {
	everyRedis(t, func(t *testing.T, c *redisstore.Client) {
		var mu sync.Mutex
		var begun []string
		failed := map[string]int{}
		c.Observe(func(ctx context.Context, command string) (context.Context, func(error)) {
			mu.Lock()
			defer mu.Unlock()
			begun = append(begun, command)
			return ctx, func(err error) {
				mu.Lock()
				defer mu.Unlock()
				if err != nil {
					failed[command]++
				}
			}
		})
		must(t, c.Ping(t.Context()))
		_, err := newInboxes(c, 10).Push(t.Context(), []feed.UserID{1, 2}, feed.Key{TS: 1, ID: 1})
		must(t, err)
		// A missing key is no failure, and clients made by this one are observed too.
		if err := raw(t, c).Get(t.Context(), "nothing").Err(); err != redis.Nil { //nolint:errorlint // it is what the library returns
			t.Fatal(err)
		}
		if err := raw(t, c).Do(t.Context(), "nonsense").Err(); err == nil {
			t.Fatal("there is a command called nonsense")
		}
		mu.Lock()
		defer mu.Unlock()
		for _, want := range []string{"ping", "pipeline", "get"} {
			if !slices.Contains(begun, want) {
				t.Errorf("%s was not observed: %v", want, begun)
			}
		}
		if failed["get"] != 0 || failed["ping"] != 0 || failed["nonsense"] != 1 {
			t.Errorf("so many of each are said to have failed: %v", failed)
		}
	})
}

func TestOnlineUsers(t *testing.T) {
	for name, start := range map[string]func(t *testing.T) *redisstore.Client{
		"redis":    func(t *testing.T) *redisstore.Client { return open(t, testenv.Redis(t)) },
		"embedded": func(t *testing.T) *redisstore.Client { return open(t, embedded(t).URL()) },
	} {
		t.Run(name, func(t *testing.T) { testOnlineUsers(t, start(t)) })
	}
}

func testOnlineUsers(t *testing.T, c *redisstore.Client) {
	clock := feedtest.NewClock()
	// Two processes share the users.
	one := redisstore.NewOnlineUsers(c, clock.Now, 3, time.Minute)
	other := redisstore.NewOnlineUsers(c, clock.Now, 3, time.Minute)
	wants := func(what string, want feed.Online) {
		t.Helper()
		got, err := other.Online(t.Context())
		must(t, err)
		if diff := gocmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	set := func(connected, seen []feed.UserID) {
		t.Helper()
		clock.Advance(time.Second)
		must(t, one.SetOnline(t.Context(), feed.Online{Connected: connected, Seen: seen}))
	}
	wants("nobody", feed.Online{})
	set(nil, nil)
	wants("still nobody", feed.Online{})
	set([]feed.UserID{1}, []feed.UserID{7})
	set([]feed.UserID{2}, nil)
	wants("the latest first", feed.Online{Connected: []feed.UserID{2, 1}, Seen: []feed.UserID{7}})
	set([]feed.UserID{1}, nil)
	wants("one of them again", feed.Online{Connected: []feed.UserID{1, 2}, Seen: []feed.UserID{7}})
	set([]feed.UserID{3}, nil)
	set([]feed.UserID{4}, nil)
	wants("the latest of too many", feed.Online{Connected: []feed.UserID{4, 3, 1}, Seen: []feed.UserID{7}})
	clock.Advance(56 * time.Second)
	wants("after a minute", feed.Online{Connected: []feed.UserID{4, 3, 1}})
	clock.Advance(time.Minute)
	wants("after another", feed.Online{})
	set([]feed.UserID{5}, nil)
	if n := raw(t, c).ZCard(t.Context(), "tideline:online:connected").Val(); n != 1 {
		t.Errorf("%d users are kept, want 1", n)
	}
	for _, key := range []string{"tideline:online:connected", "tideline:online:seen"} {
		if ttl := raw(t, c).PTTL(t.Context(), key).Val(); ttl > time.Minute {
			t.Errorf("%s expires after %v", key, ttl)
		}
	}
}

// lockedBuffer may be written to by many goroutines.
type lockedBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}

func (b *lockedBuffer) text() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.String()
}

// quiet is what the library is left with.
type quiet struct{}

func (quiet) Printf(context.Context, string, ...any) {}

func TestLogTo_LogsLibraryMessages(t *testing.T) {
	var out lockedBuffer
	redisstore.LogTo(slog.New(slog.NewJSONHandler(&out, nil)))
	t.Cleanup(func() { redis.SetLogger(quiet{}) })
	server := testenv.StartRedis(t, testenv.RedisOptions{})
	c := open(t, server.URL())
	server.Kill()
	if err := c.Ping(t.Context()); err == nil {
		t.Fatal("a server that is gone answers")
	}
	if text := out.text(); !strings.Contains(text, `"msg":"the Redis library reports a failure","error":"UNAVAILABLE: Redis cannot be reached: redis: `) {
		t.Errorf("logged is %q", text)
	}
}
