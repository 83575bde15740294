package http1_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// Who asks on and on and reads nothing must not be waited for.
func TestAClientThatTakesNoAnswersIsCutOff(t *testing.T) {
	near, far := net.Pipe()
	p := make(pipes)
	s := newServed(tell)
	s.srv.SetWriteWithin(20 * time.Millisecond)
	s.start(t, p)
	_ = near.SetDeadline(time.Now().Add(patience))
	p <- far
	if _, err := io.WriteString(near, ask("GET", "/")); err != nil {
		t.Fatal(err)
	}
	receiveFrom(t, "the end of the connection", s.srv.Left())
	c := &client{t, near, bufio.NewReader(near)}
	c.over()
}

// So it is when net/http answers, within the time of its own.
func TestAClientThatTakesNoAnswersIsCutOffWhoeverGivesThem(t *testing.T) {
	written := make(chan error, 1)
	s := newServed(func(w http.ResponseWriter, _ *http.Request) {
		_, err := w.Write(make([]byte, 100<<20)) // more than kernels keep for a connection
		written <- err
	})
	s.rest.WriteTimeout = 50 * time.Millisecond
	s.start(t, listen(t))
	c := dial(t, s.addr)
	c.send("GET / HTTP/1.1\r\nHost: x\r\nPragma: no-cache\r\n\r\n")
	if err := receiveFrom(t, "the end of the answer", written); !isTimeout(err) {
		t.Errorf("an answer that nobody takes ends with %v", err)
	}
}

// Time in which nothing is asked is not time in which an answer lies.
func TestAnAnswerMayComeLateBehindTheOneBefore(t *testing.T) {
	s := newServed(tell)
	s.rest.IdleTimeout = patience
	s.srv.SetWriteWithin(50 * time.Millisecond)
	s.srv.SetArmedFor(time.Millisecond)
	s.start(t, listen(t))
	c := dial(t, s.addr)
	for range 3 {
		c.send(ask("GET", "/"))
		if got := c.receive("GET"); got.Status != "200 OK" {
			t.Fatalf("answered %+v", got)
		}
		<-time.After(100 * time.Millisecond)
	}
}

// What is long is taken by steps, each of which has as long as a short answer.
func TestWhoTakesALongAnswerSlowlyGetsAllOfIt(t *testing.T) {
	near, far := net.Pipe()
	p := make(pipes)
	long := strings.Repeat("0123456789", 100_000)
	s := newServed(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(len(long)))
		_, _ = io.WriteString(w, long)
	})
	s.srv.SetWriteWithin(400 * time.Millisecond)
	s.srv.SetArmedFor(time.Millisecond)
	s.start(t, p)
	_ = near.SetDeadline(time.Now().Add(patience))
	p <- far
	c := &client{t, near, bufio.NewReader(near)}
	c.send(ask("GET", "/"))
	resp, err := http.ReadResponse(c.from, nil)
	if err != nil {
		t.Fatal(err)
	}
	pause := time.NewTicker(100 * time.Millisecond)
	defer pause.Stop()
	got := 0
	for buf := make([]byte, len(long)/10); got < len(long); got += len(buf) {
		<-pause.C
		if _, err := io.ReadFull(resp.Body, buf); err != nil {
			t.Fatalf("after %d bytes: %v", got, err)
		}
	}
	_ = resp.Body.Close()
	_ = near.Close()
}
