package gateway

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
)

// demo lists two demo users.
func demo(context.Context) ([]DemoUser, error) {
	return []DemoUser{{ID: 11, Handle: "star1", Name: "Star One"}, {ID: 12, Handle: "fan1", Name: "Fan One"}}, nil
}

func testSessions() http.Handler {
	return Sessions(SessionOptions{Tokens: testTokens(), Demo: demo, Log: discard()})
}

const (
	nobodyWithDemo = `{"user":null,"admin":false,"demoUsers":[{"id":"11","handle":"star1","name":"Star One"},{"id":"12","handle":"fan1","name":"Fan One"}]}`
	nobody         = `{"user":null,"admin":false,"demoUsers":[]}`
)

// wantState checks a session's JSON to the letter: a browser's code reads it.
func wantState(t *testing.T, resp *http.Response, want string) {
	t.Helper()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if resp.StatusCode != http.StatusOK || resp.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("the status is %d and the caching %q", resp.StatusCode, resp.Header.Get("Cache-Control"))
	}
	if diff := cmp.Diff(want+"\n", string(body)); diff != "" {
		t.Errorf("the state differs (-want +got):\n%s", diff)
	}
}

// GET says who is signed in, by cookie or by bearer token, and whether he is an
// administrator.
func TestShowSaysWhoIsSignedIn(t *testing.T) {
	sessions := Sessions(SessionOptions{Tokens: testTokens()})
	wantState(t, serve(sessions, localRequest("GET", "/session", "")), nobody)
	wantState(t, serve(sessions, withCookie(localRequest("GET", "/session", ""), mustSign(t, ann))),
		`{"user":{"id":"7","handle":"ann"},"admin":false,"demoUsers":[]}`)
	wantState(t, serve(sessions, withBearer(localRequest("GET", "/session", ""), mustSign(t, root))),
		`{"user":{"id":"1","handle":"root"},"admin":true,"demoUsers":[]}`)
	wantState(t, serve(testSessions(), localRequest("GET", "/session", "")), nobodyWithDemo)
}

// A cookie that does not hold is nobody's and is cleared; a bearer token that does
// not hold is an error.
func TestShowForgetsACookieThatDoesNotHold(t *testing.T) {
	resp := serve(Sessions(SessionOptions{Tokens: testTokens()}), withCookie(localRequest("GET", "/session", ""), "stale"))
	wantState(t, resp, nobody)
	if c := sessionCookie(t, resp); c.MaxAge >= 0 || c.Value != "" {
		t.Errorf("the cookie stays: %v", c)
	}
	wantRefusal(t, serve(testSessions(), withBearer(localRequest("GET", "/session", ""), "stale")), 401, feed.CodeUnauthenticated)
}

// A token is traded for a cookie that no script can read, that other sites cannot
// use, and that ends with its token.
func TestSignInTradesATokenForACookie(t *testing.T) {
	token := mustSign(t, ann)
	resp := serve(testSessions(), localRequest("POST", "/session", `{"token":"`+token+`"}`))
	wantState(t, resp, strings.Replace(nobodyWithDemo, "null", `{"id":"7","handle":"ann"}`, 1))
	got := sessionCookie(t, resp)
	got.Raw = ""
	want := &http.Cookie{
		Name: SessionCookie, Value: token, Path: "/", MaxAge: 3600,
		HttpOnly: true, SameSite: http.SameSiteStrictMode,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the cookie differs (-want +got):\n%s", diff)
	}
}

// The cookie is Secure wherever it may travel: only on this machine, without TLS,
// it is not.
func TestTheCookieIsSecureOffThisMachine(t *testing.T) {
	cases := map[string]struct {
		change func(*http.Request)
		secure bool
	}{
		"on this machine":            {func(*http.Request) {}, false},
		"on this machine with TLS":   {func(r *http.Request) { r.TLS = &tls.ConnectionState{} }, true},
		"from another machine":       {func(r *http.Request) { r.RemoteAddr = "192.0.2.1:50000" }, true},
		"behind a proxy, by name":    {func(r *http.Request) { r.Host = "tideline.example" }, true},
		"behind a proxy, by headers": {func(r *http.Request) { r.Header.Set("X-Forwarded-Proto", "https") }, true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			r := localRequest("POST", "/session", `{"token":"`+mustSign(t, ann)+`"}`)
			c.change(r)
			if got := sessionCookie(t, serve(testSessions(), r)).Secure; got != c.secure {
				t.Errorf("Secure is %v, want %v", got, c.secure)
			}
		})
	}
}

