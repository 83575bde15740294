package testenv

import (
	"errors"
	"math/rand/v2"
	"net"
	"strconv"
	"testing"
)

// host is the only address on which test servers listen.
const host = "127.0.0.1"

// Ports are below 32768, where Linux begins to pick local ports for outgoing connections. A
// restarted server therefore finds its port free, however many connections other tests open.
const (
	firstPort = 15000
	lastPort  = 31999
)

// portTries is the number of ports to try. Nearly all of the 17,000 ports are free, so one try is
// nearly always enough.
const portTries = 50

// startTries is how often to start a server again on another port. Another process may take a port
// between the pick and the bind.
const startTries = 5

// FreePort returns a TCP port of 127.0.0.1 that was free a moment ago. Another process may take it
// first, so a caller that starts a server must be ready to retry with another port.
func FreePort(t testing.TB) int {
	t.Helper()
	port, err := freePort()
	check(t, err)
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
