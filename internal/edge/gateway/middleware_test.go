package gateway

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

func body(t *testing.T, resp *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(resp.Body)
	noError(t, err)
	return string(b)
}

func TestIdentify_PrefersBearerToken(t *testing.T) {
	h := Identify(Authenticator{testTokens(), keep, nil, discard()}, whoami)
	get := func() *http.Request { return localRequest("GET", "/graphql", "") }
	basic := get()
	basic.SetBasicAuth("proxy", "password")
	lower := get()
	lower.Header.Set("Authorization", "bearer "+mustSign(t, ann))
	for name, c := range map[string]struct {
		request *http.Request
		want    string
	}{
		"neither":            {get(), "anonymous"},
		"a bearer token":     {withBearer(get(), mustSign(t, ann)), "ann"},
		"in lower case":      {lower, "ann"},
		"a cookie":           {withCookie(get(), mustSign(t, root)), "root"},
		"both":               {withCookie(withBearer(get(), mustSign(t, ann)), mustSign(t, root)), "ann"},
		"basic":              {basic, "anonymous"},
		"basic and a cookie": {withCookie(basic.Clone(t.Context()), mustSign(t, root)), "root"},
	} {
		wantEqual(t, c.want, body(t, serve(h, c.request)), "%s: the viewer", name)
	}
}

func TestIdentify_RefusesInvalidBearerToken(t *testing.T) {
	h := Identify(Authenticator{NewTokens(testSecret, later(2*time.Hour)), keep, nil, discard()}, whoami)
	expired := mustSign(t, ann)
	resp := serve(h, withBearer(localRequest("POST", "/graphql", `{}`), expired))
	wantRefusal(t, resp, 401, feed.CodeUnauthenticated)
	want := `Bearer realm="tideline", error="invalid_token", error_description="the token has expired"`
	wantEqual(t, want, resp.Header.Get("WWW-Authenticate"), "the challenge")

	two := localRequest("POST", "/graphql", `{}`)
	two.Header["Authorization"] = []string{"Bearer " + expired, "Bearer " + expired}
	for name, r := range map[string]*http.Request{
		"garbage beside a good cookie": withBearer(withCookie(localRequest("GET", "/graphql", ""), mustSign(t, ann)), "x"),
		"an empty token":               withBearer(localRequest("GET", "/graphql", ""), ""),
		"two tokens":                   two,
	} {
		t.Run(name, func(t *testing.T) {
			wantRefusal(t, serve(Identify(Authenticator{testTokens(), keep, nil, discard()}, whoami), r), 401, feed.CodeUnauthenticated)
		})
	}
}

// Browsers with an expired cookie, or one signed with an old secret, must be able to sign in
// again.
func TestIdentify_ClearsInvalidCookie(t *testing.T) {
	for name, tokens := range map[string]*Tokens{
		"expired":        NewTokens(testSecret, later(2*time.Hour)),
		"another secret": NewTokens(bytes.Repeat([]byte("new!"), 8), atNoon),
	} {
		resp := serve(Identify(Authenticator{tokens, keep, nil, discard()}, whoami), withCookie(localRequest("GET", "/", ""), mustSign(t, ann)))
		if got := body(t, resp); resp.StatusCode != http.StatusOK || got != "anonymous" {
			t.Errorf("%s: status %d for %s, want 200 and an anonymous viewer", name, resp.StatusCode, got)
		}
		wantCleared(t, resp)
	}
}

func TestIdentify_PassesContextOfAttach(t *testing.T) {
	type key struct{}
	attach := func(ctx context.Context, id Identity) (context.Context, error) {
		return context.WithValue(ctx, key{}, id.Name), nil
	}
	h := Identify(Authenticator{testTokens(), attach, nil, discard()}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, r.Context().Value(key{}).(string))
	}))
	wantEqual(t, "Ann", body(t, serve(h, withBearer(localRequest("GET", "/", ""), mustSign(t, ann)))), "the value of attach in the handler")
}

