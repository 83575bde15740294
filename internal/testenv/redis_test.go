package testenv_test

import (
	"os"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

func client(t *testing.T, url string) *redis.Client {
	t.Helper()
	options, err := redis.ParseURL(url)
	check(t, err)
	options.MaxRetries = -1
	c := redis.NewClient(options)
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// A full Redis refuses writes instead of evicting keys. The queue depends on it.
func TestRedis_DoesNotEvict(t *testing.T) {
	c := client(t, testenv.Redis(t))
	policy, err := c.ConfigGet(t.Context(), "maxmemory-policy").Result()
	if err != nil || policy["maxmemory-policy"] != "noeviction" {
		t.Errorf("maxmemory-policy is %v (%v), want noeviction", policy, err)
	}
}

// RollBack restores an older copy with every kind of persistence, any number of times.
func TestRollback_RestoresEarlierData(t *testing.T) {
	for name, options := range map[string]testenv.RedisOptions{
		"saved when asked": {},
		"append-only file": {AppendFsync: "always"},
	} {
		t.Run(name, func(t *testing.T) {
			server := testenv.StartRedis(t, options)
			write(t, server.URL())
			snapshot := server.Snapshot()
			for range 2 {
				check(t, client(t, server.URL()).Set(t.Context(), "newer", "value", 0).Err())
				server.RollBack(snapshot)
				if n := size(t, server.URL()); n != 1 {
					t.Errorf("the server came back with %d keys, want the one of the snapshot", n)
				}
			}
		})
	}
}

func write(t *testing.T, url string) {
	t.Helper()
	check(t, client(t, url).Set(t.Context(), "key", "value", 0).Err())
}

func size(t *testing.T, url string) int64 {
	t.Helper()
	n, err := client(t, url).DBSize(eventually.Context(t)).Result()
	check(t, err)
	return n
}

// A missing program fails the test with the name of the package to install. The test runs its own
// binary again in an environment without programs.
func TestRedis_MissingServerNamesPackage(t *testing.T) {
	p := testenv.Program(t, []string{os.Args[0], "-test.run=^TestRedis_DoesNotEvict$"}, []string{"PATH="})
	if code := p.Wait(); code == 0 || !strings.Contains(p.Output(), "apt-get install redis-server") {
		t.Errorf("without redis-server the test ended with code %d and output:\n%s", code, p.Output())
	}
}
