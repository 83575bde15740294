package testenv_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

func TestRedisCluster_ServesEverySlot(t *testing.T) {
	t.Parallel()
	c := clusterClient(t, testenv.StartRedisCluster(t, 0))
	for i := range 100 {
		if err := c.Set(t.Context(), "key"+strconv.Itoa(i), i, 0).Err(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRedisCluster_ReplacesKilledMaster(t *testing.T) {
	t.Parallel() // most of the time goes by until the master counts as dead
	cluster := testenv.StartRedisCluster(t, 1)
	c := clusterClient(t, cluster)
	cluster.Nodes[0].Kill()
	eventually.True(t, "the slots of the killed master are served again", func() bool {
		for i := range 100 {
			if c.Set(t.Context(), "key"+strconv.Itoa(i), i, 0).Err() != nil {
				return false
			}
		}
		return true
	})
}

func clusterClient(t *testing.T, cluster *testenv.RedisCluster) *redis.ClusterClient {
	t.Helper()
	addrs, ok := strings.CutPrefix(cluster.URL(), "redis-cluster://")
	if !ok {
		t.Fatalf("the URL is %q", cluster.URL())
	}
	c := redis.NewClusterClient(&redis.ClusterOptions{
		Addrs:                      strings.Split(addrs, ","),
		ClusterStateReloadInterval: time.Second,
		DialTimeout:                time.Second,
		DialerRetries:              1,
	})
	t.Cleanup(func() { _ = c.Close() })
	return c
}
