package redisstore_test

import (
	"testing"
	"time"

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
