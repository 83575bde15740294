package gateway

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
)

// RequireAdmin passes on requests of administrators. Other users get 403. Anonymous requests for
// pages are redirected to the sign-in of the web client; others get 401. It belongs inside
// [Identify], and outside of handlers that change the path.
func RequireAdmin(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id, ok := IdentityFrom(r.Context())
		switch {
		case ok && id.Admin:
			next.ServeHTTP(w, r)
		case ok:
			refuse(w, r, http.StatusForbidden, feed.CodeForbidden, "administrators only")
		case r.Method == http.MethodGet && strings.Contains(r.Header.Get("Accept"), "text/html"):
			w.Header().Set("Cache-Control", "no-store")
			http.Redirect(w, r, "/?next="+url.QueryEscape(r.URL.Path), http.StatusSeeOther)
		default:
			demandToken(w, r, "sign in as an administrator")
		}
	})
}

// AllowAdminToken passes requests with the bearer token on to admin and all others to next. The
// token is for programs, such as probes, and never expires. An empty token matches no request.
func AllowAdminToken(token string, admin, next http.Handler) http.Handler {
	want := NewOpaqueToken(token)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if given, bearer := bearerToken(r); bearer && want.matches(given) {
			admin.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// DemandAdminToken refuses every request with 401, as next of [AllowAdminToken] without users.
func DemandAdminToken() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		demandToken(w, r, "the operator's token is required")
	})
}

func demandToken(w http.ResponseWriter, r *http.Request, message string) {
	w.Header().Set("WWW-Authenticate", `Bearer realm="tideline"`)
	refuse(w, r, http.StatusUnauthorized, feed.CodeUnauthenticated, message)
}

// OnlyLoopback refuses with 403 what a client on this machine does not seem to send ([looksLocal]).
// It must not be the only protection of secrets: a local proxy that adds no headers passes.
func OnlyLoopback(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !looksLocal(r) {
			refuse(w, r, http.StatusForbidden, feed.CodeForbidden, "only requests from this machine or with the operator's token are allowed")
			return
		}
		next.ServeHTTP(w, r)
	})
}
