package transport_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/internal/edge/transport"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/internal/kit/pipenet"
)

// Limits of an idle socket with a subscription and its client's end of the pipe, in bytes. They take
// 14 KiB of heap and 4 of stacks. The buffers of net/http would be 12 KiB of heap more.
const (
	heapMax      = 18 << 10
	stacksMax    = 12 << 10
	goroutineMax = 1
)

func TestDetach_IdleSocketTakesLittleMemory(t *testing.T) {
	const warm, n = 100, 500
	b := &bench{t: t, ticks: make(chan int), release: make(chan struct{})}
	b.transport = transport.New(transport.Options{KeepAlive: time.Hour})
	listener := serveDetached(t, b.handler(), nil)
	b.subscribeRaw(listener, warm)
	heap, stacks, goroutines := memory()
	b.subscribeRaw(listener, n)
	heapAfter, stacksAfter, goroutinesAfter := memory()
	heap, stacks, goroutines = (heapAfter-heap)/n, (stacksAfter-stacks)/n, (goroutinesAfter-goroutines)/n
	t.Logf("an idle socket takes %d bytes of heap, %d of stacks, and %d goroutines", heap, stacks, goroutines)
	if heap > heapMax || stacks > stacksMax || goroutines > goroutineMax {
		t.Errorf("want at most %d bytes of heap, %d of stacks, and %d goroutines", heapMax, stacksMax, goroutineMax)
	}
}

// Only ready begins a response, and each response waits for the next.
func TestSocket_RespondsWhenNotified(t *testing.T) {
	inBubble(t, transport.Options{}, func(b *bench) {
		p := b.connected()
		p.send(subscribe("s", "subscription { notified }"))
		for n := range 3 {
			ready := b.nextReady(n + 1)
			select {
			case b.ticks <- n:
				t.Error("a response began before there was an event")
			default:
			}
			ready()
			b.ticks <- n
			p.want(fmt.Sprintf(`{"type":"next","id":"s","payload":{"data":{"ticks":%d}}}`, n))
		}
		close(b.ticks)
		b.nextReady(4)()
		p.want(`{"type":"complete","id":"s"}`)
	})
}

// memory returns the bytes of heap and stacks in use and the number of goroutines.
func memory() (heap, stacks, goroutines int) {
	for range 3 { // each halves stacks that are little used
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc), int(m.StackInuse), runtime.NumGoroutine()
}

// serveDetached serves h as the program does, and closes all connections at the end.
func serveDetached(t *testing.T, h http.Handler, errorLog *log.Logger) *pipenet.Listener {
	listener := pipenet.Listen()
	server := &http.Server{Handler: transport.Detach(h), ErrorLog: errorLog, ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	return listener
}

const upgradeRequest = "GET /graphql HTTP/1.1\r\nHost: tideline.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
	"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n"

// subscribeRaw opens n sockets with a subscription each. The clients need no memory beyond their
// connections.
func (b *bench) subscribeRaw(listener *pipenet.Listener, n int) {
	b.t.Helper()
	want := b.running() + n
	for range n {
		conn := dialRaw(b.t, listener)
		r := bufio.NewReader(conn)
		sendRaw(b.t, conn, upgradeRequest)
		response, err := http.ReadResponse(r, nil)
		if err != nil || response.StatusCode != http.StatusSwitchingProtocols {
			b.t.Fatalf("the response is %v, %v", response, err)
		}
		_ = response.Body.Close()
		sendRaw(b.t, conn, frame(`{"type":"connection_init"}`))
		ack := make([]byte, 2+len(`{"type":"connection_ack"}`))
		if _, err := io.ReadFull(r, ack); err != nil {
			b.t.Fatal(err)
		}
		sendRaw(b.t, conn, frame(subscribe("1", "subscription { notified }")))
	}
	eventually.True(b.t, "the subscriptions begin", func() bool { return b.running() == want })
}

func (b *bench) running() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.began
}

func dialRaw(t *testing.T, listener *pipenet.Listener) net.Conn {
	t.Helper()
	conn, err := listener.Dial(context.Background(), "", "")
	noError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

func sendRaw(t *testing.T, conn net.Conn, text string) {
	t.Helper()
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
}

// frame returns a text message of at most 125 bytes with a mask of zeros.
func frame(text string) string {
	return "\x81" + string([]byte{0x80 | byte(len(text))}) + "\x00\x00\x00\x00" + text
}

// A request that opens no socket keeps its context, its response and its panics.
func TestDetach_LeavesOtherRequestsAlone(t *testing.T) {
	handlers := map[string]struct {
		h    http.HandlerFunc
		want string
	}{
		"responds": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Seen", "yes")
			w.WriteHeader(http.StatusTeapot)
			_, _ = io.WriteString(w, "no socket")
		}, "HTTP/1.1 418"},
		"panics": {func(http.ResponseWriter, *http.Request) { panic("out of order") }, ""},
	}
	for name, c := range handlers {
		t.Run(name, func(t *testing.T) {
			var logged bytes.Buffer
			listener := serveDetached(t, c.h, log.New(&logged, "", 0))
			conn := dialRaw(t, listener)
			sendRaw(t, conn, strings.Replace(upgradeRequest, "Connection: Upgrade", "Connection: close, Upgrade", 1))
			response, err := io.ReadAll(conn)
			if err != nil || !strings.HasPrefix(string(response), c.want) || c.want == "" && len(response) > 0 {
				t.Errorf("the response is %q, %v, want %q", response, err, c.want)
			}
			wantEqual(t, c.want == "", strings.Contains(logged.String(), "out of order"), "whether the panic is in the log %q", &logged)
		})
	}
}

func TestDetach_ContextEndsWithTheConnection(t *testing.T) {
	ended := make(chan error, 1)
	listener := serveDetached(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		<-r.Context().Done()
		ended <- r.Context().Err()
	}), nil)
	conn := dialRaw(t, listener)
	sendRaw(t, conn, upgradeRequest)
	_ = conn.Close()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the context ends with %v", err)
	}
}
