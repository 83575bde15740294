package http1

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"time"
)

// Sizes in bytes.
const (
	// bufferLeast is what a connection has to read into, which most requests fit into: as much
	// as net/http has, which has as much again to write from.
	bufferLeast = 4 << 10
	// headMost is how long the head of a plain request may be: twice what proxies pass on by
	// default, though cookies and tokens are in it. Longer ones are net/http's.
	headMost = 16 << 10
	// bodyMost is how long the body of a plain request may be. The longest publish of letters
	// that need no escapes is a third of that.
	bodyMost = 64 << 10
	// knownMost is how long a head may be that an idle connection keeps. With what it says,
	// it takes three times as much.
	knownMost = 2 << 10
)

// fieldsMost is how many lines the header of a plain request may have: three times what browsers
// send through a proxy or two. What they are looked up in takes more memory than their text.
const fieldsMost = 64

// writeWithin is how long a client may leave an answer lying until its connection is closed, and
// writeStep how many bytes of a longer one he is to take in that time. Most answers fit into what
// the kernel keeps for a connection, so who is slow is not meant, but who asks for more and more
// and reads nothing.
const (
	writeWithin = 30 * time.Second
	writeStep   = 128 << 10
)

// armedFor is how long the deadlines of a connection are left as they are though more requests
// come. A second too early after minutes is nothing, and to set them costs as much as all that
// is done here for a request but reading and writing.
const armedFor = time.Second

// States of a connection, by which a server that stops knows which it may close.
const (
	waiting int32 = iota // for a request of which nothing has come
	busy
	stopped // by the server; only a connection that waits can be
)

// errNotPlain is why a connection is handed over.
var errNotPlain = errors.New("not a plain request")

// conn is a connection while it is served here.
type conn struct {
	s     *Server
	net   net.Conn
	ctx   context.Context //nolint:containedctx // that of all its requests, as net/http has it
	watch watch
	state atomic.Int32

	// buf is what has been read and not been answered, from the beginning of a request.
	buf []byte
	// known is the head that came last, which most likely comes again.
	known knownHead
	// armed is when the deadline for reading of an idle connection was set, and armedWithin what
	// to; the zero time when another one is set. writeArmed is when that for writing was.
	armed       time.Time
	armedWithin time.Duration
	writeArmed  time.Time
}

// knownHead is a head and what it says.
type knownHead struct {
	text []byte
	// request is copied for each request. Nobody writes into its header: that is what
	// [net/http.Handler] asks of handlers.
	request http.Request
	// target is where request.URL points to.
	target url.URL
	length int
}

func newConn(s *Server, accepted net.Conn) *conn {
	ctx := context.WithValue(context.Background(), http.ServerContextKey, s.rest)
	ctx = context.WithValue(ctx, http.LocalAddrContextKey, accepted.LocalAddr())
	c := &conn{s: s, net: accepted, ctx: ctx, watch: watch{net: accepted}, buf: make([]byte, 0, bufferLeast)}
	c.known.request.RemoteAddr = accepted.RemoteAddr().String()
	return c
}

// serve answers requests until the connection ends or is handed over.
func (c *conn) serve() {
	handedOver := false
	defer func() {
		value := recover() // a panic, whoever's it is, cuts the connection and nothing else
		if err, ok := value.(error); value != nil && (!ok || !errors.Is(err, http.ErrAbortHandler)) {
			c.s.logf("panic serving %s: %v\n%s", c.known.request.RemoteAddr, value, debug.Stack())
		}
		if !handedOver {
			_ = c.net.Close() // what matters has been sent
		}
		c.s.forget(c)
	}()
	within := c.s.headerWithin() // of a client that has just come something is expected
	for c.wait(within) {
		end, err := c.request()
		if errors.Is(err, errNotPlain) {
			handedOver = c.handOver()
			return
		}
		if err != nil || !c.answer(end) {
			return
		}
		within = c.s.idleWithin()
	}
}

// wait returns when something of the next request is there; false when the connection is over.
func (c *conn) wait(within time.Duration) bool {
	c.arm(within)
	if len(c.buf) > 0 {
		return !c.s.closing.Load()
	}
	if cap(c.buf) > bufferLeast {
		c.buf = make([]byte, 0, bufferLeast)
	}
	if len(c.known.text) > knownMost {
		c.known = knownHead{request: http.Request{RemoteAddr: c.known.request.RemoteAddr}}
	}
	c.state.Store(waiting)
	if c.s.closing.Load() {
		return false // whoever stops the server may not have seen that it waits
	}
	return c.read() == nil && c.state.CompareAndSwap(waiting, busy)
}

// arm sets the deadline for reading of a connection on which there is no request, unless that was
// done a moment ago.
func (c *conn) arm(within time.Duration) {
	now := time.Now()
	if within == c.armedWithin && now.Sub(c.armed) < c.s.armedFor {
		return
	}
	c.armed, c.armedWithin = now, within
	c.readBy(now, within)
}

// readBy has reading fail so long after a time; never for zero.
func (c *conn) readBy(from time.Time, within time.Duration) {
	by := time.Time{}
	if within > 0 {
		by = from.Add(within)
	}
	_ = c.net.SetReadDeadline(by) // fails when the connection is closed, as reading will
}

