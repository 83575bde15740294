package testenv_test

import (
	"io"
	"net"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// echo is a connection through a proxy to an echo server.
type echo struct {
	t     *testing.T
	proxy *testenv.Proxy
}

func newEcho(t *testing.T) echo {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	t.Cleanup(func() { check(t, listener.Close()) })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go reply(conn)
		}
	}()
	return echo{t, testenv.StartProxy(t, "tcp://"+listener.Addr().String())}
}

func reply(conn net.Conn) {
	_, _ = io.Copy(conn, conn)
	_ = conn.Close()
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (e echo) connect() net.Conn {
	e.t.Helper()
	conn, err := net.Dial("tcp", e.proxy.Addr())
	check(e.t, err)
	e.t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// roundTrip sends some bytes and waits for their echo, for at most within.
func roundTrip(conn net.Conn, within time.Duration) (time.Duration, error) {
	const size = 2000
	began := time.Now()
	if err := conn.SetDeadline(began.Add(within)); err != nil {
		return 0, err
	}
	if _, err := conn.Write(make([]byte, size)); err != nil {
		return 0, err
	}
	_, err := io.ReadFull(conn, make([]byte, size))
	return time.Since(began), err
}

func TestProxy_SlowsOpenConnection(t *testing.T) {
	for name, slow := range map[string]func(*testenv.Proxy){
		"by a delay":                         func(p *testenv.Proxy) { p.Delay(200 * time.Millisecond) },
		"by a narrow connection":             func(p *testenv.Proxy) { p.Narrow(10) }, // 2,000 bytes take a fifth of a second
		"by one that is narrow for requests": func(p *testenv.Proxy) { p.NarrowRequests(10) },
	} {
		t.Run(name, func(t *testing.T) {
			e := newEcho(t)
			conn := e.connect()
			slow(e.proxy)
			took, err := roundTrip(conn, eventually.Limit)
			check(t, err)
			if took < 190*time.Millisecond {
				t.Errorf("the response took %v", took)
			}
			e.proxy.Heal()
			_, err = roundTrip(conn, eventually.Limit)
			check(t, err)
		})
	}
}
