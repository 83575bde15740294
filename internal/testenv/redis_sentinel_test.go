package testenv_test

import (
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/internal/testenv"
)

// The replica is master after the master was killed, with all that the master had, and
// the old master follows it when it comes back.
func TestSentinelsReplaceAKilledMaster(t *testing.T) {
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
		t.Fatal("the killed server is master still")
	}
	if got, err := client(t, second.URL()).Get(t.Context(), "key").Result(); got != "value" {
		t.Errorf("the new master has %q (%v)", got, err)
	}
	first.Restart()
	s.AwaitReplica()
	if s.Master() != second {
		t.Error("the old master took over again")
	}
}