// write sends a message that begins now, and fails when the client does not take it.
func (c *conn) write(now time.Time, pieces net.Buffers) error {
	length := 0
	for _, p := range pieces {
		length += len(p)
	}
	if length <= writeStep {
		c.writeFrom(now)
		_, err := pieces.WriteTo(c.net)
		return err
	}
	for _, p := range pieces {
		for step := range slices.Chunk(p, writeStep) {
			c.writeFrom(time.Now())
			if _, err := c.net.Write(step); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeFrom sets the deadline of what is written from now on, unless that was done a moment ago. It
// is not set before: a client that has asked nothing for minutes has as long as any other.
func (c *conn) writeFrom(now time.Time) {
	if now.Sub(c.writeArmed) < c.s.armedFor {
		return
	}
	c.writeArmed = now
	_ = c.net.SetWriteDeadline(now.Add(c.s.writeWithin)) // as above
}

// read appends something to what has been read.
func (c *conn) read() error {
	c.buf = slices.Grow(c.buf, 1)
	n, err := c.net.Read(c.buf[len(c.buf):cap(c.buf)])
	c.buf = c.buf[:len(c.buf)+n]
	if n > 0 {
		return nil // what is wrong besides, the next one says
	}
	return err
}

// request reads the request that the buffer begins with, and returns how long it is. It fails
// with errNotPlain before anything has been made of it.
func (c *conn) request() (end int, err error) {
	var begun time.Time
	more := func(within time.Duration) error {
		if begun.IsZero() {
			begun = time.Now()
		}
		c.readBy(begun, within)
		c.armed = time.Time{}
		return c.read()
	}
	head, known := c.headLength()
	for ; head == 0; head, known = c.headLength() {
		if len(c.buf) >= headMost || !mayBePlain(c.buf) {
			return 0, errNotPlain
		}
		if err := more(c.s.headerWithin()); err != nil {
			return 0, err
		}
	}
	if !known && !c.know(head) {
		return 0, errNotPlain
	}
	end = head + c.known.length
	for len(c.buf) < end {
		if err := more(c.s.rest.ReadTimeout); err != nil {
			return 0, err
		}
	}
	return end, nil
}

// headLength returns how long the head is that the buffer begins with, and whether it is known; 0
// when it has not come to its end.
func (c *conn) headLength() (length int, known bool) {
	if text := c.known.text; len(text) > 0 && bytes.HasPrefix(c.buf, text) {
		return len(text), true
	}
	if i := bytes.Index(c.buf, []byte(headEnd)); i >= 0 {
		return i + len(headEnd), false
	}
	return 0, false
}

// know reads the head of so many bytes, and says whether it is that of a request that is answered
// here. With any other the connection is handed over, so a head that is known later is plain.
func (c *conn) know(head int) bool {
	k := &c.known
	k.text = append(k.text[:0], c.buf[:head]...)
	return k.parse() && !c.s.o.Streams(&k.request)
}

// exchange is all that is made for one request. It is one piece of memory, and nobody's after
// it: whoever still holds a part of it finds that part to be over.
type exchange struct {
	ctx    requestContext
	target url.URL
	body   requestBody
	answer answer
}

// answer has the handler answer the request of so many bytes, and says whether the connection
// can take another one.
func (c *conn) answer(end int) bool {
	x := &exchange{ctx: requestContext{Context: c.ctx}}
	defer x.ctx.end(context.Canceled)
	if within := c.s.o.Within; within > 0 {
		x.ctx.by = time.Now().Add(within)
	}
	c.buf = slices.Grow(c.buf, 1)
	c.watch.request(c.buf[len(c.buf):cap(c.buf)], &x.ctx)
	r := x.request(&c.known, c.buf[:end])
	x.answer = answer{c: c, method: r.Method, header: http.Header{}}
	c.s.rest.Handler.ServeHTTP(&x.answer, r)
	well := x.answer.finish()
	x.answer.over = true
	x.body.text = nil
	came := c.watch.end()
	if came.looked {
		c.armed = time.Time{}
	}
	room := c.buf[:cap(c.buf)] // what came meanwhile is behind what there was
	c.buf = room[:copy(room, room[end:len(c.buf)+came.read])]
	return well
}

// request returns the request that a head is of, for one time that it has come, at the beginning
// of text, with the body that is the rest of it.
func (x *exchange) request(k *knownHead, text []byte) *http.Request {
	r := k.request.WithContext(&x.ctx)
	x.target = k.target // a copy, since handlers that strip a prefix change it
	r.URL = &x.target
	if k.length > 0 {
		x.body.text = text[len(text)-k.length:]
		r.Body = &x.body
	}
	return r
}

// handOver has net/http serve the connection from the request on that the buffer begins with,
// and says whether it does.
func (c *conn) handOver() bool {
	_ = c.net.SetDeadline(time.Time{}) // fails when the connection is closed, as serving it will
	return c.s.others.give(&replayed{Conn: c.net, read: c.buf})
}

// stop closes the connection, unless a request is under way.
func (c *conn) stop() {
	if c.state.CompareAndSwap(waiting, stopped) {
		_ = c.net.Close() // nobody has anything to say
	}
}

// requestBody is the body of a request, until that has been answered.
type requestBody struct{ text []byte }

// Read implements [io.Reader].
func (b *requestBody) Read(p []byte) (int, error) {
	if len(b.text) == 0 {
		return 0, io.EOF
	}
	n := copy(p, b.text)
	b.text = b.text[n:]
	return n, nil
}

// Close implements [io.Closer].
func (b *requestBody) Close() error {
	b.text = nil
	return nil
}
