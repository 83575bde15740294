package testenv

import (
	"errors"
	"math/rand/v2"
	"net"
	"strconv"
	"testing"
)

// host is the only address that servers started by tests listen on.
const host = "127.0.0.1"

// Ports are picked below 32768, where Linux begins to pick local ports for
// outgoing connections. A server that is killed and started again finds its port
// free then, however many connections other tests open meanwhile.
const (
	firstPort = 15000
	lastPort  = 31999
)

// portTries is how many ports are tried before giving up. Of 17,000 ports nearly
// all are free, so one try nearly always does.
const portTries = 50

// startTries is how often a server is started again on another port after it
// found its port taken in the moment between picking and binding.
const startTries = 5

// FreePort returns a TCP port of 127.0.0.1 that nothing listened on a moment ago.
// Another process may take it before the caller does, so a caller that starts a
// server on it must be ready to try again with another one.
func FreePort(t testing.TB) int {
	t.Helper()
	port, err := freePort()
	if err != nil {
		t.Fatal(err)
	}
	return port
}

func freePort() (int, error) {
	for range portTries {
		port := firstPort + rand.IntN(lastPort-firstPort+1)
		listener, err := net.Listen("tcp", address(port))
		if err != nil {
			continue
		}
		if err := listener.Close(); err != nil {
			return 0, err
		}
		return port, nil
	}
	return 0, errors.New("testenv: found no free port on " + host)
}

func address(port int) string {
	return net.JoinHostPort(host, strconv.Itoa(port))
}
