package http1

import (
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

// Connections on which nothing goes on are many, and may keep little.
func TestAnIdleConnectionForgetsWhatWasLong(t *testing.T) {
	near, far := net.Pipe()
	defer func() { _ = near.Close() }()
	c := newConn(New(&http.Server{}, Options{Streams: func(*http.Request) bool { return false }}), far)
	for _, long := range []int{10, 4000, 10} {
		text := "GET /" + strings.Repeat("a", long) + " HTTP/1.1\r\nHost: x\r\n\r\n"
		c.buf = append(c.buf[:0], text+strings.Repeat("b", 10_000)...)
		if !c.know(len(text)) || c.known.request.RemoteAddr == "" || c.known.target.Path != c.known.request.RequestURI {
			t.Fatalf("a path of %d bytes is %+v", long, c.known)
		}
		c.buf = c.buf[:0]
		go func() { _, _ = io.WriteString(near, "x") }()
		if !c.wait(0) {
			t.Fatal("nothing comes")
		}
		if cap(c.buf) > bufferLeast || len(c.known.text) > knownMost || (long > knownMost) != (c.known.request.Header == nil) {
			t.Errorf("behind a path of %d bytes a buffer of %d and a head of %d are kept", long, cap(c.buf), len(c.known.text))
		}
	}
}

type wrapper struct{ http.ResponseWriter }

func (w wrapper) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func TestPiecesAreSentFromWhereTheyAre(t *testing.T) {
	near, far := net.Pipe()
	defer func() { _ = near.Close() }()
	go func() { _, _ = io.Copy(io.Discard, near) }()
	c := newConn(New(&http.Server{}, Options{}), far)
	a := &answer{c: c, method: http.MethodPost, header: http.Header{"Content-Length": {"4"}}}
	if err := WriteAll(wrapper{wrapper{a}}, []byte("ab"), []byte("cd")); err != nil {
		t.Fatal(err)
	}
	if !a.sent || a.held != nil {
		t.Error("they are held back")
	}
}
