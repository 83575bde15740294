package gateway

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
)

// Attach is called with the identity of every signed-in request and returns the
// context the handler gets: the place to make the user at his first request and to
// tell the handlers who the viewer is. An error of code [feed.CodeUnauthenticated]
// says that the identity counts for nothing any more, such as a deleted user's;
// [feed.CodeUnavailable] that nobody can tell now.
type Attach func(context.Context, Identity) (context.Context, error)

// Identify finds out who asks, from Authorization: Bearer or else from the session
// cookie, and passes it on through attach, [IdentityFrom] and the context.
//
// A bearer token that does not hold is answered with 401: the client means to be
// somebody and must learn that he is not. A cookie that does not hold, whether it
// has expired or the secret has changed, makes the request anonymous and the
// browser forget it: a browser sends its cookie by itself, also with the very page
// on which one signs in again. Other schemes of Authorization belong to whatever
// stands in front of this server and are passed over.
func Identify(tokens *Tokens, attach Attach, log *slog.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token, bearer := bearerToken(r)
		if !bearer {
			token = cookieToken(r)
		}
		if token == "" && !bearer {
			next.ServeHTTP(w, r)
			return
		}
		ctx, err := identified(r.Context(), tokens, attach, token)
		switch code := feed.CodeOf(err); {
		case err == nil:
			next.ServeHTTP(w, r.WithContext(ctx))
		case code == feed.CodeUnauthenticated && bearer:
			log.InfoContext(r.Context(), "a token was refused", "error", err, "requestId", RequestIDFrom(r.Context()))
			refuseToken(w, r, clientMessage(err))
		case code == feed.CodeUnauthenticated:
			clearCookie(w, r)
			next.ServeHTTP(w, r)
		default:
			refuseFault(w, r, log, code, err)
		}
	})
}

// identified returns the context of a request that carries the token.
func identified(ctx context.Context, tokens *Tokens, attach Attach, token string) (context.Context, error) {
	id, err := tokens.Verify(token)
	if err != nil {
		return nil, err
	}
	return attach(withIdentity(ctx, id), id)
}

// refuseFault answers a request whose token holds but whose user cannot be had.
func refuseFault(w http.ResponseWriter, r *http.Request, log *slog.Logger, code feed.Code, err error) {
	log.ErrorContext(r.Context(), "the user of a request cannot be had", "error", err, "requestId", RequestIDFrom(r.Context()))
	switch {
	case code == feed.CodeUnavailable:
		refuse(w, r, http.StatusServiceUnavailable, code, clientMessage(err))
	case code.Refusal():
		refuse(w, r, http.StatusForbidden, feed.CodeForbidden, clientMessage(err))
	default:
		refuse(w, r, http.StatusInternalServerError, feed.CodeInternal, "internal error")
	}
}

// bearerToken returns the token of the Authorization header, and whether there is
// one of the scheme Bearer. Several Authorization headers are a token that does not
// hold: which of them counts would be a guess.
func bearerToken(r *http.Request) (string, bool) {
	headers := r.Header.Values("Authorization")
	for _, header := range headers {
		scheme, token, _ := strings.Cut(header, " ")
		if !strings.EqualFold(scheme, "Bearer") {
			continue
		}
		if len(headers) > 1 {
			return "", true
		}
		return strings.TrimSpace(token), true
	}
	return "", false
}

// RequireAdmin lets administrators through. Somebody else who is signed in gets
// 403. Who is not is sent to the start page to sign in and come back, when a
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
			w.Header().Set("WWW-Authenticate", `Bearer realm="tideline"`)
			refuse(w, r, http.StatusUnauthorized, feed.CodeUnauthenticated, "sign in as an administrator")
		}
	})
}
