//go:build nightly

package redisstore_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
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

// oneName is one address for several servers, like a Service of Kubernetes: new connections go to
// the current master, and open ones stay.
type oneName struct {
	listener net.Listener
	master   atomic.Pointer[testenv.RedisServer]
	wg       sync.WaitGroup
}

func newOneName(t *testing.T, master *testenv.RedisServer) *oneName {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	must(t, err)
	n := &oneName{listener: listener}
	n.master.Store(master)
	n.wg.Go(n.serve)
	t.Cleanup(func() {
		_ = listener.Close()
		n.wg.Wait()
	})
	return n
}

func (n *oneName) url() string { return "redis://" + n.listener.Addr().String() }

// serve takes connections until the listener is closed.
func (n *oneName) serve() {
	for {
		client, err := n.listener.Accept()
		if err != nil {
			return
		}
		server, err := (&net.Dialer{}).DialContext(context.Background(), "tcp", n.master.Load().Addr())
		if err != nil {
			_ = client.Close()
			continue
		}
		for _, way := range [][2]net.Conn{{client, server}, {server, client}} {
			n.wg.Go(func() {
				_, _ = io.Copy(way[0], way[1])
				_, _ = way[0].Close(), way[1].Close()
			})
		}
	}
}

// follow makes a server a replica of another one.
func follow(t *testing.T, server, master *testenv.RedisServer) {
	t.Helper()
	host, port, err := net.SplitHostPort(master.Addr())
	must(t, err)
	replicaOf(t, server, host, port)
}

func replicaOf(t *testing.T, server *testenv.RedisServer, host, port string) {
	t.Helper()
	must(t, raw(t, open(t, server.URL())).Do(t.Context(), "REPLICAOF", host, port).Err())
}

// pushed pushes through several connections at once.
func pushed(t *testing.T, s feed.Inboxes, key feed.Key) {
	t.Helper()
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if n, err := s.Push(t.Context(), []feed.UserID{viewer}, key); n != 1 || err != nil {
				t.Errorf("Push returned %d, %v", n, err)
			}
		})
	}
	wg.Wait()
}

func TestClient_WriterLeavesReplica(t *testing.T) {
	newest := feed.Key{TS: 1800000000000, ID: 1000}
	// Those that the first script takes have no inbox, and there is nothing to be written.
	many := append(crowd(1000, 1400), viewer)
	for name, do := range map[string]func(*redisstore.Inboxes, *redisstore.Pulses) error{
		"pushes": func(s *redisstore.Inboxes, _ *redisstore.Pulses) error {
			_, err := s.Push(t.Context(), many, newest)
			return err
		},
		"trims":      func(s *redisstore.Inboxes, _ *redisstore.Pulses) error { return s.Trim(t.Context(), many, 0) },
		"heartbeats": func(_ *redisstore.Inboxes, p *redisstore.Pulses) error { _, err := p.Read(t.Context()); return err },
	} {
		t.Run(name, func(t *testing.T) {
			before, after := testenv.StartRedis(t, testenv.RedisOptions{}), testenv.StartRedis(t, testenv.RedisOptions{})
			follow(t, after, before)
			at := newOneName(t, before)
			c := open(t, at.url())
			s, p := newInboxes(c, 5), redisstore.NewPulses(c)
			ready(t, s, viewer, 1)
			pushed(t, s, feed.Key{TS: 1700000001000, ID: 2})
			direct := newInboxes(open(t, after.URL()), 5)
			eventually.Succeeds(t, "copying to the replica", func() error {
				if in := readAll(t, direct); len(in.Keys) != 2 {
					return fmt.Errorf("the replica has %d entries", len(in.Keys))
				}
				return nil
			})
			at.master.Store(after)
			replicaOf(t, after, "NO", "ONE")
			follow(t, before, after)
			eventually.Succeeds(t, "the write", func() error { return do(s, p) })
			if in := readAll(t, direct); name == "pushes" && in.Keys[0] != newest {
				t.Errorf("the push is done, and the inbox has %v", in.Keys)
			}
		})
	}
}

// The old server does not have all that the new one has, so that a push has nothing to do
// there, and must not be called done.
func TestPush_ReplicaServesNone(t *testing.T) {
	before, after := testenv.StartRedis(t, testenv.RedisOptions{}), testenv.StartRedis(t, testenv.RedisOptions{})
	away := testenv.StartRedis(t, testenv.RedisOptions{})
	away.Kill()
	at := newOneName(t, before)
	s := newInboxes(open(t, at.url()), 5)
	pushed(t, s, feed.Key{TS: 10, ID: 1})
	follow(t, before, away)
	at.master.Store(after)
	direct := newInboxes(open(t, after.URL()), 5)
	ready(t, direct, viewer, 0)
	newest := feed.Key{TS: 20, ID: 2}
	eventually.Succeeds(t, "a push", func() error {
		_, err := s.Push(t.Context(), []feed.UserID{viewer}, newest)
		return err
	})
	if in := readAll(t, direct); len(in.Keys) != 1 || in.Keys[0] != newest {
		t.Errorf("the push is done, and the inbox has %v", in.Keys)
	}
}

// A connection that only reads gets no error, and would read an old copy for as long as it lives.
func TestClient_ConnectionLivesAMinute(t *testing.T) {
	simple, ok := raw(t, open(t, testenv.Redis(t))).(*redis.Client)
	if !ok {
		t.Fatal("it is no client of one server")
	}
	if lives := simple.Options().ConnMaxLifetime; lives <= 0 || lives > time.Minute {
		t.Errorf("a connection is used for %v", lives)
	}
}
