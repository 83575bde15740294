package gateway

import (
	"net/http"
	"time"
)

// Browsers accept a cookie with this prefix only over https, for this exact host and all paths. So
// neither a sister site nor an attacker on a connection without TLS can plant a session.
const securePrefix = "__Host-"

func usesHTTPS(r *http.Request) bool { return r.TLS != nil || ClientFrom(r.Context()).HTTPS }

func cookieName(r *http.Request, name string) string {
	if usesHTTPS(r) {
		return securePrefix + name
	}
	return name
}

func readCookie(r *http.Request, name string) string {
	cookie, err := r.Cookie(cookieName(r, name))
	if err != nil {
		return ""
	}
	return cookie.Value
}

func cookieToken(r *http.Request) string { return readCookie(r, SessionCookie) }

func newCookie(r *http.Request, name, value string, ttl time.Duration) *http.Cookie {
	return &http.Cookie{
		Name: cookieName(r, name), Value: value, Path: "/",
		// net/http omits a Max-Age of zero, and the cookie would not expire.
		MaxAge:   max(1, int(ttl/time.Second)),
		HttpOnly: true,
		SameSite: http.SameSiteStrictMode,
		Secure:   usesHTTPS(r) || !looksLocal(r),
	}
}

func clearCookie(w http.ResponseWriter, r *http.Request) {
	cookie := newCookie(r, SessionCookie, "", 0)
	cookie.MaxAge = -1
	http.SetCookie(w, cookie)
}
