package testenv_test

import (
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

func client(t *testing.T, url string) *redis.Client {
	t.Helper()
	options, err := redis.ParseURL(url)
	if err != nil {
		t.Fatal(err)
	}
	options.MaxRetries = -1
	c := redis.NewClient(options)
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// Every call returns a separate, empty server.
func TestRedis_ServersAreEmptyAndSeparate(t *testing.T) {
	first, second := client(t, testenv.Redis(t)), client(t, testenv.Redis(t))
	if err := first.Set(t.Context(), "key", "value", 0).Err(); err != nil {
		t.Fatal(err)
	}
	if n := first.DBSize(t.Context()).Val(); n != 1 {
		t.Errorf("the server written to holds %d keys, want 1", n)
	}
	n, err := second.DBSize(t.Context()).Result()
	if err != nil || n != 0 {
		t.Errorf("the other server holds %d keys (%v), want none", n, err)
	}
}

// A full Redis refuses writes instead of evicting keys. The queue depends on it.
func TestRedis_DoesNotEvict(t *testing.T) {
	c := client(t, testenv.Redis(t))
	policy, err := c.ConfigGet(t.Context(), "maxmemory-policy").Result()
	if err != nil || policy["maxmemory-policy"] != "noeviction" {
		t.Errorf("maxmemory-policy is %v (%v), want noeviction", policy, err)
	}
}

func TestRestart_LosesDataWithoutPersistence(t *testing.T) {
	server := testenv.StartRedis(t, testenv.RedisOptions{})
	url := server.URL()
	write(t, url)
	server.Kill()
	if err := client(t, url).Ping(t.Context()).Err(); err == nil {
		t.Error("a killed server responds")
	}
	server.Restart()
	if url != server.URL() {
		t.Errorf("the address changed from %s to %s", url, server.URL())
	}
	if n := size(t, url); n != 0 {
		t.Errorf("the server restarted with %d keys, want none", n)
	}
}

// With an append-only file and a sync for every write, a server keeps all acknowledged writes
// through a kill. Wipe removes them.
func TestRestart_KeepsDataWithPersistence(t *testing.T) {
	server := testenv.StartRedis(t, testenv.RedisOptions{AppendFsync: "always"})
	write(t, server.URL())
	server.Restart()
	if n := size(t, server.URL()); n != 1 {
		t.Fatalf("the server restarted with %d keys, want 1", n)
	}
	server.Kill()
	server.Wipe()
	server.Restart()
	if n := size(t, server.URL()); n != 0 {
		t.Errorf("the wiped server restarted with %d keys, want none", n)
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
				if err := client(t, server.URL()).Set(t.Context(), "newer", "value", 0).Err(); err != nil {
					t.Fatal(err)
				}
				server.RollBack(snapshot)
				if n := size(t, server.URL()); n != 1 {
					t.Errorf("the server came back with %d keys, want the one of the snapshot", n)
				}
			}
		})
	}
}

// A frozen server accepts connections but responds only after Thaw.
func TestFreeze_AnswersAfterThaw(t *testing.T) {
	server := testenv.StartRedis(t, testenv.RedisOptions{})
	write(t, server.URL())
	server.Freeze()
	conn, err := net.DialTimeout("tcp", server.Addr(), eventually.Limit)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if _, err := io.WriteString(conn, "DBSIZE\r\n"); err != nil {
		t.Fatal(err)
	}
	reply := make([]byte, len(":1\r\n"))
	if err := conn.SetReadDeadline(time.Now().Add(50 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	if n, err := conn.Read(reply); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("a frozen server replied %q (%v)", reply[:n], err)
	}
	server.Thaw()
	if err := conn.SetReadDeadline(time.Now().Add(eventually.Limit)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(conn, reply); err != nil || string(reply) != ":1\r\n" {
		t.Errorf("the thawed server replied %q (%v)", reply, err)
	}
}

// Additional arguments override the package's own.
func TestRedis_ArgumentsOverrideDefaults(t *testing.T) {
	server := testenv.StartRedis(t, testenv.RedisOptions{Args: []string{"--maxmemory-policy", "allkeys-lru"}})
	policy := client(t, server.URL()).ConfigGet(t.Context(), "maxmemory-policy").Val()
	if policy["maxmemory-policy"] != "allkeys-lru" {
		t.Errorf("maxmemory-policy is %v, want allkeys-lru", policy)
	}
}

func write(t *testing.T, url string) {
	t.Helper()
	if err := client(t, url).Set(t.Context(), "key", "value", 0).Err(); err != nil {
		t.Fatal(err)
	}
}

func size(t *testing.T, url string) int64 {
	t.Helper()
	n, err := client(t, url).DBSize(eventually.Context(t)).Result()
	if err != nil {
		t.Fatal(err)
	}
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
