package gateway

import (
	"net/http"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

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
		"with a charset":             {"POST", headers{contentType: "application/json; charset=utf-8"}, 200},
		"typed into the address bar": {"GET", headers{site: "none"}, 200},
		"an EventSource of our page": {"GET", headers{"Origin": "http://127.0.0.1:8080", "Accept": "text/event-stream"}, 200},
		"a trusted origin":           {"POST", headers{contentType: json, site: "cross-site", "Origin": app}, 200},
		"a bearer token":             {"POST", headers{contentType: json, site: "cross-site", "Origin": evil, "Authorization": "Bearer t"}, 200},
		"a link on another site":     {"GET", headers{site: "cross-site"}, 403},
		"a page of another site":     {"POST", headers{contentType: json, site: "cross-site"}, 403},
		"a page of a sister site":    {"POST", headers{contentType: json, site: "same-site"}, 403},
		"another origin":             {"PUT", headers{contentType: json, "Origin": evil}, 403},
		"a forged preflight":         {"GET", headers{"Origin": evil, "GraphQL-Preflight": "1"}, 403},
		"a socket of another origin": {"GET", headers{"Origin": evil, "Connection": "Upgrade", "Upgrade": "websocket"}, 403},
		"an old browser's picture":   {"GET", nil, 403},
		"a GET with a form's type":   {"GET", headers{contentType: "text/plain; application/json"}, 403},
		"no type":                    {"POST", nil, 415},
		"plain text":                 {"POST", headers{contentType: "text/plain; application/json"}, 415},
		"a form":                     {"POST", headers{contentType: "application/x-www-form-urlencoded"}, 415},
		"a form with files":          {"POST", headers{contentType: "multipart/form-data; boundary=x"}, 415},
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
