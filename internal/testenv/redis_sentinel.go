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
	// sentinelCount is the fewest sentinels of which one may fail.
	sentinelCount = 3
	// sentinelMaster is the name of the master at the sentinels.
	sentinelMaster = "tideline"
	// sentinelDownAfter is the time in milliseconds after which a silent master counts as
	// dead. The default of 30 s would make every test of a failover that long; but sentinels
	// ask once a second, and if an answer of that age were none, those that wait for a
	// processor for a moment would replace a new master by the old one, which lacks what was
	// written meanwhile.
	sentinelDownAfter = 3000
	// sentinelFailover is the time in milliseconds after which a failover that did not
	// come about is tried again.
	sentinelFailover = 5000
)

// sentinelReady is printed by a sentinel once it watches its master.
var sentinelReady = regexp.MustCompile(`\+monitor master`)

// RedisSentinels is a master with a replica, and the sentinels that make the replica
// master when the master dies. A test may kill and restart any of them.
type RedisSentinels struct {
	t testing.TB
	// Servers are the first master, and its replica.
	Servers []*RedisServer
	// Sentinels are three, of which two must agree that the master is dead.
	Sentinels []*RedisServer
}

// StartRedisSentinels starts a master, a replica and three sentinels that know of each
// other when the call returns. They end with the test. The options are those of the master
// and of the replica. A master that does not answer for three seconds is dead to them.
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

// sentinelArguments writes the file that a sentinel begins with, and keeps what it learns
// in from then on, and returns the arguments that make the server one. The file has the port
// in its name, so one that found its port taken does not begin with that port again.
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
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			s.t.Fatal(err)
		}
	}
	return []string{file, "--sentinel"}
}

// URL returns the addresses of the sentinels and the name of the master in the form of
// this program's own settings: redis-sentinel://127.0.0.1:15001,…/tideline.
func (s *RedisSentinels) URL() string {
	addrs := make([]string, len(s.Sentinels))
	for i, sentinel := range s.Sentinels {
		addrs[i] = sentinel.Addr()
	}
	return "redis-sentinel://" + strings.Join(addrs, ",") + "/" + sentinelMaster
}

// Master returns the living server that is master, and waits until there is one that all
// living sentinels name.
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
		answer, err := sentinel.ask("INFO sentinel")
		if err != nil || !strings.Contains(answer, "status=ok,address="+server.Addr()+",") {
			return false
		}
	}
	return true
}

// AwaitReplica waits until a living replica has all that its master has, so that the
// master may be killed.
func (s *RedisSentinels) AwaitReplica() {
	s.t.Helper()
	eventually.True(s.t, "a replica follows the master", func() bool {
		return slices.ContainsFunc(s.Servers, func(server *RedisServer) bool {
			return server.says("INFO replication", "master_link_status:up")
		})
	})
}
