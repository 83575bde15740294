package gateway_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/internal/gateway"
)

// countedListener notes how long each message is that its connections send.
type countedListener struct {
	net.Listener
	mu       sync.Mutex
	messages []int
}

func (l *countedListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	return &countedConn{c, l}, err
}

// take returns the messages since it was last called.
func (l *countedListener) take() []int {
	l.mu.Lock()
	defer l.mu.Unlock()
	taken := l.messages
	l.messages = nil
	return taken
}

type countedConn struct {
	net.Conn
	l *countedListener
}

func (c *countedConn) Write(p []byte) (int, error) {
	c.l.mu.Lock()
	c.l.messages = append(c.l.messages, len(p))
	c.l.mu.Unlock()
	return c.Conn.Write(p)
}

// joinedServer serves a handler as the program does, and returns what counts its messages.
func joinedServer(t *testing.T, h http.HandlerFunc) (*httptest.Server, *countedListener) {
	t.Helper()
	s := httptest.NewUnstartedServer(gateway.LogAccess(slog.New(slog.DiscardHandler), nil, h))
	l := &countedListener{Listener: s.Listener}
	s.Listener = gateway.Joined(l)
	s.Config.ConnContext = gateway.JoinedContext
	s.Start()
	t.Cleanup(s.Close)
	return s, l
}

func TestAnAnswerOfAnySizeIsOneMessage(t *testing.T) {
	s, l := joinedServer(t, func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(r.URL.Query().Get("bytes"))
		w.Header().Set("Content-Length", strconv.Itoa(n))
		_, _ = w.Write(bytes.Repeat([]byte("x"), n))
	})
	for _, n := range []int{1, 3000, 3900, 4096, 6000, 9500, 200_000, 9500, 10} {
		resp, err := s.Client().Get(fmt.Sprint(s.URL, "/?bytes=", n))
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if err != nil || len(body) != n {
			t.Errorf("of %d bytes %d come, %v", n, len(body), err)
		}
		if sent := l.take(); len(sent) != 1 || sent[0] < n {
			t.Errorf("an answer of %d bytes is sent as messages of %v", n, sent)
		}
	}
}

// What is told bit by bit must come bit by bit.
func TestAnAnswerInPiecesIsSentAsTheyCome(t *testing.T) {
	more := make(chan struct{})
	s, _ := joinedServer(t, func(w http.ResponseWriter, _ *http.Request) {
		piece := bytes.Repeat([]byte("x"), 5000)
		_, _ = w.Write(piece)
		_ = http.NewResponseController(w).Flush()
		<-more
		_, _ = w.Write(piece)
	})
	resp, err := s.Client().Get(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if _, err := io.ReadFull(resp.Body, make([]byte, 5000)); err != nil {
		t.Fatal(err)
	}
	close(more)
	if rest, err := io.ReadAll(resp.Body); len(rest) != 5000 || err != nil {
		t.Errorf("behind the first piece come %d bytes, %v", len(rest), err)
	}
}

// A server that has refused a request ends its half of the connection, so that the answer
// arrives before the rest of the request is met with a reset.
func TestAJoinedConnectionIsEndedInHalves(t *testing.T) {
	s, _ := joinedServer(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Connection", "close")
		w.Header().Set("Content-Length", "2")
		_, _ = w.Write([]byte("no"))
	})
	c, err := net.Dial("tcp", s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	if _, err := c.Write([]byte("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf of it")); err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if diff := cmp.Diff("no", string(body)); diff != "" || err != nil {
		t.Error(diff, err)
	}
}
