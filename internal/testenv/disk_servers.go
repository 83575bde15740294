package testenv

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

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
