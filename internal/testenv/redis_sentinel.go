package testenv

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/internal/kit/eventually"
)

const (
	// sentinelCount is the minimum number of sentinels that tolerates the loss of one.
	sentinelCount = 3
	// sentinelMaster is the sentinels' name for the master.
	sentinelMaster = "tideline"
	// sentinelDownAfter is the time in milliseconds after which a silent master counts as dead. The
	// default of 30 s would make failover tests slow. Sentinels ping once a second, so a much
	// shorter time would fail over when a sentinel waits briefly for a processor. The replaced
	// master might have newer writes.
	sentinelDownAfter = 3000
	// sentinelFailover is the time in milliseconds after which sentinels retry a failed failover.
	sentinelFailover = 5000
)

// sentinelReady is the log line of a sentinel that monitors its master.
var sentinelReady = regexp.MustCompile(`\+monitor master`)

// RedisSentinels is a master, its replica and sentinels. The sentinels promote the replica when the
// master dies. A test may kill and restart any of them.
type RedisSentinels struct {
	t testing.TB
	// Servers are the first master and its replica.
	Servers []*RedisServer
	// Sentinels are three. Two must agree that the master is dead.
	Sentinels []*RedisServer
}

// StartRedisSentinels starts a master, a replica and three sentinels. It returns when the sentinels
// know each other. All end with the test. The options apply to the master and the replica.
// Sentinels replace a master that does not respond for three seconds.
func StartRedisSentinels(t testing.TB, options RedisOptions) *RedisSentinels {
	t.Helper()
	s := &RedisSentinels{t: t}
	master := StartRedis(t, options)
	following := options
	following.Args = append(slices.Clone(options.Args), "--replicaof", host+" "+fmt.Sprint(master.port))
	s.Servers = []*RedisServer{master, StartRedis(t, following)}
	s.AwaitReplica()
	watched := fmt.Sprintf("%s %s %d %d", sentinelMaster, host, master.port, sentinelCount/2+1)
	for range sentinelCount {
		s.Sentinels = append(s.Sentinels, StartRedis(t, RedisOptions{watched: watched}))
	}
	for _, sentinel := range s.Sentinels {
		eventually.True(t, "the sentinels know of each other and of the replica", func() bool {
			return sentinel.says("INFO sentinel", fmt.Sprintf("master0:name=%s,status=ok,address=%s,slaves=1,sentinels=%d",
				sentinelMaster, master.Addr(), sentinelCount))
		})
	}
	return s
}

// sentinelArguments writes the configuration file of a sentinel and returns the arguments that
// start it. The sentinel stores its state in the file. The file has the port in its name, so a
// sentinel that tries another port starts with a new file.
func (s *RedisServer) sentinelArguments() []string {
	file := filepath.Join(s.dir, fmt.Sprintf("sentinel-%d.conf", s.port))
	if _, err := os.Stat(file); err != nil {
		text := fmt.Sprintf(`bind %s
port %d
dir %s
sentinel monitor %s
sentinel down-after-milliseconds %[5]s %[6]d
sentinel failover-timeout %[5]s %[7]d
`, host, s.port, s.dir, s.options.watched, sentinelMaster, sentinelDownAfter, sentinelFailover)
		check(s.t, os.WriteFile(file, []byte(text), 0o600))
	}
	return []string{file, "--sentinel"}
}

// URL returns the addresses of the sentinels and the name of the master in the format of the
// program's settings: redis-sentinel://127.0.0.1:15001,…/tideline.
func (s *RedisSentinels) URL() string {
	addrs := make([]string, len(s.Sentinels))
	for i, sentinel := range s.Sentinels {
		addrs[i] = sentinel.Addr()
	}
	return "redis-sentinel://" + strings.Join(addrs, ",") + "/" + sentinelMaster
}

// Master waits until all running sentinels agree on a running master, and returns it.
func (s *RedisSentinels) Master() *RedisServer {
	s.t.Helper()
	var master *RedisServer
	eventually.True(s.t, "the sentinels name a living master", func() bool {
		master = nil
		for _, server := range s.Servers {
			if server.says("INFO replication", "role:master") && s.isNamed(server) {
				master = server
			}
		}
		return master != nil
	})
	return master
}

func (s *RedisSentinels) isNamed(server *RedisServer) bool {
	for _, sentinel := range s.Sentinels {
		if !sentinel.Running() {
			continue
		}
		reply, err := sentinel.ask("INFO sentinel")
		if err != nil || !strings.Contains(reply, "status=ok,address="+server.Addr()+",") {
			return false
		}
	}
	return true
}

// AwaitReplica waits until a running replica has all data of its master. Then the test may kill the
// master.
func (s *RedisSentinels) AwaitReplica() {
	s.t.Helper()
	eventually.True(s.t, "a replica follows the master", func() bool {
		return slices.ContainsFunc(s.Servers, func(server *RedisServer) bool {
			return server.says("INFO replication", "master_link_status:up")
		})
	})
}

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
