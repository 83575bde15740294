package gateway

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// demo lists two demo users.
func demo(context.Context) ([]DemoUser, error) {
	return []DemoUser{{ID: 11, Handle: "star1", Name: "Star One"}, {ID: 12, Handle: "fan1", Name: "Fan One"}}, nil
}

func testSessions() http.Handler {
	return Sessions(SessionOptions{Tokens: testTokens(), Demo: demo, Pass: testPass(), Log: discard()})
}

// testPass returns a pass with the secrets first, second and third.
func testPass() *DemoPass {
	secrets := []string{"first", "second", "third"}
	return NewDemoPass(testTokens(), func() string {
		next := secrets[0]
		secrets = secrets[1:]
		return next
	})
}

// withPass adds the cookie of a browser that used the link.
func withPass(r *http.Request) *http.Request {
	r.AddCookie(testPass().cookie(r))
	return r
}

const (
	anonymousWithDemo = `{"user":null,"admin":false,"demoUsers":[{"id":"11","handle":"star1","name":"Star One"},{"id":"12","handle":"fan1","name":"Fan One"}]}`
	nobody            = `{"user":null,"admin":false,"demoUsers":[]}`
	nobodyYet         = `{"user":null,"admin":false,"demoUsers":[],"demoLink":true}`
)

// wantState compares the exact JSON of a session, which browsers parse.
func wantState(t *testing.T, resp *http.Response, want string) {
	t.Helper()
	if resp.StatusCode != http.StatusOK || resp.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("the status is %d and the caching %q", resp.StatusCode, resp.Header.Get("Cache-Control"))
	}
	wantEqual(t, want+"\n", body(t, resp), "the state differs")
}

func TestSession_NamesSignedInUser(t *testing.T) {
	sessions := Sessions(SessionOptions{Tokens: testTokens()})
	wantState(t, serve(sessions, localRequest("GET", "/session", "")), nobody)
	wantState(t, serve(sessions, withCookie(localRequest("GET", "/session", ""), mustSign(t, ann))),
		`{"user":{"id":"7","handle":"ann"},"admin":false,"demoUsers":[]}`)
	wantState(t, serve(sessions, withBearer(localRequest("GET", "/session", ""), mustSign(t, root))),
		`{"user":{"id":"1","handle":"root"},"admin":true,"demoUsers":[]}`)
	wantState(t, serve(testSessions(), withPass(localRequest("GET", "/session", ""))), anonymousWithDemo)
	wantState(t, serve(testSessions(), localRequest("GET", "/session", "")), nobodyYet)
}

func TestSession_ClearsInvalidCookie(t *testing.T) {
	resp := serve(Sessions(SessionOptions{Tokens: testTokens()}), withCookie(localRequest("GET", "/session", ""), "stale"))
	wantState(t, resp, nobody)
	wantCleared(t, resp)
	wantRefusal(t, serve(testSessions(), withBearer(localRequest("GET", "/session", ""), "stale")), 401, feed.CodeUnauthenticated)
}

func TestSignIn_SetsCookieForToken(t *testing.T) {
	token := mustSign(t, ann)
	resp := serve(testSessions(), withPass(localRequest("POST", "/session", `{"token":"`+token+`"}`)))
	wantState(t, resp, strings.Replace(anonymousWithDemo, "null", `{"id":"7","handle":"ann"}`, 1))
	got := sessionCookie(t, resp)
	got.Raw = ""
	want := &http.Cookie{
		Name: SessionCookie, Value: token, Path: "/", MaxAge: 3600,
		HttpOnly: true, SameSite: http.SameSiteStrictMode,
	}
	wantEqual(t, want, got, "the cookie differs")
}

