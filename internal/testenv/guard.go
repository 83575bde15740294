package testenv

import (
	"io"
	"os"
	"os/exec"
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
