package testenv

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/internal/kit/eventually"
)

// Redis starts an empty redis-server for this test and returns its URL, such as
// redis://127.0.0.1:15001/0. The start takes about 10 ms. The server keeps nothing on disk and
// refuses writes rather than evict keys. It ends with the test.
func Redis(t testing.TB) string {
	t.Helper()
	return StartRedis(t, RedisOptions{}).URL()
}

// RedisOptions configures a server of [StartRedis]. The zero value is a server without persistence.
type RedisOptions struct {
	// AppendFsync enables the append-only file. "always" keeps every acknowledged write through a
	// kill; "everysec" and "no" may lose the newest. If empty, only [RedisServer.Snapshot] saves
	// data.
	AppendFsync string

	// Args are additional arguments of redis-server, such as "--maxmemory", "8mb". They override
	// the package's own.
	Args []string

	// Disk is the size in megabytes of a separate disk, which [RedisServer.FillDisk] fills. 0 means
	// none.
	Disk int

	cluster bool   // the server is to become a node of a cluster
	proxied bool   // clients are to be sent to a proxy, as a node of a cluster can
	watched string // what the server is to watch as a sentinel; see StartRedisSentinels
}

// RedisServer is a redis-server that a test can kill and restart. Call its methods from the test's
// goroutine.
type RedisServer struct {
	t       testing.TB
	program string
	dir     string
	port    int
	bus     int    // the port for talk between the nodes of a cluster
	proxy   *Proxy // nil unless the options ask for one
	disk    *disk  // nil unless the options ask for one
	options RedisOptions
	process *Process // nil before the first start
}

// StartRedis starts a redis-server. It returns when the server is ready. The server ends with the
// test.
func StartRedis(t testing.TB, options RedisOptions) *RedisServer {
	t.Helper()
	program, err := exec.LookPath("redis-server")
	if err != nil {
		t.Fatal("testenv: this test needs redis-server, which is not installed; on Debian: apt-get install redis-server")
	}
	s := &RedisServer{t: t, program: program, dir: t.TempDir(), options: options}
	if options.Disk > 0 {
		s.disk = newDisk(t, options.Disk)
		s.dir = s.disk.dir
	}
	t.Cleanup(s.cleanup)
	for range startTries {
		s.port, s.bus = FreePort(t), FreePort(t)
		if options.proxied {
			s.proxy = StartProxy(t, s.URL())
		}
		if err = s.start(); !errors.Is(err, errPortTaken) {
			break
		}
	}
	check(t, err)
	return s
}

var errPortTaken = errors.New("testenv: the port is taken")

// redisReady is the log line of a redis-server that listens and has loaded its data. A test
// connection could reach another server on the same port.
var redisReady = regexp.MustCompile(`Ready to accept connections`)

func (s *RedisServer) start() error {
	args := append([]string{s.program}, s.arguments()...)
	if s.disk != nil {
		args = withoutSignal(args)
	}
	process, err := start(args, nil)
	if err != nil {
		return err
	}
	s.process = process
	_, err = process.waitLine(s.ready())
	if err != nil && strings.Contains(process.Output(), "Address already in use") {
		return errPortTaken
	}
	return err
}

func (s *RedisServer) ready() *regexp.Regexp {
	if s.options.watched != "" {
		return sentinelReady
	}
	return redisReady
}

func (s *RedisServer) arguments() []string {
	if s.options.watched != "" {
		return s.sentinelArguments()
	}
	args := []string{
		"--bind", host,
		"--port", strconv.Itoa(s.port),
		"--dir", s.dir,
		"--save", "",
		"--maxmemory-policy", "noeviction",
		"--appendonly", "no",
		"--enable-debug-command", "yes",
		// By default, a master waits five seconds for more replicas.
		"--repl-diskless-sync-delay", "0",
	}
	if s.options.AppendFsync != "" {
		args = append(args, "--appendonly", "yes", "--appendfsync", s.options.AppendFsync)
	}
	if s.options.cluster {
		args = append(args, "--cluster-enabled", "yes",
			"--cluster-port", strconv.Itoa(s.bus), "--cluster-node-timeout", clusterNodeTimeout)
	}
	if s.proxy != nil {
		_, port, _ := net.SplitHostPort(s.proxy.Addr())
		args = append(args, "--cluster-announce-port", port)
	}
	return append(args, s.options.Args...)
}

// URL returns the URL of the server, such as redis://127.0.0.1:15001/0. [RedisServer.Restart] does
// not change it.
func (s *RedisServer) URL() string {
	return "redis://" + s.Addr() + "/0"
}

// Addr returns host and port, such as 127.0.0.1:15001. It is the server's own address, even if
// clients use a proxy.
func (s *RedisServer) Addr() string {
	return address(s.port)
}

func (s *RedisServer) cleanup() {
	if s.process == nil {
		return
	}
	s.Kill()
	if s.t.Failed() {
		s.t.Logf("output of redis-server:\n%s", s.process.Output())
	}
}

// ask sends a server one command and returns the reply: a line, a number as text, or a bulk string.
// The protocol for this is so simple that it needs no client library.
func (s *RedisServer) ask(command string) (string, error) {
	conn, err := net.DialTimeout("tcp", s.Addr(), eventually.Limit)
	if err != nil {
		return "", err
	}
	defer func() { _ = conn.Close() }()
	if err := conn.SetDeadline(time.Now().Add(eventually.Limit)); err != nil {
		return "", err
	}
	if _, err := fmt.Fprintf(conn, "%s\r\n", command); err != nil {
		return "", err
	}
	return readAnswer(bufio.NewReader(conn))
}

// readAnswer reads one reply that is not a list.
func readAnswer(r *bufio.Reader) (string, error) {
	line, err := r.ReadString('\n')
	if err != nil {
		return "", err
	}
	kind, rest := line[0], strings.TrimSpace(line[1:])
	switch kind {
	case '+', ':':
		return rest, nil
	case '$':
		n, err := strconv.Atoi(rest)
		if err != nil || n < 0 {
			return "", err
		}
		text := make([]byte, n)
		_, err = io.ReadFull(r, text)
		return string(text), err
	}
	return "", errors.New(rest)
}

// says reports whether the server is up and its reply to a command contains a line.
func (s *RedisServer) says(command, line string) bool {
	if !s.Running() {
		return false
	}
	reply, err := s.ask(command)
	if err != nil {
		return false
	}
	for got := range strings.Lines(reply) {
		if strings.TrimSpace(got) == line {
			return true
		}
	}
	return false
}

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
