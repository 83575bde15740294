package gateway

import (
	"net/http"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

const app, evil = "https://app.example", "https://evil.example"

func mustOrigins(t *testing.T, list ...string) *Origins {
	t.Helper()
	o, err := NewOrigins(list)
	noError(t, err)
	return o
}

// from sets the origin of a request.
func from(r *http.Request, origin string) *http.Request {
	r.Header.Set("Origin", origin)
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	return r
}

// preflight returns the preflight of an origin for a method.
func preflight(origin, method string) *http.Request {
	r := from(localRequest(http.MethodOptions, "/graphql", ""), origin)
	r.Header.Set("Access-Control-Request-Method", method)
	r.Header.Set("Access-Control-Request-Headers", "authorization,content-type")
	return r
}

// grants returns the names of the CORS headers.
func grants(resp *http.Response) []string {
	var names []string
	for name := range resp.Header {
		if strings.HasPrefix(name, "Access-Control-") {
			names = append(names, name)
		}
	}
	return names
}

func TestCORS_AllowsListedOrigins(t *testing.T) {
	h := CORS(mustOrigins(t, "https://other.example", app), GuardCookies(mustOrigins(t, app).Trust(), whoami))
	resp := serve(h, preflight(app, "POST"))
	want := http.Header{
		"Access-Control-Allow-Origin":      {app},
		"Access-Control-Allow-Credentials": {"true"},
		"Access-Control-Allow-Methods":     {"GET, POST, PUT, DELETE"},
		"Access-Control-Allow-Headers":     {"Authorization, Content-Type, Last-Event-Id, Tideline-At-Least, Tideline-At-Least-Mode, Tideline-As-Of, X-GraphQL-Event-Stream-Token, X-Request-Id, GraphQL-Preflight, Apollo-Require-Preflight, X-Apollo-Operation-Name"},
		"Access-Control-Max-Age":           {"7200"},
		"Access-Control-Expose-Headers":    {"X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate"},
		"Vary":                             {"Origin"},
	}
	wantEqual(t, want, resp.Header, "the headers of a preflight")
	wantEqual(t, http.StatusNoContent, resp.StatusCode, "the status of a preflight")
	answered := serve(h, from(withCookie(localRequest("POST", "/graphql", `{}`), "t"), app))
	wantEqual(t, []any{http.StatusOK, app}, []any{answered.StatusCode, answered.Header.Get("Access-Control-Allow-Origin")}, "status and origin of a response")
	wantContains(t, answered.Header.Get("Access-Control-Expose-Headers"), "X-Request-Id", "Retry-After")
	form := from(withCookie(localRequest("POST", "/graphql", `{}`), "t"), app)
	form.Header.Set("Content-Type", "text/plain")
	refused := serve(h, form)
	wantEqual(t, app, refused.Header.Get("Access-Control-Allow-Origin"), "who may read the refusal")
	wantRefusal(t, refused, 415, feed.CodeBadInput)
}

// Requests of other origins get a response that their page cannot read.
func TestCORS_GrantsOtherOriginsNothing(t *testing.T) {
	for _, origin := range []string{
		evil, "null", "https://app.example.evil.example", "https://evilapp.example", "https://app.example:8443", "http://app.example",
		"https://app.example/", "HTTPS://APP.EXAMPLE", "https://sub.app.example", "https://app.example, https://evil.example", "*", "file://",
	} {
		h := CORS(mustOrigins(t, app), whoami)
		asked := serve(h, preflight(origin, "POST"))
		if names := grants(asked); len(names) > 0 {
			t.Errorf("a preflight from %s got the headers %v", origin, names)
		}
		wantRefusal(t, asked, 403, feed.CodeForbidden)
		sent := serve(h, from(localRequest("POST", "/graphql", `{}`), origin))
		if names := grants(sent); len(names) > 0 || sent.StatusCode != http.StatusOK || sent.Header.Get("Vary") != "Origin" {
			t.Errorf("a request from %s got %d and the headers %v", origin, sent.StatusCode, names)
		}
	}
}

func TestCORS_GrantsNothingWithoutList(t *testing.T) {
	h := CORS(mustOrigins(t), whoami)
	wantRefusal(t, serve(h, preflight(app, "POST")), 403, feed.CodeForbidden)
	plain := serve(h, localRequest(http.MethodOptions, "/graphql", ""))
	if got := body(t, plain); got != "anonymous" || len(grants(plain)) > 0 || plain.Header.Get("Vary") != "" {
		t.Errorf("OPTIONS got %q and %v", got, plain.Header)
	}
}

func TestNewOrigins_RefusesOtherText(t *testing.T) {
	mustOrigins(t, app, "http://localhost:3000", "http://127.0.0.1:5173", "https://[::1]:8443", "http://app.example:443")
	for _, text := range []string{
		"*", "", "null", "app.example", "https://", "https://*.example", "https://app.example/", "https://app.example/path", "https://app.example?x",
		"https://user@app.example", "HTTPS://app.example", "https://App.example", "ftp://app.example", "https://app.example:443", "http://app.example:80",
		"https://app.example:", "https://app.example#x", "https://a.example https://b.example",
	} {
		if _, err := NewOrigins([]string{text}); err == nil {
			t.Errorf("%q was accepted as an origin", text)
		}
	}
}

// Pages of other sites can send the user's cookie, but not every header.
func TestGuardCookies_RefusesWhatOtherSitesCanSend(t *testing.T) {
	h := GuardCookies(mustOrigins(t, app).Trust(), whoami)
	const site, contentType, json = "Sec-Fetch-Site", "Content-Type", "application/json"
	type headers = map[string]string
	for name, c := range map[string]struct {
		method  string
		headers headers
		want    int
	}{
		"our page":                   {"POST", headers{contentType: json, site: "same-origin", "Origin": "http://127.0.0.1:8080"}, 200},
		"no browser":                 {"POST", headers{contentType: json}, 200},
		"typed into the address bar": {"GET", headers{site: "none"}, 200},
		"an EventSource of our page": {"GET", headers{"Origin": "http://127.0.0.1:8080", "Accept": "text/event-stream"}, 200},
		"a trusted origin":           {"POST", headers{contentType: json, site: "cross-site", "Origin": app}, 200},
		"a bearer token":             {"POST", headers{contentType: json, site: "cross-site", "Origin": evil, "Authorization": "Bearer t"}, 200},
		"a link on another site":     {"GET", headers{site: "cross-site"}, 403},
		"a page of another site":     {"POST", headers{contentType: json, site: "cross-site"}, 403},
		"another origin":             {"PUT", headers{contentType: json, "Origin": evil}, 403},
		"a forged preflight":         {"GET", headers{"Origin": evil, "GraphQL-Preflight": "1"}, 403},
		"a socket of another origin": {"GET", headers{"Origin": evil, "Connection": "Upgrade", "Upgrade": "websocket"}, 403},
		"an old browser's picture":   {"GET", nil, 403},
		"no type":                    {"POST", nil, 415},
		"plain text":                 {"POST", headers{contentType: "text/plain; application/json"}, 415},
		"a form":                     {"POST", headers{contentType: "application/x-www-form-urlencoded"}, 415},
	} {
		t.Run(name, func(t *testing.T) {
			r := withCookie(localRequest(c.method, "/graphql", ""), "t")
			for header, value := range c.headers {
				r.Header.Set(header, value)
			}
			wantPassed(t, serve(h, r), c.want)
		})
	}
	wantPassed(t, serve(h, from(localRequest("POST", "/graphql", `{}`), evil)), 200)
	for _, name := range append(PreflightHeaders(), contentType) {
		for value, want := range map[string]int{json: 200, "": 403} {
			r := withCookie(localRequest("GET", "/graphql", ""), "t")
			r.Header.Set(name, value)
			wantPassed(t, serve(h, r), want)
		}
	}
}

// wantPassed checks the status of a response, which is a refusal unless it is 200.
func wantPassed(t *testing.T, resp *http.Response, status int) {
	t.Helper()
	switch status {
	case http.StatusForbidden:
		wantRefusal(t, resp, status, feed.CodeForbidden)
	case http.StatusUnsupportedMediaType:
		wantRefusal(t, resp, status, feed.CodeBadInput)
	default:
		wantEqual(t, status, resp.StatusCode, "the status")
	}
}

func TestIsLoopbackAddr(t *testing.T) {
	for addr, want := range map[string]bool{
		"127.0.0.1:8080": true, "127.1.2.3:0": true, "localhost:8080": true, "[::1]:8080": true, "[::ffff:127.0.0.1]:80": true,
		":8080": false, "0.0.0.0:8080": false, "[::]:8080": false, "192.0.2.1:8080": false, "example.org:80": false,
		"localhost.example.org:80": false, "127.0.0.1": false, "": false, "[fe80::1%lo]:80": false,
	} {
		wantEqual(t, want, IsLoopbackAddr(addr), "IsLoopbackAddr(%q)", addr)
	}
}
