package gateway

import (
	"maps"
	"mime"
	"net/http"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// SecureHeaders gives every response what tells browsers to be careful, except for what a
// handler says itself. The content policy allows nothing at all: right for data, and a page
// that forgets its own is seen to be broken at once.
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
		// All responses share the lists of values: handlers replace a list or delete it, and
		// add to none of these headers.
		maps.Copy(w.Header(), secure)
		next.ServeHTTP(w, r)
	})
}

// GuardCookies refuses requests that another site may have made a browser send with
// the session cookie:
//
//   - 403 when the request comes from an origin that is neither ours nor among those
//     origins trusts. Origin counts for every method, also GET: a WebSocket starts with
//     one.
//   - 415 for a POST that is not JSON: the types that a plain form can send.
//   - 403 when nothing shows where the request comes from and any page could have
//     caused it: an old browser tells no origin for a picture whose address is a query.
//     A header that a script may only send to another site after asking, one of
//     [PreflightHeaders] or a JSON Content-Type, shows that this was not so.
//
// Requests with a bearer token, or without the cookie, pass: no site can make a browser
// send a token it does not know. origins is the zero [http.CrossOriginProtection], which
// trusts no other origin, when nil.
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
		case !tellsOrigin(r) && !preflighted(r):
			refuse(w, r, http.StatusForbidden, feed.CodeForbidden,
				"nothing shows that no other site caused the request; send it with the header GraphQL-Preflight: 1")
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// PreflightHeaders returns the headers of which any one, when it is not empty, shows
// that a browser has asked this server before it sent the request: for each there are
// clients that send it.
func PreflightHeaders() []string {
	return []string{"GraphQL-Preflight", "Apollo-Require-Preflight", "X-Apollo-Operation-Name"}
}

// preflighted says whether a script of another site could not have sent the request
// without asking first. What it may send, and so a form or a picture, too, has one of
// three types of content and no header of its own.
func preflighted(r *http.Request) bool {
	return isJSON(r) || slices.ContainsFunc(PreflightHeaders(), func(name string) bool { return r.Header.Get(name) != "" })
}

// tellsOrigin says whether the browser told where the request comes from, so that
// crossOrigin could judge it.
func tellsOrigin(r *http.Request) bool {
	return r.Header.Get("Sec-Fetch-Site") != "" || r.Header.Get("Origin") != ""
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