// A demo user is signed in with a token that holds for a day and makes no
// administrator.
func TestDemoSignIn(t *testing.T) {
	resp := serve(testSessions(), localRequest("POST", "/session", `{"demoUserId":"12"}`))
	wantState(t, resp, strings.Replace(nobodyWithDemo, "null", `{"id":"12","handle":"fan1"}`, 1))
	id, err := testTokens().Verify(t.Context(), sessionCookie(t, resp).Value)
	if err != nil {
		t.Fatal(err)
	}
	want := Identity{Claims: Claims{User: 12, Handle: "fan1", Name: "Fan One"}, Expires: noon.Add(24 * time.Hour)}
	if diff := cmp.Diff(want, id); diff != "" {
		t.Errorf("the identity differs (-want +got):\n%s", diff)
	}
}

// Demo sign-in is for this machine: not for another one, not for a page whose name
// was bound anew to 127.0.0.1, not for those behind a proxy on this machine. There
// the list of demo users is empty, too.
func TestDemoSignInIsForThisMachineOnly(t *testing.T) {
	cases := map[string]func(*http.Request){
		"another machine":                   func(r *http.Request) { r.RemoteAddr = "192.0.2.1:50000" },
		"no remote address":                 func(r *http.Request) { r.RemoteAddr = "@" },
		"a rebound name":                    func(r *http.Request) { r.Host = "evil.example:8080" },
		"a rebound name that looks local":   func(r *http.Request) { r.Host = "localhost.evil.example" },
		"a rebound name that looks numeric": func(r *http.Request) { r.Host = "127.0.0.1.evil.example" },
		"a host with a user part":           func(r *http.Request) { r.Host = "127.0.0.1:8080@evil.example" },
		"no host":                           func(r *http.Request) { r.Host = "" },
		"a proxy, X-Forwarded-For":          func(r *http.Request) { r.Header.Set("X-Forwarded-For", "127.0.0.1") },
		"a proxy, Forwarded":                func(r *http.Request) { r.Header.Set("Forwarded", "for=192.0.2.1") },
		"a proxy, Via":                      func(r *http.Request) { r.Header.Set("Via", "1.1 proxy") },
		"a page behind a silent proxy": func(r *http.Request) {
			r.Header.Set("Origin", "https://tideline.example")
			r.Header.Set("Sec-Fetch-Site", "same-origin")
		},
	}
	for name, change := range cases {
		t.Run(name, func(t *testing.T) {
			post := localRequest("POST", "/session", `{"demoUserId":"11"}`)
			change(post)
			wantRefusal(t, serve(testSessions(), post), 403, feed.CodeForbidden)
			get := localRequest("GET", "/session", "")
			change(get)
			wantState(t, serve(testSessions(), get), nobody)
		})
	}
}

// Every way of naming this machine counts as this machine.
func TestDemoSignInKnowsTheNamesOfThisMachine(t *testing.T) {
	for _, host := range []string{"localhost:8080", "LOCALHOST", "127.0.0.1", "127.8.9.10:1", "[::1]:8080", "[::1]"} {
		r := localRequest("POST", "/session", `{"demoUserId":"11"}`)
		r.Host, r.RemoteAddr = host, "[::1]:50000"
		if resp := serve(testSessions(), r); resp.StatusCode != http.StatusOK {
			t.Errorf("as %s: the status is %d", host, resp.StatusCode)
		}
	}
}

// Demo sign-in is off unless asked for, refuses users who are no demo users, and
// its failure is neither a sign-in nor the failure of everything else.
func TestDemoSignInOffUnknownAndBroken(t *testing.T) {
	off := Sessions(SessionOptions{Tokens: testTokens()})
	wantRefusal(t, serve(off, localRequest("POST", "/session", `{"demoUserId":"11"}`)), 403, feed.CodeForbidden)
	wantRefusal(t, serve(testSessions(), localRequest("POST", "/session", `{"demoUserId":"7"}`)), 403, feed.CodeForbidden)

	broken := Sessions(SessionOptions{Tokens: testTokens(), Log: discard(), Demo: func(context.Context) ([]DemoUser, error) {
		return nil, errors.New("the store is away")
	}})
	wantRefusal(t, serve(broken, localRequest("POST", "/session", `{"demoUserId":"11"}`)), 503, feed.CodeUnavailable)
	wantState(t, serve(broken, localRequest("GET", "/session", "")), nobody)
}

