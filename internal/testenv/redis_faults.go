package testenv

import (
	"errors"
	"fmt"
	"io/fs"
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
	if err != nil {
		s.t.Fatal(err)
	}
}

// Wipe removes the files of a killed server, as a lost disk does, so that it restarts empty. A
// cluster node also forgets the cluster.
func (s *RedisServer) Wipe() {
	s.t.Helper()
	files, err := filepath.Glob(filepath.Join(s.dir, "*"))
	if err != nil {
		s.t.Fatal(err)
	}
	for _, file := range files {
		if err := os.RemoveAll(file); err != nil {
			s.t.Fatal(err)
		}
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

// redisData returns the names of files and folders that contain a server's keys. It omits the file
// of a cluster node's view of the others.
func redisData() []string { return []string{"dump.rdb", "appendonlydir"} }

// Snapshot copies the key files of a running server and returns the folder of the copy for
// [RedisServer.RollBack]. Without an append-only file, the server saves its keys first.
func (s *RedisServer) Snapshot() string {
	s.t.Helper()
	if s.options.AppendFsync == "" {
		if err := s.save(); err != nil {
			s.t.Fatalf("testenv: redis-server did not save its data: %v", err)
		}
	}
	snapshot := s.t.TempDir()
	if err := copyData(snapshot, s.dir); err != nil {
		s.t.Fatal(err)
	}
	return snapshot
}

// RollBack kills the server, replaces its files with those of a snapshot and restarts it. The
// server has the keys of that time. A snapshot can be used several times.
func (s *RedisServer) RollBack(snapshot string) {
	s.t.Helper()
	s.Kill()
	for _, name := range redisData() {
		if err := os.RemoveAll(filepath.Join(s.dir, name)); err != nil {
			s.t.Fatal(err)
		}
	}
	if err := copyData(s.dir, snapshot); err != nil {
		s.t.Fatal(err)
	}
	s.Restart()
}

// save makes the server write its keys to dump.rdb.
func (s *RedisServer) save() error {
	reply, err := s.ask("SAVE")
	if err == nil && reply != "OK" {
		err = fmt.Errorf("the reply is %q", reply)
	}
	return err
}

// copyData copies the data files that exist.
func copyData(to, from string) error {
	for _, name := range redisData() {
		info, err := os.Stat(filepath.Join(from, name))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return err
		case info.IsDir():
			err = os.CopyFS(filepath.Join(to, name), os.DirFS(filepath.Join(from, name)))
		default:
			err = copyFile(filepath.Join(to, name), filepath.Join(from, name))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func copyFile(to, from string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o600)
}
