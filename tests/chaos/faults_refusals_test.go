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

// TestServer_FastWhileRedisRefuses brings Redis into states in which it temporarily refuses all
// commands, or all writes. Pages and publishes must take hardly longer than before, and afterwards
// every feed must be exact.
func TestServer_FastWhileRedisRefuses(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]func(*testing.T) refusing{
		"a Cluster that has lost a shard": lostShard,
		"one server that loads its file":  func(t *testing.T) refusing { return loading(testenv.StartRedis(t, testenv.RedisOptions{})) },
		"a master that loads its file":    loadingMaster,
		"one server that is full": func(t *testing.T) refusing {
			s := testenv.StartRedis(t, testenv.RedisOptions{})
			return refusing{s.URL(), s.FillMemory, s.FreeMemory}
		},
		"one server that runs a script": func(t *testing.T) refusing {
			s := testenv.StartRedis(t, testenv.RedisOptions{})
			return refusing{s.URL(), s.RunScript, s.KillScript}
		},
		"one server that became a replica": func(t *testing.T) refusing {
			s, other := testenv.StartRedis(t, testenv.RedisOptions{}), testenv.StartRedis(t, testenv.RedisOptions{})
			return refusing{s.URL(), func() { s.Follow(other) }, s.Promote}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // it mostly waits for Redis
			redis := start(t)
			s := newOutage(t, testenv.Postgres(t), redis.url)
			healthy := s.measure()
			redis.begin()
			s.stayFast(name, healthy)
			redis.end()
			s.recover()
		})
	}
}

// refusing is a Redis that can begin and end to refuse commands.
type refusing struct {
	url        string
	begin, end func()
}

// lostShard is a Cluster in which a master dies together with its replica.
func lostShard(t *testing.T) refusing {
	cluster := testenv.StartRedisCluster(t, 1)
	return refusing{cluster.URL(), cluster.LoseShard, cluster.RestoreShard}
}

func loading(s *testenv.RedisServer) refusing {
	return refusing{s.URL(), s.LoadSlowly, s.FinishLoading}
}

// loadingMaster is a master behind Sentinel that restarted before a replica took over.
func loadingMaster(t *testing.T) refusing {
	sentinels := testenv.StartRedisSentinels(t, testenv.RedisOptions{})
	n := loading(sentinels.Master())
	n.url = sentinels.URL()
	return n
}

// TestServer_FastAtEachRefusal uses a fake Redis that sends every temporary refusal, including those
// that a real server cannot be made to send.
func TestServer_FastAtEachRefusal(t *testing.T) {
	t.Parallel()
	redis := miniredis.RunT(t)
	s := newOutage(t, testenv.Postgres(t), "redis://"+redis.Addr())
	healthy := s.measure()
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

// medians has the median times of a page and of a publish.
type medians struct{ page, publish time.Duration }

// samples is the number of requests behind a median.
const samples = 30

// measure returns the median times of pages and publishes.
func (s *outage) measure() medians {
	s.Helper()
	return medians{
		page: s.median(func() error {
			_, _, err := s.api.Page(s.Context(), 1, 20, nil)
			return err
		}),
		publish: s.median(func() error {
			s.published++
			_, err := s.api.Publish(s.Context(), 2, fmt.Sprint("measured ", s.published))
			return err
		}),
	}
}

func (s *outage) median(do func() error) time.Duration {
	s.Helper()
	times := make([]time.Duration, samples)
	for i := range times {
		began := time.Now()
		if err := do(); err != nil {
			s.Fatal(err)
		}
		times[i] = time.Since(began)
	}
	slices.Sort(times)
	return times[samples/2]
}

// noise is the time that a busy machine may add to a median. The waits to detect take 80 ms or more.
const noise = 40 * time.Millisecond

// stayFast checks that pages and publishes take at most three times as long as before, from a
// second after the fault. Only scripts/chaos.sh judges times.
func (s *outage) stayFast(fault string, healthy medians) {
	s.Helper()
	for began := time.Now(); time.Since(began) < time.Second; {
		for viewer := range s.viewers() {
			if _, _, err := s.api.Page(s.Context(), viewer, 20, nil); err != nil {
				s.Fatal(err)
			}
		}
	}
	now := s.measure()
	s.Logf("%s: a page takes %v (before %v), a publish %v (before %v)", fault, now.page, healthy.page, now.publish, healthy.publish)
	if now.page > harness.AtMost(3*healthy.page+noise) || now.publish > harness.AtMost(3*healthy.publish+noise) {
		s.Errorf("%s: pages or publishes wait for Redis", fault)
	}
}
