//go:build nightly

package e2e

import (
	"slices"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// TestQueues_MayBeOnAnotherRedis has inboxes on a Redis Cluster and queues on a single Redis. Each
// has only its own keys, and posts reach inboxes.
func TestQueues_MayBeOnAnotherRedis(t *testing.T) {
	t.Parallel() // it mostly waits until the Cluster has formed
	cluster, queue := testenv.StartRedisCluster(t, 0), testenv.Redis(t)
	fleet := testenv.StartFleet(t, testenv.FleetOptions{APIs: 1, Workers: 1, Env: []string{
		"TIDELINE_DATABASE_URL=" + harness.Postgres(t), "TIDELINE_REDIS_URL=" + cluster.URL(), "TIDELINE_QUEUE_REDIS_URL=" + queue,
		"TIDELINE_JWT_SECRET=" + harness.Secret, "TIDELINE_DEMO=false", "TIDELINE_LOG_LEVEL=debug",
	}})
	api := &server{&harness.Server{Base: "http://" + fleet.APIs[0].Addr(), Process: fleet.APIs[0].Process()}}
	author, reader := harness.TokenFor(t, 1), harness.TokenFor(t, 2)
	api.Home(t, author, 1, 1)
	api.Follow(t, reader, 1)
	eventually.True(t, "the reader's feed comes from an inbox", func() bool {
		before := api.CountLines("home feed read", "source=inbox")
		api.Home(t, reader, 1, 1)
		return api.CountLines("home feed read", "source=inbox") > before
	})
	id := api.Publish(t, author, "over two Redis")
	worker := fleet.Workers[0].Process()
	eventually.True(t, "the post is pushed", func() bool { return strings.Contains(worker.Output(), "slice pushed") })
	if got := api.Home(t, reader, 1, 1); !slices.Equal(got, []string{id}) {
		t.Errorf("the reader sees %v, want %s", got, id)
	}

	isQueue := func(key string) bool { return strings.HasPrefix(key, "asynq:") }
	if keys := keysOf(t, queue); len(keys) == 0 || slices.ContainsFunc(keys, func(key string) bool { return !isQueue(key) }) {
		t.Errorf("the Redis of the queues has %v", keys)
	}
	var keys []string
	for _, node := range cluster.Nodes {
		keys = append(keys, keysOf(t, node.URL())...)
	}
	if !slices.Contains(keys, "tideline:inbox:{2}") || slices.ContainsFunc(keys, isQueue) {
		t.Errorf("the Cluster has %v", keys)
	}
}

// keysOf returns the keys of a server.
func keysOf(t *testing.T, url string) []string {
	t.Helper()
	options, err := redis.ParseURL(url)
	harness.Check(t, err)
	c := redis.NewClient(options)
	defer func() { _ = c.Close() }()
	keys, err := c.Keys(t.Context(), "*").Result()
	harness.Check(t, err)
	return keys
}