// Signing in needs a token that holds and a body that says one thing.
func TestSignInRefusesBadRequests(t *testing.T) {
	cases := map[string]struct {
		body   string
		status int
		code   feed.Code
	}{
		"a token that does not hold": {`{"token":"a.b.c"}`, 401, feed.CodeUnauthenticated},
		"nothing":                    {`{}`, 400, feed.CodeBadInput},
		"both":                       {`{"token":"x","demoUserId":"11"}`, 400, feed.CodeBadInput},
		"no JSON":                    {`token=x`, 400, feed.CodeBadInput},
		"JSON of another shape":      {`{"token":{}}`, 400, feed.CodeBadInput},
		"far too much":               {`{"token":"` + strings.Repeat("x", 1<<20) + `"}`, 413, feed.CodeBadInput},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			resp := serve(testSessions(), localRequest("POST", "/session", c.body))
			wantRefusal(t, resp, c.status, c.code)
			if len(resp.Cookies()) > 0 {
				t.Errorf("a refused sign-in sets %v", resp.Cookies())
			}
		})
	}
}

// No other site can sign a browser in or out, and no plain form can.
func TestOtherSitesCannotSignInOrOut(t *testing.T) {
	body := `{"demoUserId":"11"}`
	for _, method := range []string{"POST", "DELETE"} {
		for header, value := range map[string]string{"Sec-Fetch-Site": "cross-site", "Origin": "http://localhost:9999"} {
			r := localRequest(method, "/session", body)
			r.Header.Set(header, value)
			wantRefusal(t, serve(testSessions(), r), 403, feed.CodeForbidden)
		}
	}
	for _, contentType := range []string{"", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"} {
		r := localRequest("POST", "/session", body)
		r.Header.Set("Content-Type", contentType)
		wantRefusal(t, serve(testSessions(), r), 415, feed.CodeBadInput)
	}
}

// DELETE makes the browser forget its cookie, also one that no longer holds, and
// nothing but GET, POST and DELETE is understood.
func TestSignOut(t *testing.T) {
	resp := serve(testSessions(), withCookie(localRequest("DELETE", "/session", ""), "stale"))
	if resp.StatusCode != http.StatusNoContent {
		t.Errorf("the status is %d, want 204", resp.StatusCode)
	}
	if c := sessionCookie(t, resp); c.MaxAge >= 0 || c.Value != "" || c.Path != "/" {
		t.Errorf("the cookie stays: %v", c)
	}
	if got := serve(testSessions(), localRequest("PUT", "/session", `{}`)).StatusCode; got != http.StatusMethodNotAllowed {
		t.Errorf("PUT has status %d, want 405", got)
	}
}

// A session may begin with a token of an identity provider, and ends with it. While the
// provider cannot be reached nobody can tell whose a token is: that is 503 and not a
// sign-out.
func TestASessionOfAnIdentityProvider(t *testing.T) {
	s, c := newSigner(t, "one", "ES256"), &clock{}
	p := newProvider(t, s.jwk(t))
	h := Sessions(SessionOptions{
		Tokens: testTokens(), Verifier: Verifiers{Secret: NewTokens(nil, atNoon), Keys: p.keySet(t, c)}, Log: discard(),
	})
	token := s.sign(t)
	resp := serve(h, localRequest("POST", "/session", `{"token":"`+token+`"}`))
	wantState(t, resp, `{"user":{"id":"7","handle":"ann"},"admin":false,"demoUsers":[]}`)
	if got := sessionCookie(t, resp).MaxAge; got != int((time.Hour + testLeeway).Seconds()) {
		t.Errorf("the cookie lasts %d seconds", got)
	}
	wantRefusal(t, serve(h, localRequest("POST", "/session", `{"token":"`+mustSign(t, ann)+`"}`)), 401, feed.CodeUnauthenticated)

	p.answer(http.StatusBadGateway, "")
	c.advance(keysLast)
	for name, r := range map[string]*http.Request{
		"a sign-in": localRequest("POST", "/session", `{"token":"`+token+`"}`),
		"a cookie":  withCookie(localRequest("GET", "/session", ""), token),
		"a token":   withBearer(localRequest("GET", "/session", ""), token),
	} {
		resp := serve(h, r)
		if len(resp.Cookies()) > 0 {
			t.Errorf("%s changes the cookie: %v", name, resp.Cookies())
		}
		wantRefusal(t, resp, 503, feed.CodeUnavailable)
	}
}
