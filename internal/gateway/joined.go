package gateway

import (
	"bytes"
	"context"
	"errors"
	"net"
	"slices"
	"sync"
)

// Joined returns a listener whose connections can send what a handler writes in one piece as
// one message: net/http buffers four kilobytes, so that it would send a page of ten in two,
// each of which costs a system call here and wakes whoever waits for it there. It takes
// [JoinedContext] as the server's ConnContext, and [LogAccess] among the handlers.
func Joined(l net.Listener) net.Listener { return &joinedListener{Listener: l} }

type joinedListener struct {
	net.Listener
	// buffers are for all connections, most of which have nothing to say at any moment.
	buffers sync.Pool
}

// Accept implements [net.Listener].
func (l *joinedListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &joinedConn{Conn: c, buffers: &l.buffers}, nil
}

type joinedKey struct{}

// JoinedContext tells handlers the connection of their requests. It is for
// [net/http.Server.ConnContext].
func JoinedContext(ctx context.Context, c net.Conn) context.Context {
	if joined, ok := c.(*joinedConn); ok {
		return context.WithValue(ctx, joinedKey{}, joined)
	}
	return ctx
}

// joinedMin is from how many bytes on an answer does not fit into net/http's buffer with its
// header.
const joinedMin = 3 << 10

// joinedMost is the largest buffer that is kept: twice a page of a hundred.
const joinedMost = 100 << 10

// joinedConn holds back what is written until all of it is there.
type joinedConn struct {
	net.Conn
	buffers *sync.Pool

	mu sync.Mutex
	// held is what is held back; nil when nothing is.
	held *[]byte
	// lines are to be sent behind the first line of what is written next; nil for none.
	lines []byte
}

// Write implements [net.Conn].
func (c *joinedConn) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.held != nil:
		*c.held = c.appendTo(*c.held, p)
	case c.lines != nil:
		if _, err := c.Conn.Write(c.appendTo(nil, p)); err != nil {
			return 0, err
		}
	default:
		return c.Conn.Write(p)
	}
	return len(p), nil
}

// appendTo appends what is written to what is sent, with the lines that are to be inserted.
func (c *joinedConn) appendTo(b, p []byte) []byte {
	if c.lines == nil {
		return append(b, p...)
	}
	first := bytes.IndexByte(p, '\n') + 1
	b = slices.Grow(b, len(p)+len(c.lines))
	b = append(append(append(b, p[:first]...), c.lines...), p[first:]...)
	c.lines = nil
	return b
}

// insert has lines of a header sent with the response that begins next, whose first line
// net/http writes together with the rest of its header, as the first thing there is.
func (c *joinedConn) insert(lines []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lines = lines
}

// CloseWrite lets net/http end a connection as it ends one of TCP.
func (c *joinedConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}

// hold has the connection keep what is written to it, until release sends it.
func (c *joinedConn) hold() {
	c.mu.Lock()
	defer c.mu.Unlock()
	held, ok := c.buffers.Get().(*[]byte)
	if !ok {
		held = new([]byte)
	}
	c.held = held
}

func (c *joinedConn) release() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	held := c.held
	c.held = nil
	_, err := c.Conn.Write(*held)
	if *held = (*held)[:0]; cap(*held) <= joinedMost {
		c.buffers.Put(held)
	}
	return err
}
