package transport

import (
	"bufio"
	"bytes"
	"context"
	"io"
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
// open, the server drops the connection with its buffers, and next continues. Detach belongs around
// all other handlers. It changes nothing for other requests.
func Detach(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isUpgrade(r) {
			next.ServeHTTP(w, r)
			return
		}
		ctx, cancel := context.WithCancel(context.WithoutCancel(r.Context()))
		u := &upgrade{w: w, header: w.Header(), detached: make(chan struct{}), cancel: cancel}
		u.keep = context.AfterFunc(r.Context(), cancel)
		go u.serveHTTP(next, r.WithContext(context.WithValue(ctx, upgradeKey{}, u)))
		<-u.detached
		if u.panicked != nil {
			panic(u.panicked)
		}
	})
}

// ServeSockets serves the sockets that next accepts once next has returned, so that its frames do
// not stay on the stack. It belongs inside [Detach], and has no effect without it.
func ServeSockets(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		u := upgradeFrom(r.Context())
		if u == nil {
			next.ServeHTTP(w, r)
			return
		}
		u.deferred = true
		next.ServeHTTP(w, r)
		if u.socket != nil {
			u.socket()
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
	header http.Header
	// detached is closed when the server may drop the connection.
	detached chan struct{}
	cancel   context.CancelFunc
	// keep stops the end of the connection from ending the request.
	keep func() bool
	// panicked is a panic before detached is closed.
	panicked any
	// deferred says that [ServeSockets] calls socket.
	deferred bool
	socket   func()
}

func (u *upgrade) serveHTTP(next http.Handler, r *http.Request) {
	defer u.cancel()
	defer func() {
		value := recover()
		if u.w == nil {
			logPanic(r, value)
			return
		}
		u.panicked = value
		u.detach()
	}()
	next.ServeHTTP(u, r)
}

// detach lets the server drop the connection.
func (u *upgrade) detach() {
	u.w = nil
	u.keep()
	u.keep = nil // it refers to the connection
	close(u.detached)
}

// serve serves an open socket, or lets [ServeSockets] do it.
func (u *upgrade) serve(socket func()) {
	u.detach()
	if u.deferred {
		u.socket = socket
		return
	}
	socket()
}

// logPanic logs like net/http, which no longer sees the panic.
func logPanic(r *http.Request, value any) {
	server, ok := r.Context().Value(http.ServerContextKey).(*http.Server)
	if value == nil || value == http.ErrAbortHandler || !ok || server.ErrorLog == nil { //nolint:errorlint // net/http compares too
		return
	}
	server.ErrorLog.Printf("panic serving a socket: %v\n%s", value, debug.Stack())
}

func (u *upgrade) Header() http.Header { return u.header }

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
