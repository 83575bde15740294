package gateway

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
)

// Attach is called with the identity of every signed-in request and returns the
// context the handler gets: the place to make the user at his first request and to
// tell the handlers who the viewer is. An error of code [feed.CodeUnauthenticated]
// says that the identity counts for nothing any more, such as a deleted user's;
// [feed.CodeUnavailable] that nobody can tell now.
type Attach func(context.Context, Identity) (context.Context, error)

// Authenticator decides who asks. It is the one place that does, for requests over
// HTTP ([Identify]) and for sockets that bring a token of their own
// ([Authenticator.Connect]). All its fields must be set.
type Authenticator struct {
	Verifier Verifier
	Attach   Attach
	// Log is told why tokens were refused, and why users could not be had.
	Log *slog.Logger
}

// authenticate returns the context of whoever holds the token. Errors are those of
// [Verifier] and [Attach].
func (a Authenticator) authenticate(ctx context.Context, token string) (context.Context, Identity, error) {
	id, err := a.Verifier.Verify(ctx, token)
	if err != nil {
		return nil, Identity{}, err
	}
	logDamaged(ctx, a.Log, id)
	ctx, err = a.Attach(withIdentity(ctx, id), id)
	return ctx, id, err
}

// Identify finds out who asks, from Authorization: Bearer or else from the session
// cookie, and passes it on through [Attach], [IdentityFrom] and the context.
//
// A bearer token that does not hold is answered with 401: the client means to be
// somebody and must learn that he is not. A cookie that does not hold, whether it
// has expired or the secret has changed, makes the request anonymous and the
// browser forget it: a browser sends its cookie by itself, also with the very page
// on which one signs in again. Other schemes of Authorization belong to whatever
// stands in front of this server and are passed over.
func Identify(a Authenticator, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token, bearer := requestToken(r)
		if token == "" && !bearer {
			next.ServeHTTP(w, r)
			return
		}
		ctx, id, err := a.authenticate(r.Context(), token)
		switch code := feed.CodeOf(err); {
		case err == nil:
			noteViewer(ctx, id.User)
			next.ServeHTTP(w, r.WithContext(ctx))
		case code == feed.CodeUnauthenticated && bearer:
			a.logRefused(r.Context(), err)
			refuseToken(w, r, clientMessage(err))
		case code == feed.CodeUnauthenticated:
			clearCookie(w, r)
			next.ServeHTTP(w, r)
		default:
			a.refuseFault(w, r, err)
		}
	})
}

func (a Authenticator) logRefused(ctx context.Context, err error) {
	a.Log.InfoContext(ctx, "a token was refused", "error", err, "requestId", RequestIDFrom(ctx))
}

func (a Authenticator) logFault(ctx context.Context, err error) {
	a.Log.ErrorContext(ctx, "the user of a request cannot be had", "error", err, "requestId", RequestIDFrom(ctx))
}

// refuseFault answers a request of which it cannot be told whose it is, or whose user
// cannot be had.
func (a Authenticator) refuseFault(w http.ResponseWriter, r *http.Request, err error) {
	a.logFault(r.Context(), err)
	shown := faultShown(err)
	status := map[feed.Code]int{
		feed.CodeUnavailable: http.StatusServiceUnavailable,
		feed.CodeForbidden:   http.StatusForbidden,
	}[shown.Code]
	refuse(w, r, cmp.Or(status, http.StatusInternalServerError), shown.Code, shown.Message)
}

// faultShown returns what the client may see of a fault: UNAVAILABLE, FORBIDDEN for
// claims that make no user, and INTERNAL for what nobody foresaw.
func faultShown(err error) *feed.Error {
	switch code := feed.CodeOf(err); {
	case code == feed.CodeUnavailable:
		return feed.Errorf(code, "%s", clientMessage(err))
	case code.Refusal():
		return feed.Errorf(feed.CodeForbidden, "%s", clientMessage(err))
	}
	return feed.Errorf(feed.CodeInternal, "%s", internalMessage)
}

// bearerToken returns the token of the Authorization header, and whether there is
// one of the scheme Bearer. Several Authorization headers are a token that does not
// hold: which of them counts would be a guess.
func bearerToken(r *http.Request) (string, bool) {
	headers := r.Header.Values("Authorization")
	for _, header := range headers {
		if token, ok := bearerOf(header); ok {
			if len(headers) > 1 {
				return "", true
			}
			return token, true
		}
	}
	return "", false
}

// requestToken returns the bearer token of a request or else the token in its cookie, and
// whether it is the former.
func requestToken(r *http.Request) (token string, bearer bool) {
	if token, bearer = bearerToken(r); !bearer {
		token = cookieToken(r)
	}
	return token, bearer
}

// bearerOf returns the token of one value of Authorization, and whether its scheme is
// Bearer.
func bearerOf(authorization string) (string, bool) {
	scheme, token, _ := strings.Cut(authorization, " ")
	return strings.TrimSpace(token), strings.EqualFold(scheme, "Bearer")
}
