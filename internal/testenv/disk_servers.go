package testenv

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// FillDisk leaves a server that was started with [RedisOptions.Disk] no room on it: an
// append-only file cannot grow until [RedisServer.FreeDisk].
func (s *RedisServer) FillDisk() {
	s.t.Helper()
	s.disk.fill(s.process.Pid())
}

// FreeDisk makes room again.
func (s *RedisServer) FreeDisk() {
	s.t.Helper()
	s.disk.free(s.process.Pid())
}

// DiskKind says in a few words what [RedisServer.FillDisk] fills: what the machine allows.
func (s *RedisServer) DiskKind() string { return s.disk.kind() }

// withoutSignal starts a program that is not killed when it writes more than it may,
// which would be for it to handle.
func withoutSignal(args []string) []string {
	return append([]string{"/bin/sh", "-c", `trap '' XFSZ; exec "$@"`, "sh"}, args...)
}

// FillDisk leaves a server that was started by [StartPostgresOnDisk] no room on its disk,
// until [PostgresServer.FreeDisk]. The server may end for that.
func (s *PostgresServer) FillDisk() {
	s.t.Helper()
	s.disk.fill(children(s.pid())...)
}

// FreeDisk makes room again, and starts the server if it has ended for want of it. It says
// whether that was so.
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

// DiskKind says in a few words what [PostgresServer.FillDisk] fills.
func (s *PostgresServer) DiskKind() string { return s.disk.kind() }

// pid returns the pid of the server's first process, 0 when it has ended.
func (s *PostgresServer) pid() int {
	text, err := os.ReadFile(filepath.Join(s.dir, "data", "postmaster.pid"))
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

// Writes tells whether the server takes writes, which one does not whose append-only file
// could not grow when last tried.
func (s *RedisServer) Writes() bool {
	return s.says("INFO persistence", "aof_last_write_status:ok")
}