func TestSignIn_ReportsValidTokens(t *testing.T) {
	var told []feed.UserID
	sessions := Sessions(SessionOptions{
		Tokens: testTokens(), Demo: demo, Pass: testPass(), Log: discard(),
		SignedIn: func(_ context.Context, id Identity) { told = append(told, id.User) },
	})
	for _, body := range []string{`{"token":"` + mustSign(t, ann) + `"}`, `{"demoUserId":"12"}`, `{"token":"stale"}`, `{}`} {
		serve(sessions, withPass(localRequest("POST", "/session", body)))
	}
	serve(sessions, withCookie(localRequest("GET", "/session", ""), mustSign(t, ann)))
	wantEqual(t, []feed.UserID{7, 12}, told, "reported sign-ins")
}

// The cookie is not Secure only on this machine without TLS.
func TestSignIn_SetsSecureCookieUnlessLocal(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*http.Request)
		secure bool
	}{
		"on this machine":            {func(*http.Request) {}, false},
		"on this machine with TLS":   {func(r *http.Request) { r.TLS = &tls.ConnectionState{} }, true},
		"from another machine":       {func(r *http.Request) { r.RemoteAddr = "192.0.2.1:50000" }, true},
		"behind a proxy, by name":    {func(r *http.Request) { r.Host = "tideline.example" }, true},
		"behind a proxy, by headers": {func(r *http.Request) { r.Header.Set("X-Forwarded-Proto", "https") }, true},
	} {
		t.Run(name, func(t *testing.T) {
			r := localRequest("POST", "/session", `{"token":"`+mustSign(t, ann)+`"}`)
			c.change(r)
			wantEqual(t, c.secure, sessionCookie(t, serve(testSessions(), r)).Secure, "Secure")
		})
	}
}

func TestDemoSignIn_LastsADay(t *testing.T) {
	resp := serve(testSessions(), withPass(localRequest("POST", "/session", `{"demoUserId":"12"}`)))
	wantState(t, resp, strings.Replace(anonymousWithDemo, "null", `{"id":"12","handle":"fan1"}`, 1))
	id, err := testTokens().Verify(t.Context(), sessionCookie(t, resp).Value)
	noError(t, err)
	want := Identity{Claims: Claims{User: 12, Handle: "fan1", Name: "Fan One"}, Expires: noon.Add(24 * time.Hour)}
	wantEqual(t, want, id, "the identity differs")
}

func TestDemoPass_SecretWorksOnce(t *testing.T) {
	pass := testPass()
	sessions := Sessions(SessionOptions{Tokens: testTokens(), Demo: demo, Pass: pass, Log: discard()})
	next := ""
	wantEqual(t, "first", pass.Secret(func(secret string) { next = secret }), "the first secret")
	trade := func(secret string) *http.Response {
		return serve(sessions, localRequest("POST", "/session", `{"demoSecret":"`+secret+`"}`))
	}
	wantRefusal(t, trade("second"), 403, feed.CodeForbidden)
	resp := trade("first")
	wantState(t, resp, anonymousWithDemo)
	wantEqual(t, "second", next, "the next secret")
	wantRefusal(t, trade("first"), 403, feed.CodeForbidden)
	set := resp.Cookies()
	if len(set) != 1 || set[0].Name != demoCookie || !set[0].HttpOnly || set[0].SameSite != http.SameSiteStrictMode || set[0].Value == "first" {
		t.Fatalf("the cookies are %v", set)
	}
	get := localRequest("GET", "/session", "")
	get.AddCookie(set[0])
	wantState(t, serve(sessions, get), anonymousWithDemo)
	wantState(t, trade("second"), anonymousWithDemo)
}

