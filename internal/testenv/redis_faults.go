package testenv

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/tideline-feeds/tideline/internal/eventually"
)

// Kill ends the server at once, as kill -9 does, and waits for its end. It keeps the files. It does
// nothing to a dead server.
func (s *RedisServer) Kill() {
	s.process.Kill()
}

// Running reports whether the server is up.
func (s *RedisServer) Running() bool {
	select {
	case <-s.process.Done():
		return false
	default:
		return true
	}
}

// Restart kills the server if it runs and starts it again on the same port and in the same folder.
// The server loads the data of its files, if it has any. Restart returns when the server is ready.
func (s *RedisServer) Restart() {
	s.t.Helper()
	s.Kill()
	deadline := time.Now().Add(eventually.Limit)
	err := s.start()
	for errors.Is(err, errPortTaken) && time.Now().Before(deadline) {
		err = s.start()
	}
	check(s.t, err)
}

// Wipe removes the files of a killed server, as a lost disk does, so that it restarts empty. A
// cluster node also forgets the cluster.
func (s *RedisServer) Wipe() {
	s.t.Helper()
	files, err := filepath.Glob(filepath.Join(s.dir, "*"))
	check(s.t, err)
	for _, file := range files {
		check(s.t, os.RemoveAll(file))
	}
}

// Freeze makes the server hang until [RedisServer.Thaw] or a restart. The kernel still accepts
// connections and data, but the server does not respond.
func (s *RedisServer) Freeze() {
	s.t.Helper()
	s.signal(syscall.SIGSTOP)
}

// Thaw continues a frozen server. It then responds to all pending requests.
func (s *RedisServer) Thaw() {
	s.t.Helper()
	s.signal(syscall.SIGCONT)
}

func (s *RedisServer) signal(signal syscall.Signal) {
	s.t.Helper()
	if err := s.process.cmd.Process.Signal(signal); err != nil {
		s.t.Fatalf("testenv: redis-server could not be sent %v: %v", signal, err)
	}
}

// Snapshot copies the files of a running server and returns the folder of the copy for
// [RedisServer.RollBack]. Without an append-only file, the server saves its keys first.
func (s *RedisServer) Snapshot() string {
	s.t.Helper()
	if s.options.AppendFsync == "" {
		s.tell("SAVE")
	}
	snapshot := s.t.TempDir()
	s.copyFiles(snapshot, s.dir)
	return snapshot
}

// RollBack kills the server, replaces its files with those of a snapshot and restarts it. The
// server has the keys of that time. A snapshot can be used several times.
func (s *RedisServer) RollBack(snapshot string) {
	s.t.Helper()
	s.Kill()
	s.Wipe()
	s.copyFiles(s.dir, snapshot)
	s.Restart()
}

func (s *RedisServer) copyFiles(to, from string) {
	s.t.Helper()
	check(s.t, os.CopyFS(to, os.DirFS(from)))
}
