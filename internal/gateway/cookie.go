package gateway

import (
	"net/http"
	"time"
)

// cookieToken returns the token in the session cookie, empty when there is none.
func cookieToken(r *http.Request) string {
	cookie, err := r.Cookie(SessionCookie)
	if err != nil {
		return ""
	}
	return cookie.Value
}

// newCookie returns the session cookie for a token that holds for ttl more.
func newCookie(r *http.Request, token string, ttl time.Duration) *http.Cookie {
	return &http.Cookie{
		Name: SessionCookie, Value: token, Path: "/",
		// A Max-Age of zero would not be sent, and the cookie would live on.
		MaxAge:   max(1, int(ttl/time.Second)),
		HttpOnly: true,
		SameSite: http.SameSiteStrictMode,
		Secure:   r.TLS != nil || !fromLoopback(r),
	}
}

// clearCookie makes the browser forget the session cookie.
func clearCookie(w http.ResponseWriter, r *http.Request) {
	cookie := newCookie(r, "", 0)
	cookie.MaxAge = -1
	http.SetCookie(w, cookie)
}
