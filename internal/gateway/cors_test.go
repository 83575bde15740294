package gateway

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

const app, evil = "https://app.example", "https://evil.example"

func mustOrigins(t *testing.T, list ...string) *Origins {
	t.Helper()
	o, err := NewOrigins(list)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// from makes the request one of a page of the origin.
func from(r *http.Request, origin string) *http.Request {
	r.Header.Set("Origin", origin)
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	return r
}

// preflight asks whether a page of the origin may send a request.
func preflight(origin, method string) *http.Request {
	r := from(localRequest(http.MethodOptions, "/graphql", ""), origin)
	r.Header.Set("Access-Control-Request-Method", method)
	r.Header.Set("Access-Control-Request-Headers", "authorization,content-type")
	return r
}

// grants returns the headers that let a browser do something.
func grants(resp *http.Response) []string {
	var names []string
	for name := range resp.Header {
		if strings.HasPrefix(name, "Access-Control-") {
			names = append(names, name)
		}
	}
	return names
}

// Pages of a listed origin may send cookies and tokens and read answers, refusals too;
// the grant names the one origin and never everybody.
func TestCORSLetsListedOriginsIn(t *testing.T) {
	h := CORS(mustOrigins(t, "https://other.example", app), GuardCookies(mustOrigins(t, app).Trust(), whoami))
	resp := serve(h, preflight(app, "POST"))
	for name, want := range map[string]string{
		"Access-Control-Allow-Origin":      app,
		"Access-Control-Allow-Credentials": "true",
		"Access-Control-Allow-Methods":     "GET, POST, DELETE",
		"Access-Control-Allow-Headers":     "Authorization, Content-Type, Last-Event-Id, X-Request-Id, GraphQL-Preflight, Apollo-Require-Preflight, X-Apollo-Operation-Name",
		"Access-Control-Max-Age":           "7200",
		"Vary":                             "Origin",
	} {
		if got := resp.Header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if resp.StatusCode != http.StatusNoContent {
		t.Errorf("a preflight is answered with %d", resp.StatusCode)
	}
	answered := serve(h, from(withCookie(localRequest("POST", "/graphql", `{}`), "t"), app))
	if got := answered.Header.Get("Access-Control-Allow-Origin"); answered.StatusCode != http.StatusOK || got != app {
		t.Errorf("a request is answered with %d for %q", answered.StatusCode, got)
	}
	if exposed := answered.Header.Get("Access-Control-Expose-Headers"); !strings.Contains(exposed, "X-Request-Id") || !strings.Contains(exposed, "Retry-After") {
		t.Errorf("a page may read the headers %q", exposed)
	}
	form := from(withCookie(localRequest("POST", "/graphql", `{}`), "t"), app)
	form.Header.Set("Content-Type", "text/plain")
	refused := serve(h, form)
	if refused.Header.Get("Access-Control-Allow-Origin") != app {
		t.Error("a page cannot read why it was refused")
	}
	wantRefusal(t, refused, 415, feed.CodeBadInput)
}

// Nothing is granted to any other origin, however much it looks like a listed one. What
// it sends without asking gets the answer that anybody gets, which its page cannot read.
func TestCORSGrantsOthersNothing(t *testing.T) {
	for _, origin := range []string{
		evil, "null", "https://app.example.evil.example", "https://evilapp.example", "https://app.example:8443", "http://app.example",
		"https://app.example/", "HTTPS://APP.EXAMPLE", "https://sub.app.example", "https://app.example, https://evil.example", "*", "file://",
	} {
		h := CORS(mustOrigins(t, app), whoami)
		asked := serve(h, preflight(origin, "POST"))
		if names := grants(asked); len(names) > 0 {
			t.Errorf("a preflight from %s is granted %v", origin, names)
		}
		wantRefusal(t, asked, 403, feed.CodeForbidden)
		sent := serve(h, from(localRequest("POST", "/graphql", `{}`), origin))
		if names := grants(sent); len(names) > 0 || sent.StatusCode != http.StatusOK || sent.Header.Get("Vary") != "Origin" {
			t.Errorf("a request from %s is answered with %d, granted %v", origin, sent.StatusCode, names)
		}
	}
}

// Without a list there is no CORS at all, and what is no preflight is the handler's.
func TestWithoutOriginsNothingIsGranted(t *testing.T) {
	h := CORS(mustOrigins(t), whoami)
	wantRefusal(t, serve(h, preflight(app, "POST")), 403, feed.CodeForbidden)
	plain := serve(h, localRequest(http.MethodOptions, "/graphql", ""))
	if got := body(t, plain); got != "nobody" || len(grants(plain)) > 0 || plain.Header.Get("Vary") != "" {
		t.Errorf("OPTIONS is answered with %q and %v", got, plain.Header)
	}
}

// Only what a browser would send as an origin can be listed; it would be silently
// useless, or mean everybody, otherwise.
func TestNewOriginsRefusesWhatIsNoOrigin(t *testing.T) {
	mustOrigins(t, app, "http://localhost:3000", "http://127.0.0.1:5173", "https://[::1]:8443", "http://app.example:443")
	for _, text := range []string{
		"*", "", "null", "app.example", "https://", "https://*.example", "https://app.example/", "https://app.example/path", "https://app.example?x",
		"https://user@app.example", "HTTPS://app.example", "https://App.example", "ftp://app.example", "https://app.example:443", "http://app.example:80",
		"https://app.example:", "https://app.example#x", "https://a.example https://b.example",
	} {
		if _, err := NewOrigins([]string{text}); err == nil {
			t.Errorf("%q is taken for an origin", text)
		}
	}
}

// A request with the cookie that tells no origin, as old browsers send for a picture,
// needs a header that a page of another site could not have sent unasked.
func TestACookieNeedsAnOriginOrAPreflight(t *testing.T) {
	h := GuardCookies(nil, whoami)
	get := func() *http.Request {
		return withCookie(localRequest("GET", "/graphql?query={viewer{user{name}}}", ""), "t")
	}
	wantRefusal(t, serve(h, get()), 403, feed.CodeForbidden)
	for _, contentType := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "text/plain; application/json"} {
		r := get()
		r.Header.Set("Content-Type", contentType)
		wantRefusal(t, serve(h, r), 403, feed.CodeForbidden)
	}
	for _, name := range slices.Concat(PreflightHeaders(), []string{"Content-Type"}) {
		r := get()
		r.Header.Set(name, "application/json")
		if got := serve(h, r).StatusCode; got != http.StatusOK {
			t.Errorf("with %s: the status is %d", name, got)
		}
		r.Header.Set(name, "")
		wantRefusal(t, serve(h, r), 403, feed.CodeForbidden)
	}
	for name, value := range map[string]string{"Sec-Fetch-Site": "same-origin", "Origin": "http://127.0.0.1:8080"} {
		stream := get()
		stream.Header.Set(name, value)
		stream.Header.Set("Accept", "text/event-stream")
		if got := serve(h, stream).StatusCode; got != http.StatusOK {
			t.Errorf("an EventSource of our own page with %s: the status is %d", name, got)
		}
	}
	forged := from(get(), evil)
	forged.Header.Set("GraphQL-Preflight", "1")
	wantRefusal(t, serve(h, forged), 403, feed.CodeForbidden)
}
