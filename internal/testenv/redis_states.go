package testenv

import (
	"net"
	"strings"

	"github.com/tideline-feeds/tideline/internal/eventually"
)

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