func TestAttach_FailuresHideTheirCause(t *testing.T) {
	for name, c := range map[string]struct {
		err    error
		status int
		want   feed.Error
	}{
		"counts for nothing":     {feed.Errorf(feed.CodeUnauthenticated, "the account is gone"), 401, feed.Error{Code: feed.CodeUnauthenticated, Message: "the account is gone"}},
		"the store is away":      {feed.Unavailable("the user store", errors.New("secret detail")), 503, feed.Error{Code: feed.CodeUnavailable, Message: "the user store cannot be reached"}},
		"the claims are no user": {feed.Errorf(feed.CodeInvalid, "the handle is too long"), 403, feed.Error{Code: feed.CodeForbidden, Message: "the handle is too long"}},
		"not foreseen":           {errors.New("secret detail"), 500, feed.Error{Code: feed.CodeInternal, Message: "internal error"}},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			attach := func(context.Context, Identity) (context.Context, error) { return nil, c.err }
			a := Authenticator{testTokens(), attach, nil, slog.New(slog.NewTextHandler(&log, nil))}
			rec := httptest.NewRecorder()
			Identify(a, whoami).ServeHTTP(rec, withBearer(localRequest("GET", "/", ""), mustSign(t, ann)))
			if strings.Contains(rec.Body.String(), "secret detail") {
				t.Errorf("the response has the cause: %s", rec.Body)
			}
			wantRefusal(t, rec.Result(), c.status, c.want.Code)
			ctx, _, err := a.Connect(t.Context(), map[string]any{"authorization": "Bearer " + mustSign(t, ann)})
			if ctx != nil || err == nil || err.Error() != c.want.Error() {
				t.Errorf("the socket got %v, want %v", err, &c.want)
			}
			if n := strings.Count(log.String(), c.err.Error()); n < 2 {
				t.Errorf("the log has the cause %d times: %s", n, &log)
			}
		})
	}
	gone := func(context.Context, Identity) (context.Context, error) {
		return nil, feed.Errorf(feed.CodeUnauthenticated, "the account is gone")
	}
	resp := serve(Identify(Authenticator{testTokens(), gone, nil, discard()}, whoami), withCookie(localRequest("GET", "/", ""), mustSign(t, ann)))
	if got := body(t, resp); got != "anonymous" || sessionCookie(t, resp).MaxAge >= 0 {
		t.Errorf("the cookie of a deleted account still identifies %s", got)
	}
}

func TestRequireAdmin_PassesAdministratorsOnly(t *testing.T) {
	h := Identify(Authenticator{testTokens(), keep, nil, discard()}, RequireAdmin(whoami))
	get := func() *http.Request { return localRequest("GET", "/tasks/queues/default", "") }
	wantEqual(t, "root", body(t, serve(h, withCookie(get(), mustSign(t, root)))), "the response to an administrator")
	wantRefusal(t, serve(h, withCookie(get(), mustSign(t, ann))), 403, feed.CodeForbidden)
	wantRefusal(t, serve(h, withCookie(get(), mustSign(t, Claims{User: 7, Moderator: true}))), 403, feed.CodeForbidden)
	wantRefusal(t, serve(h, get()), 401, feed.CodeUnauthenticated)

	page := get()
	page.Header.Set("Accept", "text/html,application/xhtml+xml")
	resp := serve(h, page)
	wantEqual(t, http.StatusSeeOther, resp.StatusCode, "the status of a page")
	wantEqual(t, "/?next=%2Ftasks%2Fqueues%2Fdefault", resp.Header.Get("Location"), "where a page leads")

	post := localRequest("POST", "/tasks/api", `{}`)
	post.Header.Set("Accept", "text/html")
	wantRefusal(t, serve(h, post), 401, feed.CodeUnauthenticated)
	wantRefusal(t, serve(RequireAdmin(whoami), withCookie(get(), mustSign(t, root))), 401, feed.CodeUnauthenticated)
}

func TestAssignRequestID_ReplacesUnsafeIDs(t *testing.T) {
	h := AssignRequestID(func() string { return "fresh" }, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, RequestIDFrom(r.Context()))
	}))
	for sent, want := range map[string]string{
		"abc_DEF-123": "abc_DEF-123", strings.Repeat("a", 64): strings.Repeat("a", 64),
		"": "fresh", strings.Repeat("a", 65): "fresh", "a b": "fresh", "a\nlevel=ERROR": "fresh", "a\n": "fresh", "<b>": "fresh", "é": "fresh",
	} {
		r := localRequest("GET", "/", "")
		r.Header.Set(RequestIDHeader, sent)
		resp := serve(h, r)
		wantEqual(t, []string{want, want}, []string{body(t, resp), resp.Header.Get(RequestIDHeader)}, "the id in context and response for %q", sent)
	}
}

func TestAssignRequestID_GeneratesRandomIDs(t *testing.T) {
	h := AssignRequestID(nil, whoami)
	one := serve(h, localRequest("GET", "/", "")).Header.Get(RequestIDHeader)
	two := serve(h, localRequest("GET", "/", "")).Header.Get(RequestIDHeader)
	if one == two || !regexp.MustCompile(`^[A-Za-z0-9_-]{20,64}$`).MatchString(one) {
		t.Errorf("two requests have the ids %q and %q", one, two)
	}
}

