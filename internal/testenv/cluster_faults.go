package testenv

import (
	"slices"

	"github.com/tideline-feeds/tideline/internal/eventually"
)

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
