package gateway

import (
	"net/http"
	"testing"
)

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
