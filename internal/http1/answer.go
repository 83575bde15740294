package http1

import (
	"cmp"
	"errors"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Fixed are headers that an answer has unless it says otherwise.
type Fixed interface {
	// AppendTo appends the lines of those that a header does not have, each with its end.
	AppendTo(b []byte, header http.Header) []byte
}

// bufferMost is the largest buffer that is kept for another answer: twice a page of a hundred.
const bufferMost = 100 << 10

// errOver is what a handler is told that writes when its answer has been sent.
var errOver = errors.New("http1: the answer has been sent")

// answer is a [http.ResponseWriter] that sends what it is given in one piece.
type answer struct {
	c      *conn
	method string
	header http.Header
	fixed  Fixed

	// status is 0 until the answer has begun, from when on its header stands.
	status int
	head   *[]byte
	told   told
	// written is how much of a body the handler has written, also what was more than it said,
	// and held what of it has to be sent; nil for nothing.
	written int
	held    *[]byte
	// pieces are the message as it is sent, in room unless there are many.
	pieces net.Buffers
	room   [4][]byte
	// sent says that all of it is on its way, and over that the request is.
	sent, over bool
	err        error
}

// told is what a handler has said in the header.
type told struct {
	// length is that of the body; -1 when the handler has not said it.
	length int
	// kind says that there is nothing to be made up about what the body is.
	kind, date bool
	// last says that the connection ends with the answer.
	last bool
}

// Header implements [http.ResponseWriter].
func (a *answer) Header() http.Header { return a.header }

// WriteHeader implements [http.ResponseWriter]. Informational statuses are passed over.
func (a *answer) WriteHeader(status int) {
	if a.status != 0 || a.over || status < http.StatusOK {
		return
	}
	a.status = status
	a.told = read(a.header)
	a.head = a.c.s.buffer()
	*a.head = a.appendHeader(*a.head)
}

// read returns what a header says.
func read(header http.Header) told {
	t := told{length: -1, date: header["Date"] != nil}
	if length := header.Get("Content-Length"); length != "" {
		if n, err := strconv.Atoi(length); err == nil && n >= 0 {
			t.length = n // what is no length net/http leaves out as well
		}
	}
	_, t.kind = header["Content-Type"]
	t.kind = t.kind || header.Get("Content-Encoding") != ""
	t.last = strings.EqualFold(header.Get("Connection"), "close")
	return t
}

// Write implements [http.ResponseWriter]. What makes the answer whole is sent at once.
func (a *answer) Write(p []byte) (int, error) {
	err := a.write([][]byte{p})
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

// write takes pieces of the body.
func (a *answer) write(pieces [][]byte) error {
	a.WriteHeader(http.StatusOK)
	switch {
	case a.over:
		return errOver
	case !hasBody(a.status):
		return http.ErrBodyNotAllowed
	}
	for _, p := range pieces {
		a.written += len(p)
	}
	if a.told.length >= 0 && a.written > a.told.length {
		return http.ErrContentLength
	}
	if a.sent {
		return a.err // of nothing, behind all that there was to come
	}
	if a.written == a.told.length && a.held == nil {
		a.send(pieces)
		return a.err
	}
	if a.held == nil {
		a.held = a.c.s.buffer()
	}
	for _, p := range pieces {
		*a.held = append(*a.held, p...)
	}
	return nil
}

// WriteAll writes pieces of a body one behind the other. Where an answer is made here and
// becomes whole by them, they are sent from where they are.
func WriteAll(w http.ResponseWriter, pieces ...[]byte) error {
	if a := answerBelow(w); a != nil {
		return a.write(pieces)
	}
	for _, p := range pieces {
		if _, err := w.Write(p); err != nil {
			return err
		}
	}
	return nil
}

// SetFixed gives an answer headers before it begins, and says whether it could: only those that
// are made here take them.
func SetFixed(w http.ResponseWriter, f Fixed) bool {
	a := answerBelow(w)
	if a != nil {
		a.fixed = f
	}
	return a != nil
}

// answerBelow returns the answer that a handler writes to, whatever stands before it; nil when it
// is not made here.
func answerBelow(w http.ResponseWriter) *answer {
	for {
		switch writer := w.(type) {
		case *answer:
			return writer
		case interface{ Unwrap() http.ResponseWriter }:
			w = writer.Unwrap()
		default:
			return nil
		}
	}
}

// finish sends what has not been sent, and says whether the connection is as it was.
func (a *answer) finish() bool {
	a.WriteHeader(http.StatusOK)
	if a.held != nil {
		defer a.c.s.putBack(a.held)
	}
	switch {
	case a.sent:
	case a.held != nil:
		a.send([][]byte{*a.held})
	default:
		a.send(nil)
	}
	whole := a.told.length < 0 || a.written == a.told.length || a.method == http.MethodHead || !hasBody(a.status)
	return a.err == nil && whole && !a.told.last
}

// send sends the head and the body, which are several pieces of memory, as one message.
func (a *answer) send(body [][]byte) {
	a.sent = true
	now := time.Now()
	*a.head = a.appendRest(*a.head, body, now)
	a.pieces = append(a.room[:0], *a.head)
	if a.method != http.MethodHead {
		a.pieces = append(a.pieces, body...)
	}
	a.err = a.c.write(now, a.pieces)
	a.c.s.putBack(a.head)
	a.head = nil
}

// appendHeader appends the first line of the answer and what its header says until now, but
// for how the body ends.
func (a *answer) appendHeader(b []byte) []byte {
	b = append(b, "HTTP/1.1 "...)
	b = strconv.AppendInt(b, int64(a.status), 10)
	b = append(b, ' ')
	b = append(b, cmp.Or(http.StatusText(a.status), "status code "+strconv.Itoa(a.status))...)
	b = append(b, lineEnd...)
	if a.fixed != nil {
		b = a.fixed.AppendTo(b, a.header)
	}
	for name, values := range a.header {
		if name == "Content-Length" || name == "Transfer-Encoding" || !isToken(name) {
			continue
		}
		if name == "Content-Type" && a.status == http.StatusNotModified {
			continue // it is about a body that the client has
		}
		for _, value := range values {
			b = appendField(b, name, value)
		}
	}
	return b
}

// appendRest appends what is known of a header when the body is, and the end of the head.
func (a *answer) appendRest(b []byte, body [][]byte, now time.Time) []byte {
	if !a.told.date {
		b = appendField(b, "Date", a.c.s.date.text(now))
	}
	if hasBody(a.status) {
		b = a.appendAbout(b, body)
	}
	if !a.told.last && a.c.s.closing.Load() {
		a.told.last = true
		b = appendField(b, "Connection", "close")
	}
	return append(b, lineEnd...)
}

// appendAbout appends what a header says about the body.
func (a *answer) appendAbout(b []byte, body [][]byte) []byte {
	if !a.told.kind {
		if text := slices.Concat(body...); len(text) > 0 {
			b = appendField(b, "Content-Type", http.DetectContentType(text))
		}
	}
	length := a.told.length
	if length < 0 {
		if length = a.written; length == 0 && a.method == http.MethodHead {
			return b // a body may be left out for HEAD, so nobody knows
		}
	}
	b = append(b, "Content-Length: "...)
	b = strconv.AppendInt(b, int64(length), 10)
	return append(b, lineEnd...)
}

// appendField appends a line of a header. Line ends in its value would begin another one.
func appendField(b []byte, name, value string) []byte {
	b = append(b, name...)
	b = append(b, ": "...)
	from := len(b)
	b = append(b, value...)
	for i := from; i < len(b); i++ {
		if b[i] == '\r' || b[i] == '\n' {
			b[i] = ' '
		}
	}
	return append(b, lineEnd...)
}

// hasBody says whether answers of a status have a body.
func hasBody(status int) bool {
	return status != http.StatusNoContent && status != http.StatusNotModified
}

// buffer returns an empty buffer.
func (s *Server) buffer() *[]byte {
	if b, ok := s.buffers.Get().(*[]byte); ok {
		return b
	}
	return new([]byte)
}

// putBack takes a buffer for another answer.
func (s *Server) putBack(b *[]byte) {
	if *b = (*b)[:0]; cap(*b) <= bufferMost {
		s.buffers.Put(b)
	}
}
