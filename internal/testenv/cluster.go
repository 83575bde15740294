package testenv

import (
	"context"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/internal/eventually"
)

// clusterMasters is the minimum number of masters in a Redis Cluster.
const clusterMasters = 3

// clusterNodeTimeout is the time in milliseconds after which a silent node counts as dead. The
// default of 15 s would make failover tests slow.
const clusterNodeTimeout = "2000"

// RedisCluster is a Redis Cluster whose nodes a test can kill one by one.
type RedisCluster struct {
	t testing.TB
	// Nodes are the servers: three masters first, then their replicas.
	Nodes []*RedisServer
}

// StartRedisCluster starts three empty masters, each with the given number of replicas, and joins
// them to a cluster. It returns when the cluster is ready. The cluster ends with the test. Joining
// takes some seconds, so tests should share a cluster if they can.
func StartRedisCluster(t testing.TB, replicas int) *RedisCluster {
	t.Helper()
	return startCluster(t, replicas, RedisOptions{cluster: true})
}

// StartProxiedRedisCluster is StartRedisCluster with a proxy in front of each node. The nodes
// redirect clients to the proxies, and replication uses the proxies too. Only the health checks
// between nodes bypass them.
func StartProxiedRedisCluster(t testing.TB, replicas int) *RedisCluster {
	t.Helper()
	return startCluster(t, replicas, RedisOptions{cluster: true, proxied: true})
}

func startCluster(t testing.TB, replicas int, options RedisOptions) *RedisCluster {
	t.Helper()
	cli, err := exec.LookPath("redis-cli")
	if err != nil {
		t.Fatal("testenv: this test needs redis-cli, which is not installed; on Debian: apt-get install redis-tools")
	}
	c := &RedisCluster{t: t}
	for range clusterMasters * (1 + replicas) {
		c.Nodes = append(c.Nodes, StartRedis(t, options))
	}
	c.join(t, cli, replicas)
	c.AwaitReplicas()
	return c
}

// join creates a cluster of the nodes. The command takes the masters from the front of the list.
func (c *RedisCluster) join(t testing.TB, cli string, replicas int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), eventually.Limit)
	defer cancel()
	args := append([]string{"--cluster", "create"}, c.addrs()...)
	args = append(args, "--cluster-replicas", strconv.Itoa(replicas), "--cluster-yes")
	if out, err := exec.CommandContext(ctx, cli, args...).CombinedOutput(); err != nil {
		t.Fatalf("testenv: redis-cli %v: %v; its output:\n%s", args, err, out)
	}
}

// URL returns the addresses of all nodes in the format of the program's settings:
// redis-cluster://127.0.0.1:15001,127.0.0.1:15002,127.0.0.1:15003.
func (c *RedisCluster) URL() string {
	return "redis-cluster://" + strings.Join(c.addrs(), ",")
}

// addrs returns the addresses that clients use.
func (c *RedisCluster) addrs() []string {
	addrs := make([]string, len(c.Nodes))
	for i, node := range c.Nodes {
		addrs[i] = node.Addr()
		if node.proxy != nil {
			addrs[i] = node.proxy.Addr()
		}
	}
	return addrs
}

// Masters returns the running masters, in the order of Nodes.
func (c *RedisCluster) Masters() []*RedisServer {
	var masters []*RedisServer
	for _, node := range c.Nodes {
		if node.says("INFO replication", "role:master") {
			masters = append(masters, node)
		}
	}
	return masters
}

// Proxies returns the proxies in the order of the nodes. It returns none unless
// [StartProxiedRedisCluster] started the cluster.
func (c *RedisCluster) Proxies() []*Proxy {
	var proxies []*Proxy
	for _, node := range c.Nodes {
		if node.proxy != nil {
			proxies = append(proxies, node.proxy)
		}
	}
	return proxies
}

// AwaitMasters waits until every slot has a running master and all running nodes know it. After a
// master is killed, it waits for the failover to a replica. It fails the test after
// [eventually.Limit].
func (c *RedisCluster) AwaitMasters() {
	c.t.Helper()
	eventually.True(c.t, "every slot has a living master", func() bool {
		return len(c.Masters()) >= clusterMasters && !slices.ContainsFunc(c.Nodes, func(node *RedisServer) bool {
			return node.Running() && !node.says("CLUSTER INFO", "cluster_state:ok")
		})
	})
}

// AwaitReplicas waits until all nodes are up and every replica is in sync. Then the test may kill
// another master.
func (c *RedisCluster) AwaitReplicas() {
	c.t.Helper()
	c.AwaitMasters()
	eventually.True(c.t, "every replica follows its master", func() bool {
		following := 0
		for _, node := range c.Nodes {
			if node.says("INFO replication", "master_link_status:up") {
				following++
			}
		}
		return following == len(c.Nodes)-clusterMasters
	})
}
