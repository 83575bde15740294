package testenv

import (
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"testing"
)

// guardScript runs a server, and removes its folder after the test binary has ended.
//
//	$1  the folder to remove
//	$2… the server and its arguments; none to only remove the folder
//
// The script reads from a pipe. Only the test binary holds the other end, so the read ends with the
// test binary. The word "keep" on the pipe ends the server and keeps the folder for another try.
// The script first unmounts a disk mounted in the folder. It stops the server by SIGQUIT, on which
// PostgreSQL stops at once.
const guardScript = `
dir=$1
shift
if [ $# -gt 0 ]; then
	"$@" >>"$dir/log" 2>&1 </dev/null &
	server=$!
fi
read -r word
if [ -n "$server" ]; then
	kill -QUIT "$server" 2>/dev/null
	wait "$server"
fi
if [ "$word" != keep ]; then
	umount -l "$dir/disk" 2>/dev/null
	rm -rf "$dir"
fi
`

// guard is the shell that runs guardScript. Keep the value as long as the folder is needed: if the
// garbage collector closes its pipe, the guard ends.
type guard struct {
	cmd  *exec.Cmd
	pipe io.WriteCloser
}

// startGuard starts the guard of a folder and, in it, the server. as is the user of the server, nil
// for the test's user.
func startGuard(dir string, as *syscall.Credential, server ...string) (*guard, error) {
	cmd := exec.Command("/bin/sh", append([]string{"-c", guardScript, "guard", dir}, server...)...)
	cmd.Dir = "/"
	// In its own process group, the guard survives the Ctrl-C that ends the test and can clean up.
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: as, Setpgid: true}
	pipe, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &guard{cmd: cmd, pipe: pipe}, nil
}

// stop ends the server and keeps the folder.
func (g *guard) stop() error {
	if _, err := io.WriteString(g.pipe, "keep\n"); err != nil {
		return err
	}
	return g.cmd.Wait()
}

// guardedDir creates a temporary folder that is removed when the test binary ends.
func guardedDir() (string, *guard, error) {
	dir, err := os.MkdirTemp("", "tideline-test-")
	if err != nil {
		return "", nil, err
	}
	g, err := startGuard(dir, nil)
	return dir, g, err
}

// check ends the test if there is an error.
func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Dir returns an empty folder for files of a test, such as a SQLite database. It is removed when
// the test or the test binary ends.
//
// Unlike [testing.T.TempDir], it is in memory if the machine has at least 1 GiB free and TMPDIR is
// not set. Tests with hundreds of databases mostly wait for a busy disk. Do not use Dir to test
// power failures.
func Dir(t testing.TB) string {
	t.Helper()
	shared, err := sharedScratch()
	check(t, err)
	dir, err := os.MkdirTemp(shared.dir, "test-")
	check(t, err)
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// SharedDir returns an empty folder like that of [Dir], which is removed when the test binary ends.
// Use it for what several tests share.
func SharedDir() (string, error) {
	shared, err := sharedScratch()
	if err != nil {
		return "", err
	}
	return os.MkdirTemp(shared.dir, "shared-")
}

// sharedScratch makes the common folder on the first call. sharedPostgres says why tests share it.
var sharedScratch = sync.OnceValues(func() (*scratch, error) {
	dir, err := scratchDir("tideline-test-")
	if err != nil {
		return nil, err
	}
	g, err := startGuard(dir, nil)
	return &scratch{dir: dir, guard: g}, err
})

// scratch is a folder and its guard. The folder is removed when the guard ends.
type scratch struct {
	dir   string
	guard *guard
}

// memoryRoom is the free memory in bytes that a folder in memory needs. A PostgreSQL server with a
// few small databases takes a quarter of it.
const memoryRoom = 1 << 30

// scratchDir makes a folder in memory if possible, otherwise in the default folder for temporary
// files.
func scratchDir(pattern string) (string, error) {
	if os.Getenv("TMPDIR") == "" && freeMemory() >= memoryRoom {
		if dir, err := os.MkdirTemp(memoryDir, pattern); err == nil {
			return dir, nil
		}
	}
	return os.MkdirTemp("", pattern)
}
