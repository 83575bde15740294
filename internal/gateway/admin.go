package gateway

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"net/url"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
)

// RequireAdmin lets administrators through. Somebody else who is signed in gets
// 403. Who is not is sent to the web client to sign in and come back, when a
// browser asks for a page, and gets 401 otherwise. It stands inside [Identify] and
// outside of anything that changes the path.
func RequireAdmin(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id, ok := IdentityFrom(r.Context())
		switch {
		case ok && id.Admin:
			next.ServeHTTP(w, r)
		case ok:
			refuse(w, r, http.StatusForbidden, feed.CodeForbidden, "this is for administrators only")
		case r.Method == http.MethodGet && strings.Contains(r.Header.Get("Accept"), "text/html"):
			w.Header().Set("Cache-Control", "no-store")
			http.Redirect(w, r, "/?next="+url.QueryEscape(r.URL.Path), http.StatusSeeOther)
		default:
			demandToken(w, r, "sign in as an administrator")
		}
	})
}

// AllowAdminToken lets requests whose bearer token is the operator's own straight to
// admin, and hands all others to next, which is to find out who asks. It is for
// programs, such as probes: the token belongs to nobody, never expires, and opens nothing
// but admin. An empty token is nobody's.
func AllowAdminToken(token string, admin, next http.Handler) http.Handler {
	// Digests are of one length, so that the comparison does not tell the token's.
	want := sha256.Sum256([]byte(token))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		given, bearer := bearerToken(r)
		got := sha256.Sum256([]byte(given))
		if bearer && token != "" && subtle.ConstantTimeCompare(got[:], want[:]) == 1 {
			admin.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// DemandAdminToken answers whoever comes without the operator's token with 401, where
// nobody signs in in another way: what [AllowAdminToken] is given to go on with.
func DemandAdminToken() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		demandToken(w, r, "this takes the operator's token")
	})
}

func demandToken(w http.ResponseWriter, r *http.Request, message string) {
	w.Header().Set("WWW-Authenticate", `Bearer realm="tideline"`)
	refuse(w, r, http.StatusUnauthorized, feed.CodeUnauthenticated, message)
}

// OnlyLoopback lets requests through against whose having been made on this machine nothing
// speaks ([looksLocal]): not those that another site has a browser here make, nor those that
// bear a mark of a proxy. All others get 403. It stands on a listener that only this machine
// can reach, and before nothing that a stranger must not see under any circumstances: a proxy
// on this machine may leave no mark.
func OnlyLoopback(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !looksLocal(r) {
			refuse(w, r, http.StatusForbidden, feed.CodeForbidden, "this is for this machine only, or for the operator's token")
			return
		}
		next.ServeHTTP(w, r)
	})
}
