package transport

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"runtime/debug"
	"strings"
)

// Buffers of a socket. Those of net/http have 4 KiB. Larger messages bypass them.
const (
	readBuffer  = 512
	writeBuffer = 1024
)

// Detach serves requests for sockets outside of the goroutine of their connection. Once a socket is
// open, next returns, the server drops the connection with its buffers, and a goroutine with a small
// stack serves the socket. Detach belongs around all other handlers. It changes nothing for other
// requests.
func Detach(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isUpgrade(r) {
			next.ServeHTTP(w, r)
			return
		}
		ctx, cancel := context.WithCancel(context.WithoutCancel(r.Context()))
		u := &upgrade{w: w, header: w.Header(), detached: make(chan struct{}), cancel: cancel}
		if server, ok := ctx.Value(http.ServerContextKey).(*http.Server); ok {
			u.errorLog = server.ErrorLog
		}
		u.keep = context.AfterFunc(r.Context(), cancel)
		go u.serveHTTP(next, r.WithContext(context.WithValue(ctx, upgradeKey{}, u)))
		<-u.detached
		if u.panicked != nil {
			panic(u.panicked)
		}
	})
}

func isUpgrade(r *http.Request) bool {
	return r.Method == http.MethodGet && strings.EqualFold(r.Header.Get("Upgrade"), "websocket")
}

type upgradeKey struct{}

func upgradeFrom(ctx context.Context) *upgrade {
	u, _ := ctx.Value(upgradeKey{}).(*upgrade)
	return u
}

// upgrade is the response to a request for a socket, inside of [Detach]. Only the goroutine of the
// request uses it until detached is closed.
type upgrade struct {
	w      http.ResponseWriter // nil after detach
	header http.Header         // nil after detach
	// detached is closed when the server may drop the connection.
	detached chan struct{}
	cancel   context.CancelFunc
	// keep stops the end of the connection from ending the request.
	keep func() bool
	// panicked is a panic before detached is closed.
	panicked any
	// socket serves the open socket; nil if none was opened.
	socket   func()
	errorLog *log.Logger
}

func (u *upgrade) serveHTTP(next http.Handler, r *http.Request) {
	defer func() {
		value := recover()
		if u.w == nil {
			u.logPanic(value)
		} else {
			u.panicked = value
			u.detach()
		}
		if u.socket == nil {
			u.cancel()
			return
		}
		go u.serveSocket()
	}()
	next.ServeHTTP(u, r)
}

func (u *upgrade) serveSocket() {
	defer u.cancel()
	defer func() { u.logPanic(recover()) }()
	u.socket()
}

// detach lets the server drop the connection.
func (u *upgrade) detach() {
	u.w, u.header = nil, nil
	u.keep()
	u.keep = nil // it refers to the connection
	close(u.detached)
}

// serve serves an open socket once all handlers have returned.
func (u *upgrade) serve(socket func()) {
	u.detach()
	u.socket = socket
}

// logPanic logs like net/http, which no longer sees the panic.
func (u *upgrade) logPanic(value any) {
	if value == nil || value == http.ErrAbortHandler || u.errorLog == nil { //nolint:errorlint // net/http compares too
		return
	}
	u.errorLog.Printf("panic serving a socket: %v\n%s", value, debug.Stack())
}

func (u *upgrade) Header() http.Header {
	if u.header == nil {
		u.header = http.Header{}
	}
	return u.header
}

func (u *upgrade) WriteHeader(status int) {
	if u.w != nil {
		u.w.WriteHeader(status)
	}
}

func (u *upgrade) Write(b []byte) (int, error) {
	if u.w == nil {
		return 0, http.ErrHijacked
	}
	return u.w.Write(b)
}

// Unwrap is for [http.ResponseController].
func (u *upgrade) Unwrap() http.ResponseWriter { return u.w }

// Hijack implements [http.Hijacker]. The buffers are smaller than the server's.
func (u *upgrade) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffers, err := http.NewResponseController(u.w).Hijack()
	if err != nil {
		return nil, nil, err
	}
	n := buffers.Reader.Buffered()
	early, _ := buffers.Reader.Peek(n) // what is buffered can be read
	r := bufio.NewReaderSize(io.MultiReader(bytes.NewReader(early), conn), max(readBuffer, n))
	_, _ = r.Peek(n) // the same
	return conn, bufio.NewReadWriter(r, bufio.NewWriterSize(conn, writeBuffer)), nil
}
