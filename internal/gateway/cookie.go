package gateway

import (
	"net/http"
	"time"
)

// securePrefix begins the name of a cookie where the client is known to use https. Browsers
// take a cookie with that name only over https, from this very host and for all of its paths,
// so that a page of a sister site, or an attacker on the way of a request without TLS, cannot
// put a session of their own in its place.
const securePrefix = "__Host-"

// usesHTTPS reports whether the client of a request is known to use https.
func usesHTTPS(r *http.Request) bool { return r.TLS != nil || ClientFrom(r.Context()).HTTPS }

// cookieName returns the name that a cookie has for the client of a request.
func cookieName(r *http.Request, name string) string {
	if usesHTTPS(r) {
		return securePrefix + name
	}
	return name
}

// readCookie returns the value of a cookie that this server has set, empty if there is none.
func readCookie(r *http.Request, name string) string {
	cookie, err := r.Cookie(cookieName(r, name))
	if err != nil {
		return ""
	}
	return cookie.Value
}

// cookieToken returns the token in the session cookie, empty if there is none.
func cookieToken(r *http.Request) string { return readCookie(r, SessionCookie) }

// newCookie returns a cookie that no script can read and no other site can use, for ttl.
func newCookie(r *http.Request, name, value string, ttl time.Duration) *http.Cookie {
	return &http.Cookie{
		Name: cookieName(r, name), Value: value, Path: "/",
		// A Max-Age of zero would not be sent, and the cookie would live on.
		MaxAge:   max(1, int(ttl/time.Second)),
		HttpOnly: true,
		SameSite: http.SameSiteStrictMode,
		Secure:   usesHTTPS(r) || !looksLocal(r),
	}
}

// clearCookie makes the browser forget the session cookie.
func clearCookie(w http.ResponseWriter, r *http.Request) {
	cookie := newCookie(r, SessionCookie, "", 0)
	cookie.MaxAge = -1
	http.SetCookie(w, cookie)
}
