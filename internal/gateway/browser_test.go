package gateway

import (
	"net/http"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

func TestGuardCookies_PassesOwnPages(t *testing.T) {
	h := GuardCookies(nil, whoami)
	post := func() *http.Request { return withCookie(localRequest("POST", "/graphql", `{}`), "t") }
	own := post()
	own.Header.Set("Sec-Fetch-Site", "same-origin")
	own.Header.Set("Origin", "http://127.0.0.1:8080")
	charset := post()
	charset.Header.Set("Content-Type", "application/json; charset=utf-8")
	typed := withCookie(localRequest("GET", "/graphql?query={viewer{user{name}}}", ""), "t")
	typed.Header.Set("Sec-Fetch-Site", "none")
	for name, r := range map[string]*http.Request{
		"our page": own, "no browser": post(), "with a charset": charset, "typed into the address bar": typed,
	} {
		if got := serve(h, r).StatusCode; got != http.StatusOK {
			t.Errorf("%s: the status is %d", name, got)
		}
	}
}

func TestGuardCookies_RefusesOtherSites(t *testing.T) {
	h := GuardCookies(nil, whoami)
	for _, method := range []string{"GET", "POST", "PUT"} {
		for header, value := range map[string]string{
			"Sec-Fetch-Site": "cross-site",
			"Origin":         "https://evil.example",
		} {
			r := withCookie(localRequest(method, "/graphql", `{}`), "t")
			r.Header.Set(header, value)
			wantRefusal(t, serve(h, r), 403, feed.CodeForbidden)
		}
	}
	sameSite := withCookie(localRequest("POST", "/graphql", `{}`), "t")
	sameSite.Header.Set("Sec-Fetch-Site", "same-site")
	wantRefusal(t, serve(h, sameSite), 403, feed.CodeForbidden)

	socket := withCookie(localRequest("GET", "/graphql", ""), "t")
	socket.Header.Set("Connection", "Upgrade")
	socket.Header.Set("Upgrade", "websocket")
	socket.Header.Set("Origin", "https://evil.example")
	wantRefusal(t, serve(h, socket), 403, feed.CodeForbidden)

	for _, contentType := range []string{"", "text/plain", "text/plain; application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"} {
		form := withCookie(localRequest("POST", "/graphql", `{}`), "t")
		form.Header.Set("Content-Type", contentType)
		wantRefusal(t, serve(h, form), 415, feed.CodeBadInput)
	}
}

// Requests that cannot be forged pass: without the cookie, with a bearer token, or from a trusted
// origin.
func TestGuardCookies_PassesWhatCannotBeForged(t *testing.T) {
	origins := http.NewCrossOriginProtection()
	if err := origins.AddTrustedOrigin("https://app.example"); err != nil {
		t.Fatal(err)
	}
	h := GuardCookies(origins, whoami)
	from := func(r *http.Request, origin string) *http.Request {
		r.Header.Set("Origin", origin)
		r.Header.Set("Sec-Fetch-Site", "cross-site")
		return r
	}
	post := func() *http.Request { return localRequest("POST", "/graphql", `{}`) }
	for name, r := range map[string]*http.Request{
		"no cookie":      from(post(), "https://other.example"),
		"bearer token":   from(withBearer(withCookie(post(), "t"), "t"), "https://other.example"),
		"trusted origin": from(withCookie(post(), "t"), "https://app.example"),
	} {
		if got := serve(h, r).StatusCode; got != http.StatusOK {
			t.Errorf("%s: the status is %d", name, got)
		}
	}
	wantRefusal(t, serve(h, from(withCookie(post(), "t"), "https://other.example")), 403, feed.CodeForbidden)
}

func TestIsLoopbackAddr(t *testing.T) {
	cases := map[string]bool{
		"127.0.0.1:8080": true, "127.1.2.3:0": true, "localhost:8080": true, "[::1]:8080": true, "[::ffff:127.0.0.1]:80": true,
		":8080": false, "0.0.0.0:8080": false, "[::]:8080": false, "192.0.2.1:8080": false, "example.org:80": false,
		"localhost.example.org:80": false, "127.0.0.1": false, "": false, "[fe80::1%lo]:80": false,
	}
	for addr, want := range cases {
		if got := IsLoopbackAddr(addr); got != want {
			t.Errorf("IsLoopbackAddr(%q) is %v, want %v", addr, got, want)
		}
	}
}