func TestDemoSignIn_RequiresPass(t *testing.T) {
	good := testPass().cookie(localRequest("GET", "/session", "")).Value
	until, _, _ := strings.Cut(good, ".")
	for name, value := range map[string]string{
		"none": "", "a secret": "first", "no signature": until, "a longer end": "9" + good, "another signature": until + ".AAAA",
		"a session": mustSign(t, ann),
	} {
		t.Run(name, func(t *testing.T) {
			for _, change := range []func(*http.Request){func(*http.Request) {}, func(r *http.Request) { r.Header.Set("X-Forwarded-For", "127.0.0.1") }} {
				post, get := localRequest("POST", "/session", `{"demoUserId":"11"}`), localRequest("GET", "/session", "")
				for _, r := range []*http.Request{post, get} {
					change(r)
					r.AddCookie(&http.Cookie{Name: demoCookie, Value: value})
				}
				wantRefusal(t, serve(testSessions(), post), 403, feed.CodeForbidden)
				wantState(t, serve(testSessions(), get), nobodyYet)
			}
		})
	}
	old := NewDemoPass(NewTokens(testSecret, later(demoPassTTL)), nil)
	if r := withPass(localRequest("GET", "/session", "")); old.holds(r) || !testPass().holds(r) {
		t.Error("the pass does not expire")
	}
	other := NewDemoPass(NewTokens([]byte(strings.Repeat("x", MinSecret)), atNoon), nil)
	if other.holds(withPass(localRequest("GET", "/session", ""))) {
		t.Error("a pass signed with another secret is valid")
	}
}

func TestDemoSignIn_RefusesUnlessListed(t *testing.T) {
	off := Sessions(SessionOptions{Tokens: testTokens()})
	wantRefusal(t, serve(off, withPass(localRequest("POST", "/session", `{"demoUserId":"11"}`))), 403, feed.CodeForbidden)
	wantRefusal(t, serve(off, localRequest("POST", "/session", `{"demoSecret":"first"}`)), 403, feed.CodeForbidden)
	wantRefusal(t, serve(testSessions(), withPass(localRequest("POST", "/session", `{"demoUserId":"7"}`))), 403, feed.CodeForbidden)

	broken := Sessions(SessionOptions{Tokens: testTokens(), Log: discard(), Pass: testPass(), Demo: func(context.Context) ([]DemoUser, error) {
		return nil, errors.New("the store is away")
	}})
	wantRefusal(t, serve(broken, withPass(localRequest("POST", "/session", `{"demoUserId":"11"}`))), 503, feed.CodeUnavailable)
	wantState(t, serve(broken, withPass(localRequest("GET", "/session", ""))), nobody)
}

func TestSignIn_RefusesBadRequests(t *testing.T) {
	for name, c := range map[string]struct {
		body   string
		status int
		code   feed.Code
	}{
		"a token that does not hold": {`{"token":"a.b.c"}`, 401, feed.CodeUnauthenticated},
		"nothing":                    {`{}`, 400, feed.CodeBadInput},
		"both":                       {`{"token":"x","demoUserId":"11"}`, 400, feed.CodeBadInput},
		"three":                      {`{"token":"x","demoUserId":"11","demoSecret":"first"}`, 400, feed.CodeBadInput},
		"no JSON":                    {`token=x`, 400, feed.CodeBadInput},
		"JSON of another shape":      {`{"token":{}}`, 400, feed.CodeBadInput},
		"far too much":               {`{"token":"` + strings.Repeat("x", 1<<20) + `"}`, 413, feed.CodeBadInput},
	} {
		t.Run(name, func(t *testing.T) {
			resp := serve(testSessions(), localRequest("POST", "/session", c.body))
			wantRefusal(t, resp, c.status, c.code)
			if len(resp.Cookies()) > 0 {
				t.Errorf("a refused sign-in sets %v", resp.Cookies())
			}
		})
	}
}

