package http1

import (
	"errors"
	"net"
	"sync"
)

// others is the listener by which net/http gets connections with requests that are not plain.
type others struct {
	addr   net.Addr
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func newOthers(addr net.Addr) *others {
	return &others{addr: addr, conns: make(chan net.Conn), closed: make(chan struct{})}
}

// Accept implements [net.Listener].
func (o *others) Accept() (net.Conn, error) {
	select {
	case c := <-o.conns:
		return c, nil
	case <-o.closed:
		return nil, net.ErrClosed
	}
}

// Close implements [net.Listener].
func (o *others) Close() error {
	o.once.Do(func() { close(o.closed) })
	return nil
}

// Addr implements [net.Listener].
func (o *others) Addr() net.Addr { return o.addr }

// give has net/http serve a connection; false when it does not accept any more.
func (o *others) give(c net.Conn) bool {
	select {
	case o.conns <- c:
		return true
	case <-o.closed:
		return false
	}
}

// replayed is a connection of which some bytes have been read already.
type replayed struct {
	net.Conn
	read []byte
}

// Read implements [net.Conn].
func (r *replayed) Read(p []byte) (int, error) {
	if len(r.read) == 0 {
		return r.Conn.Read(p)
	}
	n := copy(p, r.read)
	if r.read = r.read[n:]; len(r.read) == 0 {
		r.read = nil
	}
	return n, nil
}

// CloseWrite lets net/http end a connection as it ends one of TCP: the answer to a request
// that is refused arrives before the rest of the request is met with a reset.
func (r *replayed) CloseWrite() error {
	if half, ok := r.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}
