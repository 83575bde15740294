// Package pipenet has a listener for tests of servers. Its connections are pipes in memory
// ([net.Pipe]): they buffer nothing, so what a client does not read cannot be written, and
// their deadlines follow the clock of a testing/synctest bubble.
package pipenet

import (
	"context"
	"net"
	"sync"
)

// Listener accepts the connections that [Listener.Dial] makes. Make one with [Listen]. It is
// safe for use by many goroutines.
type Listener struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

// Listen returns an open listener. In a synctest bubble call it from inside the bubble.
func Listen() *Listener {
	return &Listener{conns: make(chan net.Conn), closed: make(chan struct{})}
}

// Accept implements [net.Listener].
func (l *Listener) Accept() (net.Conn, error) {
	select {
	case conn := <-l.conns:
		return conn, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// Close implements [net.Listener]. Connections that were accepted stay open.
func (l *Listener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

// Addr implements [net.Listener]; the address stands for nothing.
func (l *Listener) Addr() net.Addr { return &net.TCPAddr{} }

// Dial returns the client's end of a new connection, once the other end is accepted. It has
// the signature of http.Transport.DialContext, whose network and address it ignores. It
// fails with [net.ErrClosed] after Close, and with the error of ctx if that ends first.
func (l *Listener) Dial(ctx context.Context, _, _ string) (net.Conn, error) {
	server, client := net.Pipe()
	select {
	case l.conns <- server:
		return client, nil
	case <-l.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
