package gateway

import (
	"context"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// Connect authenticates a socket by the payload of its connection_init. A token in the
// payload, in one of the forms of [payloadToken], is judged as a bearer token of a request
// and takes precedence over the request that opened the socket. Without one the socket has
// the identity that [Identify] found for that request: a page in a browser has nothing but
// its cookie.
//
// It returns the context that operations run in, and when the identity ends, by which the
// socket must be closed; the zero time for an anonymous viewer. Errors are a [*feed.Error]
// fit for the client: UNAUTHENTICATED for a token that is not valid and for a credential
// that is not understood, FORBIDDEN, UNAVAILABLE or INTERNAL for a user that cannot be
// loaded.
func (a Authenticator) Connect(ctx context.Context, payload map[string]any) (context.Context, time.Time, error) {
	token, given, err := payloadToken(payload)
	if err != nil {
		a.logRefused(ctx, err)
		return nil, time.Time{}, err
	}
	if !given {
		id, _ := IdentityFrom(ctx)
		return a.watched(ctx, id), id.Expires, nil
	}
	signedIn, id, err := a.authenticate(ctx, token)
	switch {
	case err == nil:
		return a.watched(signedIn, id), id.Expires, nil
	case feed.CodeOf(err) == feed.CodeUnauthenticated:
		a.logRefused(ctx, err)
		return nil, time.Time{}, feed.Errorf(feed.CodeUnauthenticated, "%s", clientMessage(err))
	}
	a.logFault(ctx, err)
	return nil, time.Time{}, faultShown(err)
}

// watched returns a context that ends when the identity's token is revoked, if the verifier
// knows of revocations.
func (a Authenticator) watched(ctx context.Context, id Identity) context.Context {
	if r, ok := a.Verifier.(Revocable); ok {
		return r.watch(ctx, id)
	}
	return ctx
}
