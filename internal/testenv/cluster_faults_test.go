//go:build nightly

package testenv_test

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// A replica replaces a killed master, and the old master returns as a replica. All traffic passes
// through the proxies, and clients see only their addresses.
func TestRedisCluster_MastersBehindProxiesCanBeKilled(t *testing.T) {
	t.Parallel() // most of the time goes by until a master counts as dead
	cluster := testenv.StartProxiedRedisCluster(t, 1)
	c := clusterClient(t, cluster)
	for i := range 2 {
		killed := cluster.Masters()[i]
		killed.Kill()
		cluster.AwaitMasters()
		if masters := cluster.Masters(); len(masters) != 3 || slices.Contains(masters, killed) {
			t.Fatalf("after kill %d there are %d masters, or the killed one is still among them", i+1, len(masters))
		}
		killed.Restart()
		cluster.AwaitReplicas()
	}
	eventually.True(t, "the cluster serves every slot again", func() bool { return setsAll(t, c) })
	proxies := map[string]bool{}
	for _, proxy := range cluster.Proxies() {
		proxies[proxy.Addr()] = true
	}
	if err := c.ForEachShard(t.Context(), func(_ context.Context, node *redis.Client) error {
		if !proxies[node.Options().Addr] {
			t.Errorf("clients are sent to %s, where no proxy is", node.Options().Addr)
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
}

// setsAll writes to many slots and returns whether all writes succeed.
func setsAll(t *testing.T, c *redis.ClusterClient) bool {
	t.Helper()
	for i := range 100 {
		if c.Set(t.Context(), "key"+strconv.Itoa(i), i, 0).Err() != nil {
			return false
		}
	}
	return true
}

func clusterClient(t *testing.T, cluster *testenv.RedisCluster) *redis.ClusterClient {
	t.Helper()
	c := redis.NewClusterClient(&redis.ClusterOptions{
		Addrs:                      strings.Split(strings.TrimPrefix(cluster.URL(), "redis-cluster://"), ","),
		ClusterStateReloadInterval: time.Second,
		DialTimeout:                time.Second,
		DialerRetries:              1,
	})
	t.Cleanup(func() { _ = c.Close() })
	return c
}
