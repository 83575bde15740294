package gateway

import (
	"mime"
	"net/http"

	"github.com/tideline-feeds/tideline/feed"
)

// SecureHeaders sets what tells browsers to be careful, before the handler runs, so
// that a handler may set another value. The content policy allows nothing at all:
// right for data, and a page that forgets its own is seen to be broken at once.
func SecureHeaders(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
		next.ServeHTTP(w, r)
	})
}

// GuardCookies refuses requests that another site may have made a browser send with
// the session cookie: 403 when the request comes from an origin that is neither
// ours nor among those origins trusts, 415 for a POST that is not JSON, the types a
// plain form can send. Origin counts for every method, also GET: a WebSocket starts
// with one. Requests with a bearer token, or without the cookie, pass: no site can
// make a browser send a token it does not know. origins is the zero
// [http.CrossOriginProtection], which trusts no other origin, when nil.
func GuardCookies(origins *http.CrossOriginProtection, next http.Handler) http.Handler {
	if origins == nil {
		origins = http.NewCrossOriginProtection()
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, bearer := bearerToken(r)
		if _, err := r.Cookie(SessionCookie); err != nil || bearer {
			next.ServeHTTP(w, r)
			return
		}
		if crossOrigin(origins, r) {
			refuse(w, r, http.StatusForbidden, feed.CodeForbidden, "the request comes from another site")
			return
		}
		if r.Method == http.MethodPost && !isJSON(r) {
			refuse(w, r, http.StatusUnsupportedMediaType, feed.CodeBadInput, "the body must be application/json")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// crossOrigin judges the request as if its method were unsafe.
func crossOrigin(origins *http.CrossOriginProtection, r *http.Request) bool {
	unsafe := *r
	unsafe.Method = http.MethodPost
	return origins.Check(&unsafe) != nil
}

func isJSON(r *http.Request) bool {
	mediaType, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && mediaType == "application/json"
}
