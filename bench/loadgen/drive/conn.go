package drive

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"strconv"
	"time"
)

// responseTimeout is the timeout of a response, after which the client closes the connection. The
// server's own timeout is ten seconds.
const responseTimeout = 30 * time.Second

// Conn is a persistent connection to a server. It is not safe for concurrent use.
type Conn struct {
	addr string
	net  net.Conn
	in   *bufio.Reader
	body []byte
}

// Dial opens a connection to HOST:PORT.
func Dial(ctx context.Context, addr string) (*Conn, error) {
	c := &Conn{addr: addr}
	return c, c.open(ctx)
}

func (c *Conn) open(ctx context.Context) error {
	opened, err := (&net.Dialer{}).DialContext(ctx, "tcp", c.addr)
	if err != nil {
		return err
	}
	c.net, c.in = opened, bufio.NewReaderSize(opened, 32<<10)
	return nil
}

// Close closes the connection.
func (c *Conn) Close() error { return c.net.Close() }

// reopen replaces a connection in an unknown state.
func (c *Conn) reopen(ctx context.Context) error {
	// The connection is discarded even if closing it fails.
	_ = c.net.Close()
	return c.open(ctx)
}

// Do sends a serialized HTTP/1.1 request and returns the body of the response. The body is valid
// until the next call. A status other than 200 is an error that quotes the beginning of the body.
func (c *Conn) Do(wire []byte) ([]byte, error) {
	if err := c.net.SetDeadline(time.Now().Add(responseTimeout)); err != nil {
		return nil, err
	}
	if _, err := c.net.Write(wire); err != nil {
		return nil, err
	}
	head, err := c.readHead()
	if err != nil {
		return nil, err
	}
	c.body = c.body[:0]
	if head.chunked {
		err = c.readChunks()
	} else {
		err = c.readBody(head.length)
	}
	if err == nil && head.status != 200 {
		err = fmt.Errorf("the response has status %d: %.300s", head.status, c.body)
	}
	return c.body, err
}

// head has the parsed fields of a response's head.
type head struct {
	status, length int
	chunked        bool
}

func (c *Conn) readHead() (head, error) {
	var h head
	line, err := c.line()
	if err != nil {
		return h, err
	}
	if len(line) < len("HTTP/1.1 200") {
		return h, fmt.Errorf("the response begins with %q", line)
	}
	if h.status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return h, fmt.Errorf("the response begins with %q", line)
	}
	for {
		line, err := c.line()
		if err != nil || len(line) == 0 {
			return h, err
		}
		if value, ok := header(line, "content-length"); ok {
			if h.length, err = strconv.Atoi(string(value)); err != nil {
				return h, err
			}
		}
		if value, ok := header(line, "transfer-encoding"); ok {
			h.chunked = bytes.EqualFold(value, []byte("chunked"))
		}
	}
}

// header returns the value of a header line if the line has the given name.
func header(line []byte, name string) ([]byte, bool) {
	if len(line) <= len(name) || line[len(name)] != ':' || !bytes.EqualFold(line[:len(name)], []byte(name)) {
		return nil, false
	}
	return bytes.TrimSpace(line[len(name)+1:]), true
}

// line reads a line and strips its end.
func (c *Conn) line() ([]byte, error) {
	line, err := c.in.ReadSlice('\n')
	if err != nil {
		return nil, err
	}
	return bytes.TrimRight(line, "\r\n"), nil
}

// readBody appends n bytes to the body.
func (c *Conn) readBody(n int) error {
	from := len(c.body)
	c.body = append(c.body, make([]byte, n)...)
	_, err := io.ReadFull(c.in, c.body[from:])
	return err
}

// readChunks reads a chunked body and its trailers.
func (c *Conn) readChunks() error {
	for {
		line, err := c.line()
		if err != nil {
			return err
		}
		size, err := strconv.ParseUint(string(line), 16, 31)
		if err != nil {
			return err
		}
		if err := c.readBody(int(size)); err != nil {
			return err
		}
		// A chunk ends with an empty line, and trailers may follow the last one.
		for {
			line, err := c.line()
			if err != nil {
				return err
			}
			if len(line) == 0 {
				break
			}
		}
		if size == 0 {
			return nil
		}
	}
}
