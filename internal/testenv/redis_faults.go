package testenv

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
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

// tell sends the server a command, such as "CONFIG SET maxmemory 1". It fails the test if the
// server refuses the command.
func (s *RedisServer) tell(command string) {
	s.t.Helper()
	if _, err := s.ask(command); err != nil {
		s.t.Fatalf("testenv: redis-server refused %q: %v", command, err)
	}
}

// FillMemory makes the server refuse all commands that need memory, with OOM.
func (s *RedisServer) FillMemory() {
	s.t.Helper()
	s.tell("CONFIG SET maxmemory 1")
}

// FreeMemory undoes [RedisServer.FillMemory].
func (s *RedisServer) FreeMemory() {
	s.t.Helper()
	s.tell("CONFIG SET maxmemory 0")
}

// Follow makes the server a replica of another one. It then refuses writes, with READONLY.
func (s *RedisServer) Follow(master *RedisServer) {
	s.t.Helper()
	host, port, err := net.SplitHostPort(master.Addr())
	check(s.t, err)
	s.tell("REPLICAOF " + host + " " + port)
}

// Promote makes the server a master again. It keeps its data.
func (s *RedisServer) Promote() {
	s.t.Helper()
	s.tell("REPLICAOF NO ONE")
}

// RunScript makes the server run an endless script. When RunScript returns, the server responds
// every command with BUSY.
func (s *RedisServer) RunScript() {
	s.t.Helper()
	s.tell("CONFIG SET lua-time-limit 1")
	conn, err := net.DialTimeout("tcp", s.Addr(), eventually.Limit)
	check(s.t, err)
	s.t.Cleanup(func() { _ = conn.Close() })
	_, err = conn.Write([]byte("EVAL \"while true do end\" 0\r\n"))
	check(s.t, err)
	eventually.True(s.t, "the server is busy", func() bool { return s.refuses("BUSY") })
}

// KillScript undoes [RedisServer.RunScript].
func (s *RedisServer) KillScript() {
	s.t.Helper()
	s.tell("SCRIPT KILL")
	eventually.True(s.t, "the script has ended", func() bool { return !s.refuses("BUSY") })
}

// LoadSlowly adds keys of this number and size, and each takes this many microseconds to load. All
// together take half a minute, the longest that a request may have to wait for the LOADING error.
const (
	slowKeys = "10000"
	slowSize = "1100"
	slowLoad = "3000"
)

// LoadSlowly adds many keys to a server without an append-only file and restarts it. When it
// returns, the server loads the keys and responds to every command with LOADING.
func (s *RedisServer) LoadSlowly() {
	s.t.Helper()
	s.tell("DEBUG POPULATE " + slowKeys + " slow " + slowSize)
	s.tell("SAVE")
	s.Kill()
	args := s.options.Args
	s.options.Args = append(args[:len(args):len(args)],
		"--key-load-delay", slowLoad, "--loading-process-events-interval-bytes", "1024")
	defer func() { s.options.Args = args }()
	process, err := start(append([]string{s.program}, s.arguments()...), nil)
	check(s.t, err)
	s.process = process
	eventually.True(s.t, "the server loads its data", func() bool { return s.refuses("LOADING") })
}

// FinishLoading lets the server of [RedisServer.LoadSlowly] load at full speed and waits for the
// end.
func (s *RedisServer) FinishLoading() {
	s.t.Helper()
	s.tell("CONFIG SET key-load-delay 0")
	_, err := s.process.waitLine(redisReady)
	check(s.t, err)
}

// refuses reports whether the server refuses a read with an error code.
func (s *RedisServer) refuses(code string) bool {
	_, err := s.ask("GET tideline:none")
	return err != nil && strings.HasPrefix(err.Error(), code+" ")
}