func TestLogAccess_WritesNoSecrets(t *testing.T) {
	var log bytes.Buffer
	ticks := 0
	clock := func() time.Time { ticks++; return noon.Add(time.Duration(ticks) * time.Second) }
	h := AssignRequestID(func() string { return "id1" }, LogAccess(slog.New(slog.NewJSONHandler(&log, nil)), clock,
		http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })))
	token := mustSign(t, ann)
	serve(h, withCookie(withBearer(localRequest("POST", "/graphql?token="+token, `{}`), token), token))

	if strings.Contains(log.String(), token) || strings.Contains(log.String(), "token") {
		t.Errorf("the log has the token: %s", &log)
	}
	type accessLine struct {
		Method, Path, RequestID string
		Status                  int
		Duration                time.Duration
	}
	var line accessLine
	noError(t, json.Unmarshal(log.Bytes(), &line))
	wantEqual(t, accessLine{http.MethodPost, "/graphql", "id1", http.StatusTeapot, time.Second}, line, "the line")
}

func TestLogAccess_HasStatusOfResponse(t *testing.T) {
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		want    string
	}{
		"nothing written": {func(http.ResponseWriter, *http.Request) {}, "status=200"},
		"a body only":     {func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "x") }, "status=200"},
		"flushed":         {func(w http.ResponseWriter, _ *http.Request) { w.(http.Flusher).Flush() }, "status=200"},
		"after an early hint": {func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusEarlyHints)
			w.WriteHeader(http.StatusNotFound)
		}, "status=404"},
		"a panic": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "status=500"},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			h := LogAccess(slog.New(slog.NewTextHandler(&log, nil)), atNoon, c.handler)
			func() {
				defer func() { _ = recover() }()
				serve(h, localRequest("GET", "/", ""))
			}()
			wantContains(t, log.String(), c.want)
		})
	}
}

// hijackable is the response to a request that opens a socket.
type hijackable struct{ *httptest.ResponseRecorder }

func (hijackable) Hijack() (net.Conn, *bufio.ReadWriter, error) { return nil, nil, nil }

func TestLogAccess_AllowsHijacking(t *testing.T) {
	var log bytes.Buffer
	h := LogAccess(slog.New(slog.NewTextHandler(&log, nil)), atNoon, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if _, _, err := w.(http.Hijacker).Hijack(); err != nil {
			t.Error(err)
		}
	}))
	h.ServeHTTP(hijackable{httptest.NewRecorder()}, localRequest("GET", "/", ""))
	wantContains(t, log.String(), "status=101")
}

func TestSecureHeaders_AreDefaults(t *testing.T) {
	h := SecureHeaders(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/own" {
			w.Header().Set("Content-Security-Policy", "default-src 'self'")
		}
	}))
	for _, c := range []struct{ path, policy string }{
		{"/own", "default-src 'self'"},
		{"/", "default-src 'none'; frame-ancestors 'none'"}, // also after /own
	} {
		want := http.Header{
			"X-Content-Type-Options": {"nosniff"}, "X-Frame-Options": {"DENY"}, "Referrer-Policy": {"same-origin"},
			"Cross-Origin-Opener-Policy": {"same-origin"}, "Cross-Origin-Resource-Policy": {"same-origin"},
			"Permissions-Policy": {"camera=(), geolocation=(), microphone=()"}, "Content-Security-Policy": {c.policy},
		}
		wantEqual(t, want, serve(h, localRequest("GET", c.path, "")).Header, "the headers of %s", c.path)
	}
}

// errGone is the error of a goneWriter.
var errGone = errors.New("gone")

// goneWriter fails as if the client were gone.
type goneWriter struct{ http.ResponseWriter }

func (goneWriter) FlushError() error { return errGone }

func TestLogAccess_NamesTheUser(t *testing.T) {
	log, out := newLog()
	h := LogAccess(log, atNoon, Identify(Authenticator{Verifier: testTokens(), Attach: keep, Log: discard()}, http.NotFoundHandler()))
	serve(h, localRequest(http.MethodGet, "/graphql", ""))
	if line := out.String(); strings.Contains(line, "viewer") {
		t.Errorf("the log of an anonymous request is %s", line)
	}
	serve(h, withBearer(localRequest(http.MethodGet, "/graphql", ""), mustSign(t, Claims{User: 7})))
	wantContains(t, out.String(), "viewer=7")
}

func TestLogAccess_ReportsFlushErrorsToStreams(t *testing.T) {
	var got error
	h := LogAccess(discard(), atNoon, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		got = http.NewResponseController(w).Flush()
	}))
	h.ServeHTTP(goneWriter{httptest.NewRecorder()}, localRequest("GET", "/graphql", ""))
	if !errors.Is(got, errGone) {
		t.Errorf("FlushError returned %v", got)
	}
}
