package testenv

import (
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// pgBouncerReady is the line that PgBouncer prints when it listens.
var pgBouncerReady = regexp.MustCompile(`process up: PgBouncer`)

// StartPgBouncer starts PgBouncer with its defaults and the given settings, such as
// "pool_mode = session", and returns the URL of a database through it. It ends with the test.
func StartPgBouncer(t testing.TB, databaseURL string, settings ...string) string {
	t.Helper()
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		program = "/usr/sbin/pgbouncer" // which Debian keeps out of PATH
	}
	if _, err := os.Stat(program); err != nil {
		t.Fatal("testenv: this test needs PgBouncer, which is not installed; on Debian: apt-get install pgbouncer")
	}
	database, err := url.Parse(databaseURL)
	check(t, err)
	dir := Dir(t)
	args := []string{program}
	if os.Getuid() == 0 {
		// It refuses to run as root. The user must be able to read its configuration.
		args = append(args, "-u", "postgres")
		check(t, os.Chmod(dir, 0o755))
	}
	for range startTries {
		port := FreePort(t)
		file := write(t, dir, "pgbouncer.ini", []byte(fmt.Sprintf(
			"[databases]\n* = host=%s port=%s user=postgres\n[pgbouncer]\nlisten_addr = %s\nlisten_port = %d\nauth_type = any\nunix_socket_dir =\nlogfile =\n%s\n",
			database.Hostname(), database.Port(), host, port, strings.Join(settings, "\n"))))
		check(t, os.Chmod(file, 0o644))
		process := Program(t, append(args, file), nil)
		if _, err := process.waitLine(pgBouncerReady); err == nil {
			database.Host = address(port)
			return database.String()
		}
	}
	t.Fatal("testenv: PgBouncer found no free port")
	return ""
}
