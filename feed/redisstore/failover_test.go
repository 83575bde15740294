//go:build nightly

package redisstore_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// After a failover a client finds the new master by itself, and so does one made by
// MakeRedisClient, such as the task queue's.
func TestClient_FindsNewMaster(t *testing.T) {
	for name, start := range map[string]func(*testing.T) (url string, kill func()){
		"in a Cluster": func(t *testing.T) (string, func()) {
			cluster := testenv.StartRedisCluster(t, 1)
			return cluster.URL(), func() {
				cluster.Nodes[0].Kill()
				cluster.AwaitMasters()
			}
		},
		"with Sentinel": func(t *testing.T) (string, func()) {
			sentinels := testenv.StartRedisSentinels(t, testenv.RedisOptions{})
			return sentinels.URL(), func() {
				sentinels.Master().Kill()
				sentinels.Master()
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // most of the time goes by until the master counts as dead
			url, kill := start(t)
			c := open(t, url)
			s := redisstore.NewInboxes(c, 5)
			other := raw(t, c)
			everywhere := func() error {
				// A hundred viewers are in slots of every master.
				for id := feed.UserID(1); id <= 100; id++ {
					if _, err := s.Push(t.Context(), []feed.UserID{id}, feed.Key{TS: 1, ID: 1}); err != nil {
						return err
					}
					if err := other.Set(t.Context(), id.String(), 1, 0).Err(); err != nil {
						return err
					}
				}
				return nil
			}
			must(t, everywhere())
			kill()
			began := time.Now()
			eventually.Succeeds(t, "writing to every master", everywhere)
			took := time.Since(began)
			t.Logf("writes go everywhere %v after the takeover", took.Round(time.Millisecond))
		})
	}
}

// A replica has the number too, so it survives a failover.
func TestIdentity_ClusterSurvivesFailover(t *testing.T) {
	t.Parallel()
	cluster := testenv.StartRedisCluster(t, 1)
	c := open(t, cluster.URL())
	before := formatOf(t, redisstore.NewIdentity(c, 1))
	onEachMaster(t, c, func(ctx context.Context, node *redis.Client) error {
		return node.Wait(ctx, 1, eventually.Limit).Err()
	})
	master, err := raw(t, c).(*redis.ClusterClient).MasterForKey(t.Context(), "tideline:identity:cluster")
	must(t, err)
	for _, node := range cluster.Nodes {
		if node.Addr() == master.Options().Addr {
			node.Kill()
		}
	}
	keepsFormat(t, c, before)
}

// The pulses of a Cluster and of a single server have different keys, so pulses alone would not
// reveal the missing inboxes after a copy.
func TestIdentity_ClusterDiffersFromItsSource(t *testing.T) {
	t.Parallel()
	single, cluster := open(t, testenv.Redis(t)), open(t, testenv.StartRedisCluster(t, 0).URL())
	before := formatOf(t, redisstore.NewIdentity(single, 1))
	from := raw(t, single)
	for _, name := range from.Keys(t.Context(), "tideline:*").Val() {
		must(t, raw(t, cluster).Set(t.Context(), name, from.Get(t.Context(), name).Val(), 0).Err())
	}
	if after := formatOf(t, redisstore.NewIdentity(cluster, 1)); after == before {
		t.Errorf("both have the number %d", before)
	}
}

func TestPulses_FailoverKeepsNameChangesRun(t *testing.T) {
	t.Parallel()
	cluster := testenv.StartRedisCluster(t, 1)
	c := open(t, cluster.URL())
	p := redisstore.NewPulses(c)
	raise(t, p, 100)
	before := beat(t, p)
	if len(before) != 3 {
		t.Fatalf("a Cluster of three masters has the pulses %+v", before)
	}
	onEachMaster(t, c, func(ctx context.Context, node *redis.Client) error {
		return node.Wait(ctx, 1, eventually.Limit).Err()
	})

	cluster.Nodes[0].Kill()
	if _, err := p.Read(t.Context()); feed.CodeOf(err) != feed.CodeUnavailable {
		t.Errorf("with a master gone Read returned %v", err)
	}
	var after []feed.Pulse
	eventually.Succeeds(t, "reading the pulses", func() (err error) {
		after, err = p.Read(t.Context())
		return err
	})
	same(t, "the pulses after the failover", withoutRuns(after), withoutRuns(before))
	changed := 0
	for i := range after {
		if after[i].Run != before[i].Run {
			changed++
		}
	}
	if changed != 1 {
		t.Errorf("%d servers have another run:\n%+v\n%+v", changed, before, after)
	}
	raise(t, p, 200)
}

func TestPulses_OneForEachMaster(t *testing.T) {
	t.Parallel()
	cluster := testenv.StartRedisCluster(t, 0)
	p := redisstore.NewPulses(open(t, cluster.URL()))
	raise(t, p, 100)
	// A node keeps its place in the cluster, and loses its keys.
	cluster.Nodes[1].Restart()
	var pulses []feed.Pulse
	eventually.Succeeds(t, "reading the pulses", func() (err error) {
		pulses, err = p.Read(t.Context())
		return err
	})
	var numbers []int64
	for _, pulse := range pulses {
		numbers = append(numbers, pulse.Number)
	}
	slices.Sort(numbers)
	same(t, "after one of three lost its keys", numbers, []int64{0, 100, 100})
}

func withoutRuns(pulses []feed.Pulse) []feed.Pulse {
	bare := slices.Clone(pulses)
	for i := range bare {
		bare[i].Run = ""
	}
	return bare
}

func TestEvictionPolicies_AsksEveryNode(t *testing.T) {
	cluster := testenv.StartRedisCluster(t, 0)
	node := open(t, cluster.Nodes[1].URL())
	must(t, raw(t, node).ConfigSet(t.Context(), "maxmemory-policy", "allkeys-lfu").Err())
	c := open(t, cluster.URL())
	got, err := c.EvictionPolicies(t.Context())
	must(t, err)
	slices.Sort(got)
	same(t, "the policies", got, []string{"allkeys-lfu", redisstore.KeepsKeys, redisstore.KeepsKeys})
}

func TestCheckWrites_AsksEveryMaster(t *testing.T) {
	cluster := testenv.StartRedisCluster(t, 0)
	c := open(t, cluster.URL())
	says(t, c, "")
	cluster.Nodes[2].FillMemory()
	says(t, c, "Redis is full")
}
