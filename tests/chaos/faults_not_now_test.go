package chaos

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"

	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// TestServer_FastWhileRedisSaysNotNow brings Redis into states in which it refuses all commands, or
// all writes, with an error that means "not now". Pages and publishes must take hardly longer than
// before, and afterwards every feed must be exact.
func TestServer_FastWhileRedisSaysNotNow(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]func(*testing.T) notNow{
		"a Cluster that has lost a shard": lostShard,
		"one server that loads its file":  func(t *testing.T) notNow { return loading(testenv.StartRedis(t, testenv.RedisOptions{})) },
		"a master that loads its file":    loadingMaster,
		"one server that is full": func(t *testing.T) notNow {
			s := testenv.StartRedis(t, testenv.RedisOptions{})
			return notNow{s.URL(), s.FillMemory, s.FreeMemory}
		},
		"one server that runs a script": func(t *testing.T) notNow {
			s := testenv.StartRedis(t, testenv.RedisOptions{})
			return notNow{s.URL(), s.RunScript, s.KillScript}
		},
		"one server that became a replica": func(t *testing.T) notNow {
			s, other := testenv.StartRedis(t, testenv.RedisOptions{}), testenv.StartRedis(t, testenv.RedisOptions{})
			return notNow{s.URL(), func() { s.Follow(other) }, s.Promote}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // it mostly waits for Redis
			redis := start(t)
			s := newOutage(t, testenv.Postgres(t), redis.url)
			healthy := s.paces()
			redis.begin()
			s.stayFast(name, healthy)
			redis.end()
			s.recover()
		})
	}
}

// notNow is a Redis that can enter and leave such a state.
type notNow struct {
	url        string
	begin, end func()
}

// lostShard is a Cluster in which a master dies together with its replica.
func lostShard(t *testing.T) notNow {
	cluster := testenv.StartRedisCluster(t, 1)
	return notNow{cluster.URL(), cluster.LoseShard, cluster.RestoreShard}
}

func loading(s *testenv.RedisServer) notNow {
	return notNow{s.URL(), s.LoadSlowly, s.FinishLoading}
}

// loadingMaster is a master behind Sentinel that restarted before a replica took over.
func loadingMaster(t *testing.T) notNow {
	sentinels := testenv.StartRedisSentinels(t, testenv.RedisOptions{})
	n := loading(sentinels.Master())
	n.url = sentinels.URL()
	return n
}

// TestServer_FastAtEachNotNowReply uses a fake Redis that sends every reply that means "not now",
// including those that a real server cannot be made to send.
func TestServer_FastAtEachNotNowReply(t *testing.T) {
	t.Parallel()
	redis := miniredis.RunT(t)
	s := newOutage(t, testenv.Postgres(t), "redis://"+redis.Addr())
	healthy := s.paces()
	for _, reply := range []string{
		"CLUSTERDOWN The cluster is down",
		"CLUSTERDOWN Hash slot not served",
		"MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
		"LOADING Redis is loading the dataset in memory",
		"TRYAGAIN Multiple keys request during rehashing of slot",
		"READONLY You can't write against a read only replica.",
		"BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.",
		"OOM command not allowed when used memory > 'maxmemory'.",
		"NOREPLICAS Not enough good replicas to write.",
		"MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk.",
		"NOAUTH Authentication required.",
		"ERR max number of clients reached",
	} {
		redis.SetError(reply)
		s.stayFast(reply, healthy)
		redis.SetError("")
		s.awaitInboxes()
	}
	s.recover()
}

// middles has the median times of a page and of a publish.
type middles struct{ page, publish time.Duration }

// paced is the number of requests behind a median.
const paced = 30

// paces measures the median times of pages and publishes.
func (s *outage) paces() middles {
	s.Helper()
	return middles{
		page: s.median(func() error {
			_, _, err := s.api.Page(s.Context(), 1, 20, nil)
			return err
		}),
		publish: s.median(func() error {
			s.published++
			_, err := s.api.Publish(s.Context(), 2, fmt.Sprint("paced ", s.published))
			return err
		}),
	}
}

func (s *outage) median(do func() error) time.Duration {
	s.Helper()
	times := make([]time.Duration, paced)
	for i := range times {
		began := time.Now()
		if err := do(); err != nil {
			s.Fatal(err)
		}
		times[i] = time.Since(began)
	}
	slices.Sort(times)
	return times[paced/2]
}

// noise is what a busy machine may add to a median. The waits in question take 80 ms and more.
const noise = 40 * time.Millisecond

// stayFast checks that pages and publishes take at most three times as long as before, from a
// second after the fault. Only scripts/chaos.sh judges times.
func (s *outage) stayFast(fault string, healthy middles) {
	s.Helper()
	for began := time.Now(); time.Since(began) < time.Second; {
		for viewer := range s.viewers() {
			if _, _, err := s.api.Page(s.Context(), viewer, 20, nil); err != nil {
				s.Fatal(err)
			}
		}
	}
	now := s.paces()
	s.Logf("%s: a page takes %v (before %v), a publish %v (before %v)", fault, now.page, healthy.page, now.publish, healthy.publish)
	if now.page > harness.AtMost(3*healthy.page+noise) || now.publish > harness.AtMost(3*healthy.publish+noise) {
		s.Errorf("%s: pages or publishes wait for Redis", fault)
	}
}
