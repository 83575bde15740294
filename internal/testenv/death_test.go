package testenv_test

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

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
