package testenv_test

import (
	"os"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/internal/testenv"
)

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// A full Redis refuses writes instead of evicting keys. The queue depends on it.
func TestRedis_DoesNotEvict(t *testing.T) {
	options, err := redis.ParseURL(testenv.Redis(t))
	check(t, err)
	c := redis.NewClient(options)
	t.Cleanup(func() { _ = c.Close() })
	policy, err := c.ConfigGet(t.Context(), "maxmemory-policy").Result()
	if err != nil || policy["maxmemory-policy"] != "noeviction" {
		t.Errorf("maxmemory-policy is %v (%v), want noeviction", policy, err)
	}
}

// A missing program fails the test with the name of the package to install. The test runs its own
// binary again in an environment without programs.
func TestRedis_MissingServerNamesPackage(t *testing.T) {
	p := testenv.Program(t, []string{os.Args[0], "-test.run=^TestRedis_DoesNotEvict$"}, []string{"PATH="})
	if code := p.Wait(); code == 0 || !strings.Contains(p.Output(), "apt-get install redis-server") {
		t.Errorf("without redis-server the test ended with code %d and output:\n%s", code, p.Output())
	}
}