func TestSession_RefusesOtherSites(t *testing.T) {
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

func TestSignOut_ClearsCookie(t *testing.T) {
	resp := serve(testSessions(), withCookie(localRequest("DELETE", "/session", ""), "stale"))
	wantEqual(t, http.StatusNoContent, resp.StatusCode, "the status")
	wantCleared(t, resp)
	wantEqual(t, http.StatusMethodNotAllowed, serve(testSessions(), localRequest("PUT", "/session", `{}`)).StatusCode, "the status of PUT")
}

// While the provider is unreachable, the response is 503, and the session stays.
func TestSession_AcceptsTokensOfIdentityProvider(t *testing.T) {
	s, c := newSigner(t, "one", "ES256"), &clock{}
	p := newProvider(t, s.jwk(t))
	h := Sessions(SessionOptions{
		Tokens: testTokens(), Verifier: Verifiers{Secret: NewTokens(nil, atNoon), Keys: p.keySet(t, c)}, Log: discard(),
	})
	token := s.sign(t)
	resp := serve(h, localRequest("POST", "/session", `{"token":"`+token+`"}`))
	wantState(t, resp, `{"user":{"id":"7","handle":"ann"},"admin":false,"demoUsers":[]}`)
	wantEqual(t, int((time.Hour + testLeeway).Seconds()), sessionCookie(t, resp).MaxAge, "the seconds that the cookie lasts")
	wantRefusal(t, serve(h, localRequest("POST", "/session", `{"token":"`+mustSign(t, ann)+`"}`)), 401, feed.CodeUnauthenticated)

	p.answer(http.StatusBadGateway, "")
	c.advance(keysMaxAge)
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

// behind serves h through a trusted proxy that terminates TLS.
func behind(t *testing.T, h http.Handler) http.Handler {
	t.Helper()
	return Locate(proxies(t, "127.0.0.1"), h)
}

func proxied(r *http.Request) *http.Request {
	r.Host = "tideline.example"
	r.Header.Set("X-Forwarded-For", "198.51.100.1")
	r.Header.Set("X-Forwarded-Proto", "https")
	return r
}

func TestCookie_HasHostPrefixOverHTTPS(t *testing.T) {
	h := behind(t, testSessions())
	resp := serve(h, proxied(localRequest(http.MethodPost, "/session", `{"token":"`+mustSign(t, ann)+`"}`)))
	if len(resp.Cookies()) != 1 {
		t.Fatalf("the cookies are %v", resp.Cookies())
	}
	set := resp.Cookies()[0]
	if set.Name != "__Host-tideline_session" || !set.Secure || set.Path != "/" || set.Domain != "" || !set.HttpOnly {
		t.Errorf("the cookie is %v", set)
	}
	whoamiThere := behind(t, Identify(Authenticator{testTokens(), keep, nil, discard()}, GuardCookies(nil, whoami)))
	r := proxied(localRequest(http.MethodGet, "/graphql", ""))
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	r.AddCookie(set)
	wantEqual(t, "ann", body(t, serve(whoamiThere, r)), "the viewer with the cookie")
	// A sister site or an attacker could have set the cookie with the plain name.
	wantEqual(t, "anonymous", body(t, serve(whoamiThere, withCookie(proxied(localRequest(http.MethodGet, "/graphql", "")), mustSign(t, ann)))), "the viewer with the plain name")
	out := serve(h, proxied(localRequest(http.MethodDelete, "/session", "")))
	if c := out.Cookies(); len(c) != 1 || c[0].Name != set.Name || c[0].MaxAge >= 0 {
		t.Errorf("signing out sets %v", c)
	}
}

// opened returns the context of a socket that the request opened.
func opened(t *testing.T, a Authenticator, r *http.Request) context.Context {
	t.Helper()
	var ctx context.Context
	serve(Identify(a, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { ctx = r.Context() })), r)
	if ctx == nil {
		t.Fatal("the socket was not opened")
	}
	return ctx
}

func TestConnect_PrefersTokenOfPayload(t *testing.T) {
	a := Authenticator{testTokens(), keep, nil, discard()}
	long, err := testTokens().Sign(root, 2*time.Hour)
	noError(t, err)
	get := func() *http.Request { return localRequest("GET", "/graphql", "") }
	bearer := "Bearer " + mustSign(t, ann)
	for name, c := range map[string]struct {
		request *http.Request
		payload map[string]any
		want    string
		expires time.Time
	}{
		"anonymous":                   {get(), nil, "", time.Time{}},
		"nobody, with other payload":  {get(), map[string]any{"client": "web", "author": "ann", "expiresInMillis": 5, "list": []any{"a.b.c", 1, nil}}, "", time.Time{}},
		"a token":                     {get(), map[string]any{"Authorization": bearer}, "ann", noon.Add(time.Hour)},
		"token":                       {get(), map[string]any{"token": mustSign(t, ann)}, "ann", noon.Add(time.Hour)},
		"authToken":                   {get(), map[string]any{"authToken": mustSign(t, ann)}, "ann", noon.Add(time.Hour)},
		"headers":                     {get(), map[string]any{"headers": map[string]any{"authorization": bearer, "X-Client": "web"}}, "ann", noon.Add(time.Hour)},
		"a token and an unknown one":  {get(), map[string]any{"Authorization": bearer, "csrfToken": "x"}, "ann", noon.Add(time.Hour)},
		"a cookie":                    {withCookie(get(), long), map[string]any{}, "root", noon.Add(2 * time.Hour)},
		"a header":                    {withBearer(get(), long), nil, "root", noon.Add(2 * time.Hour)},
		"a token over a cookie":       {withCookie(get(), long), map[string]any{"authorization": bearer}, "ann", noon.Add(time.Hour)},
		"a cookie that does not hold": {withCookie(get(), "stale"), nil, "", time.Time{}},
	} {
		ctx, expires, err := a.Connect(opened(t, a, c.request), c.payload)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if id, _ := IdentityFrom(ctx); id.Handle != c.want || !expires.Equal(c.expires) {
			t.Errorf("%s: viewer %q until %v, want %q until %v", name, id.Handle, expires, c.want, c.expires)
		}
	}
}

// A client that sends a token expects to be signed in, so an invalid one must not open an
// anonymous socket or one of the cookie's user.
func TestConnect_RefusesInvalidTokens(t *testing.T) {
	a := Authenticator{testTokens(), keep, nil, discard()}
	ctx := opened(t, a, withCookie(localRequest("GET", "/graphql", ""), mustSign(t, root)))
	good := "Bearer " + mustSign(t, ann)
	for name, payload := range map[string]map[string]any{
		"garbage":         {"Authorization": "Bearer x"},
		"a number":        {"Authorization": 5},
		"several":         {"Authorization": []any{good}},
		"another scheme":  {"Authorization": "Basic eDp5"},
		"two names":       {"Authorization": good, "authorization": good},
		"two places":      {"Authorization": good, "headers": map[string]any{"authorization": good}},
		"empty token":     {"token": ""},
		"bare header":     {"headers": map[string]any{"Authorization": mustSign(t, ann)}},
		"deep":            {"context": map[string]any{"headers": map[string]any{"authorization": good}}},
		"password":        {"user": "ann", "password": "x"},
		"by value":        {"me": mustSign(t, ann)},
		"another's token": {"Authorization": "Bearer " + forge(hs256, payload, bytes.Repeat([]byte("x"), 32))},
	} {
		if got, _, err := a.Connect(ctx, payload); feed.CodeOf(err) != feed.CodeUnauthenticated || got != nil {
			t.Errorf("%s: the socket was opened, %v", name, err)
		}
	}
	later := Authenticator{NewTokens(testSecret, later(time.Hour)), keep, nil, discard()}
	if _, _, err := later.Connect(ctx, map[string]any{"Authorization": good}); clientMessage(err) != "the token has expired" {
		t.Errorf("an expired token got %v", err)
	}
}

func TestConnect_NamesRefusedField(t *testing.T) {
	a := Authenticator{testTokens(), keep, nil, discard()}
	for want, payload := range map[string]map[string]any{
		`the field "jwt" of connection_init is unknown; send {"Authorization": "Bearer TOKEN"}`: {"jwt": "x"},
		`the field "token" of connection_init must be a token or be omitted`:                    {"token": nil},
		`the field "authorization" of connection_init must be "Bearer TOKEN"`:                   {"authorization": "x"},
		`connection_init has several tokens`:                                                    {"authorization": "x", "token": "y"},
	} {
		_, _, err := a.Connect(t.Context(), payload)
		// The reason of a close has at most 123 bytes, and the transport needs some.
		if got := clientMessage(err); got != want || len("Forbidden: "+got) > 123 {
			t.Errorf("%v: got %q, want %q", payload, got, want)
		}
	}
}
