package gateway

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
)

// Attach receives the identity of every signed-in request and returns the context for the handler.
// It creates new users and sets the viewer; a service that acts for no user has none. Its error is
// [feed.CodeUnauthenticated] if the identity is no longer valid, such as of a deleted user;
// [feed.CodeUnavailable] if that is unknown now.
type Attach func(context.Context, Identity) (context.Context, error)

// Authenticator authenticates HTTP requests and sockets. All its fields but Subjects must be set.
type Authenticator struct {
	Verifier Verifier
	Attach   Attach
	// Subjects reads the users that services act for; nil for decimal ids.
	Subjects Subjects
	// Log receives the reasons of refused tokens, and failures to load users.
	Log *slog.Logger
}

// authenticate returns the context and the identity of a token. actFor has the values of
// [ActForHeader].
func (a Authenticator) authenticate(ctx context.Context, token string, actFor []string) (context.Context, Identity, error) {
	id, err := a.Verifier.Verify(ctx, token)
	if err != nil {
		return nil, Identity{}, err
	}
	logDamaged(ctx, a.Log, id)
	if id, err = a.act(ctx, id, actFor); err != nil {
		return nil, id, err
	}
	ctx, err = a.attach(ctx, id)
	return ctx, id, err
}

// Identify authenticates requests by Authorization: Bearer or else by the session cookie. It passes
// the identity on through [Attach] and [IdentityFrom].
//
// An invalid bearer token gets 401. An invalid cookie makes the request anonymous and is cleared,
// because browsers send cookies even with the request for the sign-in page. Other schemes of
// Authorization are ignored; they belong to proxies in front of this server.
//
// A service's bearer token may act for the user in [ActForHeader] or [ActForEncodedHeader]. The header gets 403 with a cookie
// or without a token, and the token is invalid in a cookie: a browser never acts for others.
func Identify(a Authenticator, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token, bearer := requestToken(r)
		actFor := actForOf(r)
		if !bearer && len(actFor) > 0 {
			_, err := a.act(r.Context(), Identity{}, actFor)
			a.refuseFailure(w, r, err)
			return
		}
		if token == "" && !bearer {
			next.ServeHTTP(w, r)
			return
		}
		ctx, id, err := a.authenticate(r.Context(), token, actFor)
		switch code := feed.CodeOf(err); {
		case err == nil && id.Service != "" && !bearer:
			clearCookie(w, r)
			next.ServeHTTP(w, r)
		case err == nil:
			setIdentity(ctx, id)
			next.ServeHTTP(w, r.WithContext(ctx))
		case code == feed.CodeUnauthenticated && bearer:
			a.logRefused(r.Context(), err)
			refuseToken(w, r, clientMessage(err))
		case code == feed.CodeUnauthenticated:
			clearCookie(w, r)
			next.ServeHTTP(w, r)
		default:
			a.refuseFailure(w, r, err)
		}
	})
}

func (a Authenticator) logRefused(ctx context.Context, err error) {
	a.Log.InfoContext(ctx, "token refused", "error", err, "requestId", RequestIDFrom(ctx))
}

// logFailure logs what clients cause at a lower level than failures.
func (a Authenticator) logFailure(ctx context.Context, err error) {
	if code := feed.CodeOf(err); code == feed.CodeForbidden || code == feed.CodeBadInput {
		a.Log.InfoContext(ctx, "acting for a user refused", "error", err, "requestId", RequestIDFrom(ctx))
		return
	}
	a.Log.ErrorContext(ctx, "cannot load the user of a request", "error", err, "requestId", RequestIDFrom(ctx))
}

func (a Authenticator) refuseFailure(w http.ResponseWriter, r *http.Request, err error) {
	a.logFailure(r.Context(), err)
	shown := clientError(err)
	status := map[feed.Code]int{
		feed.CodeUnavailable: http.StatusServiceUnavailable,
		feed.CodeForbidden:   http.StatusForbidden,
		feed.CodeBadInput:    http.StatusBadRequest,
	}[shown.Code]
	refuse(w, r, cmp.Or(status, http.StatusInternalServerError), shown.Code, shown.Message)
}

// clientError hides unexpected errors. FORBIDDEN is for claims that no user can have.
func clientError(err error) *feed.Error {
	switch code := feed.CodeOf(err); {
	case code == feed.CodeUnavailable, code == feed.CodeBadInput:
		return feed.Errorf(code, "%s", clientMessage(err))
	case code.Refusal():
		return feed.Errorf(feed.CodeForbidden, "%s", clientMessage(err))
	}
	return feed.Errorf(feed.CodeInternal, "%s", internalMessage)
}

// bearerToken returns the bearer token of a request, and whether there is one. With several
// Authorization headers it is empty, and so invalid, because any choice would be a guess.
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

func requestToken(r *http.Request) (token string, bearer bool) {
	if token, bearer = bearerToken(r); !bearer {
		token = cookieToken(r)
	}
	return token, bearer
}

func bearerOf(authorization string) (string, bool) {
	scheme, token, _ := strings.Cut(authorization, " ")
	return strings.TrimSpace(token), strings.EqualFold(scheme, "Bearer")
}
