package testenv_test

import (
	"errors"
	"net"
	"os"
	"syscall"
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
	defer func() { _ = conn.Close() }()
	buffer := make([]byte, 1<<16)
	for {
		n, err := conn.Read(buffer)
		if err != nil {
			return
		}
		if _, err := conn.Write(buffer[:n]); err != nil {
			return
		}
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (e echo) connect() net.Conn {
	e.t.Helper()
	conn, err := e.dial()
	check(e.t, err)
	e.t.Cleanup(func() { _ = conn.Close() })
	return conn
}

func (e echo) dial() (net.Conn, error) {
	return (&net.Dialer{}).DialContext(e.t.Context(), "tcp", e.proxy.URL("tcp://x")[len("tcp://"):])
}

// roundTrip sends this many bytes and waits for their echo, for at most within.
func roundTrip(conn net.Conn, bytes int, within time.Duration) (time.Duration, error) {
	began := time.Now()
	if err := conn.SetDeadline(began.Add(within)); err != nil {
		return 0, err
	}
	if _, err := conn.Write(make([]byte, bytes)); err != nil {
		return 0, err
	}
	buffer := make([]byte, 1<<16)
	for got := 0; got < bytes; {
		n, err := conn.Read(buffer)
		if err != nil {
			return 0, err
		}
		got += n
	}
	return time.Since(began), nil
}

func TestProxy_ForwardsByDefault(t *testing.T) {
	_, err := roundTrip(newEcho(t).connect(), 100_000, eventually.Limit)
	check(t, err)
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
			took, err := roundTrip(conn, 2000, eventually.Limit)
			check(t, err)
			if took < 190*time.Millisecond {
				t.Errorf("the response took %v", took)
			}
			e.proxy.Heal()
			_, err = roundTrip(conn, 2000, eventually.Limit)
			check(t, err)
		})
	}
}

func TestProxy_SilentNeverAnswers(t *testing.T) {
	e := newEcho(t)
	old := e.connect()
	e.proxy.Silence()
	for _, conn := range []net.Conn{old, e.connect()} {
		if _, err := roundTrip(conn, 10, 100*time.Millisecond); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("a request ends with %v", err)
		}
	}
	e.proxy.Heal()
	if _, err := roundTrip(old, 10, eventually.Limit); err == nil {
		t.Error("a connection that lost a response continues")
	}
	_, err := roundTrip(e.connect(), 10, eventually.Limit)
	check(t, err)
}

func TestProxy_ResetsConnections(t *testing.T) {
	e := newEcho(t)
	e.proxy.Reset()
	if _, err := roundTrip(e.connect(), 10, eventually.Limit); !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("a request ends with %v", err)
	}
	e.proxy.Heal()
	_, err := roundTrip(e.connect(), 10, eventually.Limit)
	check(t, err)
}

func TestProxy_CutRefusesAndRestoresAtSameAddress(t *testing.T) {
	e := newEcho(t)
	old := e.connect()
	e.proxy.Cut()
	if _, err := roundTrip(old, 10, eventually.Limit); err == nil {
		t.Error("a connection from before continues")
	}
	if _, err := e.dial(); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("a new connection ends with %v", err)
	}
	e.proxy.Heal()
	_, err := roundTrip(e.connect(), 10, eventually.Limit)
	check(t, err)
}
