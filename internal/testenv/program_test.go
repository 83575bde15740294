package testenv_test

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/redis/go-redis/v9"
	"go.uber.org/goleak"

	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// shell runs a script as the program under test.
func shell(t *testing.T, script string, env ...string) *testenv.Process {
	t.Helper()
	return testenv.Program(t, []string{"/bin/sh", "-c", script}, env)
}

// Kill gives the program no time to react and returns after its end.
func TestKill_EndsAtOnce(t *testing.T) {
	p := shell(t, `trap 'echo bye' TERM INT EXIT; echo ready; exec sleep 600`)
	p.WaitLine("^ready$")
	p.Kill()
	if code := p.Wait(); code != -1 {
		t.Errorf("exit code %d of a killed program, want -1", code)
	}
	if err := syscall.Kill(p.Pid(), 0); err == nil {
		t.Error("the killed program still runs")
	}
	if strings.Contains(p.Output(), "bye") {
		t.Error("the killed program printed its farewell")
	}
}

// A program ends with its test.
func TestProgram_EndsWithItsTest(t *testing.T) {
	var p *testenv.Process
	t.Run("starter", func(t *testing.T) {
		p = shell(t, "exec sleep 600")
	})
	select {
	case <-p.Done():
	default:
		t.Error("the program outlives its test")
	}
}

// victimEnv names the environment variable that makes a test binary start servers and then end. Its
// value says how the binary ends.
const victimEnv = "TESTENV_VICTIM"

// Servers end with the test binary, and neither the shared server nor Dir leaves files. That holds
// even if the binary ends without cleanup. The test runs its own binary again as the one that ends.
func TestServers_EndWithTestBinary(t *testing.T) {
	if how := os.Getenv(victimEnv); how != "" {
		playVictim(t, how)
	}
	for _, how := range []string{"panic", "exit", "kill"} {
		t.Run(how, func(t *testing.T) {
			victim := testenv.Program(t,
				[]string{os.Args[0], "-test.run=^TestServers_EndWithTestBinary$"}, []string{victimEnv + "=" + how})
			started := victim.WaitLine(`^started (\S+) (\S+) (\S+) (\S+) (\S+)$`)
			// It cannot remove the folder that package testing made.
			t.Cleanup(func() { check(t, os.RemoveAll(started[5])) })
			if how == "kill" {
				victim.Kill()
			}
			if code := victim.Wait(); code == 0 {
				t.Errorf("the test binary ended well: %s", victim.Output())
			}
			eventually.True(t, "Redis refuses connections", func() bool { return refuses(t, started[1]) })
			eventually.True(t, "PostgreSQL refuses connections", func() bool { return refuses(t, started[2]) })
			eventually.True(t, "the files of PostgreSQL are removed", func() bool { return isGone(started[3]) })
			eventually.True(t, "the folder of the test is removed", func() bool { return isGone(started[4]) })
		})
	}
}

// playVictim starts servers and ends the test binary. It does not return.
func playVictim(t *testing.T, how string) {
	redis, postgres := testenv.Redis(t), testenv.Postgres(t)
	var folder string
	check(t, connect(t, postgres).QueryRow(t.Context(), "SHOW data_directory").Scan(&folder))
	fmt.Printf("\nstarted %s %s %s %s %s\n", redis, postgres, folder, testenv.Dir(t), filepath.Dir(t.TempDir()))
	switch how {
	case "panic":
		// In the test's own goroutine, package testing would run the cleanups.
		go func() { panic("the victim panics") }()
	case "exit":
		os.Exit(3)
	}
	select {}
}

// isGone reports whether a folder does not exist.
func isGone(folder string) bool {
	_, err := os.Stat(folder)
	return errors.Is(err, fs.ErrNotExist)
}

// refuses reports whether nothing listens at the address of a server's URL.
func refuses(t *testing.T, server string) bool {
	t.Helper()
	u, err := url.Parse(server)
	check(t, err)
	conn, err := net.DialTimeout("tcp", u.Host, eventually.Limit)
	if err != nil {
		return true
	}
	_ = conn.Close()
	return false
}

func connect(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	check(t, err)
	t.Cleanup(func() { _ = conn.Close(t.Context()) })
	return conn
}

// A database is dropped with its test, even if connections are open.
func TestPostgres_DropsDatabaseAfterTest(t *testing.T) {
	var name string
	t.Run("user", func(t *testing.T) {
		url := testenv.Postgres(t)
		conn, err := pgx.Connect(t.Context(), url)
		check(t, err)
		name = conn.Config().Database
	})
	var exists bool
	err := connect(t, testenv.Postgres(t)).
		QueryRow(t.Context(), "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", name).Scan(&exists)
	if err != nil || exists {
		t.Errorf("the database %q still exists: %v (%v)", name, exists, err)
	}
}

// Text is UTF-8 and sorts by bytes, whatever the language of the machine. Tests therefore give the
// same result everywhere.
func TestPostgres_IgnoresLanguageOfMachine(t *testing.T) {
	conn := connect(t, testenv.Postgres(t))
	var encoding, collation string
	err := conn.QueryRow(t.Context(),
		"SELECT pg_encoding_to_char(encoding), datcollate FROM pg_database WHERE datname = current_database()").
		Scan(&encoding, &collation)
	if err != nil || encoding != "UTF8" || collation != "C" {
		t.Errorf("encoding %q and collation %q (%v), want UTF8 and C", encoding, collation, err)
	}
}

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

// The package leaves no goroutine, not even for the shared server. Packages that use it can
// therefore check for their own leaks. The exception belongs to the client: a pool that failed to
// connect checks once a second whether it was closed.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		goleak.IgnoreAnyFunction("github.com/redis/go-redis/v9/internal/pool.(*ConnPool).tryDial"))
}
