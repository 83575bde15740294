package testenv

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/internal/eventually"
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
