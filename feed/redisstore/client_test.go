package redisstore_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"go.uber.org/goleak"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/internal/eventually"
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
