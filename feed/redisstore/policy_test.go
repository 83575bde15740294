package redisstore_test

import (
	"slices"
	"testing"

	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

func TestEvictionPolicies_NamesPolicyOfServer(t *testing.T) {
	for _, want := range []string{redisstore.KeepsKeys, "allkeys-lru", "volatile-ttl"} {
		server := testenv.StartRedis(t, testenv.RedisOptions{Args: []string{"--maxmemory-policy", want}})
		got, err := open(t, server.URL()).EvictionPolicies(t.Context())
		if err != nil || !slices.Equal(got, []string{want}) {
			t.Errorf("with %s they are %v, %v", want, got, err)
		}
	}
}

func TestEvictionPolicies_LeavesOutSilentServers(t *testing.T) {
	if got, err := embedded(t).Client().EvictionPolicies(t.Context()); len(got) > 0 || err != nil {
		t.Errorf("the embedded Redis has %v, %v", got, err)
	}
}
