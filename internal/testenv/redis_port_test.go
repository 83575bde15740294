package testenv

import (
	"errors"
	"net"
	"os/exec"
	"testing"
)

// A server tries another port if its port is taken. So does a sentinel, which stores its port in a
// file.
func TestRedis_TriesAnotherPortIfTaken(t *testing.T) {
	program, err := exec.LookPath("redis-server")
	check(t, err)
	listener, err := net.Listen("tcp", address(0))
	check(t, err)
	defer func() { _ = listener.Close() }()
	for name, options := range map[string]RedisOptions{
		"a server":   {},
		"a sentinel": {watched: sentinelMaster + " " + host + " 6379 1"}, // nothing needs to listen there
	} {
		t.Run(name, func(t *testing.T) {
			s := &RedisServer{t: t, program: program, dir: t.TempDir(), options: options}
			t.Cleanup(s.cleanup)
			s.port = listener.Addr().(*net.TCPAddr).Port
			if err := s.start(); !errors.Is(err, errPortTaken) {
				t.Fatalf("on a port that is taken: %v", err)
			}
			s.port = FreePort(t)
			if err := s.start(); err != nil {
				t.Fatalf("on a free port: %v", err)
			}
			if reply, err := s.ask("PING"); reply != "PONG" {
				t.Errorf("the reply to PING is %q (%v)", reply, err)
			}
		})
	}
}
