package gateway

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tideline-feeds/tideline/internal/pipenet"
)

// testTimeouts differ, so that tests can tell which one applied.
var testTimeouts = Limits{Header: 5 * time.Second, Read: 10 * time.Second, Write: time.Minute, Idle: 2 * time.Minute}

// dialServer connects to a server of h, and sends it a text. Call it in a synctest bubble, which
// fails if the server leaks a goroutine.
func dialServer(t *testing.T, h http.HandlerFunc, log *slog.Logger, text string) net.Conn {
	listener := pipenet.Listen()
	server := NewServer(h, testTimeouts, log)
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	conn, err := listener.Dial(t.Context(), "", "")
	noError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	go func() { _, _ = io.WriteString(conn, text) }()
	return conn
}

const getRoot = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"

func TestServer_ClosesSilentConnections(t *testing.T) {
	readBody := func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) }
	for name, c := range map[string]struct {
		sent  string
		after time.Duration
	}{
		"nothing":               {"", testTimeouts.Header},
		"half a header":         {"POST /graphql HTTP/1.1\r\nHost:", testTimeouts.Header},
		"a header without body": {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc", testTimeouts.Read},
		"one request":           {getRoot, testTimeouts.Idle},
		"half of a second":      {getRoot + "GET / HT", testTimeouts.Header},
	} {
		synctest.Test(t, func(t *testing.T) {
			start := time.Now()
			if _, err := io.Copy(io.Discard, dialServer(t, readBody, discard(), c.sent)); err != nil {
				t.Errorf("%s: the connection ends with %v", name, err)
			}
			// After half a request, net/http closes up to half a second late.
			if took := time.Since(start); took < c.after || took > c.after+time.Second {
				t.Errorf("%s: closed after %v, want %v", name, took, c.after)
			}
		})
	}
}

func TestServer_CutsOffClientsThatReadNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		written := make(chan error, 1)
		start := time.Now()
		dialServer(t, func(w http.ResponseWriter, _ *http.Request) {
			_, err := w.Write(make([]byte, 10_000))
			written <- err
		}, discard(), getRoot)
		var timeout net.Error
		if err := <-written; !errors.As(err, &timeout) || !timeout.Timeout() {
			t.Errorf("the write ends with %v", err)
		}
		wantEqual(t, testTimeouts.Write, time.Since(start), "the time until the write ends")
	})
}

// [Recover] handles most panics; one outside of it must not end the process either.
func TestServer_LogsPanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		conn := dialServer(t, func(http.ResponseWriter, *http.Request) { panic("on purpose") }, slog.New(slog.NewTextHandler(&log, nil)), getRoot)
		_, _ = io.Copy(io.Discard, conn) // the test is about the log
		synctest.Wait()
		if got := log.String(); strings.Count(got, "on purpose") != 1 || !strings.Contains(got, "level=WARN") {
			t.Errorf("the log is %q", got)
		}
	})
}
