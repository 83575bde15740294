package e2e

import (
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// namesIn returns the names in a folder.
func namesIn(t *testing.T, dir string) []string {
	t.Helper()
	found, err := os.ReadDir(dir)
	harness.Check(t, err)
	var names []string
	for _, e := range found {
		names = append(names, e.Name())
	}
	return names
}

func TestServe_MakesNothingIfItCannotListen(t *testing.T) {
	taken, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	harness.Check(t, err)
	t.Cleanup(func() { _ = taken.Close() })
	for _, args := range [][]string{
		{"--addr=" + taken.Addr().String()},
		{"--addr=127.0.0.1:0", "--admin-addr=" + taken.Addr().String()},
		{"--addr=127.0.0.1:0", "--trusted-documents=/nowhere/at/all"},
	} {
		parent := t.TempDir()
		code, stdout, stderr := harness.RunMain(t, append(args, "--data-dir="+filepath.Join(parent, "data"))...)
		if code != 2 || stdout != "" || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%v: exit code %d, %q, %q", args, code, stdout, stderr)
		}
		if made := namesIn(t, parent); len(made) > 0 {
			t.Errorf("%v: the program created %v", args, made)
		}
	}
}

func TestServe_KeepsItsFilesPrivate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	s := startServer(t, "TIDELINE_DATA_DIR="+dir)
	// An earlier version let other users read the database.
	s.Process.Interrupt()
	s.Process.Wait()
	harness.Check(t, os.Chmod(filepath.Join(dir, "tideline.db"), 0o644))
	startServer(t, "TIDELINE_DATA_DIR="+dir)
	var seen []string
	harness.Check(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		harness.Check(t, err)
		info, err := d.Info()
		harness.Check(t, err)
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
		seen = append(seen, filepath.Base(path))
		return nil
	}))
	for _, name := range []string{"data", "tideline.db", "tideline.db-wal", "tideline.db-shm", "token.secret", "redis.url", "server.lock"} {
		if !strings.Contains(strings.Join(seen, " ")+" ", name+" ") {
			t.Errorf("there is no %s among %v", name, seen)
		}
	}
}

func TestServe_NamesHostsAndDatabase(t *testing.T) {
	postgres := testenv.Postgres(t)
	redis := testenv.StartRedis(t, testenv.RedisOptions{})
	database := postgres[strings.LastIndex(postgres, "/")+1:]
	name, _, _ := strings.Cut(database, "?")
	s := startServer(t, "TIDELINE_DATABASE_URL="+postgres, "TIDELINE_REDIS_URL="+redis.URL(), "TIDELINE_DATA_DIR="+t.TempDir())
	for _, want := range []string{"database    PostgreSQL at ", ", database " + name, "Redis       redis://" + redis.Addr()} {
		if !strings.Contains(s.Process.Output(), want) {
			t.Errorf("the output lacks %q:\n%s", want, s.Process.Output())
		}
	}
}

func TestToken_WarnsIfNoServerUsesItsSecret(t *testing.T) {
	const warning = "no server on this machine uses the secret in "
	dir := filepath.Join(t.TempDir(), "data")
	token := func(args ...string) (stdout, stderr string) {
		t.Helper()
		code, stdout, stderr := harness.RunMain(t, append([]string{"token", "--user=1", "--data-dir=" + dir}, args...)...)
		if code != 0 || strings.Count(stdout, "\n") != 1 {
			t.Fatalf("exit code %d, %q, %q", code, stdout, stderr)
		}
		return stdout, stderr
	}
	if _, stderr := token(); !strings.Contains(stderr, warning+dir) {
		t.Errorf("with a new secret it prints %q", stderr)
	}
	if _, stderr := token("--jwt-secret=" + harness.Secret); stderr != "" {
		t.Errorf("with its own secret it prints %q", stderr)
	}
	s := startServer(t, "TIDELINE_DATA_DIR="+dir, "TIDELINE_DEMO=false")
	if _, stderr := token(); stderr != "" {
		t.Errorf("while a server runs it prints %q", stderr)
	}
	s.Process.Interrupt()
	s.Process.Wait()
	if _, stderr := token(); !strings.Contains(stderr, warning) {
		t.Errorf("after the server stopped it prints %q", stderr)
	}
	startServer(t, "TIDELINE_DATA_DIR="+dir, "TIDELINE_DEMO=false", "TIDELINE_JWT_SECRET="+harness.Secret)
	if _, stderr := token(); !strings.Contains(stderr, warning) {
		t.Errorf("while a server with another secret runs it prints %q", stderr)
	}
}
