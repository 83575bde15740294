package resolvers_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/resolvers"
	"github.com/tideline-feeds/tideline/resolvers/transport"
)

// largeQuery has a response of 3 MB in [longWorld].
const largeQuery = `{ user(handle: \"ben\") { posts(first: 100) { nodes { text } } } }`

// hangs is the time after which a test fails.
const hangs = 2 * time.Minute

// narrow is a listener whose connections have small send buffers, as for a distant client. The
// loopback device would buffer megabytes.
type narrow struct{ net.Listener }

func (n narrow) Accept() (net.Conn, error) {
	conn, err := n.Listener.Accept()
	if tcp, ok := conn.(*net.TCPConn); ok {
		err = tcp.SetWriteBuffer(64 << 10)
	}
	return conn, err
}

// slowWorld is a [longWorld] that listens, with a limit of 32 MiB of unsent bytes.
type slowWorld struct {
	*world
	addr      string
	transport *transport.Transport
	cut       chan struct{} // receives something for each response that is cut off
}

func newSlowWorld(t *testing.T, operationsMax int) *slowWorld {
	s := &slowWorld{cut: make(chan struct{}, 1000)}
	s.transport = transport.New(transport.Options{
		Address: resolvers.AddressFrom, UnsentMax: 32 << 20, Cut: func() { s.cut <- struct{}{} },
	})
	s.world = longWorld(t, func(d *resolvers.Deps) {
		d.Transport = s.transport
		d.Guard.OperationsMax, d.Guard.Address = operationsMax, resolvers.AddressFrom
	})
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	noError(t, err)
	s.addr = l.Addr().String()
	server := &http.Server{Handler: s.handler, ReadHeaderTimeout: hangs}
	go func() { _ = server.Serve(narrow{l}) }()
	t.Cleanup(func() { _ = server.Close() })
	return s
}

// smallBuffer is the receive buffer of a slow reader. It stays slow, because the kernel rarely
// announces such a small window.
const smallBuffer = 4 << 10

// readSlowly sends a request from an address and returns after the header of the response.
func (s *slowWorld) readSlowly(t *testing.T, address string, buffer int) io.Reader {
	t.Helper()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", s.addr)
	if err == nil && buffer > 0 {
		err = conn.(*net.TCPConn).SetReadBuffer(buffer)
	}
	noError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(hangs))
	body := `{"query":"` + largeQuery + `"}`
	_, err = fmt.Fprintf(conn, "POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-Address: %s\r\nContent-Length: %d\r\n\r\n%s", address, len(body), body)
	noError(t, err)
	response, err := http.ReadResponse(bufio.NewReaderSize(conn, 16), nil)
	noError(t, err)
	t.Cleanup(func() {
		_ = conn.Close() // or else closing the body would read all of it
		_ = response.Body.Close()
	})
	return response.Body
}

// fetch requests the large response from an address, and returns its status and codes.
func (s *slowWorld) fetch(t *testing.T, address string) (int, []string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), hangs)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+s.addr+"/graphql", strings.NewReader(`{"query":"`+largeQuery+`"}`))
	noError(t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Address", address)
	response, err := http.DefaultClient.Do(r)
	noError(t, err)
	defer func() { _ = response.Body.Close() }()
	var got result
	noError(t, json.NewDecoder(response.Body).Decode(&got))
	return response.StatusCode, got.codes()
}

func TestSlowReaders_DoNotPinMemory(t *testing.T) {
	s := newSlowWorld(t, 0)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range 60 {
		s.readSlowly(t, fmt.Sprintf("address-%d", i%12), smallBuffer)
	}
	// At most eleven of 60 responses of 3 MB fit.
	for n := range 49 {
		select {
		case <-s.cut:
		case <-time.After(hangs):
			t.Fatalf("%d slow readers were cut off", n)
		}
	}
	if n := s.transport.Unsent(); n > 32<<20 {
		t.Errorf("%d bytes are unsent", n)
	}
	if status, codes := s.fetch(t, "another"); status != http.StatusOK || len(codes) > 0 {
		t.Errorf("the response to another client is %d %v", status, codes)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if held := int64(after.HeapAlloc-before.HeapAlloc) >> 20; held > 64 {
		t.Errorf("slow readers keep %d MB in memory", held)
	}
}

func TestSlowReaders_HoldTheirSlots(t *testing.T) {
	s := newSlowWorld(t, 8)
	slow := []io.Reader{s.readSlowly(t, "slow", 0), s.readSlowly(t, "slow", 0)}
	if status, codes := s.fetch(t, "slow"); status != http.StatusTooManyRequests || !cmp.Equal(codes, []string{"RATE_LIMITED"}) {
		t.Errorf("the response to a third operation of the address is %d %v", status, codes)
	}
	if status, codes := s.fetch(t, "another"); status != http.StatusOK || len(codes) > 0 {
		t.Errorf("the response to another address is %d %v", status, codes)
	}
	for _, reader := range slow {
		if _, err := io.Copy(io.Discard, reader); err != nil {
			t.Error(err)
		}
	}
	// Slots are released after the last byte is written, when the client may already have it.
	for deadline := time.Now().Add(hangs); ; {
		if status, _ := s.fetch(t, "slow"); status == http.StatusOK {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("the slots are not free after the responses were read")
		}
	}
}

func TestSubscription_BoundsTheDataOfAnEvent(t *testing.T) {
	w := longWorld(t)
	s := w.subscribed(1, `node { author {`+named(2, `posts(first: 100) { nodes { text } }`)+` } }`)
	w.announce(2, 1)
	got, _ := s.next()
	if !cmp.Equal(got.codes(), []string{"QUERY_TOO_COMPLEX"}) || got.Data != nil {
		t.Errorf("an event of 6 MB is %.300s", fmt.Sprint(got))
	}
}
