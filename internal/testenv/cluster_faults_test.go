package testenv_test

import (
	"context"
	"slices"
	"strconv"
	"testing"

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

// A fault of one proxy affects the slots of one node only.
func TestRedisCluster_HasProxyForEachNode(t *testing.T) {
	t.Parallel()
	cluster := testenv.StartProxiedRedisCluster(t, 0)
	c := clusterClient(t, cluster)
	if len(cluster.Proxies()) != 3 || !setsAll(t, c) {
		t.Fatalf("there are %d proxies, or they do not let everything through", len(cluster.Proxies()))
	}
	cluster.Proxies()[1].Cut()
	cut := 0
	for i := range 30 {
		if err := c.Set(t.Context(), "key"+strconv.Itoa(i), i, 0).Err(); err != nil {
			cut++
		}
	}
	if cut == 0 || cut == 30 {
		t.Errorf("%d of 30 writes failed, and one node of three is cut off", cut)
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
