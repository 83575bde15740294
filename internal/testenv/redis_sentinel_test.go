package testenv_test

import (
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/internal/testenv"
)

// The replica becomes master after a kill and has all of the master's data. When the old master
// returns, one of the two follows the other and has all later writes. The test accepts either as
// master: on a busy machine the sentinels may fail over again.
func TestSentinels_ReplaceKilledMaster(t *testing.T) {
	t.Parallel() // most of the time goes by until the master counts as dead
	s := testenv.StartRedisSentinels(t, testenv.RedisOptions{AppendFsync: "everysec"})
	if !strings.HasPrefix(s.URL(), "redis-sentinel://127.0.0.1:") || !strings.HasSuffix(s.URL(), "/tideline") {
		t.Errorf("the URL is %q", s.URL())
	}
	first := s.Master()
	c := client(t, first.URL())
	if err := c.Set(t.Context(), "key", "value", 0).Err(); err != nil {
		t.Fatal(err)
	}
	if n := c.Wait(t.Context(), 1, 0).Val(); n != 1 {
		t.Fatalf("%d replicas have the key", n)
	}
	first.Kill()
	second := s.Master()
	if second == first || first.Running() || !second.Running() {
		t.Fatal("the killed server is still master")
	}
	c = client(t, second.URL())
	if got, err := c.Get(t.Context(), "key").Result(); got != "value" {
		t.Errorf("the new master has %q (%v)", got, err)
	}
	if err := c.Set(t.Context(), "meanwhile", "written", 0).Err(); err != nil {
		t.Fatal(err)
	}
	first.Restart()
	s.AwaitReplica()
	following := 0
	for _, server := range s.Servers {
		c := client(t, server.URL())
		if got, err := c.Get(t.Context(), "meanwhile").Result(); got != "written" {
			t.Errorf("%s has %q of what was written meanwhile (%v)", server.Addr(), got, err)
		}
		if strings.Contains(c.Info(t.Context(), "replication").Val(), "role:slave") {
			following++
		}
	}
	if following != 1 {
		t.Errorf("%d of the two follow the other", following)
	}
}
