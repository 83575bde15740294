package testenv

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// disk is a small file system for one server, which a test can fill. It is a tmpfs if the machine
// allows mounts. Otherwise it is a folder, and fill limits the size of the files that the server's
// processes may write. The kernel then refuses the same writes with another error.
type disk struct {
	t       testing.TB
	dir     string
	mounted bool
	guard   *guard
	// as is the user of the server, nil for the test's user.
	as *syscall.Credential
}

// mountPoint is the name of the mounted folder in its guarded parent.
const mountPoint = "disk"

// newDisk creates a file system of the given size in megabytes. It is removed when the test or the
// test binary ends.
func newDisk(t testing.TB, megabytes int) *disk {
	t.Helper()
	parent, g, err := guardedDir()
	check(t, err)
	d := &disk{t: t, dir: filepath.Join(parent, mountPoint), guard: g}
	// The server may run as another user.
	check(t, errors.Join(os.Mkdir(d.dir, 0o777), os.Chmod(parent, 0o755), os.Chmod(d.dir, 0o777)))
	size := fmt.Sprintf("size=%dm,mode=0777", megabytes)
	d.mounted = exec.Command("mount", "-t", "tmpfs", "-o", size, "tmpfs", d.dir).Run() == nil
	t.Cleanup(func() {
		// The guard unmounts the disk and removes the folder.
		if err := errors.Join(g.pipe.Close(), g.cmd.Wait()); err != nil {
			t.Error(err)
		}
	})
	return d
}

// kind describes the disk in a report.
func (d *disk) kind() string {
	if d.mounted {
		return "tmpfs"
	}
	return "limit of files' sizes"
}

// fill uses up the free space for the server with these processes.
func (d *disk) fill(pids ...int) {
	d.t.Helper()
	if !d.mounted {
		d.limit("0", pids)
		return
	}
	file, err := os.OpenFile(d.filler(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	check(d.t, err)
	for err == nil {
		_, err = io.CopyN(file, zeros{}, 1<<20)
	}
	if err := errors.Join(file.Close(), onlyFull(err)); err != nil {
		d.t.Fatalf("testenv: fill a disk: %v", err)
	}
}

// free undoes fill.
func (d *disk) free(pids ...int) {
	d.t.Helper()
	if !d.mounted {
		d.limit("unlimited", pids)
		return
	}
	check(d.t, os.Remove(d.filler()))
}

func (d *disk) filler() string { return filepath.Join(d.dir, "filler") }

// limit sets the maximum file size for processes. It lowers only the soft limit, which any user may
// raise again. It skips ended processes.
func (d *disk) limit(bytes string, pids []int) {
	d.t.Helper()
	for _, pid := range pids {
		cmd := exec.CommandContext(d.t.Context(), "prlimit", "--pid", strconv.Itoa(pid), "--fsize="+bytes+":")
		// The processes' own user needs no privilege for this.
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: d.as}
		if out, err := cmd.CombinedOutput(); err != nil && !strings.Contains(string(out), "No such process") {
			d.t.Fatalf("testenv: %v: %v\n%s", cmd.Args, err, out)
		}
	}
}

// onlyFull drops the error that a file system is full.
func onlyFull(err error) error {
	if errors.Is(err, syscall.ENOSPC) {
		return nil
	}
	return err
}

// zeros is an endless file of zeros.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// children returns the pids of a process and of its direct children.
func children(pid int) []int {
	pids := []int{pid}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range stats {
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		// The name is in brackets and may contain any character.
		number, _, _ := strings.Cut(string(text), " ")
		fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
		if len(fields) > 1 && fields[1] == strconv.Itoa(pid) {
			if child, err := strconv.Atoi(number); err == nil {
				pids = append(pids, child)
			}
		}
	}
	return pids
}

// FillDisk fills the disk of a server with [RedisOptions.Disk]. The append-only file cannot grow
// until [RedisServer.FreeDisk].
func (s *RedisServer) FillDisk() {
	s.t.Helper()
	s.disk.fill(s.process.Pid())
}

// FreeDisk makes room again.
func (s *RedisServer) FreeDisk() {
	s.t.Helper()
	s.disk.free(s.process.Pid())
}

// DiskKind describes what [RedisServer.FillDisk] fills on this machine.
func (s *RedisServer) DiskKind() string { return s.disk.kind() }

// withoutSignal starts a program with SIGXFSZ ignored. The program gets an error instead when it
// exceeds its file size limit.
func withoutSignal(args []string) []string {
	return append([]string{"/bin/sh", "-c", `trap '' XFSZ; exec "$@"`, "sh"}, args...)
}

// FillDisk fills the disk of a server of [StartPostgresOnDisk] until [PostgresServer.FreeDisk]. The
// server may crash.
func (s *PostgresServer) FillDisk() {
	s.t.Helper()
	s.disk.fill(children(s.pid())...)
}

// FreeDisk undoes FillDisk and restarts the server if it crashed. It reports whether the server
// crashed.
func (s *PostgresServer) FreeDisk() (ended bool) {
	s.t.Helper()
	pid := s.pid()
	s.disk.free(children(pid)...)
	if pid != 0 && syscall.Kill(pid, 0) == nil {
		return false
	}
	s.Restart()
	return true
}

// DiskKind describes what [PostgresServer.FillDisk] fills.
func (s *PostgresServer) DiskKind() string { return s.disk.kind() }

// pid returns the pid of the server's main process, 0 if it has ended.
func (s *PostgresServer) pid() int {
	text, err := os.ReadFile(filepath.Join(s.data(), "postmaster.pid"))
	if err != nil {
		return 0
	}
	line, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(line)
	if err != nil {
		s.t.Fatalf("testenv: postmaster.pid begins with %q", line)
	}
	return pid
}

// Writes reports whether the server accepts writes. It refuses them after its append-only file
// could not grow.
func (s *RedisServer) Writes() bool {
	return s.says("INFO persistence", "aof_last_write_status:ok")
}
