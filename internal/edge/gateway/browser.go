package gateway

import (
	"maps"
	"mime"
	"net/http"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// SecureHeaders sets the security headers for browsers; handlers can replace them. The default
// Content-Security-Policy allows nothing, so a page without its own visibly fails.
func SecureHeaders(next http.Handler) http.Handler {
	secure := http.Header{
		"X-Content-Type-Options":       {"nosniff"},
		"X-Frame-Options":              {"DENY"},
		"Content-Security-Policy":      {"default-src 'none'; frame-ancestors 'none'"},
		"Referrer-Policy":              {"same-origin"},
		"Cross-Origin-Opener-Policy":   {"same-origin"},
		"Cross-Origin-Resource-Policy": {"same-origin"},
		"Permissions-Policy":           {"camera=(), geolocation=(), microphone=()"},
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// All responses share these slices: handlers must not append to them.
		maps.Copy(w.Header(), secure)
		next.ServeHTTP(w, r)
	})
}

// GuardCookies prevents cross-site request forgery with the session cookie:
//
//   - 403 if the Origin is neither this server's nor trusted by origins. That includes GET,
//     because a WebSocket begins with one.
//   - 415 for a POST that is not JSON, since plain forms can send other types.
//   - 403 if the request has no header that names its origin, and a page could have sent it
//     without a preflight. One of [PreflightHeaders] or a JSON Content-Type proves a preflight.
//
// Requests with a bearer token or without the cookie pass, because no other site knows the token.
// A nil origins trusts no other origin.
func GuardCookies(origins *http.CrossOriginProtection, next http.Handler) http.Handler {
	if origins == nil {
		origins = http.NewCrossOriginProtection()
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, bearer := bearerToken(r)
		switch {
		case cookieToken(r) == "" || bearer:
			next.ServeHTTP(w, r)
		case crossOrigin(origins, r):
			refuse(w, r, http.StatusForbidden, feed.CodeForbidden, "the request comes from another site")
		case r.Method == http.MethodPost && !isJSON(r):
			refuse(w, r, http.StatusUnsupportedMediaType, feed.CodeBadInput, "the body must be application/json")
		case !hasOriginHeader(r) && !preflighted(r):
			refuse(w, r, http.StatusForbidden, feed.CodeForbidden,
				"the request could come from another site; send the header GraphQL-Preflight: 1")
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// PreflightHeaders returns names of headers that GraphQL clients send, and that browsers send to
// another origin only after a preflight. A request with any of them, not empty, is safe.
func PreflightHeaders() []string {
	return []string{"GraphQL-Preflight", "Apollo-Require-Preflight", "X-Apollo-Operation-Name"}
}

// Browsers send only three content types, and no custom headers, to other sites without a
// preflight.
func preflighted(r *http.Request) bool {
	return isJSON(r) || slices.ContainsFunc(PreflightHeaders(), func(name string) bool { return r.Header.Get(name) != "" })
}

func hasOriginHeader(r *http.Request) bool {
	return r.Header.Get("Sec-Fetch-Site") != "" || r.Header.Get("Origin") != ""
}

func crossOrigin(origins *http.CrossOriginProtection, r *http.Request) bool {
	unsafe := *r
	unsafe.Method = http.MethodPost
	return origins.Check(&unsafe) != nil
}

func isJSON(r *http.Request) bool {
	mediaType, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && mediaType == "application/json"
}
