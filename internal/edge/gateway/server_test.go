package gateway

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/kit/pipenet"
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

// TestMain fails if a test leaks a goroutine, such as a fetch of keys.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestRecover_LogsPanic(t *testing.T) {
	logger, log := newLog()
	h := AssignRequestID(func() string { return "id1" }, LogAccess(logger, atNoon, Recover(logger,
		http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("secret detail") }))))
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, localRequest("GET", "/graphql", ""))
	if text := rec.Body.String(); strings.Contains(text, "secret") || !strings.Contains(text, `"requestId":"id1"`) {
		t.Errorf("the response is %s", text)
	}
	wantRefusal(t, rec.Result(), 500, feed.CodeInternal)
	wantContains(t, log.String(), "secret detail", "requestId=id1", "server_test.go", "status=500")
}

func TestRecover_AbortsBegunResponse(t *testing.T) {
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		logged  bool
	}{
		"half an answer":    {func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "half"); panic("x") }, true},
		"asked for":         {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, false},
		"asked for, inside": {func(http.ResponseWriter, *http.Request) { panic(fmt.Errorf("copy: %w", http.ErrAbortHandler)) }, false},
	} {
		logger, log := newLog()
		h := Recover(logger, c.handler)
		err := panicOf(func() { serve(h, localRequest("GET", "/", "")) })
		if !errors.Is(err, http.ErrAbortHandler) {
			t.Errorf("%s: the panic is %v", name, err)
		}
		wantEqual(t, c.logged, log.Len() > 0, "%s: whether the panic is in the log %q", name, log)
	}
	wantEqual(t, "anonymous", body(t, serve(Recover(discard(), whoami), localRequest("GET", "/", ""))), "the response without a panic")
}

func panicOf(f func()) (err error) {
	defer func() { err, _ = recover().(error) }()
	f()
	return nil
}

func TestAllowAdminToken_MatchesExactToken(t *testing.T) {
	token := strings.Repeat("operator", 4)
	pages := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "pages") })
	guarded := Identify(Authenticator{testTokens(), keep, nil, discard()}, RequireAdmin(pages))
	h := AllowAdminToken(token, pages, guarded)
	get := func() *http.Request { return localRequest("GET", "/tasks", "") }
	wantEqual(t, "pages", body(t, serve(h, withBearer(get(), token))), "the response to the admin token")
	wantEqual(t, "pages", body(t, serve(h, withBearer(get(), mustSign(t, root)))), "the response to an administrator")
	wantRefusal(t, serve(h, withBearer(get(), mustSign(t, ann))), 403, feed.CodeForbidden)
	wantRefusal(t, serve(h, get()), 401, feed.CodeUnauthenticated)
	wantRefusal(t, serve(h, withCookie(get(), token)), 401, feed.CodeUnauthenticated)
	basic := get()
	basic.SetBasicAuth("admin", token)
	wantRefusal(t, serve(h, basic), 401, feed.CodeUnauthenticated)
	two := get()
	two.Header["Authorization"] = []string{"Bearer " + token, "Bearer " + token}
	wantRefusal(t, serve(h, two), 401, feed.CodeUnauthenticated)
	for _, wrong := range []string{"", "x", token[1:], token + "x", strings.ToUpper(token)} {
		wantRefusal(t, serve(h, withBearer(get(), wrong)), 401, feed.CodeUnauthenticated)
		wantRefusal(t, serve(AllowAdminToken("", pages, guarded), withBearer(get(), wrong)), 401, feed.CodeUnauthenticated)
	}
	wantRefusal(t, serve(guarded, withBearer(get(), token)), 401, feed.CodeUnauthenticated)
}

func TestOnlyLoopback_RefusesOtherMachines(t *testing.T) {
	h := OnlyLoopback(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "in") }))
	if resp := serve(h, localRequest(http.MethodGet, "/metrics", "")); resp.StatusCode != http.StatusOK {
		t.Errorf("a local request got %d", resp.StatusCode)
	}
	for name, change := range map[string]func(*http.Request){
		"of another machine":               func(r *http.Request) { r.RemoteAddr = "192.0.2.7:4711" },
		"for a name that was made to lead": func(r *http.Request) { r.Host = "evil.example" },
		"by a proxy":                       func(r *http.Request) { r.Header.Set("X-Forwarded-For", "192.0.2.7") },
		"by a network of proxies":          func(r *http.Request) { r.Header.Set("CF-Connecting-IP", "192.0.2.7") },
		"by a proxy that speaks HTTP/1.0":  func(r *http.Request) { r.ProtoMinor = 0 },
		"at an address of another network": func(r *http.Request) { atAddress(r, "192.0.2.1:9090") },
		"by a link on another site":        func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") },
		"by a page of another site":        func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") },
	} {
		r := localRequest(http.MethodGet, "/metrics", "")
		change(r)
		t.Run(name, func(t *testing.T) { wantRefusal(t, serve(h, r), http.StatusForbidden, feed.CodeForbidden) })
	}
}

// atAddress sets the local address of the connection.
func atAddress(r *http.Request, address string) {
	local := net.TCPAddrFromAddrPort(netip.MustParseAddrPort(address))
	*r = *r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, local))
}

func TestDemandAdminToken_SendsChallenge(t *testing.T) {
	resp := serve(DemandAdminToken(), localRequest(http.MethodGet, "/metrics", ""))
	if resp.Header.Get("WWW-Authenticate") == "" {
		t.Error("the response has no challenge")
	}
	wantRefusal(t, resp, http.StatusUnauthorized, feed.CodeUnauthenticated)
}
